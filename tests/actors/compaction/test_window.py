"""What goes into a memo at once, and at all."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.compaction.window import fitted, leaving, pieces, shortened
from omoide.protocols.memos import ConversationMemo, memo_id
from omoide.protocols.prompt_tokens import estimated_tokens
from omoide.protocols.records import Role, Turn, TurnId
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import WindowSettings

SETTINGS = WindowSettings(most=6, kept=3, turn_tokens=20, piece_tokens=50, most_tokens=120, memo_tokens=60)


def turns(*texts: str) -> list[Turn]:
    return [
        Turn(id=TurnId(f"turn_{at}"), role=Role.PERSON, text=text, said_at=at, heard_at=at)
        for at, text in enumerate(texts)
    ]


def memo(upto: str) -> ConversationMemo:
    return ConversationMemo(
        id=memo_id(PRIVATE), subject=PRIVATE, text="Soup.", upto=TurnId(upto), turns=1, made_at=0.0
    )


TALKS = st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=200), max_size=12)


def test_what_a_memo_covers_does_not_go_in_again() -> None:
    told = turns(*"abcdefgh")
    assert [turn.text for turn in leaving(told, memo("turn_2"), SETTINGS)] == ["d", "e"]


def test_a_memo_whose_last_turn_is_gone_is_added_to_from_the_oldest_known() -> None:
    told = turns(*"abcdefgh")
    assert [turn.text for turn in leaving(told, memo("turn_99"), SETTINGS)] == list("abcde")


@given(TALKS)
def test_pieces_hold_every_turn_once_in_order_and_none_is_too_large(texts: list[str]) -> None:
    cut = shortened(turns(*texts), SETTINGS)
    found = pieces(cut, SETTINGS)
    assert [turn for piece in found for turn in piece] == list(cut)
    assert all(
        len(piece) == 1 or sum(estimated_tokens(turn.text) for turn in piece) <= SETTINGS.piece_tokens
        for piece in found
    )


@given(TALKS)
def test_the_newest_turns_go_in_and_no_more_than_may(texts: list[str]) -> None:
    cut = shortened(turns(*texts), SETTINGS)
    assert sum(estimated_tokens(turn.text) for turn in cut) <= SETTINGS.most_tokens
    assert [turn.id for turn in cut] == [turn.id for turn in turns(*texts)][len(texts) - len(cut) :]


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=200), max_size=12))
def test_a_memo_keeps_to_its_tokens_and_keeps_its_end(lines: list[str]) -> None:
    kept = fitted(lines, SETTINGS)
    assert sum(map(estimated_tokens, kept)) <= SETTINGS.memo_tokens
