"""What people say about the conversation itself, to the one they talk to: "you win", 我考考你, 質問があります.

It states nothing to remember, though it has a subject and a verb. Each pattern matches a whole sentence.
"""

from __future__ import annotations

import re
from typing import Final

_GOOD: Final = (
    "(?:good|great|nice|cool|sweet|lovely|beautiful|funny|hilarious|interesting|amazing|wonderful|awful|terrible|weird"
    "|strange|sad|true|right|wrong|fair|perfect|brilliant|adorable|kind|clever|smart|cute|fun|rude|mean|gross|wild"
    "|crazy|silly|impressive|fantastic|awesome|rough|tough|harsh|deep|dark|odd|incredible|unbelievable|hot|boring)"
)

ENGLISH: Final = re.compile(
    r"(?:fine|ok|okay|well|alright|haha|hey|oh|aww?|so|and|but|gosh|wow|yes|no)?[,\s]*(?:"
    rf"(?:that|this|it)(?:'s| is| was| sounds| looks| seems)(?: not)?(?: (?:just|such|so|really|very"
    rf"|too|quite|pretty|a|an"
    rf"|the|all|kind of|sort of|actually|totally|absolutely)){{0,3}} {_GOOD}(?: (?:\w+ ){{0,3}}\w+)?"
    r"|(?:that|it) (?:made sense|escalated quickly|went well|depends|hurts|helps|works|worked|figures|checks out)"
    r"|that(?:'s| is| was) (?:not )?(?:what|how|why|it|all|enough|me|you|life|that|where|when)\b[^,]{0,60}"
    r"|it(?:'s| is) (?:getting )?(?:late|early|fine|nothing|okay|ok|over|complicated|a long story"
    r"|just me|up to you)"
    r"|i (?:really |just |so |do |totally |absolutely |always )*(?:love|like|enjoy|missed|miss|need"
    r"|trust|believe|adore"
    r"|appreciate|hear|forgive|owe|envy|admire)"
    r" (?:talking (?:to|with) |chatting with |hearing from |your (?:help|voice|advice|company|stories"
    r"|jokes|opinion)|being with )?"
    r"(?:you|u)?(?: (?:too|so much|a lot|more|already|today|guys))*"
    r"|i(?:'m| am| was) (?:just |only |so |all |still |already )*(?:saying|asking|checking|curious"
    r"|ears|back|here|there"
    r"|listening|distracted|done|leaving|ready|in|out|off|off to bed|off to work|going(?: to bed| now"
    r"| out)?|on my way"
    r"|heading (?:out|off|home)|afk|home|lost|yours|joking|with you|not sure what to say|thinking)"
    r"|i (?:bet|hope|wish|know|knew|guess|think|thought|swear|believe|figured|told you|said|heard"
    r"|doubt) (?:that )?(?:you|that|so"
    r"|this)\b[^,]{0,60}"
    r"|i (?:have|had|'ve got|got) (?:a |one |another |some |two |so many )?(?:questions?|idea|favou?r "
    r"to ask|request|riddle|joke)"
    r"(?: for you| to ask(?: you)?)?"
    r"|i(?:'d| would) (?:like|love) to (?:hear|know|ask) (?:a|an|your|more|about|what|how|you)\b[^,]{0,40}"
    r"|i (?:have |'ve )?(?:never|did not|didn't|haven't) (?:actually |even )?(?:say|said|claim(?:ed)?|tell|told)\b"
    r"[^.!?]{0,300}"
    r"|i (?:did not|didn't|don't|can't|cannot|could not|couldn't) (?:mean|get|follow|believe|hear|say"
    r"|catch|understand|argue"
    r" with) (?:it|that|this|you|a word)(?: that way)?"
    r"|(?:whatever|as) you (?:say|wish|like|want)|you (?:win|lose|did it|asked for it|got me|there"
    r"|wish|bet|rock|decide|choose"
    r"|go first|first|tell me|know best)|you (?:made|make) me (?:laugh|smile|cry|blush|happy|feel "
    r"better)(?: so much)?"
    r"|you(?:'re| are) (?:so |really |very |too |such an? |the |a |an |my )*(?:right|wrong|welcome"
    r"|best|funny|sweet|kind|cute"
    r"|awesome|amazing|great|silly|mean|smart|adorable|sweetheart|angel|hilarious|impossible|back|here)"
    r"|(?:could|couldn't) (?:be|have been) (?:worse|better)|(?:got|gotta) (?:it|go|run)|(?:talk|see"
    r"|catch) (?:to )?(?:you|ya)\b.{0,30}"
    r")[\s!.~…]*",
)

