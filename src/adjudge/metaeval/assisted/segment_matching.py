"""Metric scores of a whole test set, matched with the segments that people judged."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from adjudge.core.errors import InputError, NotEnoughData
from adjudge.core.files.input_file import InputFile
from adjudge.metaeval.submission import Submission
from adjudge.stats.resampling import Codes, Floats
from adjudge.text.reading import read_documents

Name = str | None


@dataclass(frozen=True, eq=False)
class KnownTexts:
    """Metric scores of all segments of the test set, in line order."""

    submission: Submission  # with scores of segments
    documents: tuple[str, ...] | None = None  # of every line

    @property
    def lines(self) -> int:
        """Number of segments."""
        return len(self.submission.segments)

    def scores(self, systems: Sequence[str]) -> tuple[Floats, tuple[str, ...]]:
        """Deviations from the mean of each system (systems × lines), oriented so that higher is
        better, and notes.

        A missing metric score counts as deviation 0: the correction then neither helps nor harms.
        """
        given = self.submission.among(systems, self.submission.segments).segment_scores
        assert given is not None
        there = np.isfinite(given)
        if not there.any():
            raise NotEnoughData(
                f"{self.submission.metric} has no score of any system that people judged "
                f"({', '.join(systems[:3])}, …); it has {', '.join(self.submission.systems[:3])}, "
                "…: call systems the same in both"
            )
        number = np.maximum(there.sum(axis=1, keepdims=True), 1)
        mean = np.where(there, given, 0).sum(axis=1, keepdims=True) / number
        return np.where(there, given - mean, 0), self._lacking(systems, there)

    def _lacking(self, systems: Sequence[str], there: Floats) -> tuple[str, ...]:
        notes = []
        silent = [name for name, row in zip(systems, there, strict=True) if not row.any()]
        if silent:
            notes.append(
                f"{self.submission.metric} has no scores of {', '.join(silent)}: their own scores "
                "are by people alone."
            )
        some = [
            f"{name} ({int((~row).sum()):,})"
            for name, row in zip(systems, there, strict=True)
            if row.any() and not row.all()
        ]
        if some:
            notes.append(
                f"{self.submission.metric} has no score of some segments of {', '.join(some)}; "
                "they count as average by it."
            )
        if self.submission.turned:
            notes.append(f"Lower is better by {self.submission.metric}: its scores are turned.")
        return tuple(notes)

    def place(self, documents: Sequence[Name], segments: Sequence[Name], pair: str) -> Codes:
        """Line of every segment that people judged, from 0.

        A segment is named by its line number in the test set or, if the documents of the lines are
        known, by its number within the document.
        """
        line = {name: number for number, name in enumerate(self.submission.segments)}
        found: Codes = np.array([line.get(str(name), -1) for name in segments], np.int64)
        if self.documents is None:
            self._refuse_twice(documents, segments, pair)
        elif not self._fits(documents, found):
            found = self._within_documents(documents, segments)
        if (found < 0).any():
            lost = int(np.flatnonzero(found < 0)[0])
            raise NotEnoughData(
                f"{pair}: people judged the segment {segments[lost]!r} of the document "
                f"{documents[lost]!r}, {self.submission.metric} scored {self.lines:,} segments and "
                "none is it; call segments by the numbers of their lines"
            )
        return found

    def texts(self, unit: str, documents: Sequence[Name], lines: Codes) -> Codes:
        """Text of every line: its document or, if that is unknown, the line itself.

        `documents` are those of the segments that people judged, which are at `lines`.
        """
        alone = np.arange(self.lines)
        if "document" not in unit:
            return alone
        if self.documents is not None:
            return np.unique(np.array(self.documents), return_inverse=True)[1]
        names = [f"line {number}" for number in alone]
        for document, place in zip(documents, lines, strict=True):
            if document is not None:
                names[place] = f"document {document}"
        return np.unique(np.array(names), return_inverse=True)[1]

    def _fits(self, documents: Sequence[Name], found: Codes) -> bool:
        """Test whether line numbers lead to the documents that people saw."""
        home = self.documents or ()
        return bool((found >= 0).all()) and all(
            document is None or home[place] == document
            for document, place in zip(documents, found, strict=True)
        )

    def _within_documents(self, documents: Sequence[Name], segments: Sequence[Name]) -> Codes:
        home = self.documents or ()
        first = {name: number for number, name in reversed(list(enumerate(home)))}
        length = {name: home.count(name) for name in first}
        found = np.full(len(segments), -1, np.int64)
        for place, (document, segment) in enumerate(zip(documents, segments, strict=True)):
            number = int(segment) if segment is not None and segment.isdecimal() else 0
            if document in first and 1 <= number <= length[document]:
                found[place] = first[document] + number - 1
        return found

    def _refuse_twice(self, documents: Sequence[Name], segments: Sequence[Name], pair: str) -> None:
        seen: dict[Name, Name] = {}
        for document, segment in zip(documents, segments, strict=True):
            other = seen.setdefault(segment, document)
            if other != document:
                raise NotEnoughData(
                    f"{pair}: segment {segment!r} is in the documents {other!r} and {document!r}, "
                    "so it is not a line number; name the document of every line with `documents`"
                )


def known_texts(
    submission: Submission, documents: str | None = None, beside: str | None = None
) -> KnownTexts:
    """Load a metric with the documents of its segments.

    They are read from the file `documents`; else from `documents/PAIR.docs` of the mt-metrics-eval
    folder with the metric's file; else they are unknown.
    """
    if submission.segment_scores is None:
        raise NotEnoughData(
            f"{submission.metric} has scores of whole systems only; give those of segments "
            "(….seg.score)"
        )
    path = documents or _beside(beside, submission.pair)
    if path is None:
        return KnownTexts(submission)
    names = read_documents(InputFile(path))
    if len(names) != len(submission.segments):
        raise InputError(
            f"names the documents of {len(names):,} segments, {submission.metric} scored "
            f"{len(submission.segments):,}; give one line a segment",
            file=path,
        )
    return KnownTexts(submission, names)


def _beside(scores: str | None, pair: str) -> str | None:
    """Path `documents/PAIR.docs` if the scores are `metric-scores/PAIR/METRIC.seg.score`."""
    if scores is None:
        return None
    place = Path(scores).absolute()
    folders = [place, *place.parents][:4]
    files = [folder / "documents" / f"{pair or place.parent.name}.docs" for folder in folders]
    return next((str(file) for file in files if file.is_file()), None)
