"""Submissions to a metrics task: read, checked, refused with a reason; the package around them."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import adjudge as door
from adjudge.core.errors import AdjudgeError, BadParameter, InputError
from adjudge.core.files.input_file import InputFile
from adjudge.metaeval.layouts import LAYOUTS
from adjudge.metaeval.submission import read_submissions

WORDS = ("the", "cat", "sat", "on", "a", "red", "mat", "two", "dogs", "ran", "home", "in", "rain")
SYSTEMS = ("alpha", "beta", "gamma")
SEGMENTS = 24


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two language pairs, three systems, worse and worse."""
    random = np.random.default_rng(1)
    root = tmp_path_factory.mktemp("texts")
    for pair in ("en-cs", "en-de"):
        folder = root / pair
        (folder / "systems").mkdir(parents=True)
        reference = [" ".join(random.choice(WORDS, 9)) for _ in range(SEGMENTS)]
        for name in ("source", "reference"):
            (folder / f"{name}.txt").write_text("\n".join(reference) + "\n")
        for worse, system in enumerate(SYSTEMS, 1):
            lines = []
            for line in reference:
                words = line.split()
                for place in random.choice(len(words), int(random.integers(worse, 2 * worse + 1))):
                    words[place] = str(random.choice(WORDS))
                lines.append(" ".join(words))
            (folder / "systems" / f"{system}.txt").write_text("\n".join(lines) + "\n")
    return root


@pytest.fixture(scope="module")
def package(texts: Path):
    return door.metrics_task(str(texts), str(texts.parent / "task"), name="newstest", seed=3)


@pytest.fixture
def submission(package, tmp_path: Path) -> Path:
    """A sound one: the baseline under another name."""
    for level in ("seg", "sys"):
        text = (Path(package.folder) / "baselines" / f"chrf.{level}.score").read_text()
        (tmp_path / f"mine.{level}.score").write_text(text.replace("chrf\t", "MINE\t"))
    return tmp_path / "mine.seg.score"


def wrong(path: Path, package) -> list[str]:
    return [problem.what for problem in door.check_submission(str(path), package.folder).problems]


def test_the_package_names_no_system_and_holds_all_that_is_needed(package, texts: Path) -> None:
    folder = Path(package.folder)
    files = [path for path in folder.rglob("*") if path.is_file()]
    for path in files:
        assert not any(name in path.name for name in SYSTEMS)
        if path.suffix != ".py":
            assert not any(name in path.read_text() for name in SYSTEMS)
    for pair, names in package.names.items():
        for system, blind in names.items():
            shown = folder / "system-outputs" / pair / f"{blind}.txt"
            assert shown.read_text() == (texts / pair / "systems" / f"{system}.txt").read_text()
    key = Path(package.key)
    assert key.parent == folder.parent
    assert key.stat().st_mode & 0o077 == 0
    assert len(door.read_texts(testset=str(folder), pair="en-de").systems) == len(SYSTEMS)


def test_without_a_seed_names_cannot_be_guessed(texts: Path, tmp_path: Path) -> None:
    dealt = {
        tuple(door.metrics_task(str(texts), str(tmp_path / f"{n}"), metric=()).names["en-cs"])
        for n in range(12)
    }
    assert len(dealt) > 1


def test_a_sound_submission_is_sound_for_us_and_for_the_participant(
    package, submission: Path
) -> None:
    assert wrong(submission.parent, package) == []
    said = run_checker(package, submission, submission.with_name("mine.sys.score"))
    assert said.returncode == 0
    assert "0 errors, 0 warnings" in said.stdout


