"""Chinese clauses as frames, from simplified characters.

A clause is read from the left: who, adverbs, negation, a modal, the predicate; what is left is content. A
word such as 不 counts only where one of these is expected, so that 不错 or 别人 inside the content is a word.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from ..scripts import words
from .frame import ANY_PREDICATE, OBJECT_PREDICATES, SELF, Frame, Tense, Voice
from .scan import OWNER, Scanner, pieces, with_owner
from .slots import is_place, owned_slot

KIN: Final = (
    "妹妹|姐姐|哥哥|弟弟|妈妈|爸爸|母亲|父亲|妈|爸|妻子|老婆|太太|丈夫|老公|儿子|女儿|孩子|男朋友|女朋友|前男友|前女友|男友|女友|"
    "朋友|闺蜜|同事|老板|上司|领导|同学|室友|邻居|奶奶|爷爷|外婆|外公|姥姥|姥爷|叔叔|阿姨|舅舅|姑姑|"
    "表哥|表姐|表弟|表妹|堂哥|堂姐|堂弟|堂妹|家人|父母|猫|狗|老师|姐|哥|弟|妹"
)
"""Whom somebody calls theirs, as an alternation."""

_FIRST: Final = f"我们|咱们|我|咱|俺|本人|{OWNER}|用户|主人"
_THIRD: Final = "他们|她们|他|她"
_YES_VERBS: Final = "喜欢|爱|讨厌|想|怕|害怕|是|会|能|有|住|当|做|吃|喝|玩"

_OPENER: Final = re.compile(
    "(?:但是|可是|而且|因为|所以|虽然|不过|但|那么|那|好吧|嗯|啊|哦|哎呀|哎|说实话|老实说|对|是的|没错|请)(?=.{2})"
)
_CONDITION: Final = re.compile("如果|要是|假如|假设|万一|除非|若是|若")
_HEDGE: Final = re.compile(
    f"(?:{_FIRST})?(不|没)?(?:觉得|认为|以为|相信|说过?|发誓|保证|记得|承认)(?={_FIRST}|自己)"
)
_CLEFT: Final = re.compile("(?P<verb>喜欢|爱|讨厌|想要|住在?|养|吃|喝|做|学)的(?:其实|应该)?是")
_FALSE: Final = re.compile(
    f"(?:说|讲)?(?P<said>(?:{_FIRST}).{{2,}}?)(?:这件事|这事|这话|这个说法|的说法|的事)?"
    "(?:(?:都|根本|完全)?是(?:不对|不真实|错误?|假|骗人|编)的|(?:都|根本|并)?不是真的|是(?:谣言|误会|胡说))(?:了|啊|吧|呀)?$"
)
_NOT_SO: Final = re.compile("(?:并)?(?:不是|没有)(?:真的|说)(?=.)")
_TAIL: Final = re.compile("(?:了|啊|呀|吧|呢|哦|啦|嘛|哈|噢|而已|罢了|的)+$")
_PLEASE_NOT: Final = re.compile("(?:你|您|请)?(?:别|不要|不许|莫|甭)(?!人|的|墅)")
_POSSESSED: Final = re.compile(f"(?:{_FIRST}|{_THIRD})(?:家里?)?的?(?:最好的|好)?(?P<kin>{KIN})(?=.)")
_OWNED: Final = re.compile(
    f"(?:(?:{_FIRST}|{_THIRD})的?)?(?P<best>最(?:喜欢|爱)的)?(?P<what>[^是叫的不]{{1,8}})(?P<not>不)?(?:是|叫)(?=.)",
)
_SUBJECT: Final = re.compile(f"(?P<first>{_FIRST})(?:自己)?|(?P<third>{_THIRD})(?:自己)?|(?P<you>你们|你|您|妳)")
_OTHER: Final = re.compile(
    "(?P<who>[^不没]{1,7}?)(?:也|都|就|真的|很|非常|一直|现在)*(?=(?:不|没|从不|不再)?(?:是|喜欢|讨厌|住在|搬到|叫|有|在.+(?:工作|上班)|想要))"
)
_FRONTED: Final = re.compile(f"(?P<what>[^不没是喜住叫有想会能]{{1,8}}?)(?P<rest>(?:{_FIRST})(?!的).+)")

_ALSO: Final = re.compile("也|兼职?|同时|另外|还(?=在|当|做|兼|有|会|喜欢)|副业")
_EMPHATIC: Final = re.compile("确实|的确|真的(?=是|有|在|会)|还是|毕竟|当然|又|其实|仍然|依然|仍(?=是|在|喜)")
_ENDED: Final = re.compile("以前|从前|过去|曾经|曾|原来|之前|小时候|当年|本来")
_ADVERB: Final = re.compile(
    "现在|目前|如今|真的|今天|昨天|去年|前年|上个?月|上周|上个星期|[一两三四五六七八九十几0-9]+年前|最近|一直|总是|经常|常常|每天|天天|每周|平时|有时候?|偶尔|已经|早就|都(?!市)"
    "|就(?!业|诊)|才(?!华|能)|"
    "很|非常|特别|超级|太(?!太|阳|极)|最(?!近)|更|挺|蛮|十分|根本|完全|绝对|一点儿?也?|从来(?!没|不)|终于|刚刚|刚|正在|正(?!义|式)|"
    "在(?=学|练|看|读|写|玩|听|找|准备|用|吃|喝|减肥)|大概|可能|肯定|一定|自己|早(?=就|已|不|没)|可(?=不|没|喜欢|是|爱|想)|"
    f"好(?=喜欢|爱|讨厌|想)|真(?=不|没|喜欢|讨厌|爱)|超(?=喜欢|爱|讨厌)|还(?=不|没|{_YES_VERBS})|再(?={_YES_VERBS})|并(?=不|没|非)"
)
_NOT_ONLY: Final = re.compile("不(?:仅仅?|但|只|光)是?")
_NEGATION: Final = re.compile(
    "再也不|再也没有?|从来不|从来没有?|从不|从没有?|不再|绝不|非(?!常|洲|要|得)|无法|未(?!来|婚)|"
    "不(?!错|过(?!敏)|如|同|断|停|久|便|满|安|幸|得不|由得|好意思|客气|一定|用谢)|没(?:有)?(?!准|关系|收|落)"
)
_LACK: Final = re.compile("再也没有?|从来没有?|从没有?|没(?:有)?")
_MODAL: Final = re.compile(
    "(?P<want>想要|想(?!念|象|法|家|起)|希望|打算|计划|愿意|准备|需要|要(?!是|求|好))|"
    "(?P<can>会(?!议|计|员|面)|能够|能(?!力|量|源)|可以)|(?P<must>必须|不得不|应该|得(?!到|了))"
)
_QUIT: Final = re.compile("戒掉了?|戒了|戒|停止了?|放弃了?|辞掉了?|辞去了?|退出了?|不干了?")
_LEFT: Final = re.compile(
    "从(?P<from>[^，。]{1,12}?)(?:辞职|离职|跳槽|退休)了?|(?:辞掉|辞去)了?(?:在)?(?P<at>[^，。]{1,12}?)的?(?:工作|职位)(?:了)?$"
)
"""How somebody says that they work somewhere no longer."""

_MOST_NAME_CHARS: Final = 4
_DONE: Final = "当|做|担任|工作|上班|任职|打工|读书|上学|学习|生活|居住|住"
_PLACED: Final = re.compile(f"在(?P<place>.+?)(?P<verb>{_DONE})(?:了|着|过)?")
_TOWARDS: Final = re.compile(
    "对(?P<what>.+?)(?=(?:不|没有?|从不|并不|很|非常|特别|有点|一点都?|也|都)*(?:过敏|感兴趣|有兴趣|有?兴趣|满意|好奇|熟悉|失望|反感))"
)
_FROM: Final = re.compile("从[^搬]+(?=搬)")
_PREDICATE: Final = re.compile(
    "(?P<moved>(?:搬到|搬去|搬来|搬回|搬家到|搬进|移居到?)了?)|(?P<left>(?:搬离|搬出|离开)了?)|"
    "(?P<live>住在|居住在|居住于|定居在?|生活在|家住在?|家在|住(?!院|宅))|"
    "(?P<name>名字是|名字叫|名叫|叫做|叫(?!醒|喊|了?(?:外卖|车|出租|滴滴|快递|救护|保安|警察|服务员|人来|代驾|酒|菜|餐|苦|好|停|板))|大家叫我)|"
    "(?P<work>任职于|就职于|工作于|上班于)|"
    "(?P<like>喜欢上?|热爱|喜爱|钟爱|酷爱|偏爱|迷上|爱上|爱(?!好|人|情|心))|"
    "(?P<hate>讨厌|厌恶|憎恨|恨|反感|受不了|嫌弃)|"
    "(?P<job>当上|当(?!然|地)|担任|从事)|(?P<be>就是|是|身为|成为|做(?!饭|菜|梦))|"
    "(?P<have>拥有|有(?!时|点|趣|名|关)|养(?!老|成|生)|收养)|"
    "(?P<verb>结婚|离婚|订婚|毕业|辞职|怀孕|退休|搬家|生病|受伤|失业|认识|知道|记得|相信|害怕|想念|参加|学习|练习|吃|喝|玩|学|看|听|读|写|抽|吸|用|买|穿|开|说|讲|练|打|跑|唱|跳|弹|画|骑|教|去|怕|信)"
)
_GRADE: Final = re.compile(
    "(?:今年|现在|在)*[读上念](?=(?:高|初|大|小|研)[一二三四五六](?![年]级?学)|[一二三四五六七八九]年级)"
)
"""How somebody is said to be in a class: 今年读高二 says what 是高二 says."""

_WITH: Final = re.compile("^我们?[和跟与][^，,。的说聊吵打见]{1,6}?(?:一起|都|现在|还)*(?=住|搬|养|租)")
"""Who somebody lives with: 我和老婆住在成都 tells where they live."""

_AFTER_BE: Final = re.compile("(?P<like>喜欢|热爱)|(?P<hate>讨厌)|(?P<job>当|做|担任|从事)(?=.)")
"""Predicates that may follow 是, which else ends in a noun: 学生 isn't "to learn"."""

