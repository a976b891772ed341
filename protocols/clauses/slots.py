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


_DETERMINERS: Final = words("a an the my our his her their this that another some")
_WITH_DETERMINER: Final = frozenset(
    term
    for word in words("""
        netherlands hague philippines usa us uk states kingdom emirates maldives bahamas bronx gambia czech
        congo vatican sudan caribbean hamptons highlands midlands alps basque faroe canary azores
        """)
    for term in terms(word)
)
"""Places whose name has an article; "the couch", "a small flat" and "my office" are no name of a place."""

_NO_PLACES: Final = frozenset(
    term
    for word in words("""
        fear hope peace harmony denial poverty misery pain hiding exile silence darkness sin luxury comfort bed
        chaos squalor solitude isolation anger grief shame doubt debt captivity freedom tears action power
        linux windows macos mac android ios ubuntu debian fedora arch python rust java javascript typescript
        golang kotlin swift git github gitlab gmail outlook slack discord teams notion vim emacs firefox chrome
        safari postgres mysql kubernetes docker aws azure cloud wayland
        part-time full-time remote management sales marketing engineering finance accounting support research
        design production development teaching nights days mornings weekends page chapter level stage plan version
        first second third next last
        """)
    for term in terms(word)
)
"""What people live in or move to that is no place: states of mind, systems and programs, kinds of work."""

_NO_PLACE_END: Final = re.compile(
    simplified(
        "(?:沙发上?|床上|地板上|楼上|楼下|[一二三四五六七八九十0-9]楼|隔壁|房间|卧室|客厅|办公室|教室|宿舍|公寓|别墅|学校|公司|医院"
        "|恐惧|阴影|痛苦|梦|中|里|上|下|后面|前面|旁边|一起|附近"
        "|ソファ|ベッド|部屋|二階|一階|隣|オフィス|寮|アパート|マンション|一軒家|恐怖|不安|夢|所|ところ|実家)$"
    )
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


def is_place(phrase: Sequence[str], before: str = "") -> bool:
    """Return whether a phrase can be where somebody has their home: Kyoto, and not fear, the couch or Linux.

    Args:
        phrase: the stems, the head last; of an unspaced language one or more terms.
        before: the word before them, where the language has determiners.
    """
    if not phrase:
        return False
    if before in _DETERMINERS:
        return not _WITH_DETERMINER.isdisjoint(phrase)
    return _NO_PLACES.isdisjoint(phrase) and not _NO_PLACE_END.search(phrase[-1])


def same_level(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two places are both countries or regions, or neither: a country doesn't replace its city."""
    return _REGIONS.isdisjoint(one) == _REGIONS.isdisjoint(other)
