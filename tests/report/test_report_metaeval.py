"""The report on metrics: both levels as page, LaTeX and Markdown, and its figures."""

import json
import re
import shlex
from dataclasses import replace
from html import unescape
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import adjudge as door
from adjudge.report.drawing.canvas import Canvas, text_width
from adjudge.report.drawing.label_placement import free
from adjudge.report.drawing.theme import LIGHT
from adjudge.report.result_figures import metaeval, metric_matrix, metric_panels, metric_statistics

pytestmark = pytest.mark.slow

SYSTEMS = [f"system-{letter}" for letter in "ABCDEFGH"]
SEGMENTS = 12
QUICK = ("--replicates", "50")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """An mt-metrics-eval folder with 24 metrics, the later the worse, and one of systems only."""
    folder = tmp_path_factory.mktemp("metaeval")
    random = np.random.default_rng(1)
    truth = np.arange(len(SYSTEMS))[::-1, None] + random.normal(size=(len(SYSTEMS), SEGMENTS))
    people = np.round(truth)
    _write(folder / "human-scores" / "en-de.mqm.seg.score", people)
    for number in range(24):
        scores = truth + random.normal(size=truth.shape) * number / 3
        _write(folder / "metric-scores" / "en-de" / f"metric-{number:02}.seg.score", scores)
    _write(folder / "metric-scores" / "en-de" / "whole.sys.score", truth.mean(axis=1)[:, None])
    return folder


def _write(path: Path, scores: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        f"{name}\t{score}\n" for name, row in zip(SYSTEMS, scores, strict=True) for score in row
    ]
    path.write_text("".join(lines))


def _summary(page: str) -> dict:
    return json.loads(re.search(r'id="summary">(.*?)</script>', page)[1])


def test_the_page_has_both_levels_and_makes_itself_again(adjudge, folder: Path) -> None:
    done = adjudge("metaeval", ".", "--report", "page.html", *QUICK, folder=folder)
    assert done.code == 0, done.err
    page = (folder / "page.html").read_text()
    summary = _summary(page)
    assert [section["pair"] for section in summary["pairs"]] == [
        "en-de (mqm): systems",
        "en-de (mqm): segments",
    ]
    systems, segments = (section["tables"] for section in summary["pairs"])
    values = [row["value"] for row in systems["metrics"] if row["statistic"] == "pearson"]
    assert len(values) == 25
    assert values == sorted(values, reverse=True)
    assert len(systems["figure-1"]) == 26 * len(SYSTEMS)  # people and metrics
    assert len(systems["figure-2"]) == 25 * 24 / 2  # every two metrics
    assert {"difference_low", "p_williams"} <= set(systems["figure-2"][0])
    assert [row["is_metric"] for row in segments["metrics"]].count(False) == 4
    alts = [unescape(alt) for alt in re.findall(r'aria-label="([^"]*)"', page)]
    assert any("in the order of Pearson's r" in alt for alt in alts)
    assert any("a metric that ties everything 0." in alt for alt in alts)
    assert sum(alt.startswith("Matrix of p of every two") for alt in alts) == 2
    assert "whole has no scores of segments: no value." in page
    words = shlex.split(summary["command"])
    assert words[:2] == ["adjudge", "metaeval"]
    (folder / "page.html").unlink()
    done = adjudge(*words[1:], folder=folder)
    assert done.code == 0, done.err
    assert _summary((folder / "page.html").read_text()) == summary


@pytest.mark.parametrize("ending", ["md", "tex"])
def test_other_forms_have_their_figures_beside_them(adjudge, folder: Path, ending: str) -> None:
    done = adjudge("metaeval", ".", "--report", f"page.{ending}", *QUICK, folder=folder)
    assert done.code == 0, done.err
    text = (folder / f"page.{ending}").read_text()
    kind = {"md": "svg", "tex": "pdf"}[ending]
    for name in ("metric-panels-1", "metric-matrix-1", "metric-statistics-1", "metric-matrix-2"):
        assert f"page-figures/{name}.{kind}" in text
        assert (folder / "page-figures" / f"{name}.{kind}").stat().st_size > 1000
    assert "agrees best with people" in text


def test_a_level_that_cannot_be_had_is_said(folder: Path, tmp_path: Path) -> None:
    people = door.from_scores(
        SYSTEMS, [None] * len(SYSTEMS), list(range(len(SYSTEMS))), pair="en-de"
    )
    paths = folder / "metric-scores" / "en-de" / "whole.sys.score"
    metrics = door.read_metric_scores(str(paths))
    people.metaeval_report(str(tmp_path / "page.html"), metrics, replicates=50)
    page = unescape((tmp_path / "page.html").read_text())
    assert "Segments: " in page
    assert "people scored systems only, no segments" in page
    assert "it is the only metric with a value" in page
    with pytest.raises(door.NotEnoughData, match="people scored systems only"):
        people.metaeval_report(str(tmp_path / "no.html"), metrics, level="segment")
    assert not (tmp_path / "no.html").exists()