_STARTS: Final = re.compile("喜欢|住在|搬到|讨厌|是|叫|有|在|养")
_ASPECT: Final = re.compile("了|着|过(?!敏|年|程|期)")
_AGE: Final = re.compile("(?:今年)?(?P<age>[0-9]+|[一二三四五六七八九十]+)岁")
_COUNT: Final = re.compile(
    "(?P<count>[一二三四五六七八九十几0-9]+)(?:个|只|位|名|条|间|家|份|种|杯|本|台|辆|栋|套|把|头|匹|些|点)|[个位名](?=.)"
)
_PARTED: Final = re.compile(
    "(?<!目)的(?!确|士)|和(?!平|服|尚)|跟|与|以及|还有|或者|沿着|在(?!乎)|于|、|\\s|" + OWNER
)
_OF: Final = re.compile("(?<!目)的(?!确|士)")
_JOINED: Final = re.compile(_PARTED.pattern.removeprefix(f"{_OF.pattern}|"))
"""As `_PARTED`, but 的 joins what tells more of a thing to it: 雪貂的书."""

_ABOUT: Final = re.compile("关于|有关")
_CALLED: Final = re.compile(
    "(?<=[\\u4e00-\\u9fff])[,，]?(?:它)?(?:的?名字(?:叫做?|是)|名叫|叫做|取名叫?|叫)(?!声|醒|喊|好|做|板|停|车)(?=.)"
)
"""Where the name of what somebody has begins: 猫叫豆豆 is a cat, and it is 豆豆."""