CHINESE: Final = re.compile(
    r"(?:哼|好吧|好啦|那|哎|唉|嗯|哈哈|哇|行|好|哦|啊)?[，,\s]*(?:"
    r"我(?:从来|可|根本|之前)?(?:没有?|从没|从未)(?:跟你|和你|对你)?(?:说|讲|提|告诉)过?[^。！？]{0,100}|"
    r"我?(?:不|先|再|来|就|也|真|可|想|要|都|才|好|还是)*(?:信|需要|服|佩服|羡慕|懂|理解|同意|支持|听|等|理|考考|考|问|骗|逗|原谅|谢谢|感谢|想|爱|喜欢|陪|挺|告诉|提醒|猜)"
    r"(?:了|着|一下)?(?:你)(?:了|的(?:看法|意思|话|想法|观点|心情|说法)|说的(?:话)?|吗|哦|啊|呀|啦|个(?:事|问题)|一个问题|一件事|好久了|很久了)?"
    r"|我?(?:有|还有)(?:一?[个件])?(?:问题|事情?|话|疑问)(?:想|要)?(?:问|跟|和|对|请教)(?:一下)?你?(?:你)?(?:说|讲|商量)?"
    r"|我?(?:给|跟|和|对)你(?:讲|说|唱|看|念|猜|出)(?:个|一个|段|首|道)?(?:笑话|故事|秘密|谜语|歌|题|事|件事)?(?:吧|哦|啊)?"
    r"|我?(?:也|还|就|先|再|得|要|该|马上|立刻|一会儿?|等会儿?|这就|现在|现在就|准备)*(?:去)?(?:睡觉?|回来|开始|走|撤|溜|下线|出发|洗澡|吃饭|忙|来|到)(?:了|啦|咯|吧)?"
    r"|我(?:也|都|真的|完全|有点|还是|可)*(?:不管|才不信|才不要|才不管|错|服|晕|醉|无语|投降|听不懂|看不懂|不懂|不信|没听懂|没看懂|考虑|想想|想一想|试试|猜|懂|明白|放心|认输|输)(?:了|也是|是|一下|看|啦|吧|呢)*"
    r"|.{1,3}死(?:我|人|你)?(?:了|啦)|我?(?:好|真|太|很)(?:难受|难过|开心|高兴|无聊|无语|崩溃|心累|感动)(?:了|啊|呀|哦|死了)?"
    r"|(?:难受|难过|开心|高兴|感动|羡慕|激动|后悔|心疼|郁闷)(?:死|坏|极)?了?"
    r"|(?:太|真|好(?!久)|可|超)[^，,]{1,6}(?:了|啊|呀|啦|哦)?"
    r"|(?:这|那)(?:个|也|就|倒|样|么|话|首|部|道)?(?:问题|故事|主意|想法|笑话|歌|题|名字|话|事)?(?:也|就|真|倒|还)?(?:很|挺|太|真|有点|蛮|确实|的确|是)*"
    r"(?:好|不错|好听|好看|好笑|有趣|有意思|有道理|没道理|厉害|难|离谱|过分|贵|可爱|奇怪|复杂|对|可以|行|酷)(?:的|了|吧|啊|呀|哦)*"
    r"|(?:很|挺|真|蛮|确实|说得|说的)?(?:有|没)?(?:道理|意思)|原来(?:是)?(?:这样|如此|你)(?:啊|呀)?"
    r"|你(?:又|可|也|都|真|果然|居然|竟然|才)*(?:猜|说|答|做|讲|想)(?:得|的)?(?:对|错|中|到|很对|真对)(?:了|啦)?"
    r"|你的?(?:人|声音|名字|笑话|故事|想法|歌|嘴|回答|主意|建议)?(?:可|真是?|真的|太|好|很|超|最|越来越|这么|怎么这么|总是|还|挺)+"
    r"(?:好听|可爱|漂亮|聪明|厉害|棒|温柔|好玩|好笑|好|贴心|暖|美|帅|坏|笨|逗|搞笑|懂我|会[^，,]{1,5}|有[^，,]{1,4})(?:的|了|啊|呀|啦|哦)*"
    r"|你(?:赢|输|来|先|先说|先来|决定|随意|看着办|等着|继续|忙|放心|休息)(?:了|吧|啦)?"
    r"|我(?:会|也|都|真的?|很|好像|以为|知道|觉得|感觉|梦见|等|想|怕|希望|猜|发现|就|永远|一直)+[^，,]{0,3}你[^，,]{0,8}"
    r"|我?(?:就是?|只是)?(?:随便|随口)(?:说说|问问|聊聊)|我(?:说的)?(?:不|也不)是(?:这个|那个|这)?意思|我的意思是[^，,]{1,20}"
    r"|(?:等会儿?|晚点|晚上|明天|回头|以后|下次)?(?:再)(?:聊|说|见|讲)(?:吧)?|(?:等会儿?|晚点|晚上|明天|回头)(?:找|来找|陪|告诉)你"
    r"|我先(?:忙|走|撤|睡|吃饭|下)了?|(?:那就)?(?:这么|就这么|说)定了|(?:忘了|忘记)(?:跟|和|告诉|对)你(?:说|讲)?[^，,]{0,4}"
    r"|(?:唱|说|讲|写|画|做|演|问|答)得?(?:真|很|太|挺|不)[^，,]{1,4}|我(?:又)?想起来了|我(?:可以)?(?:发誓|保证)[^，,]{0,8}|骗人是小狗"
    r"|(?:求求?|拜托)你了?|再(?:讲|说|来|唱)一[个遍次首]|(?:很|非常|真)?高兴(?:认识|见到|遇见)你"
    r"|(?:谢谢|感谢|多谢|多亏|幸好有|还好有|祝|恭喜|辛苦|有)(?:你|您|大家)[^，,]{0,16}|祝[^，,我]{1,12}"
    r"|(?:早点|多|少|慢慢|好好|注意|小心|路上|不?着急|别急|开心|放松|放轻松|要)[^，,我他她]{1,6}"
    r"|(?:就是|确实|的确|说得|说的|那)?(?:没错|当然|这么回事|如此|这样|没问题)(?:了|的|啊|呀)?|我?(?:也|完全|非常|举双手)?(?:同意|赞成)"
    r"|包在我身上|不愧是你|你(?:骗|逗|耍|笑|坑|烦)(?:我|人)|你(?:先)?猜|(?:我)?(?:不信|才不信)|(?:下次|以后|等下|回头|改天|待会儿?)(?:再)?(?:说|讲|聊|告诉你)"
    r"|(?:教教|夸夸|帮帮|安慰|陪陪|抱抱|哄哄|救救)(?:一下)?我|(?:给|出|想|提|来)(?:点|个|些)(?:建议|主意|办法|意见|提示|灵感)"
    r"|我(?:要|得|该|先|现在)+去?(?:上班|上课|上学|开会|出门|洗澡|做饭|接孩子|赶车|写作业)(?:了|啦)"
    r"|(?:听|随|由|依|看|靠|谢)你(?:的|了|便|吧|决定|说)?|来(?:嘛|吧|啦|了)|应该的|慢走(?:不送)?|(?:不|不想)理你了?|你[^，,]{1,12}呢|[啊哦嗯哼哈唉哎嘿]"
    r")[\s！!。.~～…]*"
)

