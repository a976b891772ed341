"""What a Chinese sentence claims. No word boundaries are needed and no length is too short."""

from __future__ import annotations

import re
from typing import Final

from ....protocols.scripts import HAN, simplified, words
from . import chatter
from .claims import (
    CHATTER_CHARS,
    CORE,
    DEVELOPMENT,
    HEALTH,
    IDENTITY,
    PREFERENCE,
    Claim,
    Person,
    any_of,
    plain,
)
from .outline import Steps, read, seams

_HAN: Final = re.compile(f"[{HAN}]")
_COMMA: Final = "[，,、：:；;。．.!！~～…—]"
_GREETINGS: Final = any_of(
    words(
        "你好呀 你好啊 你好 您好 大家好 哈喽 哈啰 嗨 嘿 喂 早上好 上午好 中午好 下午好 晚上好 早安 午安 "
        "晚安 早啊 早 再见 拜拜 拜 "
        "明天见 回头见 回见 谢谢你 谢谢您 谢谢 多谢 感谢 谢啦 对不起 不好意思 抱歉 没关系 没事 不客气 "
        "辛苦了 加油 恭喜 恭喜你 "
        "生日快乐 新年快乐 节日快乐 中秋快乐 好久不见 在吗 在么 我回来了 我来了 我走了 我先走了 我睡了 "
        "我先睡了 好梦"
    )
)
_FILLERS: Final = any_of(
    words(
        "嗯嗯 嗯 哦哦 哦 噢 啊 呀 唉 哎呀 哎 诶 欸 哈哈哈 哈哈 哈 呵呵 嘿嘿 嘻嘻 呃 额 好的 好吧 好啊 好呀 "
        "好 行 行吧 可以 是的 是啊 是 "
        "对啊 对的 对 没错 不是的 不是 不对 不 没有 没 当然 其实 那个 这个 就是说 对了 话说 说起来 说真的 "
        "老实说 老实告诉你 讲真 讲真的 不瞒你说 悄悄告诉你 偷偷告诉你 说实话 坦白说 顺便说一下 "
        "另外 还有 然后 而且 所以 但是 不过 可是 知道了 明白了 了解 收到 真的 真的吗 真的假的 是吗 "
        "原来如此 厉害 真棒 太好了 太棒了 "
        "不错 随便 都行 都可以 无所谓 随便吧 没什么 不知道 我不知道 我知道 我知道了 我明白了 我懂了 我也是 "
        "我也觉得 我在听 我听着 我同意 等等 等一下 "
        "你说错了 你记错了 错了 说错了 搞错了 弄错了 你搞错了 你弄错了 不是这样的 才不是 不是啦 听我说 "
        "我跟你说 我告诉你 跟你说 告诉你 你知道吗 "
        "我没听见 我没听清 我没听到 你接着说 接着说 "
        "你猜怎么着 呜呜 呜呜呜 天哪 天啊 我的天 卧槽 哇 哇塞 嘛 吧 啦 呢 了 继续 ok okay hi hello lol"
    )
)
_CALLS: Final = any_of(words("你好 您好 嗨 嘿 哈喽 早上好 下午好 晚上好"))
_GLUED: Final = any_of(
    words(
        "但是 可是 不过 而且 所以 另外 然后 其实 话说 对了 顺便说一下 嗯 嗯嗯 呃 额 诶 欸 那个 就是 就是说 "
        "说真的 老实说 说实话 坦白说 讲真 讲真的 不瞒你说 老实告诉你 悄悄告诉你 偷偷告诉你 不好意思 你知道吗 "
        "你猜怎么着 是的 是啊 不是的 对啊 没错 当然 好的 好吧 好啊 说起来 听我说 天哪 天啊 哇 哎 哎呀 唉 啊 哦 "
        "噢 嘿 哈哈 哈哈哈"
    )
)
"""What a transcript of speech sets before a statement without a mark between."""

