"""What in a person's words denies what is known of them, or affirms it again.

Only a person's own plain statement counts. Silence, questions, conditions, requests, jokes and what others are
said to say do neither; nor does "stop, I'm dying of laughter". Whether a denial meets anything that is known is
for `claims.opposes` to say: a denial of what nobody believed has no effect.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

from msgspec import Struct

from .claims import Claim, affirmed, read_parts
from .clauses.english_words import IDLE, IDLE_STATES, REPORTING
from .clauses.frame import ANY_PREDICATE, SELF, Tense, Voice
from .clauses.split import MAX_CHARS, Part, fold_clause
from .scripts import simplified


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(simplified(text))


class DenialKind(StrEnum):
    """How something was denied: that it is so, that it is still so, or only that what was just said is right."""

    NEGATED = "negated"
    ENDED = "ended"
    WRONG = "wrong"


class Denial(Struct, frozen=True, kw_only=True):
    """One denial. `claim` is what is denied, with positive polarity; None for a bare "that's wrong".

    `words` is the clause that denies, folded as clauses are read.
    """

    kind: DenialKind
    claim: Claim | None
    words: str = ""


class AffirmationKind(StrEnum):
    """How something was affirmed: as a statement that insists, or only with a bare "yes, that's right"."""

    STATED = "stated"
    RIGHT = "right"


class Affirmation(Struct, frozen=True, kw_only=True):
    """One affirmation. `claim` is what is affirmed; None for a bare "that's right"."""

    kind: AffirmationKind
    claim: Claim | None


_WRONG: Final = _pattern(
    r"^(?:no |nope |sorry |but |well )*(?:"
    r"(?:that is|that's|thats|it's|it is|this is|you're|you are|you were|you got (?:that|it|this)|you have"
    r" (?:that|it)|you've got (?:that|it))"
    r" (?:all |so |just |simply |totally |completely )?(?:wrong|not true|not right|not correct|incorrect|false"
    r"|untrue|mistaken|a lie|a mistake|not so|not how it is)"
    r"|(?:that|it) (?:isn't|is not|wasn't|was not|ain't) (?:true|right|correct|so)|not true|wrong|incorrect"
    r"|(?:i|we) (?:do not|don't|am not|have not|haven't|did not|didn't|was not|wasn't)|i'm not|no i'm not"
    r")(?: (?:at all|actually|though|anymore|any more|you know|about (?:that|me)))*$"
    r"|^(?:不对|不是的|不是这样的?|不是|才不是|不对不对|错了?|你错了|你?(?:记|搞|弄|说|听)错了?|你误会了?|不是真的|没有的事|没这回事|胡说|哪有|并不是|才没有|我没有|我不是"
    r"|我才没有)(?:啊|啦|呀|吧|哦|的|了)*$"
    r"|^(?:いや|いえ|いいえ|ううん)?(?:違う|違います|違った|違うの|ちがう|ちがいます|間違い|間違いです|間違ってる|間違っている|間違っています|そうじゃない|そうではない|そうではありません"
    r"|そんなことない|そんなことはない|そんなことありません|嘘|嘘です|誤解です|誤解)(?:よ|ね|な|です|って|から|ってば)*$"
)
_RIGHT: Final = _pattern(
    r"^(?:yes |yeah |yep )*(?:that is|that's|thats|it is|it's|you're|you are) (?:so |very |totally |absolutely"
    r" |quite )?(?:right|true|correct)$|^(?:exactly|correct)$"
    r"|^(?:对|对的|对啊|没错|是的|是这样的?|说得对|你说得对|确实|确实如此)(?:啊|呀|哦|的)*$"
    r"|^(?:はい|ええ|うん)?(?:その通り|そのとおり|そうです|そうだ|合ってる|合っています|正しい)(?:よ|ね|です)*$"
)
_JOKE: Final = _pattern(
    r"\b(?:just kidding|kidding|joking|jk|lol|lmao|rofl|haha\w*|hehe\w*|hihi|sarcasm|dying of laughter|so"
    r" funny|cracking me up|hilarious)\b"
    r"|哈哈|嘿嘿|嘻嘻|开玩笑|逗你|笑死|骗你的|冗談|笑って|(?:笑|w+)$|なんちゃって|ウケる|爆笑|笑い死|笑える|\^_\^|😂|🤣|xd\b"
)
_REPORTED: Final = _pattern(
    r"\b(?:he|she|they|you|people|everyone|somebody|someone|mum|mom|dad|doctor|boss|my \w+(?: \w+)?|\w+)"
    r" (?:says?|said|thinks?|thought|tells?|told|claims?|claimed|believes?|believed|insists?|insisted|writes"
    r"|wrote|asks?|asked|pretends?|pretended)\b"
    r"|\b(?:keeps?|kept|are|is|was|were|stop|stopped|always) (?:saying|telling|thinking|claiming|believing"
    r"|insisting|pretending|repeating|writing)\b"
    r"|\b(?:according to|as they say|rumou?r has it|i heard|i read that|it says|in the (?:film|movie|book|game"
    r"|song|story|dream)|in my dream|i dreamt|i dreamed|my character|quote|the song goes)\b"
    r"|(?:他|她|他们|她们|妈妈?|爸爸?|老板|医生|朋友|同事|别人|人家|有人|大家|老师|[^我们]{1,4})(?:说|认为|觉得|以为|告诉|讲|问)(?:过|我)?|听说|据说|梦见|书里"
    r"|电影里|歌里|剧本"
    r"|(?:と|って)(?:言って|言った|言われ|聞いた|聞き|思われ|書いて)|らしい|そうです$|によると|夢で|映画で"
)
_OWN_SAYING: Final = _pattern(
    r"^(?:i|we|ich) (?:have |already |just |never )*(?:said|say|told you|think|thought|believe)\b|^我(?:都|早就"
    r"|已经)?(?:说|觉得|认为|告诉你)|私は.*と(?:言った|思う)"
)
_EMPHASIS: Final = _pattern(
    r"^(?:yes|yeah|yep|yup|actually|indeed|no)\b"
    r"|\b(?:after all|again|still|indeed|it is true|it's true|truth is)\b"
    r"|\bi really (?:do|am|have|did)\b"
    r"|^(?:对|是的|没错|当然)|(?:确实|的确|真的(?=是|有|在|会)|还是|毕竟|其实|仍然|依然|又|重新)"
    r"|^(?:はい|うん|ええ)|(?:やっぱり|やはり|実は|確かに|まだ|今でも|また)"
)
_NOT_A: Final = re.compile(r"^(?:no |nope |and |but )*not (?:an?|the|in|at|as|from|with|my) |^[^a-z]+$")
_NO: Final = _pattern(r"^(?:no|nope|不|不是|いや|いいえ)$")
_YES: Final = _pattern(r"^(?:yes|yeah|yep|对|是的|没错|はい|うん|ええ)$")
_QUOTED: Final = re.compile(r"[\"“「『][^\"”」』]{4,}[\"”」』]")


def denials(text: str, *, leave_out: Iterable[str] = ()) -> tuple[Denial, ...]:
    """Return what a person's words deny, in reading order.

    "That's wrong, I don't work as a nurse" is one denial, of working as a nurse; "that's wrong" alone, or with a
    new statement beside it, denies what was just brought up, which only the conversation tells.

    Args:
        text: what the person said.
        leave_out: the person's names.
    """
    found: list[Denial] = []
    for _, part, claim in _own_clauses(text, leave_out):
        if _WRONG.search(part.text):
            found.append(Denial(kind=DenialKind.WRONG, claim=None, words=part.text))
        elif denied := _denied(part, claim):
            found.append(denied)
    named = [denial for denial in found if denial.claim is not None]
    return tuple(named or found[:1])


def affirmations(text: str, *, leave_out: Iterable[str] = ()) -> tuple[Affirmation, ...]:
    """Return what a person's words affirm with insistence, in reading order.

    A plain statement is none: only "I do ... after all", "yes, I ..." and the like insist. What a plain statement
    can do is for `statements` and `rejections` to say.

    Args:
        text: what the person said.
        leave_out: the person's names.
    """
    found: list[Affirmation] = []
    for before, part, claim in _own_clauses(text, leave_out):
        if _RIGHT.search(part.text):
            found.append(Affirmation(kind=AffirmationKind.RIGHT, claim=None))
        elif _insists(before, part, claim) and _is_own(claim) and claim.polarity and _is_stated(claim):
            found.append(Affirmation(kind=AffirmationKind.STATED, claim=claim))
    named = [one for one in found if one.claim is not None]
    return tuple(named or found[:1])


def statements(text: str, *, leave_out: Iterable[str] = ()) -> tuple[Claim, ...]:
    """Return what a person plainly states of themselves or of what is theirs, in reading order.

    What they ask, suppose, quote, joke about, report, or only say that they said or thought, is left out.

    Args:
        text: what the person said.
        leave_out: the person's names.
    """
    return tuple(
        claim
        for _, part, claim in _own_clauses(text, leave_out)
        if _is_own(claim) and _is_stated(claim) and not _OWN_SAYING.search(part.text)
    )


# --- parts --------------------------------------------------------------------------------------


def _own_clauses(text: str, leave_out: Iterable[str]) -> Iterator[tuple[str, Part, Claim]]:
    """Yield the clauses in which the person speaks for themselves, each with the clause before it."""
    if len(text) > MAX_CHARS:
        return
    plain = _QUOTED.sub(" ", fold_clause(text))
    if _JOKE.search(plain):
        return
    before, reported = "", -1
    for part, claim in read_parts(_QUOTED.sub(" ", text), leave_out=leave_out):
        if _is_reported(part, claim):
            reported = part.sentence
        asks = part.asks or bool(_YES.search(part.text) or _NO.search(part.text)) or claim.frame.hypothetical
        if not asks and part.sentence != reported and claim.frame.voice is not Voice.IMPERATIVE:
            yield before, part, claim
        before = part.text


def _is_reported(part: Part, claim: Claim) -> bool:
    if _OWN_SAYING.search(part.text):
        return False
    return bool(_REPORTED.search(part.text)) or (
        claim.frame.subject != SELF and claim.frame.predicate in REPORTING
    )


def _denied(part: Part, claim: Claim) -> Denial | None:
    frame = claim.frame
    if not _is_own(claim) or _is_idle(claim):
        return None
    if frame.tense is Tense.ENDED and claim.polarity and not claim.is_empty:
        return Denial(kind=DenialKind.ENDED, claim=affirmed(claim), words=part.text)
    if claim.polarity or claim.is_empty:
        return None
    if frame.voice is Voice.OMITTED and frame.predicate == ANY_PREDICATE and not _NOT_A.search(part.text):
        # "No worries", "not much has changed": a noun with "no" is a turn of phrase where nobody is named.
        return None
    return Denial(kind=DenialKind.NEGATED, claim=affirmed(claim), words=part.text)


def _is_stated(claim: Claim) -> bool:
    """Return whether a clause is a whole statement, and not a word beside "yes"."""
    return not claim.is_empty and claim.frame.predicate != ANY_PREDICATE


def _is_idle(claim: Claim) -> bool:
    """Return whether a denial is a turn of phrase: "I don't know", "I can't wait", "I'm not sure"."""
    verb = claim.frame.predicate.rpartition(" ")[2]
    if verb in IDLE:
        return not claim.terms or claim.frame.predicate in {"can believe", "can wait"}
    return verb == "be" and not IDLE_STATES.isdisjoint(claim.terms[:1])


def _is_own(claim: Claim) -> bool:
    """Return whether the clause is the person's word on themselves or on what is theirs."""
    return claim.frame.voice in {Voice.FIRST, Voice.NAMED, Voice.OMITTED}


def _insists(before: str, part: Part, claim: Claim) -> bool:
    return (
        claim.frame.emphatic
        or bool(_EMPHASIS.search(part.text))
        or bool(_YES.search(before) or _NO.search(before))
    )
