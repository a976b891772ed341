"""Characters that live through random operations, and are killed on the way. Run as a script; see `main`.

Several characters of one file are heard, spoken for, corrected, exported and looked at, all at once and in an
order that the seed decides, on a clock that jumps. One process imports the program once and forks a life for every
kill.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import trio

from omoide.actors.directives.stated import take_apart
from omoide.protocols.errors import CallerError
from omoide.protocols.evidence import Signal
from omoide.protocols.ports import Feedback, FeedbackRequest, Synthesis, SynthesiseRequest
from omoide.protocols.records import Entity, Speaker
from omoide.protocols.settings import Settings
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.models.offline import OfflineEngine

CHARACTERS = tuple(f"yui {number}" for number in range(9))
AT_A_TIME = 3
"""Characters that live at the same time."""

TOPICS = ("green tea", "old trains", "the sea", "chess", "jazz", "hiking")
SAID = (
    *("I'm fond of {topic}.", "I drink to {topic} every morning.", "I read a book about {topic}."),
    *("My sister gave me something for {topic}.", "I dream of {topic}.", "I work at a shop for {topic}."),
    *(
        "I'm not fond of {topic}.",
        "No, that's wrong.",
        "Yes, I am.",
        "Actually I don't care for {topic} any more.",
    ),
    *(
        "Please never mention {topic} again.",
        "You can talk about {topic} again.",
        "Forget what I said of {topic}.",
    ),
    *("我喜欢{topic}。", "我不喜欢{topic}。", "别再提{topic}了。", "我住在大阪。", "我住在京都。"),
    *("私は{topic}が好きです。", "{topic}の話はもうしないで。", "猫を飼っています。", "猫は飼っていません。"),
    *("I live in Bergen.", "I moved to Oslo.", "My cat is called Miso.", "My cat isn't called Miso.", "Hm."),
)
CARDS: tuple[list[str], ...] = (["Yui loves rain."], ["Yui loves rain.", "Yui is a librarian."], [])
PLACES = ("private", "private", "private", "group:qq:77", "participant:qq:1001")
PEOPLE = (None, None, None, Speaker(platform="qq", account="1001", label="Alice"))
WEIGHTS = {
    "hear": 36,
    "say": 12,
    "surface": 7,
    "recall": 7,
    "briefing": 7,
    "reject": 7,
    "affirm": 5,
    "ban": 6,
    "unban": 6,
    "card": 2,
    "jump": 2,
    "drain": 2,
    "leave": 1,
    "export": 0.1,
    "erase": 0.2,
}
AT_ONCE = 12
"""Most operations of a character that run at the same time."""

START = 1_772_442_000.0
LONGEST_WAIT_S = 0.05
"""Longest time from the last operation of a life to its kill, in seconds."""


class Wanderer(OfflineEngine):
    """A mind that makes a judgement of any facts, and hears in every answer what its words happen to weigh."""

    async def synthesise(self, request: SynthesiseRequest) -> Synthesis | None:
        topic = next((one for fact in request.facts for one in TOPICS if one in fact.text), None)
        first = request.facts[0].text.rstrip(".!。")
        return Synthesis(text=f"Sam is fond of {topic}." if topic else f"Sam said: {first}.", entity=Entity.OWNER)

    async def judge_feedback(self, request: FeedbackRequest) -> Sequence[Feedback]:
        heard = len(request.turn.text) + int(request.turn.said_at)
        signals = (Signal.CONFIRMED, Signal.CONFIRMED, Signal.CONFIRMED, Signal.DENIED, Signal.IGNORED)
        return [
            Feedback(reflection=reflection.id, signal=signals[(heard + at) % len(signals)])
            for at, reflection in enumerate(request.reflections)
        ]


class Life:
    """One life of the characters: from an opening to a kill.

    Args:
        runtime: where they live.
        clock: jumped by some operations.
        chance: decides every operation.
        folder: where exports go.
        acks: pipe on which every finished operation is told, with the clock.
    """

    def __init__(
        self, runtime: Runtime, clock: VirtualClock, chance: random.Random, folder: Path, acks: int
    ) -> None:
        self.runtime = runtime
        self.clock = clock
        self.chance = chance
        self.folder = folder
        self.acks = acks

    async def live(self, name: str, left: int) -> None:
        """Do `left` operations with one character, some of them at once."""
        character = await self.runtime.character(name, owner="Sam", card=CARDS[0])
        while left > 0:
            batch = min(left, self.chance.randint(1, AT_ONCE))
            names = self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()), k=batch)
            async with trio.open_nursery() as nursery:
                for one in names:
                    nursery.start_soon(self.do, character, one)
            left -= batch
        await character.drain()

    async def do(self, character: Character, operation: str) -> None:
        """Do one operation, and tell that it is done; that there is nothing to do it to is an answer too."""
        with contextlib.suppress(CallerError):
            await getattr(self, operation)(character)
        os.write(self.acks, f"{self.clock.now()} {operation}\n".encode())

    def words(self) -> str:
        return self.chance.choice(SAID).format(topic=self.chance.choice(TOPICS))

    async def hear(self, character: Character) -> None:
        place, speaker = self.chance.choice(PLACES), self.chance.choice(PEOPLE)
        await character.hear(self.words(), subject=place, speaker=speaker, trust=None if speaker is None else 0.5)

    async def say(self, character: Character) -> None:
        topic = self.chance.choice(TOPICS)
        await character.say(f"Are you still fond of {topic}, Sam?", subject=self.chance.choice(PLACES))

    async def surface(self, character: Character) -> None:
        known = await character.reflections(subjects=["private"])
        if known:
            one = self.chance.choice(known)
            await character.say(f"Is it true? {one.text}", surfaced=[one.id])
            await character.hear("Hm, who knows.")

    async def recall(self, character: Character) -> None:
        await character.recall(self.words())

    async def briefing(self, character: Character) -> None:
        await character.briefing(cue=self.words())

    async def reject(self, character: Character) -> None:
        await character.reject(await self.some_id(character))

    async def affirm(self, character: Character) -> None:
        await character.affirm(await self.some_id(character))

    async def some_id(self, character: Character) -> str:
        events = await character.events(limit=self.chance.randint(1, 200))
        ids = [one for event in events[-20:] for one in event.record_ids if one[:3] in {"fac", "ref", "rej"}]
        return self.chance.choice(ids or ["fact_none"])

    async def ban(self, character: Character) -> None:
        await character.add_directive(self.chance.choice(TOPICS))

    async def unban(self, character: Character) -> None:
        await character.remove_directive(self.chance.choice(TOPICS))

    async def card(self, character: Character) -> None:
        await character.describe(card=self.chance.choice(CARDS), locale=self.chance.choice(["en", "zh", "ja"]))

    async def jump(self, character: Character) -> None:
        del character
        self.clock.advance_to(self.clock.now() + self.chance.choice([60.0, 4_000.0, 90_000.0, 400_000.0]))

    async def drain(self, character: Character) -> None:
        await character.drain()

    async def leave(self, character: Character) -> None:
        await self.runtime.passivate(character.name)

    async def erase(self, character: Character) -> None:
        await character.erase(memory=await self.some_id(character))

    async def export(self, character: Character) -> None:
        place = self.folder / f"{character.name}-{self.chance.random()}"
        await self.runtime.export(character.name, place)
        await trio.to_thread.run_sync(shutil.rmtree, place)


async def live(settings: Settings, exports: Path, seed: str, start: float, operations: int, acks: int) -> None:
    """Live one life of some of the characters, and then do what is left of their work."""
    clock = VirtualClock(start)
    async with open_runtime(settings, clock=clock, model=Wanderer()) as runtime, trio.open_nursery() as nursery:
        for name in random.Random(seed).sample(CHARACTERS, AT_A_TIME):
            life = Life(runtime, clock, random.Random(f"{seed} {name}"), exports, acks)
            nursery.start_soon(life.live, name, operations)


def fork_life(settings: Settings, exports: Path, seed: str, start: float, operations: int) -> tuple[int, int]:
    """Start a life in a process of its own. Returns its pid and the pipe on which it acknowledges."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    os.close(reading)
    try:
        trio.run(live, settings, exports, seed, start, operations, writing)
    except BaseException as error:  # noqa: BLE001 - a forked child must never return into its parent's code
        sys.stderr.write(f"wanderer: {error!r}\n")
        os._exit(1)
    os._exit(0)


