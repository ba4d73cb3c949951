"""Metrics task: human and metric scores of the same systems and segments of one language pair.

Systems scored by people and by at least one metric take part. Human references are excluded by
default: a metric that reads the reference has no score for it. Scores of systems that nobody judged
(`synthetic_ref` of WMT23) are skipped with a note.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from adjudge.core.errors import NotEnoughData
from adjudge.data.judgement_table import is_reference
from adjudge.metaeval.human_scores import HumanScores
from adjudge.metaeval.submission import Submission

LEAST_SYSTEMS = 3  # two points always lie on a line


@dataclass(frozen=True, eq=False)
class MetricsTask:
    """Scores of one language pair: every array has the systems of `human` in their order."""

    human: HumanScores
    submissions: tuple[Submission, ...]  # higher scores better, NaN where there is none
    notes: tuple[str, ...] = ()

    @property
    def pair(self) -> str:
        """Language pair."""
        return self.human.pair

    @property
    def systems(self) -> tuple[str, ...]:
        """Participating systems."""
        return self.human.systems

    def without(self, systems: Sequence[str], note: str) -> "MetricsTask":
        """Copy of the task without these systems."""
        kept = [name for name in self.systems if name not in set(systems)]
        place = [self.systems.index(name) for name in kept]
        submissions = tuple(
            replace(
                each,
                systems=tuple(kept),
                system_scores=None if each.system_scores is None else each.system_scores[place],
                segment_scores=None if each.segment_scores is None else each.segment_scores[place],
            )
            for each in self.submissions
        )
        return MetricsTask(self.human.among(kept), submissions, (*self.notes, note))


def metrics_task(
    human: HumanScores, submissions: Sequence[Submission], *, include_reference: bool = False
) -> MetricsTask:
    """Match both sides; notes report what does not match."""
    scored = [name for name in sorted(human.systems) if include_reference or not is_reference(name)]
    known = {system for each in submissions for system in each.systems}
    kept = [name for name in scored if name in known]
    if len(kept) < LEAST_SYSTEMS:
        raise NotEnoughData(
            f"{human.pair}: people and metrics have {len(kept)} systems in common, and nothing "
            f"correlates with fewer than three{_nearly(scored, known)}"
        )
    notes = [
        *_unjudged_note(human.systems, known),
        *_unscored_note(scored, known),
        *_almost_notes(kept, human.systems, submissions),
    ]
    chosen = human.among(kept)
    aligned = tuple(each.among(kept, human.segments) for each in submissions)
    return MetricsTask(chosen, aligned, tuple(notes))


def _unjudged_note(judged: Sequence[str], known: set[str]) -> list[str]:
    names = sorted(name for name in known - set(judged))
    if not names:
        return []
    return [f"Nobody judged {', '.join(names)}: the metrics' scores of it are not used."]


def _unscored_note(scored: Sequence[str], known: set[str]) -> list[str]:
    names = [name for name in scored if name not in known]
    if not names:
        return []
    return [f"No metric scores {', '.join(names)}{_nearly(names, known)}: left out."]


def _almost_notes(
    kept: Sequence[str], judged: Sequence[str], submissions: Sequence[Submission]
) -> list[str]:
    """Notes on metrics that lack a system but score an unjudged one with almost the same name."""
    notes = []
    for each in submissions:
        near = _nearly(
            [name for name in kept if name not in each.systems],
            set(each.systems) - set(judged),
            each.metric,
        )
        if near:
            notes.append(f"{each.metric} lacks systems{near}.")
    return notes


def _nearly(names: Sequence[str], known: set[str], whose: str = "the metrics") -> str:
    """Names that almost match, since a missing hyphen is easily overlooked."""
    folded = {name.casefold(): name for name in sorted(known)}  # ONLINE-B is online-B
    near = [
        f"{name} (is it {folded[match[0]]} of {whose}?)"
        for name in names
        if name not in known
        and (match := get_close_matches(name.casefold(), folded, n=1, cutoff=0.8))
    ]
    return f"; names almost match: {', '.join(near)}" if near else ""
