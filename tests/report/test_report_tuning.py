"""The report on tuning: sections by kind of result, in every form, and what its figures show."""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import adjudge as door
from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.report.drawing.theme import LIGHT
from adjudge.report.result_figures import (
    figure_for,
    tuning_iterations,
    tuning_line,
    tuning_restarts,
    tuning_runs,
    tuning_weights,
)
from adjudge.tuning.line_search import Regularisation, lines_along, search_lines
from adjudge.tuning.line_trace import trace
from adjudge.tuning.weights import unlimited

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
GIVEN = (EXAMPLES / "candidates.jsonl", "--reference", EXAMPLES / "reference.txt")
DECODER = ROOT / "tests" / "tuning" / "top_of_database.py"
DATABASE = "".join(
    f"{sentence} ||| {text} ||| {good} {bad} {sentence}\n"
    for sentence in range(4)
    for text, good, bad in (("a b c d", 1, 4), ("a b c x", 2, 3), ("a b x x", 3, 2), ("x", 5, 0))
)


@pytest.fixture(scope="module")
def candidates():
    return door.read_candidates(str(GIVEN[0]), reference=str(GIVEN[2]))


@pytest.fixture(scope="module")
def tuned(candidates):
    return candidates.tune(restarts=3, rounds=0, hold_out=0.5, replicates=50)


@pytest.fixture(scope="module")
def varied(candidates):
    few = {"sets": 3, "seeds": 2, "restarts": 4, "rounds": 0, "replicates": 50}
    return candidates.tune_variance(["bleu", "wer"], by="chrf", **few)


@pytest.fixture(scope="module")
def loop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("loop")
    (folder / "database").write_text(DATABASE)
    (folder / "reference").write_text("a b c d\n" * 4)
    return door.tune_decoder(
        f"{sys.executable} {DECODER} {folder / 'database'} 2 {{weights}} {{nbest}}",
        reference=str(folder / "reference"),
        weights={"feature_0": 1.0, "feature_1": 0.1, "feature_2": 0.0},
        folder=str(folder / "work"),
        metric="wer",
        restarts=2,
        rounds=0,
        replicates=50,
    )


def test_one_page_of_everything(tuned, varied, loop, tmp_path):
    door.tuning_report(str(tmp_path / "page.html"), tuned, varied, loop, title="Ours")
    page = (tmp_path / "page.html").read_text()
    summary = json.loads(re.search(r'id="summary">(.*?)</script>', page)[1])
    assert [section["pair"] for section in summary["pairs"]] == [
        "Tuned towards bleu",
        "How much is chance",
        "Weights and their spread",
        "Restarts",
        "A decoder in the loop",
    ]
    assert summary["title"] == "Ours"
    for result in (tuned, varied, loop):
        assert str(result.signature) in summary["signature"]
    assert page.count("<svg") == 5
    assert "Figure 3.4" in page
    assert "Figure 3.5" in page


@pytest.mark.parametrize(("ending", "said"), [("md", "## Restarts"), ("tex", "\\section")])
def test_other_forms_have_their_figures_beside(varied, tmp_path, ending, said):
    door.tuning_report(str(tmp_path / f"report.{ending}"), varied)
    assert said in (tmp_path / f"report.{ending}").read_text()
    assert len(list((tmp_path / "report-figures").iterdir())) == 3


def test_commands_write_it(adjudge, tmp_path):
    few = ("--restarts", 2, "--rounds", 0, "--replicates", 20)
    page = ("--report", tmp_path / "tune.html")
    assert adjudge("tune", *GIVEN, *few, *page).code == 0
    assert "What a line search sees" in (tmp_path / "tune.html").read_text()
    page = ("--report", tmp_path / "variance.html", "--sets", 2, "--seeds", 2)
    assert adjudge("tune-variance", *GIVEN, *few, *page).code == 0
    assert "Weights with their spread" in (tmp_path / "variance.html").read_text()
    refused = adjudge("tune", *GIVEN, *few, "--report", tmp_path / "tune.pdf")
    assert refused.code == 2
    assert ".html, .tex, .md" in refused.err


def test_nothing_else_is_reported(candidates):
    with pytest.raises(BadParameter, match="results of tuning"):
        door.tuning_report("page.html")


def test_a_traced_line_is_that_of_the_search(tuned):
    """Its best interval near the weights has the score that the line search finds there."""
    pool, weights = tuned[0].pool, tuned[0].weights
    line = trace(pool, weights)
    assert line.low < 0 < line.high
    place = int(np.searchsorted(line.edges, 0.0)) - 1
    assert line.scores[place] == pytest.approx(pool.score(weights))
    direction = np.eye(len(weights))[pool.names.index(line.feature)]
    along = lines_along(pool, direction[None])
    (gain,), _ = search_lines(pool, weights, along, unlimited(len(weights)), Regularisation())
    assert line.scores.max() <= pool.score(weights) + gain + 1e-9
    for middle in (line.edges[1:] + line.edges[:-1]) / 2:
        moved = pool.score(weights + middle * direction)
        found = line.scores[int(np.searchsorted(line.edges, middle)) - 1]
        assert moved == pytest.approx(found)


def test_an_envelope_is_on_top_and_convex(tuned):
    line = tuned[0].line
    points = line.envelope
    for x, y in points:
        assert y == pytest.approx((line.intercepts + x * line.slopes).max())
    slopes = np.diff(points[:, 1]) / np.diff(points[:, 0])
    assert (np.diff(slopes) > 0).all()
    assert len(line.corners) == len(points) - 2 > 0


def test_figures_draw_and_say_what_they_show(tuned, varied, loop):
    for figure, result in (
        (tuning_line.FIGURE, tuned),
        (tuning_runs.FIGURE, varied),
        (tuning_weights.FIGURE, varied),
        (tuning_restarts.FIGURE, varied),
        (tuning_iterations.FIGURE, loop),
    ):
        canvas = figure.draw(result.parts, LIGHT)
        assert canvas.width <= 430
        assert canvas.marks
        assert figure.alt(result.parts).endswith(".")
        assert figure.table(result.parts).rows
    assert figure_for(varied.parts) is tuning_weights.FIGURE
    assert tuning_iterations.FIGURE.alt(loop.parts).startswith("wer of what was decoded in ")
    assert loop.plot().name == "tuning-iterations"
    words = [word.text for word in tuning_iterations.FIGURE.draw(loop.parts, LIGHT).words]
    assert "taken" in words


def test_too_few_restarts_for_a_curve(candidates):
    few = {"sets": 2, "seeds": 2, "restarts": 1, "rounds": 0, "replicates": 20}
    varied = candidates.tune_variance(**few)
    with pytest.raises(NotEnoughData, match="fewer than four restarts"):
        tuning_restarts.FIGURE.table(varied.parts)
