"""`adjudge metaeval`: both sides from files, texts and folders; what it says of bad input."""

import html
import json
import re
from pathlib import Path

import pytest

import adjudge as door
from adjudge.core.files.input_file import InputFile
from adjudge.metaeval.layouts import LAYOUTS
from adjudge.metaeval.submission import layout_of, read_submissions

pytestmark = pytest.mark.slow

PEOPLE = {"A": [9, 8, 7, 9], "B": [7, 8, 5, 6], "C": [4, 6, 5, 2], "D": [1, 3, 2, 2]}
QUICK = ("--replicates", "50")


def write(path: Path, scores: dict[str, list[float]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{system}\t{score}\n" for system, row in scores.items() for score in row]
    path.write_text("".join(lines))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An mt-metrics-eval folder: a good metric, one that is turned, one that ties everything."""
    write(tmp_path / "human-scores" / "en-de.da.seg.score", PEOPLE)
    metrics = tmp_path / "metric-scores" / "en-de"
    write(metrics / "good.seg.score", {k: [v * 10 + 1 for v in r] for k, r in PEOPLE.items()})
    write(metrics / "error.seg.score", {k: [-v for v in r] for k, r in PEOPLE.items()})
    write(metrics / "same.seg.score", {k: [1 for _ in r] for k, r in PEOPLE.items()})
    write(metrics / "lacks.sys.score", {"A": [1], "B": [2], "C": [3]})
    return tmp_path


def rows(adjudge, *arguments: object) -> dict[tuple[str, str], dict[str, object]]:
    said = adjudge("metaeval", *arguments, *QUICK, "--format", "json")
    assert said.code == 0, said.err
    return {(row["metric"], row["statistic"]): row for row in json.loads(said.out)}


def test_a_folder_has_both_sides(adjudge, folder: Path) -> None:
    found = rows(adjudge, folder, "--lower", "error")
    assert found["good", "pearson"]["value"] == pytest.approx(1)
    assert found["error", "pearson"]["value"] == pytest.approx(1)
    assert found["error", "pearson"]["turned"] is True
    assert found["same", "pearson"]["value"] is None
    assert found["lacks", "pearson"]["value"] is None
    assert found["same", "accuracy"]["value"] == 0
    notes = str(found["good", "pearson"]["notes"])
    assert "lacks has no score for D (1 of 4 systems): no value." in notes
    assert "same gives every system the same score: no value." in notes
    assert "Lower scores are better by error (↓)" in notes


def test_a_sign_turned_the_wrong_way_gets_a_note(adjudge, folder: Path) -> None:
    found = rows(adjudge, folder)
    assert found["error", "pearson"]["value"] == pytest.approx(-1)
    assert "Negative: error. If lower scores are better" in str(found["good", "pearson"]["notes"])


def test_segments(adjudge, folder: Path) -> None:
    for by in ("item", "system", "none"):
        found = rows(adjudge, folder, "--level", "segment", "--average-by", by)
        assert found["good", "accuracy-calibrated"]["value"] == 1
        assert found["good", "kendall"]["value"] == pytest.approx(1)
        assert found["lacks", "accuracy"]["value"] is None


def test_preferences_and_what_a_metric_that_ties_everything_gets(adjudge, folder, tmp_path) -> None:
    """HTIES gives it the share of human ties: B and A tie in one segment, C and B in another."""
    found = rows(adjudge, folder, "--level", "segment", "--tau", "hties", "--tau", "wmt13")
    ties = 3  # B and A, C and B, C and D
    assert found["good", "hties"]["value"] == 1
    assert found["same", "hties"]["value"] == pytest.approx(ties / 24)
    assert found["same", "wmt13"]["value"] is None
    tied = found["(ties everything)", "hties"]
    assert (tied["value"], tied["is_metric"]) == (pytest.approx(ties / 24), False)
    assert found["(ties everything)", "wmt13"]["value"] is None
    assert "DiscoTK-light-kool" in str(tied["notes"])  # how WMT13's was gamed


def test_a_metric_that_ties_everything_stands_below_scores_too(adjudge, folder) -> None:
    """Accuracy with ties gives it the share of human ties; correlations are not defined."""
    said = adjudge("metaeval", folder, "--level", "segment", *QUICK, "--format", "json")
    last = [row for row in json.loads(said.out) if not row["is_metric"]]
    assert {row["statistic"]: row["value"] for row in last} == {
        "accuracy-calibrated": pytest.approx(3 / 24),
        "accuracy": pytest.approx(3 / 24),
        "kendall": None,
        "pearson": None,
    }
    said = adjudge("metaeval", folder, "--level", "segment", *QUICK)
    assert "(ties everything) is no metric" in said.out


def test_what_is_missing_is_named(adjudge, folder: Path) -> None:
    """The first few outputs, and how many there are."""
    metrics = folder / "metric-scores" / "en-de"
    holes = {k: ["None" if v > 7 else v for v in r] for k, r in PEOPLE.items()}
    write(metrics / "holes.seg.score", holes)
    notes = rows(adjudge, folder, "--level", "segment")["good", "accuracy"]["notes"]
    assert (
        "holes has no score for segment 1 of A, segment 2 of A, segment 4 of A and 1 more "
        "(4 of 16 outputs that people judged): no value." in notes
    )
    assert "lacks has no scores of segments: no value." in notes
    notes = rows(adjudge, folder)["good", "pearson"]["notes"]
    assert (
        "holes has no score for A, B (2 of 4 systems), since some of its segments have none: no "
        "value." in notes
    )


def test_one_metric_that_spells_a_system_in_another_way(adjudge, folder: Path) -> None:
    renamed = {f"system-{name}": row for name, row in PEOPLE.items()}
    people = write(folder / "other" / "en-de.da.seg.score", renamed)
    good = write(folder / "m" / "good.seg.score", renamed)
    almost = {name.replace("-D", "D"): row for name, row in renamed.items()}
    almost["SYSTEM-C"] = almost.pop("system-C")
    spelt = write(folder / "m" / "spelt.seg.score", almost)
    for level in ("system", "segment"):
        given = ("--metric-scores", good, "--metric-scores", spelt, "--level", level)
        notes = str(rows(adjudge, people, *given)["good", "accuracy"]["notes"])
        assert "system-C (is it SYSTEM-C of spelt?), system-D (is it systemD of spelt?)" in notes
        assert "spelt has no score for system-C, system-D (2 of 4 systems): no value." in notes


def test_people_who_say_the_same_of_all(adjudge, folder: Path) -> None:
    same = {name: [5, 5, 5, 5] for name in PEOPLE}
    people = write(folder / "other" / "en-de.da.seg.score", same)
    metrics = folder / "metric-scores" / "en-de" / "good.seg.score"
    found = rows(adjudge, people, "--metric-scores", metrics)
    assert found["good", "pearson"]["value"] is None
    assert "People give every system the same score" in str(found["good", "pearson"]["notes"])
    found = rows(
        adjudge, people, "--metric-scores", metrics, "--level", "segment", "--statistic", "kendall"
    )
    assert "no outputs that both it and people tell apart" in str(found["good", "kendall"]["notes"])


def test_every_metric_against_one(adjudge, folder: Path) -> None:
    """Differences are of the others less it; r of 1 and −1 leave Zou's interval of no width."""
    said = adjudge("metaeval", folder, "--against", "error", *QUICK)
    assert said.code == 0, said.err
    table = said.out.split("every metric against error (Pearson's r -1.000, da)")[1]
    assert re.search(r"good\s+1\.000\s+2\.000\s", table)
    assert "p (Williams)" in table
    said = adjudge("metaeval", folder, "--against", "eror", *QUICK)
    assert (said.code, said.out) == (2, "")
    assert "--against cannot be 'eror'; did you mean 'error'?" in said.err


def test_names_that_almost_match_are_said(adjudge, folder: Path) -> None:
    renamed = {f"system-{name}": row for name, row in PEOPLE.items()}
    people = write(folder / "other" / "en-de.da.seg.score", renamed)
    almost = {name.replace("-", ""): row for name, row in renamed.items()}
    metric = write(folder / "m" / "x.seg.score", almost)
    said = adjudge("metaeval", people, "--metric-scores", metric)
    assert said.code == 2
    assert "0 systems in common" in said.err
    assert "system-A (is it systemA of the metrics?)" in said.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--statistic", "pearsn"), "did you mean 'pearson'?"),
        (("--lower", "nobody"), "--lower names 'nobody', which is not a metric of these files"),
        (("--tau", "wmt14"), "--tau is of preferences of segments"),
        (("--unit", "judge"), "no judge is known; choose another --unit than"),
        (("--unit", "judge", "--level", "segment"), "no judge is known; choose another --unit"),
        (("--unit", "hit"), "--unit hit is not known of these scores"),
        (("--test", "wiliams"), "did you mean 'williams'?"),
        (("--test", "williams", "--statistic", "kendall"), "--test williams is of Pearson's r"),
        (("--scale", "mqm"), "human-scores/ has en-de.da"),
        (("--level", "segment", "--unit", "hit"), "--unit cannot be 'hit'"),
    ],
)
def test_bad_parameters(adjudge, folder: Path, arguments: tuple[str, ...], message: str) -> None:
    said = adjudge("metaeval", folder, *arguments)
    assert (said.code, said.out) == (2, "")
    assert message in said.err


