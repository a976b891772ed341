"""Subjects: whose memory a row belongs to, and who may read it.

A subject is named by its canonical key, which is what rows carry, what the index is partitioned by
and what people write on the command line:

    private                              what the owner and the character share
    group:<platform>:<id>                a group chat
    participant:<platform>:<account>     one account, wherever it is met
    member:<platform>:<group>:<account>  one account inside one group

Parsing fails closed: a partial or malformed descriptor raises, and is never read as private.
"""

from __future__ import annotations

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

_COMPONENTS: Final = {
    "group": ("platform", "group id"),
    "participant": ("platform", "account"),
    "member": ("platform", "group id", "account"),
}


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
    parts = [part.strip() for part in rest.split(":", len(names) - 1)]
    if len(parts) < len(names):
        raise InvalidSubjectError(f"subject {descriptor!r} lacks its {names[len(parts)]}")
    for name, part in zip(names, parts, strict=True):
        _check_component(descriptor, name, part)
    parts[0] = parts[0].lower()
    return Subject(":".join([kind, *parts]))


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


def _check_component(descriptor: str, name: str, part: str) -> None:
    if not part:
        raise InvalidSubjectError(f"subject {descriptor!r} has a blank {name}")
    if len(part) > MAX_COMPONENT_CHARS:
        raise InvalidSubjectError(f"a subject's {name} has {len(part)} characters; at most {MAX_COMPONENT_CHARS}")
    if has_control_or_surrogate(part):
        raise InvalidSubjectError(f"subject {descriptor!r} holds a control character in its {name}")
