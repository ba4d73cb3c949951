"""The Python door: read, choose, ask, show, make again."""

import dataclasses
import doctest
import inspect
import json
import pkgutil
import subprocess
import sys
from importlib import import_module

import numpy as np
import polars as pl
import pytest

import adjudge
from adjudge import api


@pytest.fixture(scope="module")
def judgements() -> adjudge.Judgements:
    return adjudge.simulate(systems=4, rankings=300, judges=6, documents=20, seed=1)


@pytest.fixture(scope="module")
def file(judgements, tmp_path_factory) -> str:
    path = str(tmp_path_factory.mktemp("door") / "judgements.jsonl.gz")
    assert judgements.write(path) == ()
    return path


def answers(judgements):
    """One result of every question."""
    return {
        "rank": judgements.rank(replicates=50),
        "compare": judgements.compare(),
        "methods": judgements.methods(runs=5),
        "agreement": judgements.agreement(replicates=50),
        "diagnose": judgements.diagnose(only="speed"),
        "plan": judgements.plan(simulations=10),
        "info": judgements.info(),
        "timing": judgements.timing(),
    }


@pytest.fixture(scope="module")
def results(file):
    return answers(adjudge.read(file))


QUESTIONS = ("rank", "compare", "methods", "agreement", "diagnose", "plan", "info", "timing")


def test_the_lists_of_the_door_agree():
    assert set(adjudge.__all__) == {*adjudge._HOMES, "__version__"}
    assert dir(adjudge) == sorted(adjudge.__all__)
    for name in adjudge.__all__:
        assert getattr(adjudge, name) is not None
    with pytest.raises(AttributeError, match="rnk"):
        adjudge.rnk  # noqa: B018


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_result_is_frozen_shown_and_signed(results, question):
    result = results[question]
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.parts = ()
    line = str(result.signature)
    assert line.startswith(f"adjudge:{question}|")
    assert line in repr(result)
    assert line in result.render("markdown")
    assert f"% {line}" in result.render("latex").replace("\\_", "_")
    html = result._repr_html_()
    assert "<table" in html
    assert result.signature.input in html
    rows = json.loads(result.render("json"))
    assert {row["signature"] for row in rows} == {line}
    frame = result.to_frame()
    assert isinstance(frame, pl.DataFrame)
    assert len(frame) == len(rows)
    assert set(frame["signature"]) == {line}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_signature_makes_the_same_numbers_again(results, file, question):
    result = results[question]
    again = adjudge.again(str(result.signature), file)
    assert again.to_frame().equals(result.to_frame())


def test_a_signature_of_other_data_is_refused(results, judgements, tmp_path):
    other = str(tmp_path / "other.jsonl")
    judgements.select(judge=judgements.judges[0]).write(other)
    with pytest.raises(adjudge.BadParameter, match="not the input of this signature"):
        adjudge.again(str(results["rank"].signature), other)


def test_agreement_on_labels_is_signed_too(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("item,judge,label\n1,ann,GOOD\n1,bob,ALMOST\n2,ann,BAD\n2,bob,GOOD\n")
    agreed = adjudge.label_agreement(str(path), merge=["ALMOST=GOOD"], replicates=20)
    assert agreed[0].kind == "inter"
    assert set(agreed.to_frame()["signature"]) == {str(agreed.signature)}
    again = adjudge.again(str(agreed.signature), str(path))
    assert again.to_frame().equals(agreed.to_frame())
    path.write_text(path.read_text() + "3,ann,BAD\n")
    with pytest.raises(adjudge.BadParameter, match="not the input of this signature"):
        adjudge.again(str(agreed.signature), str(path))


def test_a_choice_is_part_of_the_signature(file, judgements):
    judge = judgements.judges[0]
    chosen = adjudge.read(file).select(without_judge=judge)
    ranking = chosen.rank(replicates=20)
    assert f"without_judge:{judge}" in str(ranking.signature)
    again = adjudge.again(str(ranking.signature), file)
    assert again.to_frame().equals(ranking.to_frame())


def test_a_choice_made_twice_is_known_by_its_content(file, judgements):
    first, second = judgements.judges[:2]
    once = adjudge.read(file).select(without_judge=first).select(without_judge=second)
    both = adjudge.read(file).select(without_judge=(first, second))
    assert once.table.equals(both.table)
    assert once.hash != both.hash  # of the table; of the file
    assert once.source.files == ()


def test_names_and_methods_rank_alike(judgements):
    by_name = judgements.rank("win-ratio", replicates=20)
    by_method = judgements.rank(adjudge.METHODS["win-ratio"], replicates=20)
    assert np.array_equal(by_name.scores, by_method.scores)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"method": "expected-win"}, "did you mean 'expected-wins'"),
        ({"unit": "judges"}, "did you mean 'judge'"),
        ({"outputs": "colapsed"}, "did you mean 'collapsed'"),
        ({"replicates": 0}, "`replicates` is 1 or more, not 0"),
        ({"level": 1}, "`level` is between 0 and 1, not 1"),
        ({"seed": -1}, "`seed` is 0 or more, not -1"),
        ({"workers": 0}, "workers"),
        ({"engine": "dask"}, "dask://HOST:PORT"),
    ],
)
def test_nothing_wrong_gets_past_the_door(judgements, parameters, message):
    with pytest.raises(adjudge.AdjudgeError, match="(?s)" + message.replace("?", r"\?")):
        judgements.rank(**parameters)


