"""What is brought up too often is left alone for a while: by what it says, and once a turn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.persona.mentions import (
    Rarity,
    is_mentioned,
    is_suppressed,
    may_bring_up,
    mentioned,
    rarity_of,
)
from omoide.protocols.records import Mentions, TurnId
from omoide.protocols.settings import MentionSettings
from omoide.protocols.tokens import terms

SETTINGS = MentionSettings()
HOUR_S = 3_600.0
BELIEFS = (
    "Sam loves running along the river.",
    "Sam loves green tea.",
    "Sam works as a nurse at Saint Mary's hospital.",
    "Sam has a cat called Mochi.",
    "Sam loves old films and jazz.",
    "阿明喜欢沿着河边跑步",
    "阿明对花生过敏",
    "阿明喜欢听爵士乐",
    "健太は京都に住んでいます",
)
NAMES = ("Sam", "阿明", "健太")
RARITY = rarity_of(BELIEFS, names=NAMES)


def after(*hours: float, start: Mentions = Mentions()) -> Mentions:  # noqa: B008
    for hour in hours:
        start = mentioned(start, TurnId(f"turn_{hour}"), hour * HOUR_S, SETTINGS)
    return start


@pytest.mark.parametrize(
    ("belief", "said"),
    [
        (BELIEFS[0], "You really love running by the river!"),
        (BELIEFS[0], "Did you run at the river today?"),
        (BELIEFS[2], "How was the hospital? Being a nurse must be hard."),
        (BELIEFS[3], "How is Mochi, your cat?"),
        (BELIEFS[5], "你又去河边跑步了吗？"),
        (BELIEFS[5], "你又去河邊跑步了嗎？"),
        (BELIEFS[6], "小心，这里面有花生，你过敏的！"),
        (BELIEFS[8], "京都に住んでいるんだよね"),
    ],
)
def test_a_belief_is_mentioned_in_other_words(belief: str, said: str) -> None:
    assert is_mentioned(belief, said, RARITY, SETTINGS, names=NAMES)


@pytest.mark.parametrize(
    ("belief", "said"),
    [
        (BELIEFS[0], "Sam loves you!"),
        (BELIEFS[0], "The river is high today."),
        (BELIEFS[1], "I love old films."),
        (BELIEFS[2], "Work is work."),
        (BELIEFS[5], "我也喜欢你"),
        (BELIEFS[7], "阿明，你喜欢什么？"),
        (BELIEFS[8], "東京に行きました"),
        (BELIEFS[0], ""),
    ],
)
def test_a_common_word_is_no_mention(belief: str, said: str) -> None:
    assert not is_mentioned(belief, said, RARITY, SETTINGS, names=NAMES)


def test_a_belief_of_one_term_is_mentioned_by_it() -> None:
    assert is_mentioned("Mochi", "Where is Mochi?", RARITY, SETTINGS)


def test_a_belief_without_words_is_never_mentioned() -> None:
    assert not is_mentioned("…", "…", RARITY, SETTINGS)


@given(st.text(max_size=40))
def test_a_belief_is_mentioned_by_itself(belief: str) -> None:
    assert is_mentioned(belief, belief, Rarity(0, {}), SETTINGS) is bool(terms(belief))


def test_the_third_mention_in_five_hours_suppresses() -> None:
    assert [is_suppressed(after(*hours), hours[-1] * HOUR_S, SETTINGS) for hours in ((0,), (0, 1), (0, 1, 2))] == [
        False,
        False,
        True,
    ]


def test_mentions_further_apart_than_the_window_suppress_nothing() -> None:
    assert not is_suppressed(after(0, 3, 6, 9, 12), 12 * HOUR_S, SETTINGS)


def test_suppression_ends_after_five_hours() -> None:
    mentions = after(0, 1, 2)
    assert is_suppressed(mentions, 6.99 * HOUR_S, SETTINGS)
    assert not is_suppressed(mentions, 7 * HOUR_S, SETTINGS)


def test_a_suppression_that_is_over_counts_anew() -> None:
    mentions = after(0, 1, 2, 7.5, 8)
    assert not is_suppressed(mentions, 8 * HOUR_S, SETTINGS)
    assert is_suppressed(after(8.5, start=mentions), 8.5 * HOUR_S, SETTINGS)


def test_a_mention_during_the_suppression_does_not_prolong_it() -> None:
    assert after(0, 1, 2, 3).suppressed_at == 2 * HOUR_S


def test_unprompted_a_belief_is_brought_up_once_in_the_window() -> None:
    mentions, times = Mentions(), []
    for hour in range(10):
        if may_bring_up(mentions, hour * 0.4 * HOUR_S, SETTINGS):
            times.append(hour)
            mentions = mentioned(mentions, TurnId(f"t{hour}"), hour * 0.4 * HOUR_S, SETTINGS)
    assert times == [0]


def test_a_clock_that_was_set_back_suppresses_nothing_for_ever() -> None:
    assert not is_suppressed(Mentions(suppressed_at=1e12), 0.0, SETTINGS)


HOURS = st.lists(st.floats(min_value=0, max_value=30), max_size=12)


@given(HOURS)
def test_counting_every_turn_again_changes_nothing(hours: list[float]) -> None:
    mentions = Mentions()
    for hour in sorted(hours):
        mentions = mentioned(mentions, TurnId(str(hour)), hour * HOUR_S, SETTINGS)
        assert mentioned(mentions, TurnId(str(hour)), hour * HOUR_S, SETTINGS) == mentions


@given(HOURS)
def test_replaying_all_turns_changes_nothing(hours: list[float]) -> None:
    once = after(*sorted(hours))
    assert after(*sorted(hours), start=once) == once


@given(HOURS)
def test_only_mentions_of_the_window_are_kept(hours: list[float]) -> None:
    recent = after(*sorted(hours)).recent
    assert all(recent[-1].at - one.at < SETTINGS.window_s for one in recent)
