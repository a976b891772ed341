"""The directives as a block of a prompt, in the language of the character.

Terms are the person's words and go in as quoted data: one line each, without line breaks or quotes of
their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ...protocols.records import Directive

MAX_SHOWN: Final = 20
"""Most directives in a block (source: baseline, section 21.2)."""


class _Words(NamedTuple):
    header: str
    footer: str
    more: str


_WORDS: Final[dict[str, _Words]] = {
    "en": _Words(
        "The person asked you not to mention these topics ({count}):",
        "Don't bring them up. Speak of one only if the person raises it in this turn.",
        "... and {count} more; when in doubt, leave a painful topic alone.",
    ),
    "zh": _Words(
        "对方要求不要提起以下话题（{count} 个）：",
        "不要主动提起。只有对方在这一轮自己提到时才可以谈。",
        "……还有 {count} 个；拿不准时，不要碰让人难受的话题。",
    ),
    "ja": _Words(
        "相手が触れないでほしいと言った話題（{count}件）：",
        "自分からは触れないこと。相手がこの発言で持ち出したときだけ話してよい。",
        "……ほかに{count}件。迷ったら、つらい話題には触れないこと。",
    ),
    "ko": _Words(
        "상대가 꺼내지 말아 달라고 한 주제 ({count}개):",
        "먼저 꺼내지 마세요. 상대가 이번 말에서 직접 꺼냈을 때만 이야기하세요.",
        "… 그 밖에 {count}개. 확실하지 않으면 아픈 주제는 피하세요.",
    ),
    "ru": _Words(
        "Собеседник просил не упоминать эти темы ({count}):",
        "Не заговаривай о них. Говори, только если собеседник сам поднял тему в этой реплике.",
        "… и ещё {count}; если сомневаешься, не касайся болезненных тем.",
    ),
    "es": _Words(
        "La persona pidió que no menciones estos temas ({count}):",
        "No los saques. Habla de uno solo si la persona lo menciona en este turno.",
        "… y {count} más; en caso de duda, no toques un tema doloroso.",
    ),
    "pt": _Words(
        "A pessoa pediu para não mencionar estes assuntos ({count}):",
        "Não os traga à tona. Fale de um deles só se a pessoa o mencionar nesta fala.",
        "… e mais {count}; na dúvida, não toque em assuntos dolorosos.",
    ),
    "de": _Words(
        "Die Person hat gebeten, diese Themen nicht zu erwähnen ({count}):",
        "Sprich sie nicht an. Rede nur darüber, wenn die Person es in dieser Äußerung selbst tut.",
        "… und {count} weitere; im Zweifel lass ein schmerzliches Thema ruhen.",
    ),
    "it": _Words(
        "La persona ha chiesto di non menzionare questi argomenti ({count}):",
        "Non tirarli fuori. Parlane solo se la persona ne parla in questo turno.",
        "… e altri {count}; nel dubbio, non toccare un argomento doloroso.",
    ),
    "fr": _Words(
        "La personne a demandé de ne pas mentionner ces sujets ({count}) :",
        "N'en parle pas de toi-même. N'en parle que si la personne l'évoque dans ce tour.",
        "… et {count} autres ; dans le doute, laisse de côté un sujet douloureux.",
    ),
}

_UNSAFE: Final = str.maketrans({"\n": " ", "\r": " ", "\t": " ", '"': "'", "`": "'", "<": "(", ">": ")"})


def prompt_block(directives: Sequence[Directive], locale: str, *, shown: int = MAX_SHOWN) -> str:
    """Return the block that tells a model what not to mention; empty without directives.

    The latest said come first, bare ones included: a model knows what "this" was. Past `shown` the
    block says how many more there are, so that nothing is left out unseen.

    Args:
        directives: those that are in force.
        locale: language of the character, such as `zh-TW`; English where it is unknown.
        shown: most terms that are listed.
    """
    if not directives:
        return ""
    words = _WORDS.get(locale.replace("_", "-").split("-")[0].casefold(), _WORDS["en"])
    latest = sorted(directives, key=lambda directive: (-directive.last_said_at, directive.key))
    lines = [words.header.format(count=len(latest))]
    lines += [f'- "{_as_data(directive)}"' for directive in latest[:shown]]
    if len(latest) > shown:
        lines.append(words.more.format(count=len(latest) - shown))
    return "\n".join([*lines, words.footer])


def _as_data(directive: Directive) -> str:
    return ", ".join(name.translate(_UNSAFE) for name in (directive.term, *directive.aliases))