_ANSWER: Final = re.compile(rf"(?:{_GREETINGS}|{_FILLERS})[的了啦哦呀啊呢]?[\W_]*")
_LEAD: Final = re.compile(
    rf"\s+|(?:(?:{_CALLS})[^\W\d_]{{1,4}}|{_GREETINGS}|{_FILLERS})\s*{_COMMA}+|{_COMMA}+"
    r"|\*[^*\n]{1,200}\*|<[^<>\n]{1,100}>|\[[^\[\]\n]{1,100}\]|（[^（）\n]{1,60}）"
    rf"|(?:{_GLUED}|我(?:跟|和)你说(?:过|了)吗)(?=嗯|那个|就是|我|他|她|它|你|这|那)",
)
_REMEMBER: Final = re.compile(
    r"(?:请你?|你要|你得|要|一定要|千万|麻烦你?|帮我|你)?(?:记住了?|记得|别忘了|不要忘了|不要忘记|别忘记|"
    r"记一下|记下来?)\s*[，,：:]?\s*",
)
_REMEMBERED_LATER: Final = re.compile(
    r"[，,]?\s*(?:请你?|你要|你|要|一定要)?(?:记住|记得|别忘了|记住了|记住哦|记一下|记住啊|"
    r"要记住)[哦啊呀啦吧]?[。！!.~～]*$"
)
_STATEMENT_START: Final = re.compile(
    r"我(?!们走|吗)|他|她|它|咱|这|今天|明天|后天|下周|下个?月|每|周|星期|\d|[一二三四五六七八九十]+月|"
    r"生日|密码|名字|.{1,8}(?:是|叫|有|在|喜欢|不|对|会)",
)

_ASKED: Final = re.compile(r"[?？][\W_]*$")
_ENDING: Final = r"[\s。！!.…~～、，,)）」』”\"]*$"
_QUESTION_END: Final = re.compile(
    rf"(?:吗|么|嘛(?=[?？])|没有(?=[?？])|[^没]了没有?|来着|吧(?=[?？])|呢(?=[?？])|对吧|是吧|好吧(?=[?？])|行不行|好不好|"
    rf"对不对|是不是)[?？]*{_ENDING}"
)
_SHORT_NE: Final = re.compile(
    rf"(?:那|那么)?(?:你|您|你们|他|她|你家|你的|你那|然后)[^，,]{{0,4}}呢[?？]*{_ENDING}"
)
_QUESTION_WORD: Final = re.compile(
    r"什么|谁|哪(?!怕)|干(?:嘛|吗|啥)|怎么|怎样|咋|为何|为啥|啥|如何|多少|多大|多久|多远|多高|几点|几岁|几号|星期几|周几|"
    r"(?<!时)(?<!动)([是好对能会要有想喜行可去吃来看在])(?:不|没)\1|能不能|可不可以|有没有|会不会|要不要|"
    r"难道|是否|^(?:你|您)(?:们|更)?(?:愿意|想要?|喜欢|要|会|选|是)[^，,。]{1,20}还是",
)
_NO_QUESTION: Final = re.compile(
    r"(?:什么|谁|哪[儿里个]?|怎么|啥)[^，,。]{0,8}[都也]|(?<!有)[没不](?:有|是|怎么|什么|知道|清楚|管|记得|懂|"
    r"确定|论)|无论|"
    r"知道|忘了|什么的|之类|如何如何|告诉我|问我|想起|学会|学(?:习)?(?:怎么|如何)|想不起|(?:这|那)么|什么时候都",
)
_FIRST_PIECE: Final = re.compile(r"(?P<said>[^，,。！!？?；;\n]{1,12})[，,]\s*(?=.{2})")
_SEAM: Final = re.compile(r"[，,；;。]|\s+")
_ASKED_START: Final = re.compile(
    r"(?:那|那么|所以|不过|但|话说)?(?:你|您|你们)(?:呢|知道|觉得|喜欢|说|有|是|会|能|想|在|记得|明白|最|"
    r"的|怎么|平时|住|做|多|几|叫|吃)"
    r"|对[吗吧不]|是[吗吧不]|好[吗吧不]|行[吗吧不]|可以吗|怎么|什么|为什么|哪|谁|懂吗|知道吗|记得吗|要不要|"
    r"能不能|可不可以|有没有|难道|不是吗|咋样",
)

