"""Rows that are put into an index all at once, as what a character remembers is when it is loaded."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import numpy as np

from omoide.actors.recall.index import InvertedIndex
from omoide.actors.recall.numbering import distinct
from omoide.actors.recall.rows import Entry, Piece, Rows
from omoide.protocols.scopes import Subject


def load(index: InvertedIndex, subject: Subject, entries: Iterable[Entry], piece: int = 3) -> None:
    """Put rows into an index, a few in one piece."""
    rows = list(entries)
    vocabulary = list(dict.fromkeys(chain.from_iterable((*row.terms, *row.byline) for row in rows)))
    pieces = (piece_of(rows[start : start + piece], vocabulary) for start in range(0, len(rows), piece))
    index.extend(subject, pieces, vocabulary)


def piece_of(entries: list[Entry], vocabulary: list[str]) -> Piece:
    numbers = [[vocabulary.index(term) for term in (*row.terms, *row.byline)] for row in entries]
    return Piece(
        Rows(
            doc_ids=[row.doc_id for row in entries],
            lengths=list(map(len, numbers)),
            bylines=distinct([row.byline for row in entries]),
            places=[row.place for row in entries],
            ats=[row.at for row in entries],
            anchors=[row.anchor for row in entries],
            begins=[row.begins for row in entries],
            ends=[row.ends for row in entries],
            asides=[row.aside for row in entries],
            voices=distinct([row.voice for row in entries]),
            asks=[row.asks for row in entries],
        ),
        np.array(list(chain.from_iterable(numbers)), dtype=np.uintc),
    )
