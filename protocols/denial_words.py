"""Patterns over folded clauses by which denials, affirmations, jokes and hearsay are seen. Data only.

Each is applied to one clause as `clauses.split` folds it; Chinese and Japanese are written here as people write
them, and compared in simplified characters.
"""

from __future__ import annotations

import re
from typing import Final

from .scripts import simplified


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(simplified(text))


WRONG: Final = _pattern(
    r"^(?:no |nope |sorry |but |well )*(?:"
    r"(?:that is|that's|thats|that was|it's|it is|it was|this is|this was|you're|you are|you were|you "
    r"got (?:that|it|this)|you have"
    r" (?:that|it)|you've got (?:that|it))"
    r" (?:all |so |just |simply |totally |completely )?(?:wrong|not true|not right|not correct|incorrect|false"
    r"|untrue|mistaken|a lie|a mistake|not so|not how it is)"
    r"|(?:that|it) (?:isn't|is not|wasn't|was not|ain't) (?:true|right|correct|so)|not true|wrong|incorrect"
    r"|not (?:any ?more|any longer|these days)|no longer|(?:i|we) (?:do not|don't|am not|have not"
    r"|haven't|did not|didn't|was not|wasn't)|i'm not|no i'm not"
    r")(?: (?:at all|actually|though|anymore|any more|you know|about (?:that|me)))*$"
    r"|^(?:(?:no|nein|non|mais non|não|нет|doch|perdona|perdón|desculpa|entschuldigung|pardon)[, ]+)*(?:"
    r"(?:das |es )?stimmt (?:so |doch |gar |überhaupt )*nicht|(?:das ist |ist )?(?:doch |ganz )?(?:falsch"
    r"|nicht wahr|nicht richtig|ein irrtum|quatsch)|(?:eso |esto )?(?:no es (?:verdad"
    r"|cierto|así|correcto)|es (?:falso|mentira|incorrecto|un error))|te equivocas"
    r"|(?:isso |isto )?(?:não é (?:verdade|assim|certo)|é (?:falso|mentira)"
    r"|está errado)|c'est (?:faux|pas vrai|une erreur)|ce n'est pas (?:vrai|exact|ça|juste)|tu te trompes|faux"
    r"|(?:это )?(?:неправда|не правда|не так|неверно|ошибка|ложь)|ты ошибаешься|неправильно)$"
    r"|^(?:아니요?|아뇨|아니에요|아니야|아닌데요?)?,? ?(?:틀렸어요?|틀렸습니다|틀려요?"
    r"|그게 아니(?:에요|야|라)|그렇지 않아요?|그건 아니(?:에요|야)|사실이 아니(?:에요|야)"
    r"|아니에요|아니야|거짓말이(?:에요|야))$"
    r"|^(?:不对|不是的|不是这样的?|不是|才不是|不对不对|错了?|你错了|你?(?:记|搞|弄|说|听)错了?|你误会了?|不是真的|没有的事|没这回事|胡说|哪有|并不是|才没有|我没有|我不是"
    r"|我才没有)(?:啊|啦|呀|吧|哦|的|了)*$"
    r"|^(?:いや|いえ|いいえ|ううん)?(?:違う|違います|違った|違うの|ちがう|ちがいます|間違い|間違いです|間違ってる|間違っている|間違っています|そうじゃない|そうではない|そうではありません"
    r"|そんなことない|そんなことはない|そんなことありません|嘘|嘘です|誤解です|誤解)(?:よ|ね|な|です|って|から|ってば)*$"
)
RIGHT: Final = _pattern(
    r"^(?:yes |yeah |yep )*(?:that is|that's|thats|it is|it's|you're|you are) (?:so |very |totally |absolutely"
    r" |quite )?(?:right|true|correct)$|^(?:exactly|correct)$"
    r"|^(?:对|对的|对啊|没错|是的|是这样的?|说得对|你说得对|确实|确实如此)(?:啊|呀|哦|的)*$"
    r"|^(?:はい|ええ|うん)?(?:その通り|そのとおり|そうです|そうだ|合ってる|合っています|正しい)(?:よ|ね|です)*$"
)
JOKE: Final = _pattern(
    r"\b(?:just kidding|kidding|joking|jk|lol|lmao|rofl|haha\w*|hehe\w*|hihi|sarcasm|dying of laughter|so"
    r" funny|cracking me up|hilarious)\b"
    r"|哈哈|嘿嘿|嘻嘻|开玩笑|逗你|笑死|骗你的|冗談|笑って|(?:笑|w+)$|なんちゃって|ウケる|爆笑|笑い死|笑える|\^_\^|😂|🤣|xd\b"
    r"|\b(?:es broma|era broma|es brincadeira|nur spass|war ein scherz|je rigole|je plaisante|шучу)\b|농담|ㅋㅋ"
)
REPORTED: Final = _pattern(
    r"\b(?:he|she|they|you|people|everyone|somebody|someone|mum|mom|dad|doctor|boss|my \w+(?: \w+)?|\w+)"
    r" (?:says?|said|thinks?|thought|tells?|told|claims?|claimed|believes?|believed|insists?|insisted|writes"
    r"|wrote|asks?|asked|pretends?|pretended)\b"
    r"|\b(?:keeps?|kept|are|is|was|were|stop|stopped|always) (?:saying|telling|thinking|claiming|believing"
    r"|insisting|pretending|repeating|writing)\b"
    r"|\b(?:according to|as they say|rumou?r has it|i heard|i read that|it says|in the (?:film|movie|book|game"
    r"|song|story|dream)|in my dream|i dreamt|i dreamed|my character|quote|the song goes)\b"
    r"|(?:他|她|他们|她们|妈妈?|爸爸?|老板|医生|朋友|同事|别人|人家|有人|大家|老师|[^我们]{1,4})(?:说|认为|觉得|以为|告诉|讲|问)(?:过|我)?|听说|据说|梦见|书里"
    r"|电影里|歌里|剧本"
    r"|\b(?:dice|dicen|dijo|diz|disse|sagt|sagte|meint|meinte|dit que|dite|говорит|сказала?|считает) "
    r"|(?:라고|다고) "
    r"|(?:と|って)(?:言って|言った|言われ|聞いた|聞き|思われ|書いて)|らしい|そうです$|によると|夢で|映画で"
)
OWN_SAYING: Final = _pattern(
    r"^(?:i|we|ich) (?:have |already |just |never )*(?:said|say|told you|think|thought|believe)\b|^我(?:都|早就"
    r"|已经)?(?:说|觉得|认为|告诉你)|私は.*と(?:言った|思う)"
)
EMPHASIS: Final = _pattern(
    r"^(?:yes|yeah|yep|yup|actually|indeed|no)\b"
    r"|\b(?:after all|again|still|indeed|it is true|it's true|truth is)\b"
    r"|\bi really (?:do|am|have|did)\b"
    r"|^(?:对|是的|没错|当然)|(?:确实|的确|真的(?=是|有|在|会)|还是|毕竟|其实|仍然|依然|又|重新)"
    r"|^(?:はい|うん|ええ)|(?:やっぱり|やはり|実は|確かに|まだ|今でも|また)"
)
DOUBT: Final = _pattern(
    r"^(?:who (?:on earth )?(?:told you|said|says|claims)|what makes you (?:think|say|believe)|why "
    r"(?:do|did|would)"
    r" you (?:think|say|believe|claim)|where did you (?:get|hear|read)(?: (?:it|the idea|the notion))?"
    r"|since when)(?: that)? (?=(?:i|i'm|i've|we|my|sam)\b)"
    r"|^(?:谁(?:跟你|告诉你|和你)?说|谁告诉你|你凭什么说|你怎么(?:会)?(?:觉得|认为|以为))"
)
NOT_X: Final = re.compile(
    r"^(?:no |nope |and |but )*not (?:in |at |from |as |an? |the |with )*(?P<what>(?!much|many|really|sure|yet|now"
    r"|today|that|this|it|bad|so|only|just|all|everyone|everything|every|always|often|because|when|if|quite|very"
    r"|too|even|necessarily|exactly|my fault)[^\s,]{2,20}(?: [^\s,]{2,20})?)"
    r"(?:,| but)(?: but| rather)? [^\s,]{2,20}(?: [^\s,]{2,20})?$"
)
NOT_THAT: Final = re.compile(r"^not (?:that|because|when|if|until|unless|yet|really|exactly|so|very|too|much)\b")
NOT_A: Final = re.compile(
    r"^(?:no |nope |and |but )*(?:not (?:an?|the|in|at|as|from|with|my)|no longer an?) |^[^a-z]+$"
)
NOT_START: Final = re.compile(r"^(?:and |but )?not ")
NO: Final = _pattern(r"^(?:no|nope|nein|non|mais non|não|нет|아니요?|아뇨|아니에요|아니야|不|不是|いや|いいえ)$")
CORRECTS: Final = _pattern(
    r"^(?:(?:oh|uh|um|ah|and|but|well|no|ach|ay|ой)[, ]+)*(?:wait|no wait|sorry|actually|oops"
    r"|scratch that|strike that"
    r"|correction|i mean|my (?:bad|mistake)|(?:i|you) (?:was|were|am|are|'m) (?:wrong|mistaken)|i misspoke"
    r"|i (?:made a mistake|got (?:that|it) wrong)|en realidad|de hecho|perdón|perdona|me equivoqué"
    r"|me he equivocado|quise decir"
    r"|na verdade|desculpa|me enganei|eigentlich|tatsächlich|entschuldigung|ich habe mich geirrt|falsch|ich meine"
    r"|en fait|pardon|je me suis trompée?|in realtà|veramente|scusa|mi sono sbagliat[oa]"
    r"|на самом деле|вообще-то|извини(?:те)?|я ошибся|я ошиблась|사실은?|아니|미안"
    r"|我?(?:说|讲|记|弄|搞)错了|更正(?:一下)?|口误|其实|实际上|间违えました?|訂正(?:します)?|実は|すみません)$"
)
CORRECTS_START: Final = _pattern(
    r"^(?:actually|scratch that|oops|no wait|wait no|(?:it )?turns out) |^(?:其实|实际上|应该是)|^(?:実は|本当は)"
)
NO_START: Final = _pattern(
    r"^(?:no|nope|nah|wrong)\b(?! (?:longer|more|one)\b)|^(?:不对|错了|不是的)|^(?:いや|いえ|違う)"
)
YES: Final = _pattern(r"^(?:yes|yeah|yep|对|是的|没错|はい|うん|ええ)$")
QUOTED: Final = re.compile(r"[\"“「『][^\"”」』]{4,}[\"”」』]")
