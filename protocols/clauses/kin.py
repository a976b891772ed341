"""Whom "he" and "she" can mean among the people and animals that somebody calls theirs. Data and one look-up."""

from __future__ import annotations

import re
from typing import Final

from ..scripts import words
from ..tokens import terms

MALE: Final = words(
    "dad father brother son husband boyfriend uncle grandfather grandpa granddad nephew stepfather "
    "stepdad stepbrother"
    " fiancé"
)
FEMALE: Final = words(
    "mom mum mother sister daughter wife girlfriend aunt grandmother grandma niece stepmother stepmom stepsister"
    " fiancée"
)
EITHER: Final = words(
    "friend cousin boss neighbour neighbor partner colleague teacher doctor roommate flatmate child "
    "kid baby dog cat"
    " puppy kitten parrot horse rabbit hamster dentist therapist landlord landlady coach"
)
PERSONS: Final = MALE | FEMALE | EITHER
SEVERAL: Final = words(
    "friend cousin neighbour neighbor colleag teacher doctor roommat flatmat child kid uncl aunt niec "
    "nephew sister"
    " brother son daughter dog cat classmat client student 朋友 同事 同学 邻居 室友 老师 表哥 表姐 "
    "表弟 表妹 叔叔 阿姨 孩子 儿子"
    " 女儿 哥哥 姐姐 弟弟 妹妹 猫 狗 友达 友人 同僚 子供 息子 娘 兄 姉 弟 妹 先辈 后辈"
    " 友だち ともだち 亲友 お姉さん お姉ちゃん お兄さん お兄ちゃん いとこ 従兄弟 従姉妹 叔父 叔母"
    " おじさん おばさん 部下 同级生 クラスメイト ルームメイト 隣人 幼なじみ"
    " 闺蜜 上司 领导 舅舅 姑姑 堂哥 堂姐 堂弟 堂妹"
)
"""Stems, and folded words, of those of whom somebody may have several, so that two sayings may be of two."""

_MALE_STEMS: Final = frozenset(term for word in MALE for term in terms(word))
_FEMALE_STEMS: Final = frozenset(term for word in FEMALE for term in terms(word))
_HE: Final = re.compile(r"\b(?:he|he's|his|him)\b|他|彼(?!女)")
_SHE: Final = re.compile(r"\b(?:she|she's|her)\b|她|彼女")
_MALE: Final = re.compile("弟|哥|爸|父|爷|叔|舅|夫|老公|儿子|男|兄|息子|祖父")
_FEMALE: Final = re.compile("妹|姐|妈|母|奶|婆|姨|姑|妻|太太|女|姉|娘|祖母")


def can_mean(words_said: str, subject: str) -> bool:
    """Return whether the pronoun in a folded clause can stand for a subject, such as "she" for "sister".

    Args:
        words_said: the clause.
        subject: the subject of another clause, as frames have it.
    """
    named = set(subject.split())
    if _HE.search(words_said):
        return _FEMALE_STEMS.isdisjoint(named) and not _FEMALE.search(subject)
    if _SHE.search(words_said):
        return _MALE_STEMS.isdisjoint(named) and not (_MALE.search(subject) and not _FEMALE.search(subject))
    return True
