"""A turn that isn't quoted says why, in the words of the reason: a ban, a wish to forget, or a correction."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide import open_runtime
from omoide.protocols.messages import WithheldFor

LOCALES = {
    "en": {
        WithheldFor.BANNED: "not to be mentioned",
        WithheldFor.FORGOTTEN: "to be forgotten",
        WithheldFor.CORRECTED: "it was corrected",
    },
    "zh": {WithheldFor.BANNED: "不该提起", WithheldFor.FORGOTTEN: "要求忘掉", WithheldFor.CORRECTED: "更正过"},
    "ja": {
        WithheldFor.BANNED: "触れてはいけない",
        WithheldFor.FORGOTTEN: "忘れるよう",
        WithheldFor.CORRECTED: "訂正された",
    },
}


@pytest.mark.parametrize("locale", LOCALES)
async def test_each_reason_has_words_of_its_own(tmp_path: Path, locale: str) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", owner="Sam", locale=locale)
        await yui.hear("Marcus is a plumber.")
        await yui.hear("My locker is number 404.")
        await yui.hear("I work as a nurse.")
        await yui.drain()
        await yui.hear("Never mention Marcus again.")
        await yui.hear("Forget my locker number.")
        await yui.hear("I don't work as a nurse.")
        await yui.drain()
        briefing = await yui.briefing()

    by_reason = {turn.withheld_for: turn for turn in briefing.recent[:3]}
    assert list(by_reason) == [WithheldFor.BANNED, WithheldFor.FORGOTTEN, WithheldFor.CORRECTED]
    assert all(turn.withheld and turn.text == "" for turn in by_reason.values())
    lines = [line for line in briefing.text.splitlines() if line.startswith("- ")]
    for words in LOCALES[locale].values():
        assert any(words in line for line in lines)
    assert not any(secret in briefing.text for secret in ("plumber", "404"))
