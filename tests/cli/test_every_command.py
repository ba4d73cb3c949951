"""Every command on campaigns of which anything may be missing: an answer, or one clear line."""

import json
import re
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudge.report.figures import FIGURES

pytestmark = pytest.mark.slow

SYSTEMS = ("ref", "A", "B", "C")
# What a ranking (or an item) may have, or lack.
CONTEXT: dict[str, st.SearchStrategy[Any]] = {
    "protocol": st.sampled_from(["ranking", "pairwise"]),
    "document": st.sampled_from(["d1", "d2"]),
    "segment": st.sampled_from(["1", "2", "3"]),
    "hit": st.sampled_from(["h1", "h2"]),
    "judge": st.sampled_from(["ann", "bob"]),
    "group": st.sampled_from(["crowd", "experts"]),
    "seconds": st.sampled_from([0.0, 3.5, 40.0, 999999999.0]),
    "time": st.sampled_from(["2026-01-02T03:04:05Z", "2026-01-02T03:04:09Z"]),
    "source": st.sampled_from(["A cat sleeps.", "Cats."]),
}


@st.composite
def contexts(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    """What is known of each of so many rankings: all, some or nothing of every column."""
    rows: list[dict[str, Any]] = [{"pair": "x-y"} for _ in range(number)]
    for column, values in CONTEXT.items():
        known = draw(st.sampled_from(["all", "some", "none"]))
        if known == "none":
            continue
        one = draw(values)
        for row in rows:
            value = one if column == "protocol" else draw(values)
            if known == "all" or draw(st.booleans()):
                row[column] = value
    return rows


def file_of(rows: Sequence[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@st.composite
def rankings(draw: st.DrawFn) -> bytes:
    """Judgements; the first ranking may compare nothing, labels may be missing."""
    rows = []
    for number, context in enumerate(draw(contexts(draw(st.integers(1, 14)))), 1):
        about = context | {"ranking": number}
        shown = draw(st.lists(st.sampled_from(SYSTEMS), max_size=4, unique=True))
        if not shown:
            rows.append(about)  # skipped
        for place, system in enumerate(shown, 1):
            rank = draw(st.none() | st.integers(1, 4))
            position = {"position": place} if draw(st.booleans()) else {}
            rows.append(about | {"systems": [system], "rank": rank} | position)
    return file_of(rows)


@st.composite
def scores(draw: st.DrawFn) -> bytes:
    rows = []
    scales = ["adequacy", draw(st.sampled_from(["adequacy", "fluency"]))]
    for number, context in enumerate(draw(contexts(draw(st.integers(1, 14)))), 1):
        context.pop("protocol", None)
        score = draw(st.none() | st.integers(1, 5))
        row = {"systems": [draw(st.sampled_from(SYSTEMS))], "score": score}
        rows.append(context | row | {"item": number, "scale": scales[number % 2]})
    return file_of(rows)


@st.composite
def edits(draw: st.DrawFn) -> bytes:
    rows: list[dict[str, Any]] = []
    for number, context in enumerate(draw(contexts(draw(st.integers(1, 8)))), 1):
        about = context | {"systems": [draw(st.sampled_from(SYSTEMS))]}
        text = draw(st.sampled_from(["Kočka.", "Pes.", None]))
        edit = {"protocol": "blind-edit", "item": 10 * number, "incomprehensible": text is None}
        rows.append(about | edit | {"edit": text})
        for review in range(draw(st.integers(0, 2))):
            said = {"verdict": draw(st.sampled_from(["yes", "no"])), "reviewed": 10 * number}
            made = {"protocol": "review", "item": 10 * number + 1 + review, "judge": "rev"}
            rows.append(about | made | said)
    return file_of(rows)


@st.composite
def segments(draw: st.DrawFn) -> bytes:
    """Rankings of short segments, and now and then of whole sentences; anything may lack."""
    rows: list[dict[str, Any]] = []
    lacking = draw(st.sets(st.sampled_from(["segment", "text", "source", "judge"]), max_size=1))
    for number in range(1, draw(st.integers(2, 12))):
        sentence = draw(st.sampled_from(["1", "2", "3"]))
        words = draw(st.sampled_from(["0,1", "1,2,9"]))
        whole = draw(st.integers(0, 3)) == 0
        about = {
            "pair": "x-y",
            "protocol": "ranking" if whole else "segments",
            "segment": sentence if whole else f"{sentence}:{words}",
            "ranking": number,
            "judge": draw(st.sampled_from(["ann", "bob"])),
            "source": draw(st.sampled_from(["A cat sleeps.", "Cats."])),
        }
        for system in draw(st.sets(st.sampled_from(SYSTEMS), min_size=1, max_size=4)):
            text = draw(st.sampled_from(["a", "ab", "b c d"]))
            rank = draw(st.sampled_from([None, 1, 2, 2, 3, 5]))
            row = about | {"systems": [system], "rank": rank, "text": f"{text}{system}"}
            rows.append({key: value for key, value in row.items() if key not in lacking})
    return file_of(rows)


def answers(adjudge: Callable[..., Any], content: bytes, folder: Path, *arguments: str) -> None:
    """Exit code 0, or 2 with one line that says why, after notices; no warning, no traceback."""
    file = folder / "given.jsonl"
    file.write_bytes(content)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        done = adjudge(*(str(file) if word == "FILE" else word for word in arguments))
    said = f"{arguments}: {done.err}"
    if done.code == 0:
        assert not re.search(r"\bnan\b", done.out, re.IGNORECASE), said
    else:
        assert done.code == 2, said
        *notices, reason = done.err.splitlines()
        assert reason.startswith("adjudge: "), said
        assert all(re.match(r"Read as |\d[\d,]* exact duplicate", line) for line in notices), said


few = settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
fewer = settings(few, max_examples=6)

QUICK = (
    ("info", "FILE"),
    ("rank", "FILE", "--replicates", "20"),
    ("rank", "FILE", "--unit", "judge", "--replicates", "20", "--format", "json"),
    ("rank", "FILE", "--unit", "segment", "--replicates", "20", "--without-reference"),
    ("rank", "FILE", "--method", "bradley-terry", "--outputs", "collapsed", "--replicates", "20"),
    ("compare", "FILE"),
    ("agreement", "FILE", "--replicates", "20"),
    ("label-agreement", "FILE", "--replicates", "20"),
    ("diagnose", "FILE"),
    ("timing", "FILE", "--by", "judge"),
    ("segments", "rank", "FILE", "--replicates", "20"),
    ("convert", "FILE", "-o", "-", "--to", "jsonl"),
    ("convert", "FILE", "-o", "-", "--to", "wmt-csv"),
)
LONG = (
    ("methods", "FILE", "--runs", "2"),
    ("plan", "FILE"),
    ("report", "FILE", "--runs", "2", "--replicates", "20", "--workers", "1", "-f", "markdown"),
)
called = {"ids": lambda words: "-".join(word.strip("-") for word in words if word != "FILE")}


@pytest.mark.parametrize("arguments", QUICK, **called)
@few
@given(content=rankings())
def test_quick_commands_on_rankings(
    adjudge: Callable[..., Any], tmp_path: Path, arguments: tuple[str, ...], content: bytes
) -> None:
    answers(adjudge, content, tmp_path, *arguments)


@pytest.mark.parametrize("arguments", LONG, **called)
@fewer
@given(content=rankings())
def test_long_commands_on_rankings(
    adjudge: Callable[..., Any], tmp_path: Path, arguments: tuple[str, ...], content: bytes
) -> None:
    answers(adjudge, content, tmp_path, *arguments)


@few
@given(content=rankings(), figure=st.sampled_from(sorted(FIGURES)))
def test_figures_of_rankings(
    adjudge: Callable[..., Any], tmp_path: Path, content: bytes, figure: str
) -> None:
    drawn = ("--replicates", "20", "-o", str(tmp_path / "figure.svg"))
    answers(adjudge, content, tmp_path, "plot", figure, "FILE", *drawn)


OF_SEGMENTS = (
    ("segments", "database", "FILE"),
    ("segments", "rank", "FILE", "--replicates", "20"),
    ("segments", "beside", "FILE", "--replicates", "20"),
    ("segments", "beside", "FILE", "--examples", "2", "--replicates", "20"),
    ("segments", "coverage", "FILE", "--replicates", "20"),
    ("segments", "leave-one-out", "FILE", "--replicates", "20"),
    ("segments", "leave-one-out", "FILE", "--matching", "exact", "--replicates", "20"),
    ("segments", "closest", "FILE", "--examples", "3"),
    ("agreement", "FILE", "--protocol", "segments", "--by", "segment-length"),
)


@settings(few, max_examples=20)
@given(content=segments(), arguments=st.sampled_from(OF_SEGMENTS))
def test_commands_on_segments(
    adjudge: Callable[..., Any], tmp_path: Path, content: bytes, arguments: tuple[str, ...]
) -> None:
    answers(adjudge, content, tmp_path, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ("scores", "FILE", "--replicates", "20"),
        ("scores", "FILE", "--replicates", "20", "--unit", "judge", "--normalise", "wmt07"),
        ("rank", "FILE", "--replicates", "20"),
        ("report", "FILE", "--replicates", "20", "-f", "markdown"),
        ("timing", "FILE"),
        ("diagnose", "FILE"),
    ],
    **called,
)
@few
@given(content=scores())
def test_commands_on_scores(
    adjudge: Callable[..., Any], tmp_path: Path, arguments: tuple[str, ...], content: bytes
) -> None:
    answers(adjudge, content, tmp_path, *arguments)


@few
@given(content=rankings() | scores(), scale=st.sampled_from([0.0, 1.0]))
def test_people_and_a_metric(
    adjudge: Callable[..., Any], tmp_path: Path, content: bytes, scale: float
) -> None:
    """A metric of all segments, or one that says the same of everything."""
    metric = tmp_path / "metric.seg.score"
    lines = [f"{name}\t{scale * n * len(name)}\n" for name in (*SYSTEMS, "E") for n in range(1, 6)]
    metric.write_text("".join(lines))
    answers(adjudge, content, tmp_path, "assist", "FILE", "--metric-scores", str(metric))


@pytest.mark.parametrize(
    "arguments", [("understandability", "FILE", "--replicates", "20"), ("timing", "FILE")], **called
)
@few
@given(content=edits())
def test_commands_on_edits(
    adjudge: Callable[..., Any], tmp_path: Path, arguments: tuple[str, ...], content: bytes
) -> None:
    answers(adjudge, content, tmp_path, *arguments)


@pytest.mark.parametrize("command", ["rank", "diagnose", "report"])
def test_a_first_ranking_that_compares_nobody_who_is_ranked(
    adjudge: Callable[..., Any], tmp_path: Path, command: str
) -> None:
    votes = tmp_path / "votes.csv"
    votes.write_text("model_a,model_b,winner\nref,A,model_a\nA,B,model_a\nB,A,model_a\n")
    more = ["-f", "markdown", "--runs", "2"] if command == "report" else []
    done = adjudge(command, votes, *more)
    assert done.code == 0, done.err