_PLAIN: Final = re.compile("[了是在有叫住要会很过不没对]|喜欢")
_COMMAND: Final = re.compile(
    r"(?:小?[^\W\d_]{1,3}[，,])?(?:以后|从现在起|从今以后|今后|拜托|麻烦|求你|求求你|那就?|现在|快|先|你|"
    r"咱们|我们)*\s*"
    r"(?:请(?![假客教]|了)|别(?![人的墅说])|别说(?:了|这|那|话)|不要|不许|不准|停止|停下|闭嘴|住口|"
    r"帮我(?!妈|爸|们)|"
    r"给我(?:念|读|拿|放|画|做|讲|说|唱|推荐|看|来|买|写|介绍|找|发|听|算|查|订|开|关)|告诉我|跟我(?:说|讲|聊|一起)|陪我|讲(?:个|一个|讲|"
    r"点)|说(?:个|一个|说|点)|"
    r"唱(?:个|首|一)|来(?:个|首|一个|一首|点)|推荐|介绍一下|翻译|解释|换个|聊(?:点|聊|个)|猜(?:猜|一下)|"
    r"快(?:点|来|去|说|告诉)|等我|等等|等一下|"
    r"让我|听我|看看|再(?:讲|说|来|给)|继续|想想|试试|过来|算了|走吧|去(?:查|看看|找|问)|查(?:一下|查)|"
    r".{0,6}提醒我|叫醒我|安慰|忘掉|忘记(?!了)|把|别忘|不要忘|(?:记得|记住)(?![我他她它小以那上第曾当]))"
    r"|我(?:想|要|希望|需要)(?:让|听|看|请)?你|给我(?:一|几|点|个)|希望你|(?:你|您)(?:应该|得|必须|要(?!是)|能|可以|最好|别|不要|不许|"
    r"不能|快|先|给我|帮我|再|就别)"
    r"|我(?:不想|不愿意|不愿|不要|不想再|不想要)再?(?:聊|谈|说|提|听到?|讨论)"
    r"|(?:我们|咱们|咱)(?:来|去|还是|一起|走|聊|玩|换)[^，,]{0,20}吧",
)
_SUGGESTION: Final = re.compile(rf"吧{_ENDING}")
_NICKNAME: Final = re.compile(
    r"(?:以后|你|请|就|可以|都|大家|您|你们|直接|还是|也)*(?:叫|喊|称呼)我(?!起床|的|了|来|去|回)(?:做|"
    r"为)?[^\W\d_]"
)
_UNREAL: Final = re.compile(
    r"我(?:也)?(?:不知道|在想|在考虑|不确定|想知道|不记得|忘了)[^，,]{0,6}(?:该不该|要不要|该怎么|怎么(?:办|说|跟|和|对)|会不会|能不能)"
    r"|.{0,4}(?:恨不得|巴不得)"
    r"|我?哪(?:有|知道|能|会|敢|里?懂)|(?:在)?(?:小说|电影|书|歌词?|剧|电视|漫画|动画|游戏|故事|台词|梦)里?.{0,8}(?:写|说|唱|讲|道|演)"
    r"|在?[^，,]{0,6}(?:小说|电影|书|剧|漫画|动画|游戏|故事|梦)(?:里面?|中)[，, ]?我(?:是|叫|变成|住|有)"
    r"|(?:如果|(?:你)?(?:想象|设想|假装|假设)(?:一下)?|假如|要是|假设|倘若|万一|想象|设想|若是|若|比如说我|假使|幻想|试想)|.{0,40}的话(?:[，,]|就|"
    r"我|会|该)|.{0,60}(?:就好了|该多好)"
)
_JOKE: Final = re.compile(r"开玩笑|开个玩笑|骗你的|逗你|说笑|闹着玩|玩笑话|愚人节快乐")
_JOKE_ALONE: Final = re.compile(
    r"(?:哈|嘿|嘻|哎呀|好啦|其实|刚才|刚刚|我|是|只是|就是|跟你|和你|那是|这是|，|,|\s)*+"
    r"(?:开个?玩笑|骗你的?|逗你|说笑|闹着玩|玩笑话?)(?:的|啦|了|呢|而已|玩|罢了|哈|[\W_])*+",
)
_FEELING: Final = re.compile(
    any_of(
        words(
            "我 你 他 她 今天 现在 此刻 这 那 是 就 真的 真 好 太 很 非常 有点儿 有点 有些 特别 超级 超 最 "
            "更 还 也 都 又 了 啊 呀 哦 噢 呢 啦 "
            "的 得 地 吧 嘛 感觉 觉得 心情 一点 一下 开心 高兴 难过 伤心 生气 累 困 烦 烦躁 无聊 想 喜欢 "
            "讨厌 恨 爱死 孤独 寂寞 郁闷 幸福 "
            "快乐 兴奋 激动 紧张 害怕 担心 焦虑 不错 棒 爽 饿 渴 死 气死 笑死 哭 想哭 委屈 感动 失望 沮丧 "
            "崩溃 无语 尴尬 可爱 厉害 聪明 漂亮 "
            "不 没 没事 没什么 知道 明白 懂 同意 说 对 行 可以 好的 谢谢 哈 哈哈 嗯 呜 唉 啊啊 吗 么 会 要 "
            "在 呵 哇 意思 有 有意思 搞笑 好笑 "
            "冷 热 吃 东西 睡 觉 先 饿 困 事 事情 这样 那样 怎样 怎么 办 坏 糟糕 糟 惨 辛苦 忙 坏了 极了 完了"
        )
    )
    + r"|爱(?!好)|(?<!爱)好|[\W_]",
)
_PREDICATE: Final = re.compile(
    "[是有在叫住爱喜讨想要会能应该做吃喝看读写说去来到对过了着得给买卖学教开走跑养生死病痛怕恨结离分搬换丢找用玩打唱跳画考姓属用当为信听种带坐穿用睡醒起下上记不没很太最更都也还]"
)
_SUBJECT: Final = re.compile(
    r"(?P<plural>我们|咱们|咱俩|我俩|我和你|你和我)|(?P<first>我|俺|本人|咱|人家)|(?P<second>你|您)|"
    r"(?P<third>[他她它])"
)
_IMPLIED: Final = re.compile(
    r"(?:今年|去年|最近|昨天|今天|明天|刚|刚刚|刚才|上周|下周|这周|周末|以前|从小|平时|一直|经常|常常|已经|"
    r"正在|打算|准备|住|在|是|做|当|喜欢|讨厌|不喜欢|"
    r"爱|怕|会|想|养|有|学|去|来自|来|毕业|出生|单身|结婚|没有|没|不|很|对|每天|每周|晚上|早上|叫|姓|\d+岁)",
)
_CUES: Final = (
    (
        IDENTITY,
        re.compile(
            r"我(?:的(?:全|真|英文|中文|小)?名字?|叫|姓|名叫|小名|昵称|外号)|(?:叫|喊|称呼)我|生日|我(?:是|"
            r"在)?.{0,12}(?:出生|生的)|我是[^\W\d_]{1,3}(?<![师士生员人者家工医护手长兵的])[。！!]*$|^[叫姓]"
        ),
    ),
    (
        HEALTH,
        re.compile(
            r"过敏|糖尿病|哮喘|癫痫|怀孕|确诊|手术|吃药|药物|癌|抑郁症|焦虑症|素食|吃素|清真|不能吃|高血压|"
            r"心脏病|乳糖不耐|血型|残疾|失眠|住院|慢性|偏头痛|恐慌症"
        ),
    ),
    (
        CORE,
        re.compile(
            r"最(?:喜欢|爱|讨厌|怕)|(?:特别|非常|超级?|很)(?:喜欢|爱|讨厌)|从不|从来不|住在|老家|家乡|来自|"
            r"我家|工作|上班|职业|同事|老板|公司|学校|专业|大学|"
            r"我是(?:一名|一个|个|名)?.{0,10}(?:师|士|生|员|人|者|家|工|警察|老板)|妈妈?|爸爸?|父母|父亲|"
            r"母亲|老公|老婆|妻子|丈夫|儿子|女儿|孩子|哥哥?|姐姐?|弟弟?|妹妹?|"
            r"爷爷|奶奶|外婆|外公|姥姥|姥爷|男朋友|女朋友|对象|家人|已婚|结婚|单身|养了|我的?(?:猫|狗|宠物)|岁"
        ),
    ),
    (
        DEVELOPMENT,
        re.compile(
            r"升职|辞职|失业|被裁|分手|离婚|毕业|考上|考过|通过了|搬家|搬到|搬去|订婚|领证|去世|买房|"
            r"换了工作|入职|开始学|戒"
        ),
    ),
    (
        PREFERENCE,
        re.compile(
            r"喜欢|爱[^\W\d_]|讨厌|想要?|打算|准备|计划|兴趣|爱好|刚|最近|昨天|明天|下周|上周|周末|新|"
            r"会[^\W\d_]|迷上|偏好|习惯|宁愿|怕"
        ),
    ),
)
_WEATHER: Final = re.compile(r"下雨|下雪|天气|刮风|打雷|晴天|阴天|多云|台风|好热|好冷|降温|气温|雾霾")


