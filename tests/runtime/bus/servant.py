"""Processes that serve a data folder on a bus and are killed. Run as a script by the tests; see `main`.

One process imports the program once and forks a servant for each line that it reads, so that many kills take
seconds. It is single-threaded; Trio and the bus's thread run in the forked servants alone.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

import trio

from omoide.protocols.settings import Settings
from omoide.runtime.bus.nats.service import serve_nats
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import open_runtime


async def serve(job: dict[str, Any]) -> None:
    failpoints = ArmedFailpoints()
    if job.get("kill_at"):
        failpoints.arm(job["kill_at"], Fault.KILL, skip=job.get("skip", 0))
    async with open_runtime(Settings.model_validate(job["settings"]), failpoints=failpoints) as runtime:
        if job.get("bus") == "mqtt":
            from omoide.runtime.bus.mqtt.service import serve_mqtt  # noqa: PLC0415 - one of two extras

            await serve_mqtt(runtime)
        await serve_nats(runtime, replay=job.get("replay", False))


def main() -> None:
    """Fork a servant for each job, a line of JSON, and print its pid."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    for line in sys.stdin:
        job = json.loads(line)
        pid = os.fork()
        if not pid:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            try:
                trio.run(serve, job)
            except BaseException as error:  # noqa: BLE001 - a forked child must never return into its parent's code
                sys.stderr.write(f"servant: {error!r}\n")
            os._exit(1)
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
