"""One turn of a voice app on Trio: hear, brief, let a model write, gate it, speak it; and be interrupted."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing

import trio

from omoide import Character, open_runtime


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
        self.interrupted = trio.Event()
        self._interrupted_after = interrupted_after

    async def play(self, sentence: str) -> None:
        for word in sentence.split():
            await trio.sleep(0.02)
            self.spoken = f"{self.spoken} {word}".strip()
            if len(self.spoken.split()) == self._interrupted_after:
                self.interrupted.set()


async def model(prompt: str) -> AsyncGenerator[str, None]:
    """Stand for your model: write a reply a few letters at a time, as models do."""
    assert "Ingrid" in prompt, "what was remembered is in the prompt"
    reply = "Ingrid lives in Bergen! Marcus lives there too. Shall we call her? It rains there a lot, doesn't it?"
    for start in range(0, len(reply), 6):
        await trio.sleep(0.005)
        yield reply[start : start + 6]


async def turn(yui: Character, said: str, room: Room) -> str:
    """Answer what the person said, and return what they heard of it."""
    latency = Latency()
    await yui.hear(said)
    latency.reached("heard, on disk")
    brief = await yui.briefing(cue=said)
    prompt = f"{brief.text}\n{await yui.directives_block()}\nThe person says: {said}"
    latency.reached("briefed")

    async def write(sentences: trio.MemorySendChannel[str]) -> None:
        # An interruption closes all three, and so hangs up on the model.
        async with (
            sentences,
            aclosing(model(prompt)) as chunks,
            aclosing(yui.gate_stream(said=said).over(chunks)) as passed,
        ):
            async for sentence in passed:
                await sentences.send(sentence)

    async def stop_when_interrupted() -> None:
        await room.interrupted.wait()
        nursery.cancel_scope.cancel()  # drops what is written, gated or about to be played

    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stop_when_interrupted)
            send, receive = trio.open_memory_channel(1)  # the model writes one sentence ahead
            nursery.start_soon(write, send)
            async for sentence in receive:
                if not room.spoken:
                    latency.reached("first sentence may be spoken")
                await room.play(sentence)
            nursery.cancel_scope.cancel()
    finally:
        if room.spoken:
            with trio.CancelScope(shield=True):  # also when the app is closing
                await yui.say(room.spoken)
    latency.reached("over")
    print(f"you:  {said}\nyui:  {room.spoken}\n      ({', '.join(latency.steps)})")
    return room.spoken


async def main() -> None:
    async with open_runtime("memories") as runtime:
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
    trio.run(main)