def test_other_questions_check_theirs(judgements):
    with pytest.raises(adjudge.BadParameter, match="did you mean 'wmt15'"):
        judgements.agreement(convention="wmt16")
    with pytest.raises(adjudge.BadParameter, match="did you mean 'length'"):
        judgements.agreement("lenght")
    with pytest.raises(adjudge.BadParameter, match="correction"):
        judgements.compare(correction="bonferroni")
    with pytest.raises(adjudge.BadParameter, match="did you mean 'speed'"):
        judgements.diagnose("sped")
    with pytest.raises(adjudge.BadParameter, match="did you mean 'scores'"):
        judgements.plot("score")
    with pytest.raises(adjudge.BadParameter, match="two systems"):
        judgements.plan(["A"])
    with pytest.raises(adjudge.AdjudgeError, match="nobody"):
        judgements.select(judge="nobody")


def test_figures_show_themselves_and_are_saved(judgements, tmp_path):
    plot = judgements.rank(replicates=20).plot("scores")
    assert plot._repr_svg_().startswith("<svg")
    path = tmp_path / "scores.png"
    plot.save(str(path))
    assert path.read_bytes().startswith(b"\x89PNG")


def test_several_language_pairs_are_ranked_by_themselves(simulated):
    table = pl.concat([simulated("aaa-bbb", ["X", "Y", "Z"]), _later(simulated("ccc-ddd", "PQR"))])
    ranking = adjudge.Judgements(table).rank(replicates=20)
    assert [part.pair for part in ranking] == ["aaa-bbb", "ccc-ddd"]
    assert set(ranking["ccc-ddd"].systems) == set("PQR")
    with pytest.raises(AttributeError, match="2 parts"):
        ranking.systems  # noqa: B018
    with pytest.raises(adjudge.BadParameter, match="aaa-bbb"):
        ranking["aaa"]
    with pytest.raises(adjudge.BadParameter, match="one language pair"):
        ranking.plot()


def _later(table: pl.DataFrame) -> pl.DataFrame:
    return table.with_columns(pl.col("ranking") + 10**6)


def test_the_report_names_its_signature(judgements, file, tmp_path):
    page = tmp_path / "report.html"
    adjudge.read(file).report(str(page), replicates=20, runs=2)
    text = page.read_text()
    assert "adjudge:report|" in text
    assert "--replicates 20" in text


def test_results_are_written_as_their_ending_says(judgements, tmp_path):
    ranking = judgements.rank(replicates=20)
    for ending in ("txt", "json", "csv", "md", "tex", "html"):
        path = tmp_path / f"ranking.{ending}"
        ranking.write(str(path))
        assert path.stat().st_size
    with pytest.raises(adjudge.BadParameter, match="its ending names no format"):
        ranking.write(str(tmp_path / "ranking.xls"))


def test_scores_are_ranked(shared_data):
    scores = adjudge.read(str(shared_data / "wmt23" / "human-scores" / "en-de.mqm.seg.score"))
    assert isinstance(scores, adjudge.Scores)
    ranking = scores.rank(replicates=100)
    assert ranking.rank[0] == 1
    assert str(ranking.signature).startswith("adjudge:scores.rank|")
    assert isinstance(scores.as_judgements(), adjudge.Judgements)


def modules():
    return [
        import_module(f"adjudge.api.{module.name}") for module in pkgutil.iter_modules(api.__path__)
    ]


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__)
def test_the_examples_run(module):
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def public():
    """Every public function, class and method of the door."""
    for name in adjudge.__all__:
        thing = getattr(adjudge, name)
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing) and thing.__module__.startswith("adjudge.api"):
            for attribute, member in inspect.getmembers(thing, inspect.isfunction):
                if not attribute.startswith("_") and member.__module__.startswith("adjudge"):
                    yield f"{name}.{attribute}", member


@pytest.mark.parametrize(("name", "function"), list(public()))
def test_docstrings_name_every_parameter_and_show_an_example(name, function):
    text = inspect.getdoc(function) or ""
    assert text, name
    for parameter in inspect.signature(function).parameters:
        if parameter not in ("self", "settings"):
            assert parameter in text, f"{name}: {parameter}"
    assert "Examples\n--------\n>>> " in text, name


def test_importing_the_door_imports_nothing_heavy():
    code = (
        "import sys, adjudge; "
        "print([m for m in ('numpy','polars','scipy','numba','django','matplotlib','argparse') "
        "if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
