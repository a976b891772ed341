"""Other words for what a topic is called: whoever bans "my dad" doesn't want to hear of "your father" either.

Owns the words for relatives in the scripts without blanks; English ones are those of the protocols. Knows nothing
of texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...protocols.word_forms import OTHER_WORDS
from .folding import fold_term

_RELATIVES: Final = """
爸爸 爸 父亲 老爸; 妈妈 妈 母亲 老妈; 爷爷 祖父; 奶奶 祖母; 外公 姥爷 外祖父; 外婆 姥姥 外祖母
老公 丈夫; 老婆 妻子; 男朋友 男友; 女朋友 女友; 前男友 前男朋友; 前女友 前女朋友; 宝宝 婴儿
父 お父さん 父さん パパ 父親 親父; 母 お母さん 母さん ママ 母親 おふくろ; 祖父 おじいちゃん おじいさん じいちゃん
祖母 おばあちゃん おばあさん ばあちゃん; 兄 お兄さん お兄ちゃん 兄貴; 姉 お姉さん お姉ちゃん 姉貴
夫 旦那 ご主人; 妻 奥さん 嫁; 元カレ 元彼 元彼氏; 元カノ 元彼女
"""
"""Words for one relative each; folded before they are compared."""

_GROUPS: Final = tuple(
    tuple(dict.fromkeys(map(fold_term, group.split())))
    for line in _RELATIVES.strip().splitlines()
    for group in line.split(";")
)
_BEHIND: Final = ("的", "の")
"""What may stand behind a relative in a topic: "my mother's illness"."""


def other_words(word: str) -> tuple[str, ...]:
    """Return the other English words for a folded word; none for most."""
    return OTHER_WORDS.get(word, ())


def other_runs(term: str) -> Iterator[str]:
    """Yield a folded term of a script without blanks with the relative at its beginning called otherwise."""
    for group in _GROUPS:
        for name in group:
            if term == name or term.startswith(tuple(f"{name}{behind}" for behind in _BEHIND)):
                yield from (other + term[len(name) :] for other in group if other != name)
