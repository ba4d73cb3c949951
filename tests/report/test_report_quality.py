"""The report on a model of quality, of every task, as a page, LaTeX and Markdown."""

import json
import re
from html import unescape

import pytest
from quality_data import models_of_every_task

pytestmark = pytest.mark.slow

QUICK = ("--replicates", "50")


@pytest.fixture(scope="module")
def models(tmp_path_factory, adjudge):
    """For every task: the model, its training data, and other data."""
    return models_of_every_task(tmp_path_factory.mktemp("models"), adjudge)


HEADINGS = {
    "hter": ["How good it is", "How sure it is", "Which to edit first", "What it leans on"],
    "time": ["How good it is", "How sure it is", "By translator", "What it leans on"],
    "words": ["How good it is", "How sure it is", "What it leans on"],
    "ranks": ["How good it is", "Which to take", "What it leans on"],
}


@pytest.mark.parametrize("task", HEADINGS)
def test_every_task_has_its_page(adjudge, models, tmp_path, task) -> None:
    model, training, data = models[task]
    told = ("quality", "report", model, data, "--training", training, "-o", tmp_path / "p.html")
    answer = adjudge(*told, *QUICK)
    assert answer.code == 0, answer.err
    assert answer.out == ""
    page = (tmp_path / "p.html").read_text()
    found = [unescape(each) for each in re.findall(r"<h2><bdi>(.*?)</bdi></h2>", page)]
    assert found[: len(HEADINGS[task])] == HEADINGS[task]
    assert "What more data would bring" in found
    assert found[-1] == "The model"
    assert page.count("<svg") >= 2
    assert "nan" not in re.sub(r"<script.*?</script>|<svg.*?</svg>", "", page, flags=re.DOTALL)
    summary = json.loads(re.search(r'id="summary">(.*?)</script>', page, re.DOTALL)[1])
    assert summary["command"].startswith("adjudge quality report ")
    assert {"training", "output", "replicates"} <= set(re.findall(r"--(\w+)", summary["command"]))
    tables = {name for section in summary["pairs"] for name in section["tables"]}
    assert {"importance", "learning", "model"} <= tables


def test_words_are_marked_by_more_than_colour(adjudge, models, tmp_path) -> None:
    model, _, data = models["words"]
    adjudge("quality", "report", model, data, "-o", tmp_path / "p.html", *QUICK)
    page = (tmp_path / "p.html").read_text()
    named = re.findall(r'<span class="h(\d) named">(.*?)<sup>(\d+)</sup></span>', page)
    assert named
    for step, word, percent in named:
        assert unescape(word) in ("<xx>", "yy")
        assert int(step) == min(int(int(percent) / 100 * 9), 8) or int(percent) % 11 in (0, 10)
    assert '<span class="changed">✗</span>' in page
    assert "&lt;xx&gt;" in page
    assert "give the data that the model was trained on with --training" in unescape(page)


@pytest.mark.parametrize(("ending", "kind"), [("md", "svg"), ("tex", "pdf")])
@pytest.mark.parametrize("task", ["hter", "words"])
def test_texts_have_their_figures_beside_them(
    adjudge, models, tmp_path, task, ending, kind
) -> None:
    model, _, data = models[task]
    answer = adjudge("quality", "report", model, data, "-o", tmp_path / f"p.{ending}", *QUICK)
    assert answer.code == 0, answer.err
    text = (tmp_path / f"p.{ending}").read_text()
    figures = sorted(each.name for each in (tmp_path / "p-figures").iterdir())
    assert figures
    assert all(each.endswith(f".{kind}") and each in text for each in figures)
    assert "How good it is" in text
    if task == "words":
        assert ("**yy** (" if ending == "md" else r"\textbf{yy} (") in text


@pytest.mark.parametrize("task", HEADINGS)
def test_latex_compiles(adjudge, models, tmp_path, compiles, task) -> None:
    model, training, data = models[task]
    told = ("--training", training, "--title", "50 % of <&_$#~^\\>", "-o", tmp_path / "p.tex")
    answer = adjudge("quality", "report", model, data, *told, *QUICK)
    assert answer.code == 0, answer.err
    compiles(tmp_path / "p.tex")


def test_predictions_of_others_stand_beside_the_model(adjudge, models, tmp_path) -> None:
    model, _, data = models["hter"]
    other = tmp_path / "other.txt"
    other.write_text("0.5\n" * 120)
    told = ("quality", "report", model, data, "--baseline", other, "-o", tmp_path / "p.md")
    assert adjudge(*told, *QUICK).code == 0
    text = (tmp_path / "p.md").read_text()
    assert "better than other" in text
    assert "always the training mean" in text


def test_bad_input_writes_nothing(adjudge, models, tmp_path) -> None:
    model, training, data = models["hter"]
    page = tmp_path / "page.html"
    for told, said in (
        ((model, training), "was trained on these data and knows their quality; give others"),
        ((model, data, "--training", data), "--training are not the data"),
        ((models["ranks"][0], data), "there are no rankings of candidates"),
        ((model, data, "--title", "x", "--unit", "judge"), "--unit cannot be"),
    ):
        answer = adjudge("quality", "report", *told, "-o", page, *QUICK)
        assert answer.code == 2, told
        assert said in answer.err
        assert answer.err.count("\n") == 1
        assert not page.exists()
    answer = adjudge("quality", "report", model, data, "-o", tmp_path / "page.doc")
    assert answer.code == 2