def run_checker(package, *files: Path) -> subprocess.CompletedProcess[str]:
    """As a participant does: nothing but Python (-S: no installed package)."""
    command = [sys.executable, "-S", str(Path(package.folder) / "check_submission.py")]
    return subprocess.run([*command, *map(str, files)], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda rows: [r for r in rows if r[3] != "system-02"], "no score of system-02"),
        (lambda rows: rows[1:], "system-01: no score of 1 of 24 segments: 1"),
        (
            lambda rows: [[*r[:3], r[3].replace("system-01", "System-1"), *r[4:]] for r in rows],
            "'System-1' is no system of the task; did you mean 'system-01'?",
        ),
        (lambda rows: [[*r[:5], "0.5"] for r in rows], "all segments have the same score"),
        (lambda rows: [[*r[:5], f"-{r[5]}"] for r in rows], "is the sign turned?"),
        (
            lambda rows: [[r[0], r[1].replace("cs", "cz"), *r[2:]] for r in rows],
            "'en-cz' is no language pair of the task; did you mean 'en-cs'?",
        ),
        (lambda rows: [["../x", *r[1:]] for r in rows], "a metric's name has no slash"),
    ],
)
def test_what_is_wrong_is_named(package, submission: Path, change, said: str) -> None:
    rows = [line.split("\t") for line in submission.read_text().splitlines()]
    submission.write_text("".join("\t".join(row) + "\n" for row in change(rows)))
    participants = run_checker(package, submission).stdout
    assert said in participants
    assert said in " ".join(wrong(submission, package))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda row: [*row[:5], "inf"], "not a finite number"),
        (lambda row: [*row[:4], "0", row[5]], "numbered from 1"),
        (lambda row: row, "twice|a second score"),
        (lambda row: [*row[:5], "high"], "a number is none|is not a number"),
    ],
)
def test_a_line_that_no_reader_takes_is_named(package, submission: Path, change, said: str) -> None:
    last = submission.read_text().splitlines()[-1].split("\t")
    with submission.open("a") as stream:
        stream.write("\t".join(change(last)) + "\n")
    assert re.search(said, run_checker(package, submission).stdout)
    with pytest.raises(InputError, match=said) as refused:
        door.check_submission(str(submission), package.folder)
    assert refused.value.line == 2 * 3 * SEGMENTS + 1


def test_a_system_that_nobody_asked_for_is_ignored(package, submission: Path) -> None:
    more = "".join(f"MINE\ten-cs\tnewstest\tsynthetic_ref\t{n}\t1\n" for n in range(1, 25))
    submission.write_text(submission.read_text() + more)
    checked = door.check_submission(str(submission), package.folder)
    assert checked.errors == 0
    assert "'synthetic_ref' is no system of the task; it is ignored" in checked.problems[0].what


def test_the_command_ends_with_2_where_something_must_be_mended(
    adjudge, package, submission: Path
) -> None:
    sound = adjudge("metaeval", "check", submission.parent, "--package", package.folder)
    assert sound.code == 0, sound.err
    assert "Nothing is wrong" in sound.out
    submission.write_text("\n".join(submission.read_text().splitlines()[:-1]) + "\n")
    broken = adjudge("metaeval", "check", submission, "--package", package.folder)
    assert broken.code == 2
    assert "no score of 1 of 24 segments: 24" in broken.out
    assert "1 errors; mend them" in broken.err


def test_collected_scores_are_under_the_systems_own_names(
    adjudge, package, submission: Path, texts: Path, tmp_path: Path
) -> None:
    place = Path(package.folder) / "submissions" / "team"
    place.mkdir(parents=True, exist_ok=True)
    copied = place / "mine.seg.score"
    copied.write_text(submission.read_text())
    try:
        asked = ("metaeval", "collect", package.folder, "--key", package.key)
        answer = adjudge(*asked, "--output", tmp_path / "all")
        assert answer.code == 0, answer.err
        direct = door.read_texts(
            {name: str(texts / "en-cs" / "systems" / f"{name}.txt") for name in SYSTEMS},
            str(texts / "en-cs" / "reference.txt"),
            pair="en-cs",
        )
        expected = direct.segment_scores("chrf").measured.segment_scores()
        for metric in ("chrf", "MINE"):
            path = tmp_path / "all" / "metric-scores" / "en-cs" / f"{metric}.seg.score"
            (given,) = read_submissions([str(path)])
            np.testing.assert_allclose(
                given.among(SYSTEMS, given.segments).segment_scores.T, expected
            )
        copied.write_text(submission.read_text().replace("system-01", "system-09"))
        refused = adjudge(*asked, "--output", tmp_path / "none")
        assert refused.code == 2
        assert "mine.seg.score" in refused.err
        assert not (tmp_path / "none").exists()
    finally:
        copied.unlink()


