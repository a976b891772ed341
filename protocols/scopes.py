"""Subjects: whose memory a row belongs to, and who may read it.

A subject is named by its canonical key, which is what rows carry, what the index is partitioned by
and what people write on the command line:

    private                              what the owner and the character share
    group:<platform>:<id>                a group chat
    participant:<platform>:<account>     one account, wherever it is met
    member:<platform>:<group>:<account>  one account inside one group

A colon in the group of a member is written `%3A`, so that the account begins where the group ends: whatever ids
a platform has, a key names one subject, and `parts_of` gives back what it was made of. Other parts are written as
they are. Parsing fails closed: a partial or malformed descriptor raises, and is never read as private.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NewType

from .errors import InvalidSubjectError
from .text import has_control_or_surrogate

Subject = NewType("Subject", str)
"""A canonical subject key, made by `parse_subject` and by nothing else."""

PRIVATE: Final = Subject("private")

MAX_COMPONENT_CHARS: Final = 256
"""Longest platform, group or account id (characters)."""

MAX_SUBJECTS: Final = 8
"""Most subjects that one request may name."""

GROUP: Final = "group"
PARTICIPANT: Final = "participant"
MEMBER: Final = "member"

_COMPONENTS: Final = {
    GROUP: ("platform", "group id"),
    PARTICIPANT: ("platform", "account"),
    MEMBER: ("platform", "group id", "account"),
}

_ESCAPES: Final = {":": "%3A", "%": "%25"}
_ESCAPED: Final = re.compile(r":|%(?=3A|25)")
"""What is escaped in the group of a member: colons, and a percent sign only where it would read as an escape."""

_ESCAPE: Final = re.compile(r"%3A|%25")


def parse_subject(descriptor: str) -> Subject:
    """Return the canonical key of a subject descriptor.

    The platform is folded to lower case; other components keep their case and are trimmed. The last
    component may itself contain colons.

    Raises:
        InvalidSubjectError: if the descriptor is blank, of an unknown kind, or lacks a component.
    """
    if not isinstance(descriptor, str):
        raise InvalidSubjectError(f"a subject is a string such as 'private', got {type(descriptor).__name__}")
    kind, _, rest = descriptor.strip().partition(":")
    if kind == PRIVATE and not rest and descriptor.strip() == PRIVATE:
        return PRIVATE
    names = _COMPONENTS.get(kind)
    if names is None:
        raise InvalidSubjectError(
            f"unknown subject {descriptor!r}: write 'private', 'group:<platform>:<id>', "
            "'participant:<platform>:<account>' or 'member:<platform>:<group>:<account>'",
        )
    parts = rest.split(":", len(names) - 1)
    if len(parts) < len(names):
        raise InvalidSubjectError(f"subject {descriptor!r} lacks its {names[len(parts)]}")
    if kind == MEMBER:
        parts[1] = _ESCAPE.sub(_unescaped, parts[1])
    return _key(descriptor, kind, parts)


def subject_of(kind: str, *parts: str) -> Subject:
    """Return the key of a subject by its parts, whatever they hold: `subject_of("group", "matrix", "!a:b.org")`.

    Args:
        kind: `group`, `participant` or `member`.
        parts: the platform; the id of the group, for a group and a member; the account, for the other two.

    Raises:
        InvalidSubjectError: if the kind is unknown, a part is missing, blank or too long, or holds a control
            character, or the platform holds a colon.
    """
    names = _COMPONENTS.get(kind, ())
    if not names or len(names) != len(parts) or not all(isinstance(part, str) for part in parts):
        raise InvalidSubjectError(
            f"a subject is made of its kind ({', '.join(_COMPONENTS)}) and its parts, got {(kind, *parts)!r:.80}"
        )
    if ":" in parts[0]:
        raise InvalidSubjectError(f"a platform has no colon, got {parts[0]!r:.60}")
    return _key(":".join((kind, *parts)), kind, parts)


def parts_of(subject: Subject) -> tuple[str, ...]:
    """Return what a key was made of, its kind first: the inverse of `subject_of`."""
    kind, _, rest = subject.partition(":")
    if kind == PRIVATE:
        return (kind,)
    parts = rest.split(":", len(_COMPONENTS[kind]) - 1)
    if kind == MEMBER:
        parts[1] = _ESCAPE.sub(_unescaped, parts[1])
    return (kind, *parts)


def parse_subjects(descriptors: Iterable[str] | None) -> tuple[Subject, ...]:
    """Return the distinct subjects of a request, in order of priority.

    None means that the caller named no subject, which is the private corpus and never everything.

    Raises:
        InvalidSubjectError: if the list is empty, longer than `MAX_SUBJECTS`, or holds a malformed descriptor.
    """
    if descriptors is None:
        return (PRIVATE,)
    if isinstance(descriptors, str):
        raise InvalidSubjectError(f"subjects are a list; write [{descriptors!r}]")
    if not isinstance(descriptors, Iterable):
        raise InvalidSubjectError(f"subjects are a list such as ['private'], got {descriptors!r:.60}")
    subjects = tuple(dict.fromkeys(parse_subject(descriptor) for descriptor in descriptors))
    if not subjects:
        raise InvalidSubjectError(
            "the list of subjects is empty: name at least one, or leave it out for 'private'"
        )
    if len(subjects) > MAX_SUBJECTS:
        raise InvalidSubjectError(
            f"{len(subjects)} subjects were named; at most {MAX_SUBJECTS} can be read at once"
        )
    return subjects


def _key(descriptor: str, kind: str, given: Iterable[str]) -> Subject:
    parts = [part.strip() for part in given]
    for name, part in zip(_COMPONENTS[kind], parts, strict=True):
        _check_component(descriptor, name, part)
    parts[0] = parts[0].lower()
    if kind == MEMBER:
        parts[1] = _ESCAPED.sub(lambda match: _ESCAPES[match[0]], parts[1])
    return Subject(":".join([kind, *parts]))


def _unescaped(escape: re.Match[str]) -> str:
    return ":" if escape[0] == _ESCAPES[":"] else "%"


def _check_component(descriptor: str, name: str, part: str) -> None:
    if not part:
        raise InvalidSubjectError(f"subject {descriptor!r} has a blank {name}")
    if len(part) > MAX_COMPONENT_CHARS:
        raise InvalidSubjectError(f"a subject's {name} has {len(part)} characters; at most {MAX_COMPONENT_CHARS}")
    if has_control_or_surrogate(part):
        raise InvalidSubjectError(f"subject {descriptor!r} holds a control character in its {name}")