_AFTER_SUBJECT: Final = (
    _ALSO,
    _EMPHATIC,
    _ENDED,
    _NOT_ONLY,
    _ADVERB,
    _NEGATION,
    _MODAL,
    _QUIT,
    _PLACED,
    _TOWARDS,
    _FROM,
    _PREDICATE,
    _AGE,
)
"""What a clause goes on with behind whom it is about; any of them begins no name."""

_BEHIND_NAME: Final = (
    f"(?=(?:{_ADVERB.pattern}|{_ALSO.pattern}|{_EMPHATIC.pattern}|{_ENDED.pattern})*(?:{_NEGATION.pattern})?"
    f"(?:{_YES_VERBS}|搬|叫|名叫|养|拥有|收养|学|在.{{1,12}}?(?:{_DONE})|对.{{1,12}}过敏"
    "|抽|去|来自|弹|骑|教(?!授)|跑|(?:今年)?[0-9一二三四五六七八九十]+岁))"
)
"""What a clause goes on with behind a name, up to a verb."""

_NAME: Final = re.compile(
    r"(?:叫)?(?P<name>(?![的和跟与同们])(?:[a-z0-9]+(?:[ .·'-][a-z0-9]+){0,3}|[^\W\d_a-z的不没是有在住]{1,6}?))"
    f"{_BEHIND_NAME}"
)
"""The name of somebody's own friend or sister, behind that: 我朋友小明住在, up to a verb."""

_VERBAL_NAME: Final = re.compile(
    "(?P<name>爱[华国军民党英玲芳兰珍琴云霞萍莲香梅红玉珠]|学[友文军明东林峰勇斌良智武兵礼谦忠]|会[芳英兰珍云敏琴萍]"
    "|能[静文武]|有[为福才财贵林德志良根旺]|和[平静风]|在[山天]|要强|(?P<twice>[想多爱乐笑念思])(?P=twice))"
    f"{_BEHIND_NAME}"
)
"""A given name that begins like a verb: 我女儿爱玲喜欢画画."""