def test_directions_of_our_own_metrics_are_known(adjudge, folder: Path) -> None:
    people = folder / "human-scores" / "en-de.da.seg.score"
    said = adjudge("metaeval", people, "-m", "chrf", "--lower", "chrff")
    assert said.code == 2
    assert "--lower is for --metric-scores" in said.err


def test_no_metrics(adjudge, folder: Path) -> None:
    said = adjudge("metaeval", folder / "human-scores" / "en-de.da.seg.score")
    assert said.code == 2
    assert "there are no metrics" in said.err


def test_rankings_with_metrics_from_texts() -> None:
    """Every unit of judgements gives an interval around the value."""
    judgements = door.simulate(systems=4, rankings=200, seed=1)
    outputs = {name: ["a b c d"[: 7 - 2 * i]] * 60 for i, name in enumerate(judgements.systems)}
    metrics = door.from_texts(outputs, [["a b c d"] * 60]).metric_scores(["chrf", "ter"])
    for unit in ("auto", "ranking", "judge", "system"):
        result = judgements.metaeval(metrics, unit=unit, replicates=50)
        value = result.values[:, 0]
        assert ((result.low <= value + 0.05) & (result.high >= value - 0.05)).all(), unit
        assert result.level == "system"
    assert "ter ↓" in result.render("markdown")


