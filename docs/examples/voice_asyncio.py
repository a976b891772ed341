"""One turn of a voice app on asyncio: hear, brief, let a model write, gate it, speak it; and be interrupted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing

from omoide.runtime import aio


class Latency:
    """How long each step took, from the end of what the person said."""

    def __init__(self) -> None:
        self.began = time.perf_counter()
        self.steps: list[str] = []

    def reached(self, step: str) -> None:
        self.steps.append(f"{step} {1000 * (time.perf_counter() - self.began):.1f} ms")


class Room:
    """Stands for your speech synthesis and voice detection.

    It plays a word at a time, knows what was played, and can be interrupted after some words.
    """

    def __init__(self, interrupted_after: int | None = None) -> None:
        self.spoken = ""
        self.interrupted = asyncio.Event()
        self._interrupted_after = interrupted_after

    async def play(self, sentence: str) -> None:
        for word in sentence.split():
            await asyncio.sleep(0.02)
            self.spoken = f"{self.spoken} {word}".strip()
            if len(self.spoken.split()) == self._interrupted_after:
                self.interrupted.set()


async def model(prompt: str) -> AsyncGenerator[str, None]:
    """Stand for your model: write a reply a few letters at a time, as models do."""
    assert "Ingrid" in prompt, "what was remembered is in the prompt"
    reply = "Ingrid lives in Bergen! Marcus lives there too. Shall we call her? It rains there a lot, doesn't it?"
    for start in range(0, len(reply), 6):
        await asyncio.sleep(0.005)
        yield reply[start : start + 6]


async def turn(yui: aio.Character, said: str, room: Room) -> str:
    """Answer what the person said, and return what they heard of it."""
    latency = Latency()
    await yui.hear(said)
    latency.reached("heard, on disk")
    brief = await yui.briefing(cue=said)
    prompt = f"{brief.text}\n{await yui.directives_block()}\nThe person says: {said}"
    latency.reached("briefed")

    sentences: asyncio.Queue[str | None] = asyncio.Queue(maxsize=1)  # the model writes one sentence ahead

    async def write() -> None:
        # An interruption closes both, and so hangs up on the model.
        async with (
            aclosing(model(prompt)) as chunks,
            aclosing(yui.gate_stream(said=said).over(chunks)) as passed,
        ):
            async for sentence in passed:
                await sentences.put(sentence)
        await sentences.put(None)

    async def speak() -> None:
        while (sentence := await sentences.get()) is not None:
            if not room.spoken:
                latency.reached("first sentence may be spoken")
            await room.play(sentence)

    async def reply() -> None:
        async with asyncio.TaskGroup() as both:
            both.create_task(write())
            both.create_task(speak())

    replying, stopping = asyncio.create_task(reply()), asyncio.create_task(room.interrupted.wait())
    try:
        await asyncio.wait((replying, stopping), return_when=asyncio.FIRST_COMPLETED)
    finally:
        replying.cancel()  # drops what is written, gated or about to be played
        stopping.cancel()
        outcome, _ = await asyncio.gather(replying, stopping, return_exceptions=True)
        if room.spoken:
            await asyncio.shield(asyncio.ensure_future(yui.say(room.spoken)))  # also when the app is closing
    if isinstance(outcome, Exception):  # the model failed: what was said so far is recorded all the same
        raise outcome
    latency.reached("over")
    print(f"you:  {said}\nyui:  {room.spoken}\n      ({', '.join(latency.steps)})")
    return room.spoken


async def main() -> None:
    async with aio.open_runtime("memories") as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("My sister Ingrid lives in Bergen. Please never mention Marcus again.")
        await yui.settle()

        heard = await turn(yui, "Where does Ingrid live?", Room())
        assert heard == "Ingrid lives in Bergen! Shall we call her? It rains there a lot, doesn't it?"

        heard = await turn(yui, "And where does Ingrid work?", Room(interrupted_after=3))
        assert heard == "Ingrid lives in"

        last = (await yui.turns(newest=1))[0]
        assert last.text == heard, "only what was spoken is recorded"


if __name__ == "__main__":
    asyncio.run(main())
