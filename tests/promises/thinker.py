"""A process that hears lines and has a provider think about them, until somebody kills it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import trio

from omoide.runtime.host import open_runtime
from omoide.tests.runtime.models.http.life import settings_of


async def main(job: dict[str, str]) -> None:
    settings = settings_of(Path(job["data_dir"]), job["base_url"], read_timeout_s=60, task_timeout_s=60)
    async with open_runtime(settings) as runtime:
        character = await runtime.character("yui", owner="Sam")
        for text in job["texts"]:
            await character.hear(text)
        sys.stdout.write("heard\n")
        sys.stdout.flush()
        await trio.sleep_forever()


if __name__ == "__main__":
    trio.run(main, json.loads(sys.argv[1]))
