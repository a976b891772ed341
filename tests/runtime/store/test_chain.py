"""The chain covers everything of an event, and differs from character to character."""

import pytest

from omoide.runtime.store.chain import Header, digest_of, genesis, link

HEADER: Header = (1, 1_000.0, "scribe", "hear:t1", "turn_heard", "private", '["t1"]')
DIGEST = digest_of(b"payload")
LINK = link(genesis("yui"), DIGEST, HEADER)


def test_a_link_is_made_as_documented() -> None:
    assert LINK.hex() == "fedabc5cf9b61940acc26db30096cf258eabc9c6f0fcc48206bd8b7f6764631d"


@pytest.mark.parametrize("at", range(len(HEADER)))
def test_a_change_of_any_part_of_the_header_changes_the_link(at: int) -> None:
    value = HEADER[at]
    other = value + "x" if isinstance(value, str) else value + 1
    changed = (*HEADER[:at], other, *HEADER[at + 1 :])

    assert link(genesis("yui"), DIGEST, changed) != LINK  # type: ignore[arg-type]


def test_another_digest_or_another_link_before_changes_the_link() -> None:
    assert link(genesis("yui"), digest_of(b"other"), HEADER) != LINK
    assert link(genesis("rin"), DIGEST, HEADER) != LINK


def test_text_does_not_slip_from_one_field_into_the_next() -> None:
    moved: Header = (1, 1_000.0, "scrib", "ehear:t1", "turn_heard", "private", '["t1"]')

    assert link(genesis("yui"), DIGEST, moved) != LINK