JAPANESE: Final = re.compile(
    r"(?:うん|ええ|まあ|はい|ねえ|あの|じゃあ|でも|ああ)?[、,\s]*(?:"
    r"(?:いい|良い|すごい|素敵な|ひどい)(?:天気|話|歌|質問|考え|アイデア|名前)(?:です|だ|だった)?"
    r"|(?:今から|もう|そろそろ|これから|先に|ちょっと)+(?:行く|行きます|寝る|寝ます|出かける|出かけます|帰る|帰ります|落ちる|始める)"
    r"|(?:ちょっと|一つ)?(?:質問|お願い|話|聞きたいこと|相談)(?:が|は|も)?(?:ある|あります|あるんだ|あるんです)(?:が|けど)?"
    r"|(?:そんな|こんな)こと(?:は)?(?:ない|ありません)|何でもいい|なんでもいい|どうでもいい|どっちでもいい"
    r"|[^。！？]{0,100}(?:とは|なんて|って)(?:一度も)?(?:言って(?:い)?(?:ない|ません)|言わなかった)"
    r"|.{0,6}気がする|(?:君|あなた|ゆい).{0,4}(?:声|話|歌)(?:が|は)(?:好き|すごい|いい|素敵)(?:です|だ)?"
    r"|(?:君|あなた)(?:は|って)(?:本当に|すごく|とても)?(?:優しい|面白い|かわいい|すごい|頭がいい)(?:です|だ)?"
    r")(?:よ|ね|な|わ|さ|けど|から)*[\s。！!.~～…笑w]*"
)
