"""Words that are written together or apart: "breakup", "break up" and "broke up" name one topic.

Owns the particles and the irregular verbs of English that such words are made of; knows nothing of texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_PARTICLES: Final = ("up", "out", "off", "down", "over", "away")

_VERBS: Final = (
    "break broke broken|get got gotten|fall fell fallen|throw threw thrown|blow blew blown|lay laid|burn burnt"
    "|shut|cut|run ran|fly flew flown|split|freak|black|melt|hook|lock|kick|cover|pass|drop|walk|crack|flash"
)
"""Verbs whose compounds name the same as the phrase; those of "make" and "work" mostly mean another thing."""

_FORMS: Final = {words[0]: words for words in (entry.split() for entry in _VERBS.split("|"))}
_OTHER_FORMS: Final = {form: words for words in _FORMS.values() for form in words}


def apart(word: str) -> tuple[str, str] | None:
    """Return the verb and the particle of a compound ("breakup", "break-up"), or None if it is none."""
    for particle in _PARTICLES:
        verb = word.removesuffix(particle)
        if verb != word and verb in _FORMS:
            return verb, particle
    return None


def is_phrasal(verb: str, particle: str) -> bool:
    """Return whether two words are a verb, in any form, and its particle."""
    return particle in _PARTICLES and bool(_forms_of(verb))


def forms(verb: str) -> Iterator[str]:
    """Yield the forms of a verb: "break", "broke", "broken", "breaks", "breaking"."""
    stems = _forms_of(verb)
    yield from stems
    for stem in stems[:1]:
        yield from (
            f"{stem}s",
            f"{stem}es",
            f"{stem}ing",
            f"{stem}{stem[-1]}ing",
            f"{stem}ed",
            f"{stem}{stem[-1]}ed",
        )
        if stem.endswith("e"):
            yield from (f"{stem[:-1]}ing", f"{stem}d")


def _forms_of(verb: str) -> tuple[str, ...]:
    for form in (verb, verb.removesuffix("s"), verb.removesuffix("ing"), verb.removesuffix("ing") + "e"):
        if form in _OTHER_FORMS:
            return tuple(_OTHER_FORMS[form])
    return ()
