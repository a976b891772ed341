"""What is read for a load is what each text has by itself, whatever stands beside it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from omoide.actors.recall.bylines import CHARACTER, byline
from omoide.actors.recall.implied import implied_terms, kinds_of
from omoide.actors.recall.lexicon import Lexicon
from omoide.actors.recall.memories import Memory, entry_of, piece_of
from omoide.actors.recall.numbering import distinct
from omoide.actors.recall.rows import NOWHERE, Rows
from omoide.actors.recall.search_terms import search_terms
from omoide.protocols.facts import fact_of
from omoide.protocols.messages import Candidate
from omoide.protocols.records import Entity, Role, Speaker, Turn, TurnId
from omoide.tests.actors.recall.test_memories import reflection

NAMES = frozenset(search_terms("Sam Yui"))
WORDS = st.sampled_from(
    [
        "Sam",
        "yui",
        "I",
        "don't",
        "painters",
        "puppies",
        "moved",
        "to",
        "Oslo",
        "café",
        "寿司が好き",
        "1.5",
        "'",
        "rock'n'roll",
        "?",
    ]
)
TEXTS = st.lists(st.one_of(st.lists(WORDS, max_size=5).map(" ".join), st.text(max_size=12)), max_size=6)
MONDAY, FRIDAY = byline(None, "Sam", 0.0), byline(None, "Sam", 345_600.0)


@given(st.lists(TEXTS, max_size=4), st.data())
def test_texts_that_are_read_together_have_the_terms_that_each_has_alone(
    pieces: list[list[str]], data: st.DataObject
) -> None:
    lexicon = Lexicon(NAMES)
    for texts in pieces:
        bylines = [data.draw(st.sampled_from([MONDAY, FRIDAY, ()])) for _ in texts]

        terms, lengths = lexicon.read(texts, distinct(bylines))

        told = iter([lexicon.vocabulary[number] for number in terms.tolist()])
        read = [sorted(next(told) for _ in range(length)) for length in lengths.tolist()]
        alone = [search_terms(text, leave_out=NAMES) for text in texts]
        assert read == [
            sorted([*terms, *implied_terms(text), *kinds_of(terms), *its])
            for terms, text, its in zip(alone, texts, bylines, strict=True)
        ]
        assert next(told, None) is None


def a_turn(number: int, text: str, role: Role = Role.PERSON, speaker: Speaker | None = None) -> Turn:
    at = number * 50_000.0
    return Turn(id=TurnId(f"turn_{number}"), role=role, text=text, speaker=speaker, said_at=at, heard_at=at)


def described(rows: Rows) -> list[tuple[object, ...]]:
    bylines, voices = ([its.values[at] for at in its.of_row] for its in (rows.bylines, rows.voices))
    return list(
        zip(
            rows.doc_ids,
            bylines,
            rows.places,
            rows.ats,
            rows.anchors,
            rows.begins,
            rows.ends,
            rows.asides,
            voices,
            rows.asks,
            strict=True,
        )
    )


def test_what_is_kept_of_many_memories_is_what_is_kept_of_each() -> None:
    dana = Speaker(platform="qq", account="7", label="Dana")
    turns = [
        a_turn(0, "I moved to Oslo."),
        a_turn(1, "Do you like Oslo?", Role.CHARACTER),
        a_turn(2, "Is it far?", speaker=dana),
        a_turn(3, "hm"),
        a_turn(4, "I keep bees, 好きですか", speaker=dana),
    ]
    stated = Candidate(text="I moved to Oslo.", entity=Entity.OWNER, importance=5)
    facts = [replace(fact_of(turns[0], stated, 9.0), event_from=7.0), fact_of(turns[4], stated, 9.0)]
    memories: list[Memory] = [facts[0], *turns, reflection(event_at=5.0), facts[1], reflection("b")]
    places: dict[str, int] = {turn.id: number for number, turn in enumerate(turns)}

    piece = piece_of(memories, "Sam", Lexicon(NAMES), places)

    entries = [entry_of(one, "Sam", NAMES, places.get(one.id, NOWHERE)) for one in memories]
    assert CHARACTER in {entry.voice for entry in entries}
    assert sorted(described(piece.rows)) == sorted(
        (
            entry.doc_id,
            entry.byline,
            entry.place,
            entry.at,
            entry.anchor,
            entry.begins,
            entry.ends,
            entry.aside,
            entry.voice,
            entry.asks,
        )
        for entry in entries
    )
    assert dict(zip(piece.rows.doc_ids, piece.rows.lengths, strict=True)) == {
        entry.doc_id: len(entry.terms) + len(entry.byline) for entry in entries
    }
