"""Macháček 2014 §3.1 and §3.2: systems by their segments, and systems taken for unseen.

Which system made which candidate was lost. Most of it was found again in a listing that the author
left (docs/test-data.md); the rest is by likeness of texts. `data/machacek2014-unseen.tsv` has what
is printed, how near we must come, and what is known to be misprinted or stale.
"""

from collections.abc import Callable
from html import unescape
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from rapidfuzz.distance import Levenshtein

import adjudge
from adjudge.core.files.input_file import InputFile

PRINTED = Path(__file__).parent / "data" / "machacek2014-unseen.tsv"
PAPER, DATA = "Macháček 2014", "SegRanks"
# WMT14's TrueSkill means, which the thesis correlates with.
OFFICIAL = {
    "cu-depfix": 0.371,
    "uedin-unconstrained": 0.356,
    "cu-bojar": 0.333,
    "cu-funky": 0.287,
    "onlineB": 0.169,
    "uedin-wmt14": 0.113,
    "onlineA": 0.030,
    "CU-TectoMT": -0.175,
    "commercial1": -0.534,
    "commercial2": -0.950,
}
FEW = {"replicates": 2}


@pytest.fixture(scope="module")
def printed() -> pl.DataFrame:
    return pl.read_csv(PRINTED, separator="\t", infer_schema=False).with_columns(
        pl.col("tolerance").cast(pl.Float64)
    )


