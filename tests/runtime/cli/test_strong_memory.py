"""What people type to see and to switch strong memory."""

from __future__ import annotations

from omoide.tests.runtime.cli.command_line import Omoide


def test_it_is_on_until_it_is_switched_off_and_stays_so(omoide: Omoide) -> None:
    omoide("chat", "yui", stdin=b"Hello.\n")

    assert "is on" in omoide("strong-memory", "yui").out
    assert "is off since now" in omoide("strong-memory", "yui", "off").out
    assert "is off since" in omoide("strong-memory", "yui").out


def test_json_tells_since_when(omoide: Omoide) -> None:
    omoide("chat", "yui", stdin=b"Hello.\n")
    omoide("strong-memory", "yui", "off")

    (off,) = omoide("strong-memory", "yui", "--json").documents
    (on,) = omoide("strong-memory", "yui", "on", "--json").documents
    assert (off["strong_memory"], off["off_since"] > 0) == (False, True)
    assert (on["strong_memory"], on["off_since"]) == (True, None)


def test_a_word_that_is_neither_is_refused(omoide: Omoide) -> None:
    assert "maybe" in omoide("strong-memory", "yui", "maybe", code=2).err
