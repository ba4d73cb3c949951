"""Reports on models of quality in a real browser: nothing for axe-core to complain about."""

import pytest
from quality_data import models_of_every_task


@pytest.fixture(scope="module")
def pages(tmp_path_factory, adjudge):
    """The report on a model of every task, by task."""
    folder = tmp_path_factory.mktemp("models")
    made = {}
    for task, (model, training, data) in models_of_every_task(folder, adjudge).items():
        made[task] = folder / f"{task}.html"
        told = ("--training", training, "--replicates", "50", "-o", made[task])
        answer = adjudge("quality", "report", model, data, *told)
        assert answer.code == 0, answer.err
    return made


@pytest.mark.parametrize("width", [1400, 390])
def test_axe_has_nothing_to_complain_about(pages, browser, look, complaints, width) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900})
    shown = context.new_page()
    for task, page in pages.items():
        shown.goto(page.as_uri())
        shown.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        look(shown, task)
    context.close()
    assert complaints == [], "\n".join(complaints)
