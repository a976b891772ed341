"""A talk of which part or all is to be erased, and what of it must be found nowhere then."""

from __future__ import annotations

from omoide.protocols.records import Speaker
from omoide.protocols.scopes import Subject
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock

START = 1_772_442_000.0
GROUP = Subject("group:qq:77")
ALICE = Speaker(platform="qq", account="1001", label="Alice Quillfeather")
BOB = Speaker(platform="qq", account="1002", label="Bob")


async def settle(character: Character, clock: VirtualClock) -> None:
    while (drained := await character.drain()).next_at is not None:
        clock.advance_to(drained.next_at)


async def texts(character: Character) -> list[str]:
    return [fact.text for fact in await character.facts()]


async def talk(character: Character, clock: VirtualClock) -> None:
    await character.hear("I breed axolotls in Zanzibar.", subject=GROUP, speaker=ALICE)
    await character.hear("I collect vintage theremins.", subject=GROUP, speaker=ALICE)
    await character.hear("Don't mention quokkas again.", subject=GROUP, speaker=BOB)
    await character.say("Zanzibar has fine axolotls.", subject=GROUP)
    await character.hear("I live in Osaka.")
    await settle(character, clock)


WORDS = ("axolotl", "Zanzibar", "theremin", "Quillfeather", "quokka")