def test_several_pairs_have_averages_without_some() -> None:
    people = door.from_scores(
        list("ABCABC"), list("111111"), [9, 5, 1, 9, 1, 5], pair=["cs-en"] * 3 + ["de-en"] * 3
    )
    outputs = {"A": ["a b c d"], "B": ["a b x y"], "C": ["a x y z"]}
    metrics = [
        door.from_texts(outputs, [["a b c d"]], pair=pair).metric_scores("chrf")
        for pair in ("cs-en", "de-en")
    ]
    both = metrics[0] + metrics[1]
    whole = people.metaeval(both, unit="none", statistic="spearman")
    assert "average Spearman's ρ" in whole.render("table")
    assert "0.750" in whole.render("table").split("cs-en:")[0]
    part = people.metaeval(both, unit="none", statistic="spearman", leave_out_of_average="de-en")
    text = part.render("table").split("cs-en:")[0]
    assert "Averages are without de-en." in text
    assert "1.000" in text
    with pytest.raises(door.BadParameter, match="chrf is among the metrics twice"):
        _ = both + metrics[0]


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=lambda layout: layout.name)
def test_examples_of_layouts_are_recognised_and_read(layout, tmp_path: Path) -> None:
    for name, content in layout.example.items():
        path = tmp_path / name
        path.write_bytes(content)
        assert layout_of(InputFile(path)) is layout
        assert read_submissions([str(path)])


def test_what_is_scored_twice_is_refused(tmp_path: Path) -> None:
    paths = [str(write(tmp_path / each / "x.sys.score", {"A": [1]})) for each in ("a", "b")]
    with pytest.raises(door.InputError, match="x scores the whole of A twice"):
        read_submissions(paths)


def test_outliers_are_shown_with_and_without() -> None:
    """E alone makes r: the other four are in the wrong order."""
    people = door.from_scores(list("ABCDE"), ["1"] * 5, [80, 79, 78, 77, 10])
    outputs = {"A": "a x", "B": "a b", "C": "a b c", "D": "a b c d", "E": "y"}
    texts = door.from_texts({name: [text] for name, text in outputs.items()}, [["a b c d"]])
    whole, rest = people.metaeval(
        texts.metric_scores("chrf"), without_outliers=True, unit="none", statistic="pearson"
    )
    assert (whole.systems, rest.systems) == (5, 4)
    assert whole.values[0, 0] > 0.5
    assert rest.values[0, 0] < 0
    assert "Without the outliers E (Mathur 2020)." in rest.notes
    with pytest.raises(door.BadParameter, match="is of systems"):
        people.metaeval(texts.metric_scores("chrf"), without_outliers=True, level="segment")


