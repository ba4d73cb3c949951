#!/usr/bin/env python3
"""Check a submission to a metrics task: python3 check_submission.py FILE…

It needs Python alone: it is part of the participants' package, with expected.tsv, which lists the
systems and the number of segments. `adjudge metaeval check` reports the same problems.

A file *.seg.score has the fields METRIC, PAIR, TEST-SET, SYSTEM, SEGMENT (from 1) and SCORE, a file
*.sys.score all but SEGMENT, separated by tabs. Higher scores are better.
"""

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

FIELDS = {"seg": 6, "sys": 5}
SHOWN = 5  # names or numbers in a list
AGAINST = -0.1  # a correlation with the baseline below which the sign may be turned
FEWEST = 20  # outputs for it


class Score(NamedTuple):
    """Single score; without a segment, that of the whole system."""

    metric: str
    pair: str
    system: str
    segment: "int | None"
    value: "float | None"  # None: missing


class Problem(NamedTuple):
    """Error or warning about a submission."""

    error: bool  # else a warning
    metric: str
    pair: str
    what: str


Expected = Mapping[str, Mapping[str, int]]  # by pair and system: how many segments


def problems(
    scores: Sequence[Score], expected: Expected, baseline: Sequence[Score] = ()
) -> "list[Problem]":
    """Find all problems, metric by metric and pair by pair."""
    found = []
    for metric in dict.fromkeys(score.metric for score in scores):
        mine = [score for score in scores if score.metric == metric]
        if not metric.isprintable() or "/" in metric or metric.startswith("."):
            what = "a metric's name has no slash and does not begin with a dot"
            found.append(Problem(True, metric, "", what))
        pairs = list(dict.fromkeys(score.pair for score in mine))
        for pair in pairs:
            of_pair = [score for score in mine if score.pair == pair]
            if pair not in expected:
                what = f"{pair!r} is no language pair of the task{_near(pair, expected)}"
                found.append(Problem(True, metric, pair, what))
                continue
            found += [
                Problem(error, metric, pair, what)
                for error, what in _of_pair(of_pair, expected[pair])
            ]
            against = _direction(of_pair, [score for score in baseline if score.pair == pair])
            found += [Problem(False, metric, pair, what) for what in against]
        found += [
            Problem(False, metric, pair, "no scores of this language pair")
            for pair in expected
            if pair not in pairs
        ]
    return found


def _of_pair(scores: Sequence[Score], systems: Mapping[str, int]) -> "Iterable[tuple[bool, str]]":
    given = list(dict.fromkeys(score.system for score in scores))
    lacking = [name for name in systems if name not in given]
    for name in given:
        if name not in systems:
            near = _near(name, lacking)
            yield bool(near), f"{name!r} is no system of the task{near or '; it is ignored'}"
    if lacking:
        yield True, f"no score of {_listed(lacking)}"
    for level in ("seg", "sys"):
        of_level = [score for score in scores if (score.segment is None) == (level == "sys")]
        if of_level:
            yield from _of_level(of_level, systems, level)


def _of_level(
    scores: Sequence[Score], systems: Mapping[str, int], level: str
) -> "Iterable[tuple[bool, str]]":
    named = "segments" if level == "seg" else "systems"
    seen = set()
    for score in scores:
        key = (score.system, score.segment)
        if key in seen:
            of_segment = "" if score.segment is None else f", segment {score.segment},"
            yield True, f"{score.system}{of_segment} is scored twice; keep one"
            break
        seen.add(key)
    values = [score.value for score in scores if score.value is not None]
    broken = [score for score in scores if score.value is not None and not _finite(score.value)]
    if broken:
        yield True, f"the score {broken[0].value} of {broken[0].system} is not a finite number"
    elif len(values) > 1 and max(values) == min(values):
        yield False, f"all {named} have the same score; no correlation can be worked out"
    if level == "sys":
        missing = [score.system for score in scores if score.value is None]
        if missing:
            yield True, f"no score of {_listed(missing)}"
        return
    for system, number in systems.items():
        there = {score.segment for score in scores if score.system == system}
        if not there:
            continue
        wrong = sorted(n for n in there if n is not None and not 1 <= n <= number)
        if wrong:
            yield True, f"{system}: segment {wrong[0]}; segments are numbered from 1 to {number}"
        known = {score.segment for score in scores if score.system == system and _known(score)}
        lacking = [n for n in range(1, number + 1) if n not in known]
        if lacking:
            yield (
                True,
                f"{system}: no score of {len(lacking)} of {number} segments: "
                + _listed([str(n) for n in lacking]),
            )