def is_joke_alone(sentence: str) -> bool:
    """Return whether a sentence only says that the one before it was a joke."""
    return _JOKE_ALONE.fullmatch(sentence.strip()) is not None


def claim(sentence: str) -> Claim | None:
    """Return what the sentence claims, or None where it claims nothing worth remembering."""
    return read(sentence, _STEPS)


def _fold(sentence: str) -> str:
    return simplified(plain(sentence))


def _noted(folded: str, start: int) -> tuple[int, int] | None:
    end = len(folded)
    asked_to = _REMEMBER.match(folded, start)
    if (
        asked_to
        and not _ASKED.search(folded, max(start, end - 10))
        and _STATEMENT_START.match(folded, asked_to.end())
    ):
        return asked_to.end(), end
    later = _REMEMBERED_LATER.search(folded, max(start, end - 20))
    return (start, later.start()) if later else None


def _lead(folded: str, at: int) -> re.Match[str] | None:
    return _LEAD.match(folded, at) or _idle_lead(folded, at)


def _idle_lead(folded: str, at: int) -> re.Match[str] | None:
    """Return the piece at the front that only feels or chats ("太开心了，"), where more follows it."""
    piece = _FIRST_PIECE.match(folded, at)
    return piece if piece and _is_idle(piece["said"]) and not _COMMAND.match(piece["said"]) else None