_HEADS: Final = {"moved": "live", "left": "live", "job": "be", "hate": "like"}
_SLOTS: Final = {"moved": "home", "live": "home", "name": "name", "job": "job"}
_VERBS: Final = {"害怕": "怕", "学习": "学", "练习": "练", "相信": "信", "吸": "抽", "讲": "说"}
_JOBS: Final = frozenset({"当", "做", "担任"})
_HOMES: Final = frozenset({"生活", "居住", "住"})
_OWNED_SLOTS: Final = {"名字": "name", "姓名": "name", "职业": "job", "工作": "job"}
_SINGLE: Final = words("生日 年龄 电话 手机号 电话号码 邮箱 地址 家乡 老家 国籍 身高 体重 星座 血型 密码")


class _Reading(Struct):
    """A clause while it is read."""

    subject: str = SELF
    voice: Voice = Voice.OMITTED
    predicate: str = ""
    negated: bool = False
    ended: bool = False
    past: bool = False
    slot: str = ""
    moved: bool = False
    added: bool = False
    emphatic: bool = False
    lacking: bool = False
    value: str = ""
    extra: str = ""


def read(clause: str, names: frozenset[str]) -> Frame:
    """Return the frame of a folded clause.

    Args:
        clause: one clause in simplified characters, folded as `claims` folds.
        names: the owner's names, folded alike.
    """
    text = _CLEFT.sub(r"\g<verb>", with_owner(clause, names))
    text = _WITH.sub("我们", _GRADE.sub("是", text))
    text = _LEFT.sub(lambda left: f"不在{left['from'] or left['at']}工作了", text)
    false = _FALSE.match(text)
    scan = Scanner(false["said"] if false else text)
    while scan.take(_OPENER):
        pass
    hypothetical = scan.take(_CONDITION) is not None
    imperative = _PLEASE_NOT.match(scan.text) is not None
    reading = _Reading(negated=false is not None)
    if hedge := scan.take(_HEDGE):
        reading.negated ^= bool(hedge.group(1))
    scan.text = _TAIL.sub("", scan.text) or scan.text
    _read_subject(scan, reading)
    _read_predicate(scan, reading)
    return _frame(scan, reading, hypothetical=hypothetical, imperative=imperative)


def _read_subject(scan: Scanner, reading: _Reading) -> None:
    _read_adverbs(scan, reading)
    if (found := _OWNED.match(scan.text)) and (slot := _slot_of(found)):
        reading.slot, reading.predicate, reading.voice = slot, "name" if slot == "name" else "be", Voice.FIRST
        reading.negated ^= bool(found["not"])
        scan.text = scan.text[found.end() :]
    elif found := scan.take(_POSSESSED):
        reading.subject, reading.voice = found["kin"], Voice.FIRST
        named = scan.take(_VERBAL_NAME)
        if named is None and not any(pattern.match(scan.text) for pattern in _AFTER_SUBJECT):
            named = scan.take(_NAME)
        if named is not None:
            reading.subject = " ".join((found["kin"], *pieces(named["name"])))
    elif found := scan.take(_SUBJECT):
        reading.voice = Voice.FIRST if found["first"] else Voice.THIRD
        reading.voice = Voice.NAMED if found["first"] in {OWNER, "用户", "主人"} else reading.voice
        reading.subject = "你" if found["you"] else SELF
    elif found := _FRONTED.fullmatch(scan.text):
        reading.extra, scan.text = found["what"], found["rest"]
        scan.take(_SUBJECT)
        reading.voice = Voice.FIRST
    elif not _STARTS.match(scan.text) and (found := scan.take(_OTHER)):
        reading.subject, reading.voice = found["who"], Voice.THIRD


def _slot_of(found: re.Match[str]) -> str:
    """Return the slot that "我的... 是" names, or an empty string where it names none."""
    what = found["what"]
    if found["best"]:
        return owned_slot(("favourit", what))
    return _OWNED_SLOTS.get(what, f"my {what}" if what in _SINGLE else "")


def _read_adverbs(scan: Scanner, reading: _Reading) -> None:
    while True:
        if scan.take(_ALSO):
            reading.added = True
        elif scan.take(_EMPHATIC):
            reading.emphatic = True
        elif scan.take(_ENDED):
            reading.ended = True
        elif not (scan.take(_NOT_ONLY) or scan.take(_ADVERB)):
            return