def test_several_pairs_begin_with_their_averages(folder: Path, tmp_path: Path) -> None:
    pairs = ["cs-en", "de-en"]
    people = door.from_scores(
        SYSTEMS * 2,
        ["1"] * 16,
        [*range(8), *range(8)],
        pair=[pair for pair in pairs for _ in SYSTEMS],
    )
    outputs = {name: ["a b c d e f g h"[: 2 * n + 1]] for n, name in enumerate(SYSTEMS)}
    metrics = [
        door.from_texts(outputs, [["a b c d e f g h"]], pair=pair).metric_scores(["chrf", "wer"])
        for pair in pairs
    ]
    path = tmp_path / "page.html"
    people.metaeval_report(str(path), metrics[0] + metrics[1], replicates=20)
    sections = _summary(path.read_text())["pairs"]
    assert [section["pair"] for section in sections] == [
        "All language pairs: systems",
        "All language pairs: segments",
        *(f"{pair} (score): {level}" for pair in pairs for level in ("systems", "segments")),
    ]
    assert {row["pair"] for row in sections[0]["tables"]["averages-1"]} == set(pairs)


def test_what_is_refused(adjudge, folder: Path) -> None:
    done = adjudge("metaeval", ".", "--report", "page.doc", *QUICK, folder=folder)
    assert done.code == 2
    assert ".html, .tex, .md" in done.err
    done = adjudge("metaeval", ".", "--report", "p.html", "--table", "wmt23", folder=folder)
    assert (done.code, done.out) == (2, "")
    assert "leave out --report" in done.err


@pytest.fixture(scope="module")
def results(folder: Path):
    """Systems and segments, and τ of the preferences."""
    people = door.read(str(folder / "human-scores" / "en-de.mqm.seg.score"))
    metrics = door.read_metric_scores(str(folder / "metric-scores"))
    asked = ({"level": "system"}, {"level": "segment"}, {"level": "segment", "tau": "wmt12"})
    return [people.metaeval(metrics, replicates=50, **each)[0] for each in asked]


def _few(result, number: int):
    """The same of fewer metrics."""
    kept = np.arange(number)
    return replace(
        result,
        metrics=result.metrics[:number],
        turned=(True, *result.turned[1:number]),
        values=result.values[kept],
        lows=result.lows[kept],
        highs=result.highs[kept],
        epsilon=result.epsilon[kept],
        p=result.p[np.ix_(kept, kept)],
        cluster=result.cluster[kept],
        metric_scores=result.metric_scores[kept],
        gaps=None,
    )


def _boxes(canvas: Canvas) -> list[tuple[float, float, float, float]]:
    boxes = []
    for words in canvas.words:
        wide = text_width(words.text, words.size, words.bold)
        left = {"left": 0.0, "center": 0.5, "right": 1.0}[words.align]
        top = words.y - 0.8 * words.size
        boxes.append((words.x - left * wide, top, wide, 0.9 * words.size))
    return boxes


@pytest.mark.parametrize("number", [2, 3, 20, 24])
def test_no_text_covers_another_or_leaves_the_sheet(results, number: int) -> None:
    of_systems = (metric_panels.FIGURE, metric_matrix.FIGURE, metaeval.PANELS)
    of_segments = (metric_statistics.FIGURE, metric_matrix.FIGURE)
    drawn = [(figure, results[0]) for figure in of_systems]
    drawn += [(figure, result) for figure in of_segments for result in results[1:]]
    for figure, result in drawn:
        canvas = figure.draw(_few(result, number), LIGHT)
        boxes = _boxes(canvas)
        assert boxes
        for (x, y, wide, high), words in zip(boxes, canvas.words, strict=True):
            assert x >= -1, (figure.name, words.text)
            assert y >= -1, (figure.name, words.text)
            assert x + wide <= canvas.width + 2, (figure.name, words.text)
            assert y + high <= canvas.height + 1, (figure.name, words.text)
        for (one, a), (other, b) in combinations(zip(boxes, canvas.words, strict=True), 2):
            assert free(one, [other]), (figure.name, a.text, b.text)
        assert figure.alt(_few(result, number))
        assert figure.table(_few(result, number)).rows


def test_one_metric_that_is_far_below_stays_on_the_sheet(results) -> None:
    """WMT12 gives −1 to a metric that ties everything: an arrow says so."""
    canvas = metric_statistics.FIGURE.draw(results[2], LIGHT)
    assert "← −1.000" in [words.text for words in canvas.words]