def wander(settings: Settings, exports: Path, *, operations: int, longest_life: int, seed: int) -> object:
    """Let the characters live until so many operations are done.

    Each life is ended by a kill at a random moment after a random number of operations, `longest_life` at most:
    told in operations, a slow machine has as many lives as a fast one, and each as long.
    """
    chance = random.Random(seed)
    done: Counter[str] = Counter()
    kills, clock = 0, START
    while done.total() < operations:
        pid, pipe = fork_life(settings, exports, f"{seed} {kills}", clock, operations)
        lines, length = "", chance.randint(1, longest_life)
        while lines.count("\n") < length:
            read = os.read(pipe, 1 << 16).decode()
            if not read:
                break
            lines += read
        time.sleep(chance.uniform(0, LONGEST_WAIT_S))
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        if not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL):
            raise SystemExit(f"life {kills} ended by itself: {status}")
        kills += 1
        with os.fdopen(pipe) as rest:
            lines += rest.read()
        for line in lines.splitlines():
            at, operation = line.split()
            done[operation], clock = done[operation] + 1, max(clock, float(at))
    return {"kills": kills, "done": done, "clock": clock}


def main() -> None:
    """Do the JSON job on standard input, and print what was done as JSON."""
    job: dict[str, Any] = json.load(sys.stdin)
    settings = Settings.model_validate({"data_dir": job["data_dir"], "storage": {"layout": job["layout"]}})
    take_apart("Hello")
    result = wander(
        settings,
        Path(job["exports"]),
        operations=job["operations"],
        longest_life=job["longest_life"],
        seed=job["seed"],
    )
    sys.stdout.write(json.dumps(result))


if __name__ == "__main__":
    main()