def _read_predicate(scan: Scanner, reading: _Reading) -> None:
    """Read adverbs, negations, a modal and the predicate, in whichever order they come."""
    while True:
        _read_adverbs(scan, reading)
        if found := _take_negation(scan, reading):
            reading.negated = not reading.negated
            reading.lacking = _LACK.fullmatch(found.group()) is not None
        elif not reading.predicate and (found := scan.take(_MODAL)):
            reading.predicate = found.lastgroup or ""
            return
        elif not _take_predicate(scan, reading):
            break
    if not reading.predicate:
        reading.predicate = "have" if reading.lacking else ANY_PREDICATE


def _take_negation(scan: Scanner, reading: _Reading) -> re.Match[str] | None:
    """Take a negation. After 是 it negates only where a verb follows: 不吃肉的人 is a noun."""
    found = _NEGATION.match(scan.text)
    if found and reading.predicate == "be" and not _AFTER_BE.match(scan.text, found.end()):
        return None
    return scan.take(_NEGATION)


def _take_predicate(scan: Scanner, reading: _Reading) -> bool:
    if reading.slot or reading.predicate not in {"", "be"}:
        return False
    if found := scan.take(_AGE):
        reading.predicate, reading.slot, reading.value = "be", "age", found["age"]
    elif scan.take(_QUIT):
        reading.predicate, reading.negated = ANY_PREDICATE, not reading.negated
    elif found := scan.take(_PLACED):
        _place(reading, found["place"], found["verb"])
    elif found := scan.take(_TOWARDS):
        reading.extra = found["what"]
    elif scan.take(_FROM):
        return True
    elif found := scan.take(_AFTER_BE if reading.predicate else _PREDICATE):
        kind = found.lastgroup or ""
        reading.predicate = _VERBS.get(found.group(), found.group()) if kind == "verb" else _HEADS.get(kind, kind)
        reading.slot = _SLOTS.get(kind, "")
        reading.moved = kind == "moved"
        reading.negated ^= kind in {"hate", "left"}
    else:
        return False
    if found := scan.take(_ASPECT):
        reading.past = reading.past or found.group() == "过"
    return True


def _place(reading: _Reading, place: str, verb: str) -> None:
    """Read "at a place, do": a job there, a home there, or work there."""
    if verb in _JOBS:
        reading.predicate, reading.slot, reading.extra = "be", "job", place
    elif verb in _HOMES:
        reading.predicate, reading.slot, reading.value = "live", "home", place
    else:
        reading.predicate, reading.extra = "work", place


def _frame(scan: Scanner, reading: _Reading, *, hypothetical: bool, imperative: bool) -> Frame:
    had = _CALLED.split(scan.text, maxsplit=1) if reading.predicate == "have" else [scan.text]
    is_of_object = reading.predicate in OBJECT_PREDICATES and len(had) == 1
    if reading.predicate == "name" and len(scan.text) <= _MOST_NAME_CHARS:
        # Whole: 常在 is a name, though 在 parts phrases elsewhere.
        content: tuple[tuple[str, ...], ...] = tuple(filter(None, [pieces(scan.text)]))
    else:
        content = tuple(one for text in had for one in (_of_objects(text) if is_of_object else _phrases(text)))
    phrases = (
        *_phrases(reading.value),
        *content,
        *_phrases(reading.extra),
    )
    if reading.slot == "home" and not is_place(phrases[0] if phrases else ()):
        reading.slot = ""
    fills = reading.slot and reading.predicate != ANY_PREDICATE
    return Frame(
        subject=reading.subject,
        voice=Voice.IMPERATIVE if imperative else reading.voice,
        predicate=reading.predicate,
        negated=reading.negated,
        tense=_tense(reading),
        phrases=phrases,
        slot=reading.slot,
        value=phrases[0] if fills and phrases else (),
        added=reading.added,
        emphatic=reading.emphatic,
        moved=reading.moved,
        hypothetical=hypothetical,
    )


def _tense(reading: _Reading) -> Tense:
    if reading.ended:
        return Tense.ENDED
    return Tense.PAST if reading.past and not reading.moved else Tense.PRESENT


def _of_objects(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the content in phrases, each with what tells more of its head: 关于雪貂的书 is one."""
    parts = _JOINED.split(_ABOUT.sub("", text))
    told = (tuple(one for of in _OF.split(part) for one in _counted(of)) for part in parts)
    return tuple(phrase for phrase in told if phrase)


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(phrase for part in _PARTED.split(text) if (phrase := _counted(part)))


def _counted(part: str) -> tuple[str, ...]:
    """Return the terms of a phrase, with how many there are unless it is one."""
    counted = _COUNT.match(part)
    count = counted["count"] if counted else None
    rest = part[counted.end() :] if counted else part
    return (*([count] if count and count != "一" else []), *pieces(rest))