def test_williams_test_is_offered(wmt23) -> None:
    """Of systems drawn from a population r differ less surely than by swapping their scores."""
    from adjudge.metaeval.system_level import system_level
    from adjudge.stats.resampling import Resampling

    task = wmt23["en-de.default mqm"]
    result = system_level(task, ["pearson"], Resampling("none"), "none", "williams")
    best, random = 0, result.metrics.index("Random-sysname-src")
    assert result.p[best, random] < 0.001
    assert "Williams's test" in result.notes[-1]
    assert result.cluster[random] > 1


def test_which_metric_beats_which_is_shown(adjudge, folder: Path) -> None:
    """Of four systems 2⁴ swaps: the good metric beats the turned one by p = 1/16."""
    said = adjudge("metaeval", folder, "--p-values", *QUICK)
    assert said.code == 0, said.err
    matrix = said.out.split("p of the test that the row's metric is better than the column's")[1]
    assert re.search(r"1\s+good\s+–\s+0\.062⋆\n", matrix)
    assert "same" not in matrix.split("One-sided")[0]  # it has no value, so nothing was tested
    said = adjudge("metaeval", folder, "--p-values", *QUICK, "--format", "json")
    between = [row for row in json.loads(said.out) if "other_metric" in row]
    assert [(row["metric"], row["other_metric"], row["p"]) for row in between] == [
        ("good", "error", 1 / 16)
    ]


def test_metrics_are_drawn_against_people(adjudge, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "metrics.svg"
    said = adjudge("metaeval", folder, "--lower", "error", "--figure", path, *QUICK)
    assert said.code == 0, said.err
    drawn = path.read_text()
    for metric in ("good (Pearson's r 1.000)", "error ↓ (Pearson's r 1.000)", "same (no Pearson's"):
        assert metric in html.unescape(drawn)
    assert "lacks (" not in drawn  # it has no score of D
    path.unlink()
    said = adjudge("metaeval", folder, "--level", "segment", "--figure", path, *QUICK)
    assert (said.code, said.out) == (2, "")
    assert "the figure is of systems: ask for --level system" in said.err
    assert not path.exists()


@pytest.mark.parametrize(
    "asked",
    [
        ("--lower", "error", "--p-values"),
        ("--level", "segment", "--tau", "hties", "--unit", "segment"),
        ("--table", "wmt23"),
    ],
)
def test_a_signature_makes_it_again(adjudge, folder: Path, asked: tuple[str, ...]) -> None:
    people = folder / "human-scores" / "en-de.da.seg.score"
    metrics = folder / "metric-scores"
    if "--table" not in asked:
        asked = (*asked, *QUICK)
    said = adjudge("metaeval", people, "--pair", "en-de", "--metric-scores", metrics, *asked)
    assert said.code == 0, said.err
    signature = said.out.splitlines()[-1]
    again = adjudge("again", signature, people, "--metric-scores", metrics)
    assert again.code == 0, again.err
    assert again.out == said.out
    again = adjudge("again", signature, people)
    assert (again.code, again.out) == (2, "")
    assert "needs the scores of the metrics, too: name the files with --metric-scores" in again.err
    write(metrics / "en-de" / "further.seg.score", PEOPLE)
    again = adjudge("again", signature, people, "--metric-scores", metrics)
    assert (again.code, again.out) == (2, "")
    assert "--metric-scores are not the files of this signature" in again.err


def test_a_signature_of_metrics_from_texts_takes_them_as_they_are(tmp_path: Path) -> None:
    path = str(tmp_path / "people.jsonl")
    door.from_scores(list("ABCABC"), list("111222"), [9, 8, 5, 9, 8, 2]).write(path)
    outputs = {"A": ["a b c", "d e f"], "B": ["a b", "d e f"], "C": ["a", "d e"]}
    metrics = door.from_texts(outputs, [["a b c", "d e f"]]).metric_scores("chrf")
    result = door.read(path).metaeval(metrics, replicates=20)
    same = door.again(str(result.signature), path, metrics=metrics)
    assert same.to_frame().equals(result.to_frame())
