"""Words that only fill or intensify, and how they leave a statement without changing what it says.

Each rule names the place where the word is a filler: "well" opens a sentence but "I sing well" needs
it, 就是 before a noun is "to be", and after a negation "just" or "really" turn its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .scripts import KANA, UNSPACED, words

_ALONE: Final = frozenset(
    {
        *words("ah anyway basically er erm haha hey hm hmm honestly lol oh so uh um umm well wow actually really"),
        *("you know", "i mean", "you see", "to be honest", "in fact", "by the way", "like"),
        *words("嗯 啊 哦 哎 唉 哈哈 那个 其实 真的 就是 就是说 说真的 说实话 老实说 你知道吗 对了"),
        *words("えっと ええと えーと あの あのね まあ うーん ねえ ねぇ その 実は 正直 なんか ほら"),
    },
)
"""Phrases that are fillers where they stand between punctuation by themselves."""

INTENSITY: Final = words(
    "absolutely actually basically definitely honestly just literally really simply totally truly very"
)
"""Words that intensify what follows, and say nothing else unless a negation comes first."""

_NEGATIONS: Final = words("barely hardly neither never no nobody none nor not nothing without ain't")

_OPENERS: Final = words("ah er erm hey hm hmm oh so uh um umm well")
_AFTER_OPENER: Final = words("i my you your he she it we they there this that our his her their the")

_ENGLISH: Final = words(
    "am are did does has have he i is it not our she that their they this was we were with would you your"
)
"""Words that show English, where "a" is an article; in Spanish, Italian or Polish it is another word."""

_A: Final = frozenset({"a", "an"})
_THE: Final = frozenset({"the"})
_NOT_AFTER_A: Final = frozenset({"few", "little"})
_LABELS: Final = words("class grade group hepatitis option part plan section team type vitamin")
_NOT_AFTER_THE: Final = frozenset({"us", "who", "it"})

_ZH_PERSON: Final = "我你您他她它们也都"
_ZH_DEGREE: Final = "(?:很|非常|特别|超级|十分)(?=喜欢|爱|讨厌|想|怕|害怕)"
_ZH_FILLER: Final = re.compile(
    rf"(?<=[{_ZH_PERSON}])(?:(?:真的|其实|确实)+(?=.)(?:{_ZH_DEGREE})?|{_ZH_DEGREE})"
    rf"|(?<=[{_ZH_PERSON}])就是(?=喜欢|讨厌|不喜欢|不想|想要|害怕)"
    r"|^其实(?=.)",
)
_KANA: Final = re.compile(f"[{KANA}]")
_ZH_FINAL: Final = "啊呀哦哟噢"
_JA_FILLER: Final = re.compile(
    r"^(?:実は|正直|えっと|ええと|えーと)(?=.)|(?<=[はがもをに])(?:本当に|ほんとに|マジで)(?=.)"
)
_JA_FINAL: Final = "よねー〜"
_JA_BEFORE_FINAL: Final = frozenset("ですただいるんうくすむぶぬつ")


def is_filler(segment: Sequence[str]) -> bool:
    """Return whether the tokens between two punctuation marks are nothing but a filler."""
    return " ".join(segment) in _ALONE


def without_fillers(tokens: Sequence[str]) -> list[str]:
    """Return folded, uncontracted tokens without English articles and without words that fill or intensify."""
    kept = _without_openers(_without_words(tokens))
    return _without_unspaced(kept)


def merge(tokens: Sequence[str]) -> list[str]:
    """Return the tokens with neighbours of a script without blanks made one."""
    merged: list[list[str]] = []
    for token in tokens:
        if merged and UNSPACED.match(token) and UNSPACED.match(merged[-1][0]):
            merged[-1].append(token)
        else:
            merged.append([token])
    return ["".join(parts) for parts in merged]


def _without_words(tokens: Sequence[str]) -> list[str]:
    english = not _ENGLISH.isdisjoint(tokens)
    kept: list[str] = []
    negated = False
    last = len(tokens) - 1
    for at, token in enumerate(tokens):
        after = tokens[at + 1] if at < last else ""
        negated = negated or token in _NEGATIONS
        if token in INTENSITY and not negated:
            continue
        if token in _A and english and _is_article(kept, after):
            continue
        if token in _THE and after and after not in _NOT_AFTER_THE:
            continue
        kept.append(token)
    return kept


def _is_article(before: Sequence[str], after: str) -> bool:
    return bool(after) and after not in _NOT_AFTER_A and not (before and before[-1] in _LABELS)


def _without_openers(tokens: Sequence[str]) -> list[str]:
    start = 0
    while start < len(tokens) and tokens[start] in _OPENERS:
        start += 1
    opened = start and start < len(tokens) and tokens[start] in _AFTER_OPENER
    return list(tokens[start:] if opened else tokens)


def _without_unspaced(tokens: list[str]) -> list[str]:
    if "".join(tokens).isascii():
        return tokens
    kept = [_settled(token) if UNSPACED.match(token) else token for token in merge(tokens)]
    if kept and UNSPACED.match(kept[-1]):
        kept[-1] = _without_final(kept[-1])
    return kept


def _settled(run: str) -> str:
    """Return a run without its fillers, or as it is where taking them out would make a new one appear."""
    for rule in (_ZH_FILLER, _JA_FILLER):
        cut = rule.sub("", run)
        run = run if rule.search(cut) else cut
    return run


def _without_final(run: str) -> str:
    if not _KANA.search(run):
        return run.rstrip(_ZH_FINAL) or run
    cut = run.rstrip(_JA_FINAL)
    return cut if cut and cut[-1] in _JA_BEFORE_FINAL else run