@pytest.fixture(scope="module")
def database(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> adjudge.Segments:
    folder = tmp_path_factory.mktemp("remapped")
    given = shared_data / "segranks"
    for name in ("annotations", "sentences"):
        (folder / f"{name}.tsv.gz").symlink_to(given / f"{name}.tsv.gz")
    (folder / "segments.tsv.gz").symlink_to(given / "segments-remapped.tsv.gz")
    return adjudge.read(str(folder / "annotations.tsv.gz")).segments()


def hold(published, printed: pl.DataFrame, name: str, found: dict[str, dict[str, float]]) -> None:
    """Every row of one printed table: a cell for each tolerance, its figures together."""
    table = published(PAPER, f"Table {name}", DATA)
    rows = printed.filter(pl.col("table") == name)
    grouped = rows.group_by("row", "tolerance", "remark", maintain_order=True)
    for (row, tolerance, remark), cells in grouped:
        columns = cells["column"].to_list()
        said = f"{row}: {', '.join(columns)}" + (f" ({remark})" if remark else "")
        ours = tuple(found[row][column] for column in columns)
        table.row(said, tuple(cells["published"]), ours, within=tolerance + 1e-9)


def correlation(scores: dict[str, float]) -> float:
    official = [OFFICIAL[system] for system in scores]
    return float(np.corrcoef(official, list(scores.values()))[0, 1])


def test_table_3_1a(published, printed, database: adjudge.Segments) -> None:
    """The ratio of wins over all 8,487 annotations, repeats included."""
    ranking = database.rank(**FEW)
    scores = dict(zip(ranking.systems, ranking.scores.tolist(), strict=True))
    found = {system: {"ratio of wins": score} for system, score in scores.items()}
    found["all"] = {"Pearson with official WMT14 score": correlation(scores)}
    hold(published, printed, "3.1a", found)


def test_table_3_3(published, printed, database: adjudge.Segments) -> None:
    """Exact matching. A system without a candidate has neither hit nor miss."""
    parts = database.leave_one_out(matching="exact", **FEW)
    found = {
        f"without {part.system}": {
            "hit rate": part.hit_rate,
            **dict(zip(part.systems, part.standing.scores.tolist(), strict=True)),
        }
        for part in parts
    }
    rates = [round(part.hit_rate, 2) for part in parts]
    found["average"] = {"hit rate": sum(rates) / len(rates)}
    hold(published, printed, "3.3", found)


def test_table_3_4(published, printed, database: adjudge.Segments) -> None:
    """The nearest by edit distance; the rank is the mean over the nearest systems."""
    found = {
        f"without {part.system}": {
            "AED": part.distance,
            "AED of the histogram": part.distance,
            **dict(zip(part.systems, part.standing.scores.tolist(), strict=True)),
        }
        for part in database.leave_one_out(matching="closest", **FEW)
    }
    hold(published, printed, "3.4", found)


def test_table_3_5(published, printed, database: adjudge.Segments) -> None:
    """Of the misses. The 20.6 % equal in the text of §3.2.2 are from an older run."""
    frame = database.closest().by_system()
    found = {
        {"all": "All"}.get(row["system"], row["system"]): {
            f"{name} %": 100 * row[name] for name in ("worse", "equal", "better")
        }
        for row in frame.to_dicts()
    }
    hold(published, printed, "3.5", found)


def test_averaging_over_segments_instead(database: adjudge.Segments) -> None:
    whole = database.closest(averaged="segments").by_system().filter(pl.col("system") == "all")
    assert whole["equal"].item() == pytest.approx(0.202, abs=0.0005)


TABLE_3_6 = [
    (
        "s dokumenty upřednostňujícím doprovodem hradu",
        "se dokumenty favorizovat doprovod hradu",
        18,
    ),
    ("ze 120 domova m2", "z 120 m2 domova", 7),
    ("vaše ústa ohřívá protein", "vaše ústa zahřívání bílkovin", 10),
    ("videokonference", "videokonferenci", 1),
    ("popřel užívání kokainu a", "popřela užívání kokainu a", 1),
    ("přibližně šedesát-drah kilometru", "přibližně šedesát-dráha kilometru", 3),
    ("v Liverpoolském porotním soudu", "Liverpool Korunního soudu", 11),
    ("je nesmysl v gravitaci filmu", "Je nesmysl ve filmu gravitace", 15),
    ("Pak 64,23 % oprávněných voličů", "pak 64,23 % oprávněných voličů", 1),
    ("podle DPA agentury", "podle DPA agentury té", 3),
]


def test_table_3_6(published) -> None:
    """The sixth is 2 for the strings as they are printed, which are not those of the database."""
    table = published(PAPER, "Table 3.6", "the paper")
    for unseen, closest, distance in TABLE_3_6:
        ours = Levenshtein.distance(unseen, closest)
        if distance == 3 and ours == 2:
            table.row(f"{unseen} (printed otherwise than in the database)", "3", ours, within=1)
        else:
            table.row(unseen, str(distance), ours)


def test_figure_3_2(published, printed, database: adjudge.Segments) -> None:
    """The author's own counts; at distance 0 he also counted segments a system is missing from."""
    frame = database.closest().to_frame()
    theirs = printed.filter(pl.col("table") == "Figure 3.2").select(
        pl.col("row").alias("system"),
        pl.col("column", "published").cast(pl.Int64),
    )
    both = theirs.filter(pl.col("column") > 0).join(
        frame, left_on=["system", "column"], right_on=["system", "distance"], how="left"
    )
    off = (both["published"] - both["candidates"].cast(pl.Int64)).abs().sum()
    assert off == 10  # five candidates of 35,039, each missing here and too much there
    table = published(PAPER, "Figure 3.2", DATA)
    for (system,), rows in both.group_by("system", maintain_order=True):
        mine = rows["candidates"].sum()
        table.row(f"{system}: misses", str(rows["published"].sum()), mine)


def test_figure_3_3(published, database: adjudge.Segments) -> None:
    """Our counts by distance; the author's file is of a run without averaging."""
    frame = database.closest().by_distance()
    shares = {row["distance"]: row for row in frame.to_dicts()}
    first = shares[1]
    counts = [round(first["misses"] * first[name]) for name in ("worse", "equal", "better")]
    assert counts == [1172, 1326, 1953]
    table = published(PAPER, "Figure 3.3", DATA)
    near, far = shares[1]["better"], shares[17]["better"]
    assert near < far - 0.1
    table.words("better grows with the distance", "quite significantly", f"{near:.2f} to {far:.2f}")
    worse = [shares[distance]["worse"] for distance in range(1, 18)]
    assert max(abs(share - 0.3) for share in worse) < 0.06
    table.words(
        "worse does not change with it", "around 0.3", f"{min(worse):.2f} to {max(worse):.2f}"
    )
    assert shares[17]["equal"] < 0.125
    table.words("equal at distance 17", "only 10 percent", f"{100 * shares[17]['equal']:.0f} %")


@pytest.fixture(scope="module")
def texts(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The path of a text in Moses' tokens, without Moses' entities."""
    folder = tmp_path_factory.mktemp("tokenized")

    def path(name: str) -> str:
        file = folder / f"{name}.txt"
        given = shared_data / "segranks" / "extraction" / "tokenized" / f"{name}.txt.gz"
        file.write_text(unescape(InputFile(str(given)).text), encoding="utf-8")
        return str(file)

    return path


def test_table_3_7a(published, printed, database: adjudge.Segments, texts) -> None:
    """SegRanksBLEU on Moses' tokens, case-sensitive."""
    systems = {system: texts(system) for system in OFFICIAL}
    result = database.bleu(systems, texts("reference"), **FEW)
    scores = {s: float(v) / 100 for s, v in zip(result.systems, result.scores, strict=True)}
    found = {system: {"SegRanksBLEU": score} for system, score in scores.items()}
    found["all"] = {"Pearson with official WMT14 score": correlation(scores)}
    hold(published, printed, "3.7a", found)


def test_table_3_7b(published, printed, texts) -> None:
    """BLEU on the same tokens in lower case, which fits best."""
    given = adjudge.read_texts({s: texts(s) for s in OFFICIAL}, texts("reference"))
    result = given.metrics("bleu(tokenize=none,lowercase=yes)", **FEW)
    scores = {s: float(v) / 100 for s, v in zip(result.systems, result.scores, strict=True)}
    found = {system: {"BLEU": score} for system, score in scores.items()}
    found["all"] = {"Pearson with official WMT14 score": correlation(scores)}
    hold(published, printed, "3.7b", found)
