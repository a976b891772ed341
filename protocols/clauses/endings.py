"""What a statement says is over or at another time, so that what was so before isn't told as if it still were.

Somebody died ("Biscuit died last night"), a couple parted (我跟丽丽分手了), a plan was moved or cancelled ("the
meetup got moved to 7pm", 飲み会は土曜に変わった), a job was given up ("I quit my job today") or a thing was given
away ("I sold the Volvo"). Nothing was wrong, so nothing is rejected: it gives way. In doubt nothing does: "my
phone died" ends no life, and "they moved my desk to the window" moves no date. Pure; reads English, Chinese and
Japanese.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from msgspec import Struct

from ..scripts import CJK, HAN, KANA, simplified, words
from ..tokens import terms
from .kin import PERSONS

MAX_CHARS: Final = 200
"""Longest statement that is read (characters): a longer one tells a story."""


class EndingKind(StrEnum):
    """What ended: a life, a couple, a plan at its old time, a job, or the having of a thing."""

    DEATH = "death"
    PARTING = "parting"
    PLAN = "plan"
    JOB = "job"
    HAVING = "having"


class Ending(Struct, frozen=True):
    """What a statement says is over. `what` is whom or what it names, folded; empty for a job and some couples."""

    kind: EndingKind
    what: str


_NAME: Final = r"(?-i:[A-Z])[\w'-]+"
_PARTNER: Final = r"(?:girlfriend|boyfriend|gf|bf|partner|wife|husband|fianc[eé]e?|spouse)"
_WHOM: Final = rf"(?:(?:my|our) (?:[a-z]+ )??(?P<kin>[a-z]+)(?: {_NAME})?|(?P<name>{_NAME}))"
_THOUGH: Final = r"(?:(?:sadly|unfortunately|so|and|well|btw|omg|yesterday|today|last night|this morning)[, ]+)*"
_LATELY: Final = r"(?:(?:just|sadly|suddenly|peacefully|finally|recently|has|have|had|both|already|got|are|is)\s)*"
_PARTED: Final = (
    r"(?:broke up|broken up|split up|split|separated|divorced|called it quits"
    r"|(?:no longer|not) together(?: any ?more)?)"
    r"(?! (?:up )?(?:the|an|our|my|his|her|their|some|it|them|everything"
    r"|a (?!week|month|year|few|couple|while))\b)"
)
_DAY: Final = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|today|noon|midnight|next (?:week|month|year)"
    r"|[0-9]{1,2}(?::[0-9]{2})? ?(?:am|pm|o'clock|th|st|nd|rd)?\b|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|spring|summer|autumn|winter)"
)
_WHEN: Final = rf"(?:(?:next|this|on|at|the|early|late|in|around|half past) )*{_DAY}"
_SHIFTED: Final = (
    r"(?:moved|pushed|postponed|rescheduled|changed|shifted|delayed|put off|brought)(?: back| forward)?"
)
_THING: Final = r"(?P<what>(?:(?:my|our|the|his|her|their|that) )?[^,.!?]{2,40}?)"
_SOMEBODY: Final = r"(?:they|we|i|he|she|(?:my|our|the) \w+)(?:'ve| have| had to| just)*"
_BEEN: Final = r"(?:has been|have been|had to be|got|was|were|is being|is|'s been|'s)"

_TO: Final = r"(?: from [^,.]{2,20}?)? (?:to|till|until)"
_SINCE: Final = r"(?: (?:last|this|yesterday|today|recently|(?:a|two|three|few) \w+ ago|on \w+day)\b|\W*$|[,;.!])"
_NOT_REALLY: Final = (
    r" (?:(?:a little |a bit )?inside|laughing|of (?:laughter|boredom|embarrassment|shame)|on me\b"
    r"|(?:her|his|their|my) hair"
    r"|(?:again )?(?:in|at the end of) (?:[a-z']+ )*?(?:film|movie|dream|nightmare|game|book|novel|show|series"
    r"|season|episode|chapter|act|story|play|anime|manga|campaign)\b|on \w+'s episode)"
)

_DEATHS: Final = tuple(
    re.compile(simplified(pattern), re.IGNORECASE)
    for pattern in (
        (
            rf"{_THOUGH}{_WHOM} {_LATELY}(?:died|passed away|dead(?= now|\W*$|[,.;!])"
            rf"|(?:passed on|(?:was |had to be )?put (?:down|to sleep))(?={_SINCE})"
            rf"|passed(?= on \w+day\b|{_SINCE}))\b(?!{_NOT_REALLY})"
        ),
        (
            rf"{_THOUGH}(?:we|i) (?:(?:just )?had to (?:put|say goodbye to|bury)|just buried|buried) {_WHOM}"
            rf"(?: down| to sleep)?(?={_SINCE})"
        ),
        (
            r"(?:我们?家?的?)?(?P<cjk>[^，,。！!\s我]{1,8}?)(?:昨天|昨晚|今天|今早|上周|上个月|前天|刚刚|刚|已经|终于|突然|还是|因为.{1,6}|[0-9]+年(?:[0-9]+月)?)*"
            r"(?:死|去世|过世|(?<![带搬拿送赶跑逃飞接抱领牵溜出])走|离世|离开我们?|去(?:了)?天堂|[去回](?:了)?[喵汪]星)(?:掉)?了"
        ),
        (
            r"(?:うちの)?(?P<ja>[^、。がは\s]{1,10})[がは](?:[^、。]{0,8})?(?:死ん(?:だ|じゃった|でしまった)|死にました|亡くな(?:った|りました|っちゃった)"
            r"|旅立(?:った|ちました)|天国に|虹の橋)"
        ),
    )
)
_PARTINGS: Final = tuple(
    re.compile(simplified(pattern), re.IGNORECASE)
    for pattern in (
        rf"{_THOUGH}(?:{_WHOM} and (?:i|me)|we) {_LATELY}{_PARTED}\b",
        rf"{_THOUGH}(?:me|i) and {_WHOM} {_LATELY}{_PARTED}\b",
        rf"{_THOUGH}i {_LATELY}(?:broke up with|split up with|split from|dumped|divorced) {_WHOM}",
        rf"{_THOUGH}i {_LATELY}left my (?P<kin>{_PARTNER})(?={_SINCE})",
        rf"{_THOUGH}{_WHOM} {_LATELY}(?:broke up with me|dumped me|divorced me)\b",
        rf"{_THOUGH}(?:i'm|i am|i) {_LATELY}(?:divorced|single (?:again|now)|newly single)\b",
        r"(?:我们?)?[跟和与](?P<cjk>[^，,。！!\s]{1,8}?)(?:已经|终于|昨天|前天|上周|上个月|刚刚|刚|正式|和平)*(?:分手|离婚|分开|掰)了",
        r"(?:我们?)?(?:已经|终于|昨天|前天|上周|上个月|刚刚|刚|正式)*(?:分手|离婚)了",
        r"(?P<ja>[^、。\s]{1,10})とは?(?:[^、。]{0,6})?(?:別れ(?:た|ました|ちゃった)|離婚し(?:た|ました))",
        r"離婚し(?:た|ました)",
    )
)
_CJK_DAY: Final = simplified(
    "(?:[下这本]?个?(?:周|星期|礼拜)[一二三四五六日天末]|[今明后]天|大后天|[今明]晚|[0-9一二三四五六七八九十]+(?:点|号|日|月|時|时)|下周|下个?月"
    "|[来今]週|来月|[月火水木金土日]曜日?|明日|明後日|あさって|今夜|[月火水木金土日](?=曜|の|に)|年底|月底|早上|上午|下午|晚上|午前|午後)"
)
_PLANS: Final = tuple(
    re.compile(simplified(pattern), re.IGNORECASE)
    for pattern in (
        rf"{_THOUGH}{_SOMEBODY} {_SHIFTED} {_THING}(?: back| forward)?{_TO} {_WHEN}",
        rf"{_THOUGH}{_THING} ?(?:{_BEEN} )?{_SHIFTED}{_TO} {_WHEN}",
        rf"{_THOUGH}{_THING} ?(?:{_BEEN} )?{_SHIFTED} (?:by )?(?:an?|one|two|[0-9]+) (?:hour|day|week|month)s?\b",
        rf"{_THOUGH}{_SOMEBODY} (?:cancell?ed|called off) {_THING}(?:\W*$|,)",
        rf"{_THOUGH}{_THING} ?{_BEEN} (?:cancell?ed|called off|not happening)\b",
        rf"{_THOUGH}{_THING} is (?:now |actually )?(?:on|at) {_WHEN}(?: at {_WHEN})? (?:now|instead)\b",
        (
            rf"(?:他们|我们|公司|学校|医院|老师|老板)?把?(?P<cjk>[^，,。！!\s]{{1,14}}?)(?:的时间)?(?:又|已经|被|临时)*(?:改|推迟|延期|延|提前|挪|调)"
            rf"(?:期)?[到至成]了?{_CJK_DAY}"
        ),
        r"(?P<cjk>[^，,。！!\s]{1,14}?)(?:又|已经|被|临时)*取消了",
        rf"(?P<ja>[^、。\s]{{1,14}}?)(?:の(?:日程|時間|予定))?(?:は|が|、){_CJK_DAY}[^、。]{{0,8}}?に(?:変わ|変更|なった|なりました|延期|ずれ|ずらし|移)",
        r"(?P<ja>[^、。\s]{1,14}?)[はが](?:中止|キャンセル)",
    )
)
_OF_LATE: Final = (
    r"(?: (?:today|yesterday|now|last (?:night|week|month|\w+day)|this (?:morning|week|month)|on \w+day))?"
    r"(?:\W*$|[,;.!?]| and | because | so )"
)
_ZH_LATELY: Final = "(?:今天|昨天|前天|上周|上个月|这周|刚刚|刚|已经|终于|正式|也)*"
_JA_I: Final = "(?:(?:私|僕|俺|わたし)[はも、]?)?"
_JA_LATELY: Final = (
    "(?:(?:今日|昨日|先週|先月|今月|今朝|今年|この前|最近|もう"
    "|ついに|とうとう|やっと|結局|実は|思い切って)[、は]?)*"
)
_JOBS: Final = tuple(
    re.compile(simplified(pattern), re.IGNORECASE)
    for pattern in (
        rf"{_THOUGH}i(?:'ve)? {_LATELY}(?:quit|left|lost|resigned from) my (?:old |day )?job{_OF_LATE}",
        rf"{_THOUGH}i(?:'ve| was| have|'m| am)? ?{_LATELY}(?:been )?(?:fired|laid off|made redundant){_OF_LATE}",
        rf"{_THOUGH}i(?:'ve|'m| am| have)? ?{_LATELY}(?:unemployed|retired|resigned){_OF_LATE}",
        (
            rf"我?{_ZH_LATELY}(?:辞职了|离职了|失业了|退休了|把工作辞(?:掉)?了|辞掉?了工作"
            r"|被(?:公司)?(?:裁|裁员|炒鱿鱼|开除|辞退)了)(?:\W*$|[，,。！!])"
        ),
        rf"{_JA_I}{_JA_LATELY}(?:仕事|会社)を(?:辞め|やめ)(?:た(?![いらく])|ました|ちゃった|てしまった)",
        rf"{_JA_I}{_JA_LATELY}(?:退職し|失業し|クビにな)(?:た|った|ました|りました|ちゃった)(?![いらく])",
    )
)
_GIVEN_AWAY: Final = tuple(
    re.compile(simplified(pattern), re.IGNORECASE)
    for pattern in (
        (
            rf"{_THOUGH}(?:i|we)(?:'ve)? {_LATELY}(?:sold|gave away|given away|got rid of|gotten rid of|traded in)"
            rf" (?:my|our|the|that) (?P<thing>(?:[a-z]+ ){{0,2}}?[\w-]+){_OF_LATE}"
        ),
        rf"(?:我们?)?{_ZH_LATELY}把(?:我的?|那辆|那台)?(?P<cjk>[^，,。！!\s]{{1,8}}?)(?:给)?(?:卖掉?|送人|扔掉?)了",
        r"(?P<ja>[^、。はが\s]{1,10})を(?:[^、。]{0,4})(?:売った|売りました|売っちゃった|手放した|手放しました)",
    )
)
_PATTERNS: Final = (
    (EndingKind.DEATH, _DEATHS),
    (EndingKind.PARTING, _PARTINGS),
    (EndingKind.PLAN, _PLANS),
    (EndingKind.JOB, _JOBS),
    (EndingKind.HAVING, _GIVEN_AWAY),
)
_TRIGGER: Final = re.compile(
    r"d(?:ied|ead|umped|ivorced|elayed)|pass|put|bur[yi]|goodbye|brok|split|separated|quit|together|left|single|moved"
    r"|lost|fired|laid off|redundant|unemployed|retired|resigned|sold|gave away|given away|rid of|traded"
    r"|push|postponed|rescheduled|changed|shifted|brought|cancel|called off|happening| now\b| instead"
    r"|[了だたにはが死离離]",
    re.IGNORECASE,
)
"""What any ending holds: whatever holds none of it is read no further."""

_LIVING: Final = PERSONS | words(
    "cats dogs goldfish fish bird guinea pig tortoise turtle snake lizard ferret mouse rat"
)
_NOBODY: Final = words(
    "i it he she they we you this that everyone nobody someone everything who what if when battery"
)
_CJK_NOBODY: Final = frozenset({*"我你他她它谁", "我们", "他们", "大家", "彼", "みんな", "人"})

_HAS: Final = re.compile(
    simplified(
        r"\b(?:i|we)(?: still| also)?(?:'ve got| have got| have| got| own| keep| adopted)\b|养(?!老|成|生)|领养"
        r"|有[一两]?只|飼って|飼い"
    )
)
_AGED: Final = re.compile(r"\b(?:is|'s|turns|turned) [0-9]{1,3}\b|[0-9一二三四五六七八九十]+[岁歳才]")
_SEVERAL: Final = re.compile(r"\b(?:two|three|four|five|[2-9]) ")
_COUPLE: Final = re.compile(
    simplified(
        rf"\bmy (?:new )?{_PARTNER}(?:'s name)? (?:is|are)\b|\b(?:is|are) my (?:new )?{_PARTNER}\b"
        rf"|\b(?:have|got) an? (?:new )?{_PARTNER}\b|\b(?:dating|seeing|going out with|engaged to|married to"
        r"|in a relationship|together with)\b"
        r"|(?:女朋友|男朋友|女友|男友|对象|老婆|老公|妻子|丈夫|未婚[妻夫])(?:的?名字)?[叫是]|[有交]了?(?:一?个)?(?:新的?)?(?:女朋友|男朋友|女友|男友|对象)"
        r"|是我的?(?:女朋友|男朋友|女友|男友|老婆|老公)|(?:在一起|谈恋爱|交往)"
        r"|(?:彼女|彼氏|妻|夫|旦那|嫁|奥さん|恋人|婚約者)(?:の名前)?は|(?:彼女|彼氏|恋人)が(?:いる|います|できた)|付き合って|と結婚して"
    ),
    re.IGNORECASE,
)
_BONDS: Final = {
    **dict.fromkeys(("husband", "wife", "spouse"), re.compile(r"\bmarried to\b", re.IGNORECASE)),
    **dict.fromkeys(
        ("girlfriend", "boyfriend", "gf", "bf", "partner"),
        re.compile(r"\b(?:dating|seeing|going out with|together with)\b", re.IGNORECASE),
    ),
}
"""How those who call somebody so say that they are a couple without the word."""

_IS_WHEN: Final = re.compile(rf"\b{_DAY}|{_CJK_DAY}", re.IGNORECASE)
_PAST: Final = re.compile(
    simplified(
        r"\b(?:was|were|had|went|yesterday|last|ago|used to)\b|昨天|上周|上个月|以前|去过"
        r"|昨日|先週|行った|だった|でした"
    ),
    re.IGNORECASE,
)
_OF_DAY: Final = re.compile(rf"^(?:我们?的?|うちの)?(?:{_CJK_DAY}的?の?)*(?:我们?的?)?")
_ON_DAY: Final = re.compile(rf"(?:\b(?:on|at|from)\b )?(?:\b(?:next|this)\b )?\b{_DAY}(?:'s)?", re.IGNORECASE)
_IDLE_WORDS: Final = frozenset(terms("my our the his her their that this new next big little whole"))
_CJK_WORD: Final = re.compile(f"[{HAN}{KANA}]")


_WORKS: Final = re.compile(
    simplified(
        r"\bi(?:'m| am)?(?: still| also| currently| now)? work(?:ing)?(?: full[- ]time| part[- ]time| nights)?"
        r" (?:as|at|for|in)\b(?! home)|\bmy job is\b|^(?:我(?:现在|目前|还|一直)?)?在.{1,14}(?:工作|上班)(?!过)"
        rf"|^{_JA_I}(?:今は?、?)?[^、。はがも]{{1,14}}(?:で|に)(?:働いて|勤めて|勤務して|バイトして)(?:い?ます|い?る)"
    ),
    re.IGNORECASE,
)
_USES: Final = re.compile(
    simplified(r"\b(?:i|we)(?: still| also| usually)? (?:drive|ride|own)\b|开着?|骑|有|持って|乗って"),
    re.IGNORECASE,
)

_COUPLE_WORDS: Final = (
    "girlfriend boyfriend gf bf partner wife husband fiance fiancé fiancée spouse dating seeing going engaged"
    " married relationship together 友 象 老 妻 夫 叫 彼 旦 嫁 恋 婚 交 付"
)
_WORK_WORDS: Final = "work working job 工 班 働 勤 バ"


def words_before(ending: Ending) -> str:
    """Return words, and characters of unspaced languages, of which what an ending makes past holds one."""
    return ending.what or (_WORK_WORDS if ending.kind is EndingKind.JOB else _COUPLE_WORDS)


def ending_in(text: str) -> Ending | None:
    """Return what a statement says is over, None where it says no such thing.

    Args:
        text: an atomic statement, such as a fact's.
    """
    if len(text) > MAX_CHARS or not _TRIGGER.search(text) or text.rstrip()[-1:] in {"?", "\uff1f"}:
        return None
    plain = simplified(text.strip()).replace("\u2019", "'")
    for kind, patterns in _PATTERNS:
        for pattern in patterns:
            if found := pattern.match(plain):
                return _ending(kind, found)
    return None


def is_over(text: str, ending: Ending) -> bool:
    """Return whether an ending makes an earlier statement of the same person one of the past.

    Args:
        text: the earlier statement.
        ending: what they said is over.
    """
    plain = simplified(text).replace("\u2019", "'")
    match ending.kind:
        case EndingKind.DEATH:
            return (
                _holds(plain, ending.what)
                and (_HAS.search(plain.lower()) or _AGED.search(plain)) is not None
                and not _SEVERAL.search(plain.lower())
            )
        case EndingKind.PARTING:
            bond = _BONDS.get(ending.what)
            return _COUPLE.search(plain) is not None and (
                not ending.what
                or _holds(plain, ending.what)
                or (bond is not None and bond.search(plain) is not None)
            )
        case EndingKind.JOB:
            return _WORKS.search(plain) is not None
        case EndingKind.HAVING:
            has = _HAS.search(plain.lower()) or _USES.search(plain)
            return _holds(plain, ending.what) and has is not None and not _SEVERAL.search(plain.lower())
        case EndingKind.PLAN:
            return _IS_WHEN.search(plain) is not None and not _PAST.search(plain) and _holds(plain, ending.what)


# --- parts ----------------------------------------------------------------------------------------


def _ending(kind: EndingKind, found: re.Match[str]) -> Ending | None:
    named = {name: said for name, said in found.groupdict().items() if said}
    what = next(iter(named.values()), "").lower()
    if CJK.search(what):
        what = _OF_DAY.sub("", what) if kind is EndingKind.PLAN else what
        is_named = len(what) > 1 and what not in _CJK_NOBODY
    elif kind is EndingKind.PLAN:
        kept = [word for word in terms(_ON_DAY.sub(" ", what)) if word not in _IDLE_WORDS]
        what = " ".join(kept)
        is_named = bool(kept) and _NOBODY.isdisjoint(kept)
    else:
        is_named = what not in _NOBODY
    if not what:
        return Ending(kind, "") if kind in {EndingKind.PARTING, EndingKind.JOB} else None
    if kind is EndingKind.DEATH and "kin" in named and named["kin"].lower() not in _LIVING:
        return None
    return Ending(kind, what) if is_named else None


def _holds(plain: str, what: str) -> bool:
    """Return whether a statement names whom or what an ending names."""
    if _CJK_WORD.search(what):
        return what in plain.lower()
    return set(terms(what)) <= set(terms(plain))
