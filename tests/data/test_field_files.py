"""The files that WMT's organisers published since 2017, as they are."""

from pathlib import Path

import polars as pl
import pytest

import adjudge
from adjudge.data.table_files import read_any


@pytest.fixture(scope="module")
def field(shared_data: Path) -> Path:
    return shared_data / "wmt17-26"


def test_wmt24_esa_gives_the_official_scores(field: Path) -> None:
    """Means per domain, then over domains: WMT24's definition, computed here by itself."""
    loaded = read_any(field / "wmt24-esa" / "wave2.csv.gz")
    assert loaded.left_out == (
        "Left out: 2,448 controls (type BAD), 1,228 tutorial items, 746 items of documents marked "
        "#incomplete, 166 items of documents marked #dup, 105 earlier scores of an output by the "
        "same account."
    )
    texts = loaded.frame.with_columns(pl.col(pl.Categorical).cast(pl.String))
    counts = texts.group_by("pair", "output").agg(pl.len(), pl.struct("segment").n_unique())
    assert len(counts) == 53
    assert set(counts["len"]) == set(counts["segment"]) == {297}
    lines = (field / "wmt24-esa" / "en-cs.docs").read_text().splitlines()
    domain_of = {document: domain for domain, document in (line.split("\t") for line in lines)}
    czech = texts.filter(pl.col("pair") == "en-cs").with_columns(
        domain=pl.col("document").replace_strict(domain_of)
    )
    means = czech.group_by("output", "domain").agg(pl.col("score").mean())
    systems = means.group_by("output").agg(pl.col("score").mean().round(4))
    best = systems.sort("score", descending=True).rows()[:3]
    assert best == [("refA", 93.8756), ("ONLINE-W", 92.815), ("Unbabel-Tower70B", 92.3737)]


@pytest.mark.parametrize(
    ("name", "scale", "controls"),
    [("ESA", "error-spans", 398), ("GEMBA", "error-spans", 397), ("MQM", "mqm", 399)],
)
def test_the_esa_study(field: Path, name: str, scale: str, controls: int) -> None:
    loaded = read_any(field / "esa-study" / f"240315rc5{name}.csv.gz")
    assert loaded.frame["scale"].unique().to_list() == [scale]
    assert len(loaded.frame) == 13 * 207
    assert f"{controls} controls (type BAD)" in loaded.left_out
    assert "refA" in loaded.frame["output"].unique()


@pytest.mark.parametrize(
    ("name", "rows", "pairs"),
    [("SegLvlLivRef", 1057, 1), ("SegLvlLivSrc", 4689, 2), ("calibrationHITs", 9235, 6)],
)
def test_wmt22_direct_assessment_with_sqm(field: Path, name: str, rows: int, pairs: int) -> None:
    scores = adjudge.read(str(field / "wmt22-sqm" / f"{name}.csv.gz"))
    assert (len(scores), len(scores.pairs)) == (rows, pairs)
    assert scores.scales == ("direct-assessment",)
    assert "Left out: " in scores.source.remark


@pytest.mark.parametrize("pair", ["cs-en", "de-en", "ru-en", "zh-en"])
def test_wmt22_direct_assessment_gives_the_official_means(field: Path, pair: str) -> None:
    """The file of de-en lacks 73 of the scores that its official table counts."""
    folder = field / "wmt22-da"
    name = f"ad-{pair.replace('-', '')}-good-stnd-redup.csv.gz"
    (ranking,) = adjudge.read(str(folder / name)).rank(unit="none")
    assert ranking.normalisation == "raw"
    found = dict(zip(ranking.systems, ranking.scores, strict=True))
    counted = dict(zip(ranking.systems, ranking.number, strict=True))
    table = (folder / f"ad-sys-scores-{pair}.csv").read_text().splitlines()[1:]
    missing = 0
    for _, z, _, submission, scores in (line.split() for line in table):
        system = submission.rpartition(".")[0] if "." in submission else submission
        missing += int(scores) - counted[system]
        within = 0.001 if pair == "de-en" else 1e-9
        assert found[system] == pytest.approx(float(z), abs=within)
    assert missing == (73 if pair == "de-en" else 0)
    assert len(found) == len(table)


def test_mqm_of_ted_talks_gives_the_published_table(field: Path) -> None:
    """Penalties per segment as the README of Google's repository prints them.

    It has 1.96 where the file gives 1.969.
    """
    (ranking,) = adjudge.read(str(field / "mqm-ted" / "mqm_ted_ende.tsv.gz")).rank(unit="none")
    assert ranking.pair == "en-de"
    assert ranking.normalisation == "raw"
    published = (
        "ref 0.91, Facebook-AI 1.06, Online-W 1.12, VolcTrans-AT 1.24, metricsystem3 1.44, "
        "VolcTrans-GLAT 1.49, HuaweiTSC 1.50, metricsystem1 1.63, metricsystem2 1.69, "
        "metricsystem5 1.72, UEdin 1.77, metricsystem4 1.78, eTranslation 1.97, Nemo 2.14"
    )
    pairs = zip(ranking.systems, ranking.scores, strict=True)
    assert ", ".join(f"{system} {-score:.2f}" for system, score in pairs) == published


def test_the_accounts_of_wmt24_and_wmt22_are_people(field: Path) -> None:
    wave = str(field / "wmt24-esa" / "wave2.csv.gz")
    mapping = str(field / "wmt24-esa" / "annotator_mapping.json")
    accounts, people = adjudge.read(wave), adjudge.read(wave, judges_from=mapping)
    assert (len(accounts.judges), len(people.judges)) == (203, 43)
    hits = str(field / "wmt22-sqm" / "calibrationHITs.csv.gz")
    same = adjudge.read(hits, judges_from=str(field / "wmt22-sqm" / "calibrationHITs.mapping.csv"))
    assert len(same.judges) == 99


def test_the_published_averages_of_ted_talks_are_ours(field: Path) -> None:
    """Here, too, eTranslation has 1.969; and the reference is called ref-A instead of ref."""
    folder = field / "mqm-ted"
    names = ("mqm_ted_ende.avg_seg_scores.tsv.gz", "mqm_ted_ende.tsv.gz")
    (averages,), (marked,) = (adjudge.read(str(folder / name)).rank(unit="none") for name in names)
    assert averages.pair == marked.pair == "en-de"
    assert averages.systems == ("ref-A", *marked.systems[1:])
    assert averages.scores == pytest.approx(marked.scores, abs=1e-6)


def test_a_folder_of_mt_metrics_eval_is_read_whole(shared_data: Path) -> None:
    scores = adjudge.read(str(shared_data / "wmt23"))
    assert scores.scales == ("da-sqm", "mqm")
    assert scores.pairs == ("en-de",)
    assert [part.systems[-1] for part in scores.rank(unit="none")] == ["AIRC", "AIRC"]
    assert scores.table["document"].null_count() == 0
