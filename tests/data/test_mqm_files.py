"""Marked errors as MQM scores, as WMT's TSV files, and means for mt-metrics-eval."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.data.mqm import CATEGORIES, mqm_scores, with_mqm
from adjudge.data.score_table import score_table
from adjudge.data.table_files import read, read_any, read_scores, write

HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
TEXT = "Die 😀 Katze schläft."


def span(start: int | None, end: int | None, severity: str, category: str | None = None) -> Any:
    return {"start": start, "end": end, "severity": severity, "category": category}


def table(*rows: dict[str, Any]) -> pl.DataFrame:
    """A score table of outputs with marked errors."""
    usual = {
        "pair": "en-de",
        "document": "cats",
        "segment": "1",
        "judge": "Ada",
        "output": "One",
        "scale": "error-spans",
        "score": 50.0,
        "source": "The cat sleeps.",
        "text": TEXT,
    }
    filled = [{"item": n, **usual, **row} for n, row in enumerate(rows, 1)]
    return score_table(pl.DataFrame(filled, infer_schema_length=None))


@pytest.mark.parametrize(
    ("spans", "score"),
    [
        ([], 0),
        ([span(0, 3, "minor")], -1),
        ([span(0, 3, "major", "grammar"), span(None, None, "minor", "omission")], -6),
        ([span(0, 3, "minor", "punctuation"), span(4, 5, "minor", "punctuation")], -0.2),
        ([span(0, 3, "major", "punctuation")], -5),
        ([span(0, 3, "major", "non-translation")], -25),
        ([span(0, 3, "minor", "non-translation")], -1),
        ([span(0, 3, "neutral", "style")], 0),
    ],
)
def test_weights_of_wmt(spans: list[Any], score: float) -> None:
    found = with_mqm(table({"spans": spans}, {"segment": "2", "spans": None}))
    assert found["scale"].to_list() == ["error-spans", "mqm", "error-spans"]
    assert found["score"][1] == pytest.approx(score)
    assert str(found["score"][1]) != "-0.0"
    assert with_mqm(found).equals(found)


def test_an_unknown_severity_is_refused() -> None:
    with pytest.raises(InputError, match="severity 'awful' has no weight in MQM"):
        mqm_scores(table({"spans": [span(0, 3, "awful")]}))


def test_the_tsv_of_wmt(tmp_path: Path) -> None:
    path = tmp_path / "en-de.mqm.tsv"
    two = "One\x1fTwo"
    marks = [span(4, 5, "minor", "spelling"), span(None, None, "major", "omission")]
    write(
        table(
            {"segment": "11", "output": two, "spans": marks},
            {"segment": "13", "spans": []},
            {"segment": "13", "spans": [span(0, 3, "major", "grammar")]},  # met again
            {"segment": "20", "document": "dogs", "spans": [span(6, 11, "major")]},
        ),
        str(path),
    )
    cat = "The cat sleeps."
    lines = [
        f"{system}\tcats\t1\t11\tAda\t{cat}\t{target}\t{kind}"
        for system in ("One", "Two")
        for target, kind in (
            ("Die <v>😀</v> Katze schläft.", "Fluency/Spelling\tMinor"),
            (TEXT, "Accuracy/Omission\tMajor"),
        )
    ] + [
        f"One\tcats\t3\t13\tAda\t{cat}\t{TEXT}\tNo-error\tNo-error",
        f"One\tdogs\t1\t20\tAda\t{cat}\tDie 😀 <v>Katze</v> schläft.\t\tMajor",
    ]
    assert path.read_text() == HEADER + "".join(line + "\n" for line in lines)


def test_a_tsv_of_wmt_is_read(tmp_path: Path) -> None:
    """Capitals differ between years, a newer file has other names and more columns."""
    path = tmp_path / "en-de.tsv"
    new = HEADER.replace("doc_id", "docSegId").replace("seg_id", "globalSegId")
    cat = "c.1\t7\t107\trater1\tThe “cat” sleeps.\t"
    path.write_text(
        new.rstrip("\n") + "\tmetadata\n"
        f'One\t{cat}Die Katze "<v>schläft</v>"\tAccuracy/Mistranslation\tMajor\t{{}}\n'
        f'One\t{cat}Die <v>Katze </v>"schläft"\tFluency/punctuation\tminor\t{{}}\n'
        f'One\t{cat}Die Katze "schläft"\tLocale convention/Date format\tMinor\t\n'
        f"Two\t{cat}Die Katze schläft.\tNo-error\tno-error\t\n"
    )
    found = read_scores(str(path))
    assert found.select(
        "pair", "document", "segment", "judge", "output", "scale", "text"
    ).rows() == [
        ("en-de", "c.1", "107", "rater1", "One", "mqm", 'Die Katze "schläft"'),
        ("en-de", "c.1", "107", "rater1", "Two", "mqm", "Die Katze schläft."),
    ]
    assert found["score"].to_list() == [pytest.approx(-6.1), 0]
    assert found["spans"].to_list() == [
        [
            span(11, 18, "major", "mistranslation"),
            span(4, 10, "minor", "punctuation"),
            span(None, None, "minor", "Locale convention/Date format"),
        ],
        [],
    ]
    assert read(str(path))["rank"].to_list() == [2, 1]  # as the ranking it implies


def test_lines_that_contradict_each_other_are_named(tmp_path: Path) -> None:
    path = tmp_path / "en-de.tsv"
    one = "One\tc\t1\t1\trater1\tThe cat.\t"
    path.write_text(f"{HEADER}{one}Die Katze\tOther\tMinor\n{one}Der Hund\tOther\tMinor\n")
    with pytest.raises(InputError, match="another target") as refused:
        read_scores(str(path))
    assert refused.value.line == 3


def test_what_the_tsv_would_distort_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "en-de.tsv")
    with pytest.raises(InputError, match="look like a mark"):
        write(table({"text": "a <v> tag", "spans": []}), path)
    with pytest.raises(InputError, match="no errors are marked"):
        write(table({"spans": None}), path)
    assert not Path(path).exists()


@st.composite
def marked(draw: st.DrawFn) -> dict[str, Any]:
    letters = st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="<")
    text = draw(st.text(letters, min_size=1, max_size=20).filter(str.strip))
    ends = draw(st.lists(st.integers(0, len(text)), max_size=6, unique=True).map(sorted))
    severity = st.sampled_from(["minor", "major"])
    category = st.sampled_from([None, *CATEGORIES])
    omitted = draw(st.sampled_from([[], [(None, None)]]))
    places = [*zip(ends[::2], ends[1::2], strict=False), *omitted]
    spans = [span(start, end, draw(severity), draw(category)) for start, end in places]
    return {"text": text, "spans": spans}


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(st.lists(marked(), min_size=1, max_size=4))
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, outputs: list[dict[str, Any]]
) -> None:
    rows = [{**output, "segment": str(n)} for n, output in enumerate(outputs, 1)]
    before = table(*rows)
    path = str(tmp_path_factory.mktemp("mqm") / "en-de.mqm.tsv.gz")
    write(before, path)
    after = read_scores(path)
    same = ["pair", "document", "segment", "judge", "output", "text", "spans"]
    expected = with_mqm(before).cast({"scale": str}).filter(scale="mqm")
    assert after.select(same).rows() == expected.select(same).rows()
    assert after["score"].to_list() == pytest.approx(expected["score"].to_list())


def test_means_for_mt_metrics_eval(tmp_path: Path) -> None:
    found = table(
        {"segment": "2", "score": 10.0, "spans": [span(0, 3, "major")]},
        {"segment": "2", "score": 20.0, "spans": []},  # met again
        {"segment": "2", "score": 75.0, "judge": "Bob", "spans": []},
        {"segment": "3", "score": 40.0, "spans": []},
        {"segment": "3", "score": 60.0, "output": "Two\x1fThree", "spans": []},
    )

    def written(name: str) -> list[str]:
        write(found, str(tmp_path / name))
        return (tmp_path / name).read_text().splitlines()

    assert written("en-de.error-spans.seg.score") == [
        *("One\tNone", "One\t45.0", "One\t40.0"),
        *("Three\tNone", "Three\tNone", "Three\t60.0"),
        *("Two\tNone", "Two\tNone", "Two\t60.0"),
    ]
    assert written("en-de.error-spans.sys.score") == ["One\t42.5", "Three\t60.0", "Two\t60.0"]
    assert written("en-de.mqm.sys.score") == ["One\t-0.625", "Three\t0.0", "Two\t0.0"]
    for name, reason in (
        ("en-fr.mqm.seg.score", "no scores of the pair 'en-fr'; there are: en-de"),
        ("en-de.da.seg.score", "no scores of the scale 'da'; there are: error-spans"),
        ("mine.score", "its name does not say what to write"),
    ):
        with pytest.raises(AdjudgeError, match=reason):
            written(name)
        assert not (tmp_path / name).exists()


def test_segments_numbered_in_documents_need_to_know_where_these_begin(tmp_path: Path) -> None:
    found = table({"segment": "2", "spans": []}, {"segment": "2", "document": "dogs", "spans": []})
    folder = tmp_path / "human-scores"
    folder.mkdir()
    path = folder / "en-de.error-spans.seg.score"
    with pytest.raises(AdjudgeError, match=r"put documents/PAIR\.docs beside"):
        write(found, str(path))
    (tmp_path / "documents").mkdir()
    docs = tmp_path / "documents" / "en-de.docs"
    docs.write_text("news\tcats\nnews\tcats\nnews\tdogs\nnews\tdogs\n")
    write(found, str(path))
    assert [line.split("\t")[1] for line in path.read_text().splitlines()] == [
        *("None", "50.0", "None", "50.0")
    ]
    docs.write_text("news\tcats\nnews\tcats\n")
    with pytest.raises(AdjudgeError, match=r"is not in documents/PAIR\.docs"):
        write(found, str(path))
    with pytest.raises(AdjudgeError, match="called 'a'; mt-metrics-eval knows segments"):
        write(table({"segment": "a", "spans": []}), str(path))


@pytest.mark.parametrize("scale", ["mqm", "da-sqm"])
def test_wmt23_comes_out_as_it_went_in(shared_data: Path, tmp_path: Path, scale: str) -> None:
    """Segment scores to the digit, and system scores as published."""
    official = shared_data / "wmt23" / "human-scores"
    found = read_scores(str(official / f"en-de.{scale}.seg.score"))
    (tmp_path / "documents").symlink_to(shared_data / "wmt23" / "documents")
    (tmp_path / "human-scores").mkdir()
    for level in ("seg", "sys"):
        name = f"en-de.{scale}.{level}.score"
        write(found, str(tmp_path / "human-scores" / name))
        ours, theirs = (_lines(folder / name) for folder in (tmp_path / "human-scores", official))
        assert ours.keys() == theirs.keys()
        for system, values in theirs.items():
            assert ours[system] == [
                None if value is None else pytest.approx(value, abs=1e-9) for value in values
            ]


def _lines(path: Path) -> dict[str, list[float | None]]:
    found: dict[str, list[float | None]] = {}
    for line in path.read_text().splitlines():
        system, value = line.split("\t")
        found.setdefault(system, []).append(None if value == "None" else float(value))
    return found


def test_tests_of_attention_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "mqm_generalMT2023_ende.tsv"
    line = "A\tcats\t1\t11\trater1\tThe cat.\tDie <v>Katz</v>.\t"
    path.write_text(f"{HEADER}{line}Fluency/Spelling\tMinor\n{line}Found\tHOTW-test\n")
    loaded = read_any(path)
    assert loaded.frame["score"].to_list() == [-1]
    assert loaded.frame["pair"].to_list() == ["en-de"]
    assert loaded.left_out == "Left out: 1 tests of attention (HOTW)."
