"""What somebody calls those whom they named: after "my brother is called Tom" comes "Tom isn't a vegetarian".

A denial by name then meets what was said of the brother. Only a name that was given to one of them counts. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from ..scripts import CJK, simplified

_GIVEN: Final = re.compile(
    simplified(
        r"^(?P<en>my (?:(?!is )[a-z]+ )?(?!is )[a-z]+)(?: is (?:called|named)|'s name is| named| called)"
        r" (?P<en_name>[^\s,.]+)"
        r"|^(?P<zh>我的?[^，。,]{1,5}?)(?:名叫|叫做|叫|的名字(?:是|叫))(?P<zh_name>[^\s，。,了啦的]{1,5})"
        r"|^(?:私の)?(?P<ja>[^はが、。]{1,6}?)(?:の名前)?は(?P<ja_name>[^はが、。]{1,8}?)(?:といいます|という|です|だ)(?:[。.]|$)"
        r"|^(?P<es>mi [^\s,]+) se llama (?P<es_name>[^\s,.]+)"
        r"|^(?:o |a )?(?P<pt>(?:meu|minha) [^\s,]+) (?:se chama|chama-se) (?P<pt_name>[^\s,.]+)"
        r"|^(?P<de>meine? [^\s,]+) heißt (?P<de_name>[^\s,.]+)"
        r"|^(?P<fr>(?:mon|ma) [^\s,]+) s'appelle (?P<fr_name>[^\s,.]+)"
        r"|^(?P<it>mi[oa] [^\s,]+) si chiama (?P<it_name>[^\s,.]+)"
    ),
    re.IGNORECASE,
)
_LEAST_CHARS: Final = 2


def names_given(texts: Iterable[str]) -> dict[str, str]:
    """Return whom names that statements give stand for, such as "Tom" for "my brother".

    A name that was given to two of them stands for neither.

    Args:
        texts: what one person said.
    """
    found: dict[str, set[str]] = {}
    for text in texts:
        given = _GIVEN.match(simplified(text.strip()))
        if given is None:
            continue
        whose, name = (value for value in given.groups() if value)
        if len(name) >= _LEAST_CHARS and (CJK.match(name) or name[:1].isupper()):
            found.setdefault(name, set()).add(whose.lower())
    return {name: whose.pop() for name, whose in found.items() if len(whose) == 1}


def by_kinship(text: str, given: Mapping[str, str]) -> str:
    """Return a text with those whom it names as its speaker calls them: "My brother isn't a vegetarian".

    Args:
        text: what the person said.
        given: what `names_given` returned.
    """
    plain = simplified(text)
    for name in sorted(given, key=len, reverse=True):
        if name in plain and not _GIVEN.search(plain):
            whole = re.escape(name) if CJK.match(name) else rf"(?<!\w){re.escape(name)}(?!\w)"
            plain = re.sub(whole, given[name], plain)
    return plain