def _direction(scores: Sequence[Score], baseline: Sequence[Score]) -> "Iterable[str]":
    """Warn about a metric that correlates negatively with the baseline."""
    if not baseline:
        return
    theirs = {
        (score.system, score.segment): score.value
        for score in baseline
        if score.metric == baseline[0].metric
    }
    for by_segment in (True, False):
        couples = [
            (score.value, theirs[score.system, score.segment])
            for score in scores
            if (score.segment is not None) == by_segment and (score.system, score.segment) in theirs
        ]
        known = [(a, b) for a, b in couples if a is not None and b is not None]
        if len(known) < (FEWEST if by_segment else 3):
            continue
        r = _correlation(known)
        if r is not None and r < AGAINST:
            yield (
                f"scores of {'segments' if by_segment else 'systems'} fall where those of the "
                f"baseline {baseline[0].metric} rise (r = {r:.2f}); higher must be better: is the "
                "sign turned?"
            )
        return


def _correlation(couples: "Sequence[tuple[float, float]]") -> "float | None":
    n = len(couples)
    mean = [sum(couple[side] for couple in couples) / n for side in (0, 1)]
    moved = [(a - mean[0], b - mean[1]) for a, b in couples]
    square = sum(a * a for a, _ in moved) * sum(b * b for _, b in moved)
    return sum(a * b for a, b in moved) / math.sqrt(square) if square > 0 else None


def _known(score: Score) -> bool:
    return score.value is not None and _finite(score.value)


def _finite(value: float) -> bool:
    return math.isfinite(value)


def _near(name: str, names: Iterable[str]) -> str:
    lower = {each.lower(): each for each in names}
    near = get_close_matches(name.lower(), list(lower), n=1, cutoff=0.7)
    return f"; did you mean {lower[near[0]]!r}?" if near else ""


def _listed(names: Sequence[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def read_expected(path: Path) -> "dict[str, dict[str, int]]":
    """Read expected.tsv: a header, then pair, test set, system, number of segments."""
    expected: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        pair, _, system, number = line.split("\t")
        expected.setdefault(pair, {})[system] = int(number)
    return expected


def read_scores(path: Path) -> "list[Score]":
    """Read the scores of a file; raise ValueError at an invalid line."""
    level = next((name for name in FIELDS if path.name.endswith(f".{name}.score")), None)
    if level is None:
        raise ValueError(f"{path}: its name ends neither in .seg.score nor in .sys.score")
    scores = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fields = line.split("\t")
        if len(fields) != FIELDS[level]:
            raise ValueError(
                f"{path}: line {number}: {len(fields)} fields, not {FIELDS[level]}, by tabs"
            )
        try:
            value = None if fields[-1] == "None" else float(fields[-1])
            segment = int(fields[4]) if level == "seg" else None
        except ValueError:
            raise ValueError(f"{path}: line {number}: a number is none") from None
        scores.append(Score(fields[0], fields[1], fields[3], segment, value))
    return scores


def main(arguments: Sequence[str]) -> int:
    """Print the problems of the files; return 1 if there are errors."""
    here = Path(__file__).parent
    if not arguments:
        print("name the files of your submission", file=sys.stderr)
        return 2
    try:
        scores = [score for path in arguments for score in read_scores(Path(path))]
        baseline = [s for path in sorted(here.glob("baselines/*.score")) for s in read_scores(path)]
        found = problems(scores, read_expected(here / "expected.tsv"), baseline)
    except (OSError, ValueError) as error:
        print(f"error: {error}")
        return 1
    for problem in found:
        kind = "error" if problem.error else "warning"
        print(f"{kind}: {problem.metric}, {problem.pair}: {problem.what}")
    errors = sum(problem.error for problem in found)
    print(f"{len(scores)} scores, {errors} errors, {len(found) - errors} warnings")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
