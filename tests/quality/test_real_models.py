"""Models of real data by commands: WMT12, from training to the report."""

import json
import re

import numpy as np
import pytest

pytestmark = pytest.mark.slow

WMT12 = "quality/wmt12-qe/wmt12-qe.tar.xz"


@pytest.fixture(scope="module")
def effort(unpacked, adjudge, tmp_path_factory):
    """A model of WMT12's effort from every fourth training line; these; the lines after them."""
    folder, parts = unpacked(WMT12), [tmp_path_factory.mktemp(name) for name in ("own", "others")]
    for file in (folder / "train").iterdir():
        lines = file.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        for first, part in enumerate(parts):
            text = "\n".join(lines[first::4]) + "\n"
            (part / file.name).write_text(text, encoding="utf-8")
    model = parts[0].with_name("effort.adjudge")
    told = ("--predict", "effort", "--feature", "given", "--learner", "elastic-net")
    answer = adjudge("quality", "train", parts[0], "-o", model, *told)
    assert answer.code == 0, answer.err
    return model, *parts


def test_predicted_effort_is_better_than_the_mean(effort, adjudge, tmp_path) -> None:
    model, _, data = effort
    gold = np.loadtxt(data / "target_system.effort")
    predicted = tmp_path / "predicted.tsv"
    assert adjudge("quality", "predict", model, data, "-o", predicted).code == 0
    told = ("quality", "evaluate", data, predicted, "--predict", "effort", "-f", "json")
    rows = json.loads(adjudge(*told, "--replicates", "100").out)
    ours = {key: v for row in rows if row["submission"] == "predicted" for key, v in row.items()}
    assert ours["mae"] < 0.9 * np.abs(gold - gold.mean()).mean()
    assert ours["delta_avg_low"] > 0
    scores = np.loadtxt(predicted, skiprows=1, usecols=(1, 2, 3))
    held = ((scores[:, 1] <= gold) & (gold <= scores[:, 2])).mean()
    assert 0.858 < held < 0.942  # 90 %, and three standard errors of 458


def test_standard_input_says_the_same_as_files(effort, adjudge) -> None:
    model, _, data = effort
    features = (data / "features17.tsv").read_text().splitlines()[:5]
    sides = [
        (data / name).read_text(encoding="utf-8").splitlines()[:5]
        for name in ("source.eng", "target_system.spa")
    ]
    lines = [
        json.dumps({"source": source, "target": target}
                   | {f"feature_{n}": float(v) for n, v in enumerate(row.split("\t"), 1)})
        for source, target, row in zip(*sides, features, strict=True)
    ]  # fmt: skip
    given = ("\n".join(lines) + "\n").encode()
    answer = adjudge("quality", "predict", model, "-", stdin=given)
    assert answer.code == 0, answer.err
    whole = adjudge("quality", "predict", model, data)
    assert answer.out.splitlines() == whole.out.splitlines()[:6]


def test_gain_and_report_of_held_out_data(effort, adjudge, tmp_path) -> None:
    model, training, data = effort
    rows = json.loads(adjudge("quality", "gain", model, data, "-f", "json").out)
    fifth = next(row for row in rows if row["edited"] == 0.2)
    assert 0.2 < fifth["saved_low"] < fifth["saved"] < fifth["saved_high"] < fifth["oracle"]
    page = tmp_path / "page.html"
    told = ("quality", "report", model, data, "--training", training, "-o", page)
    answer = adjudge(*told, "--replicates", "100")
    assert answer.code == 0, answer.err
    summary = re.search(r'id="summary">(.*?)</script>', page.read_text(), re.DOTALL)
    sections = {each["pair"]: each["tables"] for each in json.loads(summary[1])["pairs"]}
    learned = sections["What more data would bring"]["learning"]
    assert [row["learned_from"] for row in learned] == [29, 57, 114, 229, 458, 916, 1832]
    assert learned[0]["mae"] > learned[4]["mae"]
    assert len(sections["Where it is wrong"]["errors"]) == 10
    assert len(sections["What it leans on"]["importance"]) == 18