def test_bad_packages_are_refused(texts: Path, tmp_path: Path, package) -> None:
    with pytest.raises(AdjudgeError, match="is there already"):
        door.metrics_task(str(texts), package.folder)
    with pytest.raises(BadParameter, match="lower is better by it"):
        door.metrics_task(str(texts), str(tmp_path / "task"), metric="ter")
    with pytest.raises(InputError, match="no such file"):
        door.check_submission(str(tmp_path / "mine.seg.score"), package.folder)
    with pytest.raises(InputError, match="no such file"):
        door.check_submission(package.folder, str(tmp_path))
    assert not (tmp_path / "task").exists()


def test_wmt_files_are_read_and_broken_ones_named_by_their_line(tmp_path: Path) -> None:
    path = tmp_path / "simple.seg.score"
    path.write_bytes(LAYOUTS["wmt"].example["simple.seg.score"])
    claimed = [layout.name for layout in LAYOUTS.values() if layout.recognise(InputFile(path))]
    assert claimed == ["wmt"]
    (given,) = read_submissions([str(path)])
    assert (given.metric, given.pair, given.segments) == ("SIMPLE", "en-cs", ("1", "2"))
    np.testing.assert_array_equal(given.segment_scores, [[0.5, np.nan], [-0.001, 1]])
    sound = path.read_text()
    for line, said in (
        ("SIMPLE\ten-cs\tnewstest\tB\tone\t1", "segment 'one' is not a number"),
        ("SIMPLE\ten-cs\tnewstest\tB\t0\t1", "numbered from 1"),
        ("SIMPLE\ten-cs\tnewstest\tA\t1\t1", "a second score"),
        ("SIMPLE\ten-cs\tnewstest\tA\t1", "5 fields instead of 6"),
        ("SIMPLE\ten-cs\tnewstest\tB\t1\thigh", "score 'high' is not a number"),
    ):
        path.write_text(f"{sound}{line}\n")
        with pytest.raises(InputError, match=said) as refused:
            read_submissions([str(path)])
        assert refused.value.line == 5
    path.write_text("SIMPLE\ten-cs\tnewstest\tA\t1\n")
    with pytest.raises(InputError, match=r"ends in \.seg\.score; rename it"):
        read_submissions([str(path)])


def test_meteor_of_wmt14_is_read_whole(shared_data: Path) -> None:
    path = shared_data / "metaeval/history/wmt14-into-english/METEOR-1.5.seg.score.gz"
    given = {submission.pair: submission for submission in read_submissions([str(path)])}
    number = {pair: len(submission.systems) for pair, submission in given.items()}
    assert number == {"cs-en": 5, "de-en": 13, "fr-en": 8, "hi-en": 9, "ru-en": 13}
    assert {len(submission.segments) for submission in given.values()} == {3003, 2507}
    assert not any(np.isnan(submission.segment_scores).any() for submission in given.values())


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=list(LAYOUTS))
def test_every_layout_knows_its_own_example_and_no_other(tmp_path: Path, layout) -> None:
    ((name, content),) = layout.example.items()
    (tmp_path / name).write_bytes(content)
    file = InputFile(tmp_path / name)
    assert [each.name for each in LAYOUTS.values() if each.recognise(file)] == [layout.name]
    (given,) = read_submissions([str(tmp_path / name)])
    assert given.systems == ("A", "Překladač")
    assert np.isnan(given.segment_scores).sum() == 1


def test_a_table_says_as_much_as_it_knows(tmp_path: Path) -> None:
    path = tmp_path / "COMET.csv"
    path.write_text("system,score\nA,0.5\nB,0.25\n")
    (given,) = read_submissions([str(path)], pair="en-cs")
    assert (given.metric, given.pair, given.segment_scores) == ("COMET", "en-cs", None)
    np.testing.assert_array_equal(given.system_scores, [0.5, 0.25])
    for line, said in (("A,1", "a second score"), ("C,inf", "finite"), ("C,high", "not a number")):
        path.write_text(f"system,score\nA,0.5\n{line}\n")
        with pytest.raises(InputError, match=said) as refused:
            read_submissions([str(path)])
        assert refused.value.line == 3
    path.write_text("system,score,colour\nA,0.5,red\n")
    with pytest.raises(InputError, match="unknown column 'colour'"):
        read_submissions([str(path)])
