"""A person's plain word denies or affirms; silence, questions, jokes and hearsay do neither."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.claims import claim_of, lifts, opposes, resolved, same_claim
from omoide.protocols.denials import AffirmationKind, DenialKind, affirmations, denials

OWNERS = ("Sam", "阿明", "健太")

DENIED = [
    ("No, that's wrong, I don't work as a nurse. I'm a paramedic.", "I work as a nurse at Saint Mary's hospital."),
    ("I don't work as a nurse any more", "I work as a nurse"),
    ("that's not true: I don't like tea", "I like tea"),
    ("I'm not a nurse, I'm a paramedic", "I'm a nurse"),
    ("I'm a paramedic, not a nurse", "I'm a nurse"),
    ("No, not a nurse!", "I work as a nurse"),
    ("Sam isn't a nurse.", "Sam is a nurse"),
    ("I used to smoke but I don't anymore", "I smoke"),
    ("I quit smoking last year", "I smoke a pack a day"),
    ("Sorry, but I never liked mushrooms", "I like mushrooms"),
    ("Yes, I don't like tea", "I like tea"),
    ("My sister isn't a doctor", "My sister is a doctor"),
    ("I moved out of Kyoto in spring", "I live in Kyoto"),
    ("I told you I don't like tea", "I like tea"),
    ("不对，我不是护士", "我在医院当护士"),
    ("你记错了，我不住在北京", "我住在北京"),
    ("我早就不抽烟了", "我抽烟"),
    ("我說過我不喜歡茶", "我喜欢喝茶"),
    ("不，我不喜欢跑步。", "我喜欢在河边跑步"),
    ("我以前是护士", "我是护士"),
    ("我戒烟了", "我抽烟"),
    ("我没有养狗啊", "我有一只狗"),
    ("违う、看護師じゃない", "看護師です"),
    ("違う、看護師じゃない", "私は看護師です"),
    ("もうタバコは吸わない", "タバコを吸います"),
    ("いや、お茶は好きじゃないよ", "お茶が好きです"),
    ("京都にはもう住んでいません", "京都に住んでいます"),
    ("看護師は辞めました", "看護師として働いています"),
]

BARE = [
    "that's wrong.",
    "No I don't, I only do it for my knee.",
    "You're mistaken.",
    "No, that is not true at all",
    "that's wrong, I'm a paramedic",
    "不对！",
    "你记错了",
    "不是这样的。",
    "違います。",
    "そうじゃないよ",
]

SILENT = [
    "",
    "?!",
    "ok",
    "Nope",
    "What is for dinner?",
    "stop, I'm dying of laughter",
    "stop it",
    "don't be silly",
    "haha I don't like tea at all",
    "I'm not a nurse, just kidding",
    "Don't you work as a nurse?",
    "Do I not like tea?",
    "If I don't work as a nurse I'd die",
    "what if I'm not a nurse",
    "I wonder if I don't like tea",
    "My boss said I don't work hard",
    'She said "I don\'t like tea"',
    "In the film I'm not a nurse",
    "I heard I'm not a nurse",
    "You don't like tea",
    "She doesn't like tea",
    "I don't know",
    "I can't wait",
    "No worries, Jon!",
    "Not much has changed since we last talked.",
    "Nothing new here",
    "I don't mind",
    "I'm not sure",
    "I work as a nurse",
    "I like tea",
    "别闹了",
    "别说了，笑死我了",
    "别再提前女友了",
    "我不喜欢茶吗？",
    "我是不是不喜欢茶",
    "我妈说我不喜欢茶",
    "听说我不是护士",
    "如果我不是护士，我会哭",
    "你不是护士",
    "我喜欢茶",
    "不错",
    "哈哈我不是护士",
    "もし看護師じゃなかったら",
    "彼は看護師じゃないと言った",
    "看護師じゃないですか",
    "言わないで",
    "やめて、笑い死ぬ",
    "お茶が好きです",
]

AFFIRMED = [
    ("I do work as a nurse after all", "I work as a nurse"),
    ("yes, I love running", "I love running"),
    ("Actually I do like tea", "I like tea"),
    ("No, I do like tea!", "I like tea"),
    ("I still live in Kyoto", "I live in Kyoto"),
    ("I'm a nurse again", "I'm a nurse"),
    ("I really am a nurse", "I'm a nurse"),
    ("我确实是护士", "我是护士"),
    ("是的，我喜欢茶", "我喜欢茶"),
    ("其实我还是喜欢茶", "我喜歡茶"),
    ("我又当护士了", "我是护士"),
    ("やっぱり看護師です", "看護師です"),
    ("うん、お茶が好きです", "お茶が好き"),
    ("今でも京都に住んでいます", "京都に住んでいます"),
]

UNAFFIRMED = [
    "",
    "Yes.",
    "I work as a nurse",
    "I love running",
    "I really love running by the river!",
    "我真的很喜欢跑步",
    "お茶が本当に好きです",
    "Yeah, John!",
    "do I work as a nurse after all?",
    "She said yes, I love running",
    "You do like tea after all",
    "If I do work as a nurse",
    "yes, I don't like tea",
    "yes, I love running, just kidding",
    "我是护士",
    "我确实是护士吗？",
    "他说我确实是护士",
    "お茶が好きです",
    "やっぱり看護師ですか",
]


@pytest.mark.parametrize(("words", "known"), DENIED)
def test_a_person_takes_back_what_is_known(words: str, known: str) -> None:
    value = claim_of(known, leave_out=OWNERS)
    denied = [one.claim for one in denials(words, leave_out=OWNERS) if one.claim is not None]
    assert [same_claim(resolved(claim, value), value) for claim in denied] == [True]


@pytest.mark.parametrize(("words", "known"), DENIED)
def test_what_was_denied_is_opposed_by_the_words(words: str, known: str) -> None:
    value = claim_of(known, leave_out=OWNERS)
    claims = [one.claim for one in denials(words, leave_out=OWNERS) if one.claim]
    assert all(not opposes(claim, value) for claim in claims)


@pytest.mark.parametrize("words", BARE)
def test_a_bare_denial_names_no_value(words: str) -> None:
    found = denials(words, leave_out=OWNERS)
    assert [(one.kind, one.claim) for one in found] == [(DenialKind.WRONG, None)]


@pytest.mark.parametrize("words", SILENT)
def test_these_words_deny_nothing(words: str) -> None:
    assert denials(words, leave_out=OWNERS) == ()


@pytest.mark.parametrize(("words", "known"), AFFIRMED)
def test_a_person_affirms_again(words: str, known: str) -> None:
    value = claim_of(known, leave_out=OWNERS)
    found = affirmations(words, leave_out=OWNERS)
    assert [one.claim is not None and lifts(one.claim, value) for one in found] == [True]


@pytest.mark.parametrize("words", UNAFFIRMED)
def test_these_words_affirm_nothing_again(words: str) -> None:
    assert affirmations(words, leave_out=OWNERS) == ()


def test_a_bare_yes_that_is_right_names_no_value() -> None:
    assert [(one.kind, one.claim) for one in affirmations("Yes, that's right!")] == [(AffirmationKind.RIGHT, None)]


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    assert isinstance(denials(text), tuple)
    assert isinstance(affirmations(text), tuple)


SHAPES = {
    "commas": "i,",
    "nots": "not ",
    "said": "he said ",
    "zh at": "在",
    "zh not": "我不",
    "zh number": "一",
    "kana": "なくて",
    "quotes": '"',
    "blanks": " ",
    "my": "my a ",
    "names": "Sam's ",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_length_and_not_with_its_square(shape: str) -> None:
    assert _seconds(SHAPES[shape], 1_900) < 6 * _seconds(SHAPES[shape], 475) + 0.03


@pytest.mark.parametrize("shape", SHAPES)
def test_a_text_of_the_longest_kind_is_read_in_no_time(shape: str) -> None:
    start = time.perf_counter()
    denials(SHAPES[shape] * (65_536 // len(SHAPES[shape])), leave_out=OWNERS)
    claim_of(SHAPES[shape] * (65_536 // len(SHAPES[shape])), leave_out=OWNERS)
    assert time.perf_counter() - start < 1


def _seconds(shape: str, size: int) -> float:
    text = shape * (size // len(shape))
    spans = []
    for _ in range(3):
        start = time.perf_counter()
        denials(text, leave_out=OWNERS)
        spans.append(time.perf_counter() - start)
    return min(spans)
