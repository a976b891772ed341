"""How far a speaker is believed: bases, bounds, bands and which of two is preferred."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from omoide.protocols.errors import InvalidRequestError
from omoide.protocols.records import Speaker
from omoide.protocols.settings import Settings, TrustSettings
from omoide.protocols.trust import (
    Base,
    Tally,
    TrustBand,
    account_key,
    band_of,
    base_of,
    is_preferred,
    messages_counted,
    trust_of,
)

TRUST = Settings(data_dir=Path()).trust
HUMAN = Base(value=0.5)

counts = st.integers(0, 10_000)
tallies = st.builds(Tally, messages=counts, confirmations=counts, corrections=counts)
bases = st.builds(Base, value=st.floats(0, 1), reported=st.booleans())


@pytest.mark.parametrize(("tier", "value"), [("admin", 1.0), ("trusted", 0.8), ("normal", 0.5), ("none", 0.3)])
def test_a_tier_is_a_base_that_a_human_gave(tier: str, value: float) -> None:
    assert base_of(tier, TRUST) == Base(value=value)


def test_none_is_an_abstention_and_never_a_number() -> None:
    assert base_of(None, TRUST) is None


@pytest.mark.parametrize("given", ["high", "Admin ", "0.5", True, math.nan, math.inf, -0.1, 1.1, [0.5], {}])
def test_what_is_neither_a_tier_nor_a_number_from_0_to_1_is_refused(given: object) -> None:
    with pytest.raises(InvalidRequestError):
        base_of(given, TRUST)


@pytest.mark.parametrize(
    ("done", "trust"),
    [
        (Tally(), 0.5),
        (Tally(messages=7), 0.507),
        (Tally(messages=21), 0.52),
        (Tally(confirmations=1), 0.54),
        (Tally(corrections=1), 0.42),
        (Tally(confirmations=9, corrections=1), 0.78),
        (Tally(confirmations=99), 0.8),
        (Tally(corrections=99, messages=99), 0.22),
    ],
)
def test_what_a_person_did_moves_their_base_by_the_baselines_figures(done: Tally, trust: float) -> None:
    assert trust_of(HUMAN, done, TRUST) == trust


@given(base=bases, done=tallies)
def test_trust_is_from_0_to_1_and_moved_by_no_more_than_the_limits(base: Base, done: Tally) -> None:
    trust, start = trust_of(base, done, TRUST), trust_of(base, Tally(), TRUST)

    assert 0 <= trust <= 1
    assert start - 0.3 - 1e-6 <= trust <= start + 0.32 + 1e-6


@given(value=st.floats(0, 1), done=tallies)
def test_a_reported_figure_never_ends_above_its_bound(value: float, done: Tally) -> None:
    assert trust_of(Base(value=value, reported=True), done, TRUST) <= 0.8


def test_what_a_human_gave_ends_above_it() -> None:
    assert trust_of(Base(value=1.0), Tally(), TRUST) == 1.0


@given(done=tallies, base=bases)
def test_the_number_of_messages_alone_never_decides_between_two(done: Tally, base: Base) -> None:
    loud = Tally(messages=10_000, confirmations=done.confirmations, corrections=done.corrections)
    silent = Tally(confirmations=done.confirmations, corrections=done.corrections)

    assert is_preferred(trust_of(base, loud, TRUST), trust_of(base, silent, TRUST), TRUST) is None


def test_settings_by_which_talking_much_would_decide_are_refused() -> None:
    with pytest.raises(ValidationError, match="activity_max"):
        TrustSettings(activity_max=0.2)


def test_messages_are_counted_until_they_add_no_more() -> None:
    assert messages_counted(TRUST) == 20


@pytest.mark.parametrize(
    ("one", "other", "preferred"),
    [
        (0.8, 0.65, True),
        (0.65, 0.8, False),
        (0.8, 0.651, None),
        (0.45, 0.3, True),  # 0.15000000000000002 and 0.14999999999999997 in binary
        (0.95, 0.8, True),
        (0.8, 0.8, None),
        (None, 0.8, None),
        (0.8, None, None),
        (None, None, None),
        (math.nan, 0.2, None),
        (math.inf, 0.2, None),
    ],
)
def test_trust_decides_where_both_are_finite_and_differ_by_the_margin_in_decimal(
    one: float | None, other: float | None, preferred: bool | None
) -> None:
    assert is_preferred(one, other, TRUST) is preferred


@pytest.mark.parametrize(
    ("trust", "band"),
    [
        (1.0, TrustBand.HIGH),
        (0.75, TrustBand.HIGH),
        (0.74, TrustBand.MEDIUM),
        (0.45, TrustBand.MEDIUM),
        (0.44, TrustBand.LOW),
        (0.0, TrustBand.LOW),
        (None, None),
        (math.nan, None),
    ],
)
def test_a_trust_is_of_a_band_and_an_abstention_of_none(trust: float | None, band: TrustBand | None) -> None:
    assert band_of(trust, TRUST) is band


@pytest.mark.parametrize(
    ("platform", "account", "key"),
    [
        ("qq", "1001", "qq:1001"),
        (" QQ ", " Ab:c@d.e-f_g ", "qq:Ab:c@d.e-f_g"),
        ("matrix.org", "@ann:example.org", "matrix.org:@ann:example.org"),
        ("qq", "Ann Lee", None),
        ("qq", "小林", None),
        ("qq", "аdmin", None),
        ("ｑｑ", "1001", None),
        ("qq", "1\u200b001", None),
        ("qq", "1\n001", None),
        ("q q", "1001", None),
        ("qq", "9" * 93, "qq:" + "9" * 93),
        ("qq", "9" * 94, None),
        ("", "1001", None),
        ("qq", "", None),
    ],
)
def test_only_a_stable_id_is_an_account_of_the_pool(platform: str, account: str, key: str | None) -> None:
    assert account_key(Speaker(platform=platform, account=account)) == key


def test_a_label_is_no_part_of_an_account() -> None:
    plain, labelled = (Speaker(platform="qq", account="1", label=label) for label in ("", "qq:2 admin"))

    assert account_key(plain) == account_key(labelled) == "qq:1"
