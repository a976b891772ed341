"""What can have one value at a time, and the words by which such a slot is seen. Data and look-ups."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..scripts import simplified, words
from ..tokens import terms

_FAVOURITES: Final = frozenset({"favourit", "favorit"})
_SINGLE: Final = frozenset(
    term
    for word in words("""
        name birthday age hometown address email number password height weight employer nationality surname
        """)
    for term in terms(word)
)
_MARITAL: Final = frozenset(
    term
    for word in words("single married divorced widowed engaged 单身 已婚 离婚 未婚 結婚 独身")
    for term in (*terms(word), simplified(word))
)
_OCCUPATIONS: Final = frozenset(
    term
    for word in words("""
        accountant actor actress analyst architect artist assistant astronaut baker banker barber barista
        bartender biologist builder butcher carpenter cashier chef chemist cleaner clerk coach composer
        consultant cook dancer dentist designer detective developer dietitian diplomat director doctor
        driver economist editor electrician engineer farmer firefighter fisherman florist gardener geologist
        hairdresser historian illustrator inspector instructor interpreter janitor jeweller journalist judge
        lawyer lecturer librarian lifeguard locksmith machinist manager mechanic midwife miner model
        musician nanny notary nurse nutritionist optician painter paramedic pathologist pharmacist
        philosopher photographer physicist physiotherapist pianist pilot plumber poet policeman policewoman
        politician porter postman professor programmer psychiatrist psychologist publisher realtor
        receptionist reporter researcher roofer sailor scientist sculptor secretary shopkeeper singer
        soldier statistician student surgeon surveyor tailor teacher technician therapist translator tutor
        vet veterinarian waiter waitress welder writer
        """)
    for term in terms(word)
)
_OCCUPATION: Final = re.compile(
    simplified(
        r".*(?:师|员|(?<![女人绅])士|医生|医者|教授|司机|警察|警官|工人|老板|作家|画家|歌手|记者|学生|农民|军人|律师|会计|经理|"
        r"秘书|导演|翻译|社長|看護婦|俳優|選手|漫画家|作曲家|農家)",
    ),
)
"""Unspaced words for occupations, mostly seen by how they end."""

_REGIONS: Final = frozenset(
    term
    for word in words("""
        argentina australia austria belgium brazil britain bulgaria canada chile china colombia croatia cuba
        czechia denmark egypt england estonia europe asia africa america finland france germany greece
        hungary iceland india indonesia iran iraq ireland israel italy japan kenya korea malaysia mexico
        morocco netherlands nigeria norway pakistan peru philippines poland portugal romania russia scotland
        serbia singapore spain sweden switzerland taiwan thailand turkey uk ukraine usa vietnam wales
        california texas 中国 日本 美国 英国 法国 德国 加拿大 澳大利亚 韩国 台湾 意大利 西班牙 泰国 欧洲
        亚洲 アメリカ イギリス フランス ドイツ カナダ 韓国
        """)
    for term in (*terms(word), simplified(word))
)


def owned_slot(possession: Sequence[str]) -> str:
    """Return the slot that "my ..." names where that has one value at a time, else an empty string.

    Args:
        possession: the stems after the possessive, such as `("favourit", "food")`.
    """
    if possession[0] in _FAVOURITES and len(possession) > 1:
        return " ".join(("my", "favourit", *possession[1:]))
    return " ".join(("my", *possession)) if possession[-1] in _SINGLE else ""


def filled_slot(predicate: str, phrase: Sequence[str]) -> str:
    """Return the slot that a state fills by what it is, such as an occupation, else an empty string."""
    if predicate != "be" or not phrase:
        return ""
    if phrase[-1] in _MARITAL:
        return "marital"
    is_job = phrase[-1] in _OCCUPATIONS or _OCCUPATION.fullmatch(phrase[-1])
    return "job" if is_job else ""


def same_level(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two places are both countries or regions, or neither: a country doesn't replace its city."""
    return _REGIONS.isdisjoint(one) == _REGIONS.isdisjoint(other)
