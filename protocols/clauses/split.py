"""Texts parted into clauses, each still knowing whether it asks or supposes. Reads no clause's content."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from ..scripts import CJK, simplified
from . import foreign_phrases
from .foreign import is_foreign
from .slips import excuse_before

MAX_CHARS: Final = 2_000
"""Characters of a text that are read; whoever takes a thing back needs no essay, and facts are short."""

_ALIKE: Final = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u02bc": "'", "`": "'", "\u2014": "-", "\u2013": "-", "\u59b3": "\u4f60"}
)
_STARTERS: Final = (
    "i|i'm|i've|i'd|i'll|im|we|we're|he|she|he's|she's|they|they're|they've|there|there's|my|it's|it|that|that's"
    "|you|you're|no|not|yes"
)
_ENDS: Final = re.compile(
    r"[。！？!?;；\n…~]+|(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bst)(?<!\bmrs)(?<!\bprof)\.+(?=\s|$|[\"'”」])"
)
_ENGLISH_BREAK: Final = re.compile(
    rf"\s*(?:,|:|\s-+\s)\s*(?=(?:(?:and|but|so|because|since|though|although|well|actually)\s+)?(?:{_STARTERS})\b)"
    r"|\s*,\s*(?=[a-z']+ (?:is|was|isn't|wasn't) (?:my|our|his|her)\b)"
    rf"|(?<=^no)\s*,\s*|(?<=^yes)\s*,\s*"
    rf"|\s+(?=(?:and|but|because|so|though|although)\s+(?:i|i'm|i've|we|my|he|she)\b)"
)
_WRONG_BEFORE: Final = re.compile(
    r"(?:(?:no|nope|wait|sorry|but|well)[, ]+)*(?:(?:that|it|this)(?:'s| is| was| isn't| wasn't)|you(?:'re| are))"
    r"(?: not| all| so| just| simply| totally| completely)*"
    r" (?:wrong|incorrect|untrue|false|mistaken|true|right|correct)\s*,\s*"
)
"""What only says that something is wrong, before the words that say what, whoever they begin with."""
_CJK_BREAK: Final = re.compile(r"[，,：:]|、(?=不|我|他|她)|\s-+\s")
_JAPANESE_BREAK: Final = re.compile(r"[、，,]")
_KANA: Final = re.compile(r"[\u3041-\u30fa]")
_OPEN_END: Final = re.compile(
    r"(?:[はがもをにのと]|で)$|[はが](?:先月|先週|去年|昨年|今年|今月|今週|昨日|最近|この前|[0-9一二三四五六七八九十]+[年月日週]前)$"
)
_CLOSED_END: Final = re.compile(r"(?:ですが|ますが|だが|けど|違うが|(?:好き|嫌い|苦手|得意)で)$")
_COPULA_END: Final = re.compile(r"[はがも].{0,20}[^\u3041-\u3096]で$")
_TOPIC: Final = re.compile(r"[^はが]{1,10}[はが]")
_LONGEST_END: Final = 40
_QUESTION: Final = re.compile(
    r"\?|？"
    r"|^(?:what|who|where|when|why|how|which|do|does|did|are|is|was|were|can|could|would|will|should|have|has|am) "
    r"(?:i|you|we|he|she|they|it|that|the|my|your|about|do|does|did|is|are|many|much)\b"
    r"|[吗嘛么]$|(?:是不是|会不会|有没有|能不能|喜不喜欢|难道)|呢$"
    r"|(?:です|ます|でした|ました|だった|ない|の|る|た)か$|かな$|っけ$|でしょ$"
)


class Part(Struct, frozen=True):
    """One clause of a folded text: its words, its sentence's number, and whether that sentence asks."""

    text: str
    sentence: int
    asks: bool


def fold_clause(text: str) -> str:
    """Return a text as clauses are read: one width, one case, simplified characters, single blanks."""
    if text.isascii():
        return " ".join(text.lower().translate(_ALIKE).split())
    visible = "".join(char for char in text if unicodedata.category(char) != "Cf")
    folded = unicodedata.normalize("NFKC", visible).casefold()
    folded = unicodedata.normalize("NFKC", folded).translate(_ALIKE)
    return " ".join(simplified(folded).split())


def parts(text: str) -> tuple[Part, ...]:
    """Return the clauses of the first `MAX_CHARS` characters of a text, folded, in reading order."""
    found: list[Part] = []
    for number, (sentence, end) in enumerate(_sentences(fold_clause(text[:MAX_CHARS]))):
        asks = bool(_QUESTION.search(sentence) or "?" in end)
        found.extend(Part(clause, number, asks) for clause in _clauses(sentence))
    return tuple(found)


def _sentences(folded: str) -> Iterator[tuple[str, str]]:
    """Yield each sentence with the punctuation that ends it."""
    start = 0
    for end in _ENDS.finditer(folded):
        if sentence := folded[start : end.start()].strip():
            yield sentence, end.group()
        start = end.end()
    if rest := folded[start:].strip():
        yield rest, ""


def _clauses(sentence: str) -> Iterator[str]:
    if not CJK.search(sentence):
        excuse = excuse_before(sentence)
        rest = sentence[excuse:]
        pieces = list(foreign_phrases.pieces(rest)) if is_foreign(rest) else _english(rest)
        pieces = [sentence[:excuse], *pieces]
    elif _KANA.search(sentence):
        pieces = _rejoined(_JAPANESE_BREAK.split(sentence))
    else:
        pieces = _CJK_BREAK.split(sentence)
    for piece in pieces:
        if clause := piece.strip(" ,.-:'\"“”「」『』()（）、，"):
            yield clause


def _english(sentence: str) -> list[str]:
    wrong = _WRONG_BEFORE.match(sentence)
    end = wrong.end() if wrong else 0
    return [*_ENGLISH_BREAK.split(sentence[:end]), *_ENGLISH_BREAK.split(sentence[end:])]


def _rejoined(pieces: list[str]) -> list[str]:
    """Return Japanese pieces with those joined to the next that end in a particle, which a comma may follow."""
    joined = [""]
    for piece, after in zip(pieces, [*pieces[1:], ""], strict=True):
        joined[-1] += piece.strip()
        last = joined[-1][-_LONGEST_END:]
        # "I'm a teacher, and my husband ...": after a noun with a topic of its own, で is no particle of place.
        is_copula = _COPULA_END.search(last) and _TOPIC.match(after.strip())
        if not _OPEN_END.search(last) or _CLOSED_END.search(last) or is_copula:
            joined.append("")
    return [piece for piece in joined if piece]
