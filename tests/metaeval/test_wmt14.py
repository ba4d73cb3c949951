"""WMT14 into English: METEOR's rows of Tables 4.4 and 4.6 of Macháček 2014, from preferences."""

import tarfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import adjudge


@pytest.fixture(scope="module")
def people(shared_data: Path) -> adjudge.Judgements:
    """The preferences of all five directions."""
    folder = shared_data / "metaeval" / "history" / "wmt14-into-english"
    table = pl.read_csv(
        folder / "preferences.tsv.gz", separator="\t", schema_overrides={"segment": pl.String}
    )
    return adjudge.from_comparisons(
        table["better"],
        table["worse"],
        [1] * len(table),
        segment=table["segment"],
        pair=table["direction"],
    )


@pytest.fixture(scope="module")
def meteor(people: adjudge.Judgements, shared_data: Path):
    """METEOR beside people, the comparisons drawn as the thesis did."""
    folder = shared_data / "metaeval" / "history" / "wmt14-into-english"
    metrics = adjudge.read_metric_scores(str(folder / "METEOR-1.5.seg.score.gz"))
    return people.metaeval(metrics, level="segment", unit="comparison")


def test_every_direction_and_variant(meteor, gold) -> None:
    variants = meteor[0].statistics
    for row in gold("history/wmt14-into-english/wmt14_tau_check").iter_rows(named=True):
        variant = variants.index(row["variant"].lower())
        if row["direction"] == "average":
            ours = np.mean([part.values[0, variant] for part in meteor])
        else:
            ours = meteor[row["direction"]].values[0, variant]
        assert ours == pytest.approx(row["tau"], abs=1e-12)


def test_the_published_rows(meteor, gold) -> None:
    table = gold("thesis/published_tables").filter(
        pl.col("metric").str.to_uppercase() == "METEOR", pl.col("table") == 4.4
    )
    seen = 0
    for row in table.iter_rows(named=True):
        if row["direction"] in {part.pair for part in meteor}:
            part = meteor[row["direction"]]
            assert round(float(part.values[0, 0]), 3) == float(row["value"])
            half = float(part.high[0] - part.low[0]) / 2
            assert half == pytest.approx(float(row["ci_half_width"]), abs=0.0012)
            seen += 1
    assert seen == 5


def test_sentbleu_from_texts(people: adjudge.Judgements, shared_data: Path, tmp_path: Path) -> None:
    """Averages of Tables 4.4 and 4.6. How the organisers' sentBLEU cut words and whether it minded
    case is not documented: of 13a and mteval-intl, with case and without, this is the nearest."""
    archive = shared_data / "metaeval" / "history" / "wmt14-texts" / "wmt14-data-txt.tar.gz"
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    root = tmp_path / "wmt14-data" / "txt"
    rows = []
    for pair in people.pairs:
        outputs = (root / "system-outputs" / "newstest2014" / pair).iterdir()
        named = {
            path.name.removeprefix("newstest2014.").removesuffix(f".{pair}"): str(path)
            for path in outputs
        }
        reference = root / "references" / f"newstest2014-{pair.replace('-', '')}-ref.en"
        texts = adjudge.read_texts(named, str(reference), pair=pair)
        metrics = texts.metric_scores("sentbleu(tokenize=mteval-intl,lowercase=yes)")
        part = people.select(pair=pair).metaeval(metrics, level="segment", unit="none")
        rows.append(part.values[0, :3])  # wmt14, wmt12, wmt13
    assert np.mean(rows, axis=0) == pytest.approx([0.285, 0.258, 0.293], abs=0.005)