def _statement_end(folded: str, start: int) -> int:
    """Return where the statement ends that a question is hung on to, or the end of all."""
    end = len(folded)
    asked = _ASKED.search(folded, max(start, end - 10)) is not None
    for seam in seams(_SEAM, folded, start):
        tail = folded[seam.end() : end]
        hung_on = _ASKED_START.match(tail) or (
            asked and _QUESTION_END.search(tail) and _PLAIN.search(folded, start, seam.start())
        )
        if not (hung_on and (asked or _is_question(tail))):
            continue
        end = seam.start()
    return end


def _is_question(body: str) -> bool:
    if _ASKED.search(body, max(0, len(body) - 10)) or _QUESTION_END.search(body, max(0, len(body) - 20)):
        return True
    if _SHORT_NE.fullmatch(body):
        return True
    return _QUESTION_WORD.search(body) is not None and _NO_QUESTION.search(body) is None


def _states(body: str, _named: bool) -> bool:  # noqa: FBT001 - one of the steps
    """Return whether a piece is a statement with a predicate and something to remember."""
    if not _HAN.search(body) or not _content(body):
        return False
    if len(body) <= CHATTER_CHARS and all(_is_idle(piece) for piece in re.split("[，,]", body)):
        return False
    if _NICKNAME.match(body):
        return not _ASKED.search(body)
    if _is_question(body) or _COMMAND.match(body) or _UNREAL.match(body) or _JOKE.search(body):
        return False
    if _SUGGESTION.search(body, max(0, len(body) - 10)) and body[0] not in "他她它":
        return False
    return _SUBJECT.match(body) is not None or _PREDICATE.search(body) is not None


def _is_idle(piece: str) -> bool:
    """Return whether a piece between commas is a feeling, a request, or talk about the talk."""
    return not _content(piece) or bool(chatter.CHINESE.fullmatch(piece) or _COMMAND.match(piece))


def _content(body: str) -> bool:
    """Return whether a piece holds more than pronouns, feelings, fillers and greetings."""
    return _ANSWER.fullmatch(body) is None and _FEELING.sub("", body) != ""


def _person(body: str) -> Person:
    found = _SUBJECT.search(body)
    if found is None:
        return Person.FIRST if _IMPLIED.match(body) and not _WEATHER.search(body) else Person.THIRD
    if found["plural"]:
        return Person.FIRST_PLURAL
    if found["first"]:
        return Person.FIRST
    return Person.SECOND if found["second"] else Person.THIRD


_STEPS: Final = Steps(
    fold=_fold,
    lead=_lead,
    noted=_noted,
    end=_statement_end,
    states=_states,
    person=_person,
    cues=_CUES,
    weather=_WEATHER,
    trivial=frozenset(Person) - {Person.FIRST},
)
