"""What is over is told apart from what only sounds like it."""

import time

import pytest

from omoide.protocols.clauses.endings import EndingKind, ending_in, is_over


@pytest.mark.parametrize(
    ("before", "text", "kind"),
    [
        ("I have a parrot called Pickle.", "Pickle died last night.", EndingKind.DEATH),
        ("I have a hamster.", "We had to put my hamster down.", EndingKind.DEATH),
        ("We have a dog named Rufus, he is 12.", "Sadly, Rufus passed away on Friday.", EndingKind.DEATH),
        ("我养了一只狗叫旺财。", "旺财上周去世了。", EndingKind.DEATH),
        ("犬のハチを飼ってる。", "ハチが昨日死んじゃった。", EndingKind.DEATH),
        ("My girlfriend is called Nora.", "Nora and I broke up yesterday.", EndingKind.PARTING),
        ("I'm dating Erik.", "me and Erik split up", EndingKind.PARTING),
        ("I'm married to Paul.", "I left my husband.", EndingKind.PARTING),
        ("I have a boyfriend.", "We broke up.", EndingKind.PARTING),
        ("I have a boyfriend.", "We split up a week ago.", EndingKind.PARTING),
        ("I have a cat.", "My cat was put down yesterday.", EndingKind.DEATH),
        ("I have a cat.", "My cat is dead.", EndingKind.DEATH),
        ("我男朋友叫大伟。", "我跟大伟分手了……", EndingKind.PARTING),
        ("彼氏の名前は翔太。", "翔太と別れた。", EndingKind.PARTING),
        ("I've got a haircut on Monday at 3pm.", "They moved my haircut to Friday.", EndingKind.PLAN),
        ("The recital is at 6pm.", "the recital got pushed back to 8pm", EndingKind.PLAN),
        ("The picnic is on Sunday.", "The picnic is cancelled.", EndingKind.PLAN),
        ("周四有家长会。", "周四的家长会改到下周一了。", EndingKind.PLAN),
        ("周末有同学聚会。", "同学聚会取消了。", EndingKind.PLAN),
        ("発表会は木曜日です。", "発表会は金曜日に変更になった。", EndingKind.PLAN),
        ("I work as a welder at the shipyard.", "I quit my job today!!", EndingKind.JOB),
        ("I work for Bosch.", "I just lost my job last week", EndingKind.JOB),
        ("I'm working at a bakery.", "I got laid off yesterday, it hurts", EndingKind.JOB),
        ("I work at the town hall.", "I've retired.", EndingKind.JOB),
        ("我在银行上班。", "我昨天辞职了。", EndingKind.JOB),
        ("我在医院工作。", "我被裁员了", EndingKind.JOB),
        ("病院で働いています。", "先月、仕事を辞めました。", EndingKind.JOB),
        ("I drive an old red Saab.", "I sold the Saab yesterday", EndingKind.HAVING),
        ("I have a piano.", "We gave away our piano.", EndingKind.HAVING),
        ("我有一辆摩托车。", "我把摩托车卖了。", EndingKind.HAVING),
        ("バイクを持っています。", "バイクを売った。", EndingKind.HAVING),
    ],
)
def test_what_is_over_is_seen_with_what_it_was(before: str, text: str, kind: EndingKind) -> None:
    ending = ending_in(text)
    assert ending is not None
    assert (ending.kind, is_over(before, ending)) == (kind, True)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("I have a phone.", "My phone died."),
        ("My son is 4.", "We put my son down for a nap."),
        ("My son is 4.", "I just put my son to sleep."),
        ("My sister is 30.", "My sister put down a deposit on a house."),
        ("My brother is 30.", "My brother is dead set on it."),
        ("I have a parrot called Pickle.", "Pickle died in my dream."),
        ("I have a parrot called Pickle.", "Pickle died laughing."),
        ("My sister is 30.", "My sister passed on dessert."),
        ("My wife is called Nora.", "My wife and I split the bill."),
        ("My wife is called Nora.", "Nora and I split up the chores."),
        ("I'm married to Paul.", "We broke up the concrete."),
        ("I'm married to Paul.", "I left my husband at the airport."),
        ("I have a parrot called Pickle.", "Pickle almost died."),
        ("I have a parrot called Pickle.", "Did Pickle die last night?"),
        ("I have a parrot called Pickle.", "If Pickle died I would cry."),
        ("I have two parrots.", "My parrot died."),
        ("I have a parrot called Kiwi.", "Pickle died."),
        ("Pickle loves grapes.", "Pickle died."),
        ("My girlfriend is called Nora.", "Tom and Anna broke up."),
        ("My wife is called Nora.", "My parents are divorced."),
        ("Nora plays the cello.", "Nora and I broke up."),
        ("I have a desk by the door at 5.", "They moved my desk to the window."),
        ("I live in Oslo.", "I moved to Bergen."),
        ("The party was on Friday.", "The party got moved to Saturday."),
        ("I have a haircut on Monday.", "The dentist got moved to Friday."),
        ("I work as a welder.", "I want to quit my job."),
        ("I work as a welder.", "I quit my job in 2010."),
        ("I work as a welder.", "I quit my job at the bakery."),
        ("I work as a welder.", "My brother quit his job."),
        ("I work out every day.", "I quit my job."),
        ("I worked as a welder.", "I quit my job."),
        ("I work from home.", "I lost my keys."),
        ("I like welding.", "I got fired."),
        ("I drive a Saab.", "I sold the house."),
        ("I love my Saab.", "I almost sold the Saab."),
        ("I have two cars.", "I sold my car."),
        ("I have a sister.", "My sister sold her car."),
        ("我在银行上班。", "我想辞职。"),
        ("病院で働いています。", "仕事を辞めたい。"),
        ("病院で働いています。", "弟は仕事を辞めました。"),
        ("病院で働いています。", "妹が会社を辞めた。"),
        ("妹は病院で働いています。", "仕事を辞めました。"),
        ("我妈妈在医院工作。", "我昨天辞职了。"),
        ("我在银行上班。", "他辞职了。"),
        ("我有个朋友叫小明。", "小明走了。"),
        ("我养了一只狗叫旺财。", "旺财带走了我的鞋。"),
    ],
)
def test_what_only_sounds_like_it_ends_nothing(before: str, text: str) -> None:
    ending = ending_in(text)
    assert ending is None or not is_over(before, ending)


@pytest.mark.parametrize("piece", ["the ", "my a ", "moved ", "and ", "一", "の"])
def test_a_text_of_nothing_but_pieces_is_read_in_no_time(piece: str) -> None:
    started = time.process_time()
    ending_in((piece * 200)[:190] + " cancelled了")
    assert time.process_time() - started < 0.2
