"""What an utterance states beside the wishes in it.

A wish is no statement: whoever asks not to hear of a topic neither raises it nor states a fact by asking. What
the same sentence says beside its wish is kept: "Never mention Marcus, and by the way I moved to Oslo."
Knows sentences and wishes; knows nothing of who asks for the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import trio

from ...protocols.scripts import CJK
from .folding import fold_term
from .phrasebook import may_voice
from .wishes import Ban, Forget, Sentence, Wish, cleaned, in_order, read

INLINE_CHARS: Final = 512
"""Longest text that is read on the event loop (characters): about 3 ms of work; a longer one goes to a thread."""

MIN_WORDS: Final = 3
"""Fewest words of a clause that states something; shorter ones beside a wish are courtesies ("okay", "please")."""

MIN_CJK_CHARS: Final = 4
"""Fewest characters of a clause that states something, in scripts without blanks."""

_JOINT: Final = re.compile(
    r"\s*(?:[,;\u2014\u2013\uff0c\uff1b]|(?<=\s)-(?=\s))\s*"
    r"|\s+(?=(?:and|but|so|because|since|y|pero|porque|und|aber|denn|weil|et|mais|car|e|mas|и|но|потому)\s)"
)
"""Where one clause of a sentence may end and the next begin; no words are lost where it is none."""

_LINK: Final = re.compile(
    r"^(?:(?:and|but|so|also|oh|btw|by the way|y|pero|por cierto|und|aber|übrigens|et|mais|au fait|e|mas|aliás"
    r"|и|но|кстати|对了|另外|而且|还有|それと)\b[\s,，、]*)+",
    re.IGNORECASE,
)
_REASON: Final = re.compile(
    r"(?:because|cuz|since|as|it (?:hurts|makes|upsets)|porque|weil|denn|parce que|car|pois|потому)\b"
    r"|因为|因為|不然|否则|だから|だって",
    re.IGNORECASE,
)
"""The beginning of a clause that gives the reason of a wish, and so speaks of its topic."""


UNDERSTOOD_KEPT: Final = 1 << 12
"""Utterances whose wishes are remembered: a turn is read by whoever stores it, learns from it or briefs of it."""


class Understood(NamedTuple):
    """An utterance taken apart: the wishes that it voices, and what it says beside them."""

    wishes: tuple[Wish, ...]
    stated: str


def take_apart(text: str, *, before: Sequence[str] = ()) -> Understood:
    """Return the wishes of an utterance and the rest of it.

    Of a sentence with a wish those clauses stay that state something of their own: they hold none of its words,
    don't name what it is about, and give no reason for it. Without a wish the rest is the text as it was.

    Args:
        text: what the person said, of any length.
        before: what was said before it, oldest first, as in `find_wishes`.
    """
    clean = cleaned(text)
    if not may_voice(clean):
        return Understood((), text)
    sentences = tuple(read(clean, before=before))
    if not any(sentence.voiced for sentence in sentences):
        return Understood((), text)
    kept: list[str] = []
    behind = 0
    for sentence in sentences:
        kept.append(clean[behind : sentence.start])
        kept.append(_beside(sentence) if sentence.voiced else sentence.text)
        behind = sentence.start + len(sentence.text)
    kept.append(clean[behind:])
    return Understood(in_order(sentences), "".join(kept).strip())


async def understand(text: str, *, before: Sequence[str] = ()) -> Understood:
    """Return what `take_apart` returns, without holding up the event loop."""
    if len(text) <= INLINE_CHARS:
        return _remembered(text, tuple(before))
    return await trio.to_thread.run_sync(lambda: take_apart(text, before=before))


@lru_cache(maxsize=UNDERSTOOD_KEPT)
def _remembered(text: str, before: tuple[str, ...]) -> Understood:
    return take_apart(text, before=before)


def _beside(sentence: Sentence) -> str:
    """Return the clauses of a sentence that state something beside its wishes; empty where none does."""
    wishes = [wish for voiced in sentence.voiced for wish in voiced.wishes]
    if any(isinstance(wish, Forget) and wish.bare for wish in wishes):
        # "My pin is 1234, forget that": the clause is what the wish points at.
        return ""
    spans = [span for voiced in sentence.voiced for span in voiced.spans]
    pieces: list[str] = []
    last = -1
    for at, (start, end) in enumerate(clauses := tuple(_clauses(sentence.text))):
        touched = any(start < span_end and span_start < end for span_start, span_end in spans)
        if touched or not _states(sentence.text[start:end], wishes):
            continue
        piece = sentence.text[start:end]
        if last == at - 1 >= 0:
            pieces += [sentence.text[clauses[last][1] : start], piece]
        else:
            joint = _JOINT.match(sentence.text, clauses[last][1]) if last >= 0 else None
            pieces += [joint.group() if joint else "", _LINK.sub("", piece)]
        last = at
    return "".join(pieces)


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for joint in _JOINT.finditer(text):
        if joint.start() > start:
            yield start, joint.start()
        start = joint.end()
    if start < len(text):
        yield start, len(text)


def _states(clause: str, wishes: Sequence[Wish]) -> bool:
    """Return whether a clause says something of its own: long enough, no reason, and not on a wish's topic."""
    told = _LINK.sub("", clause)
    if _REASON.match(told):
        return False
    if (len(told) if CJK.search(told) else len(told.split())) < (MIN_CJK_CHARS if CJK.search(told) else MIN_WORDS):
        return False
    folded = fold_term(told)
    return not any(key in folded for wish in wishes for key in _keys(wish))


def _keys(wish: Wish) -> Iterator[str]:
    if isinstance(wish, Forget):
        # Of what is to be forgotten each word counts that isn't a mere "my": "My pin is 1, forget my pin".
        yield from (word for word in fold_term(wish.object).split() if len(word) > 3)
        return
    aliases = wish.aliases if isinstance(wish, Ban) else ()
    yield from (fold_term(name) for name in (wish.term, *aliases) if name)
