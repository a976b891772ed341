"""Document-frequency spectra of sets of subjects, kept up to date while rows come and go.

Okapi's floor for frequent terms needs the average idf over every distinct term of the allowed rows.
Adding that up at each search would cost as much as the whole vocabulary; a spectrum is brought up to
date in the terms of one row. Spectra exist only for sets that a search has asked for.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ...protocols.scopes import Subject
from .okapi import Spectrum
from .partition import Partition

SPECTRA_KEPT: Final = 64
"""Sets of subjects that are kept: a lively group chat asks for about one a member."""


def total_frequency(partitions: Sequence[Partition], term: str) -> int:
    """Return the number of rows that hold a term, over several partitions."""
    if len(partitions) == 1:
        return partitions[0].frequency(term)
    return sum(partition.frequency(term) for partition in partitions)


class Spectra:
    """The spectra of the sets of subjects that were asked for last.

    Args:
        partitions: the index's partitions, which their owner changes before it reports a change here.
    """

    def __init__(self, partitions: Mapping[Subject, Partition]) -> None:
        self._partitions = partitions
        self._spectra: OrderedDict[frozenset[Subject], Spectrum] = OrderedDict()

    def of(self, subjects: frozenset[Subject]) -> Spectrum:
        """Return the spectrum over all rows of some subjects. It is shared: copy it before a change."""
        spectrum = self._spectra.get(subjects)
        if spectrum is None:
            spectrum = self._spectra[subjects] = self._compute(subjects)
            if len(self._spectra) > SPECTRA_KEPT:
                self._spectra.popitem(last=False)
        self._spectra.move_to_end(subjects)
        return spectrum

    def forget(self, subject: Subject) -> None:
        """Take that many rows of a subject changed at once."""
        for subjects in [subjects for subjects in self._spectra if subject in subjects]:
            del self._spectra[subjects]

    def added(self, subject: Subject, terms: Iterable[str]) -> None:
        """Take a row of these distinct terms that was just added to a subject's partition."""
        for subjects, spectrum in self._spectra.items():
            if subject in subjects:
                partitions = self._existing(subjects)
                for term in terms:
                    frequency = total_frequency(partitions, term)
                    spectrum.move(frequency - 1, frequency)

    def removed(self, subject: Subject, terms: Iterable[str]) -> None:
        """Take a row of these distinct terms that was just taken out of a subject's partition."""
        if subject not in self._partitions:
            self.forget(subject)
            return
        for subjects, spectrum in self._spectra.items():
            if subject in subjects:
                partitions = self._existing(subjects)
                for term in terms:
                    frequency = total_frequency(partitions, term)
                    spectrum.move(frequency + 1, frequency)

    def _compute(self, subjects: frozenset[Subject]) -> Spectrum:
        partitions = self._existing(subjects)
        if len(partitions) <= 1:
            return Spectrum(Counter(n for partition in partitions for _, n in partition.frequencies()))
        largest, *others = sorted(
            (subject for subject in subjects if subject in self._partitions),
            key=lambda subject: self._partitions[subject].vocabulary_size(),
            reverse=True,
        )
        spectrum = self.of(frozenset({largest})).copy()
        added: Counter[str] = Counter()
        for subject in others:
            for term, frequency in self._partitions[subject].frequencies():
                added[term] += frequency
        for term, frequency in added.items():
            before = self._partitions[largest].frequency(term)
            spectrum.move(before, before + frequency)
        return spectrum

    def _existing(self, subjects: frozenset[Subject]) -> list[Partition]:
        return [self._partitions[subject] for subject in subjects if subject in self._partitions]
