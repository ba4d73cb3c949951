"""Bojar 2011 on its own data: the rankings by experts of WMT10."""

import gzip
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.stats import spearmanr

from adjudge.agreement import chance
from adjudge.agreement.pairwise import agreement
from adjudge.agreement.parts import agreement_by
from adjudge.core.parallel import Engine
from adjudge.data.comparisons import Comparisons, by_pair, compare
from adjudge.data.judgement_table import is_reference
from adjudge.data.selection import with_source
from adjudge.data.summary import summarise
from adjudge.data.win_counts import count
from adjudge.diagnosis.diagnose import diagnose
from adjudge.ranking.estimation import estimate
from adjudge.ranking.head_to_head import head_to_head
from adjudge.ranking.method import METHODS
from adjudge.stats.resampling import Resampling

FEW = Resampling(replicates=20)
ROW_OF_TABLE_2 = {
    "≥ others": "at-least-others",
    "> others": "others-strict",
    "≥ all in block": "block-top",
    "> all in block": "block-sole",
}
SYSTEMS = ("_ref", "cu-bojar", "cu-tecto", "eurotrans", "onlineB", "pc-trans", "uedin")

# Systems with the reference, blocks, labels, comparisons, reference ≥ others, κ intra and inter.
TABLE_1 = {
    "German-English": ("26", "1,050", "5,231", "10,424", "0.965", "0.607", "0.492"),
    "English-German": ("19", "1,407", "6,866", "13,694", "0.976", "0.560", "0.512"),
    "Spanish-English": ("15", "1,140", "5,665", "11,307", "0.989", "0.693", "0.508"),
    "English-Spanish": ("17", "519", "2,591", "5,174", "0.935", "0.696", "0.594"),
    "French-English": ("25", "837", "4,156", "8,294", "0.981", "0.722", "0.452"),
    "English-French": ("20", "801", "3,993", "7,962", "0.917", "0.636", "0.449"),
    "Czech-English": ("13", "543", "2,691", "5,375", "0.976", "0.700", "0.504"),
    "English-Czech": ("18", "1,395", "6,803", "13,538", "0.959", "0.620", "0.444"),
}
AVERAGE = ("19", "962", "4,750", "9,471", "0.962", "0.654", "0.494")
TABLE_2 = {
    "≥ others": ("95.9", "65.6", "60.1", "54.0", "70.4", "62.1", "62.2"),
    "> others": ("90.5", "45.0", "44.1", "39.3", "49.1", "49.4", "39.6"),
    "≥ all in block": ("93.1", "32.3", "30.7", "23.4", "37.5", "32.5", "28.1"),
    "> all in block": ("81.3", "13.6", "19.0", "13.3", "15.6", "18.7", "10.6"),
}
TABLE_3 = {
    ("inter", True): ("0.487", "0.454"),
    ("inter", False): ("0.439", "0.403"),
    ("intra", True): ("0.633", "0.609"),
    ("intra", False): ("0.601", "0.575"),
}
TABLE_4 = {
    "_ref": "305",
    "cu-tecto": "73",
    "pc-trans": "71",
    "dcu-combo": "70",
    "rwth-combo": "57",
    "onlineB": "54",
    "cu-bojar": "53",
    "eurotrans": "46",
    "uedin": "41",
    "upv-combo": "41",
    "(no sole winner)": "409",
}
# Blocks against ≥ others (Table 5), share of blocks with the reference against it (Table 10).
TABLES_5_AND_10 = {
    "English-Czech": ("-0.558", "-0.145"),
    "English-Spanish": ("-0.434", "-0.411"),
    "Czech-English": ("-0.290", "-0.041"),
    "Spanish-English": ("-0.240", "0.341"),
    "English-French": ("-0.227", "0.164"),
    "English-German": ("-0.161", "-0.433"),
    "French-English": ("-0.024", "0.098"),
    "German-English": ("0.146", "0.088"),
}
OVERALL = ("-0.092", "-0.107")
# How often (%) the system of the column was better than that of the row.
TABLE_6 = """
-    4.3  4.3  5.1  3.8  3.6  2.3
87.1 -    45.7 28.3 44.4 39.5 41.1
88.2 35.8 -    38.0 55.8 44.0 36.0
88.5 60.9 46.8 -    50.7 53.8 48.6
91.2 31.1 29.1 32.8 -    43.8 39.3
88.0 45.3 42.9 28.6 49.3 -    36.6
94.3 39.3 44.2 31.9 32.1 49.5 -
"""


@pytest.fixture(scope="module")
def tables(wmt10: pl.DataFrame) -> dict[str, pl.DataFrame]:
    return dict(by_pair(wmt10))


@pytest.fixture(scope="module")
def english_czech(tables: dict[str, pl.DataFrame]) -> Comparisons:
    return compare(tables["English-Czech"])


@pytest.fixture(scope="module")
def tallies(wmt10: pl.DataFrame) -> pl.DataFrame:
    """Counts of agreement by pair, kind and whether the reference takes part."""
    return agreement(wmt10, resampling=FEW).to_frame()


def scores(comparisons: Comparisons, method: str) -> dict[str, float]:
    ranked = estimate(comparisons, METHODS.named(method), Resampling("none"), Engine())
    return dict(zip(ranked.systems, ranked.scores.tolist(), strict=True))


def s_measure(agree: float, comparable: float) -> float:
    return float(chance.corrected(agree / comparable, chance.uniform(3)))


def test_table_1(published, tables, tallies):
    """κ is S, with P(E) = 1/3; judgements compare whatever order they showed two outputs in. The
    averages are of the printed figures: 0.654 for κ intra, where the unrounded eight give 0.655.
    """
    table = published("Bojar 2011", "Table 1", "WMT10")
    ours = {}
    for pair, part in tables.items():
        (summary,) = summarise(part)
        both = tallies.filter(pair=pair, with_reference=True)
        kappas = {
            row["kind"]: s_measure(row["agree"], row["comparable"])
            for row in both.iter_rows(named=True)
        }
        ours[pair] = (
            len(compare(part).systems),
            part["ranking"].n_unique(),
            part["rank"].count(),
            summary.comparisons,
            scores(compare(part), "at-least-others")["_ref"],
            kappas["intra"],
            kappas["inter"],
        )
    for pair, figures in TABLE_1.items():
        table.row(pair, figures, ours[pair])
    digits = (0, 0, 0, 0, 3, 3, 3)
    rounded = [tuple(map(round, row, digits)) for row in ours.values()]
    table.row("Average", AVERAGE, tuple(np.mean(rounded, axis=0).tolist()))


def test_table_2(published, english_czech):
    """The block scores count the blocks in which a system was given a rank."""
    table = published("Bojar 2011", "Table 2", "WMT10")
    for row, method in ROW_OF_TABLE_2.items():
        ours = scores(english_czech, method)
        table.row(row, TABLE_2[row], tuple(100 * ours[system] for system in SYSTEMS))


def test_figure_1(published, english_czech):
    """The figure has no numbers; ρ is Spearman's, over the 17 systems."""
    table = published("Bojar 2011", "Figure 1", "WMT10")
    others = scores(english_czech, "at-least-others")
    block = scores(english_czech, "block-top")
    systems = [system for system in others if not is_reference(system)]
    rho = spearmanr([others[s] for s in systems], [block[s] for s in systems]).statistic
    assert rho > 0.9
    table.words("order by ≥ all in block and by ≥ others", "very similar", f"ρ = {rho:.2f}")


def test_table_3(published, wmt10, tallies):
    """Agreement is summed over the eight pairs; π takes P(E) from the ties among all comparisons,
    the reference's too, also for the rows without it. Their own share of ties is 0.183.
    """
    table = published("Bojar 2011", "Table 3", "WMT10")
    total = tallies.group_by("kind", "with_reference").agg(
        pl.col("agree", "comparable", "ties", "total").sum()
    )
    sums = {(row["kind"], row["with_reference"]): row for row in total.iter_rows(named=True)}
    ties = sums["inter", True]["ties"] / sums["inter", True]["total"]
    p_e = float(chance.from_ties(ties, 1))
    for (kind, with_reference), figures in TABLE_3.items():
        row = sums[kind, with_reference]
        p_a = row["agree"] / row["comparable"]
        s = float(chance.corrected(p_a, chance.uniform(3)))
        name = f"{kind}, {'incl.' if with_reference else 'excl.'} ref.: S, π"
        table.row(name, figures, (s, float(chance.corrected(p_a, p_e))))
    text = published("Bojar 2011", "§2.2.2", "WMT10")
    text.row("P(S₁ = S₂)", "0.168", ties)
    text.row("P(E)", "0.374", p_e)


def test_table_4(published, tables):
    """A system appears in a block that shows it. Our sole winner has beaten somebody; the paper
    also counts one block with a single label as won by it (one of the eight others), and we add it.
    """
    part = tables["English-Czech"]
    table = published("Bojar 2011", "Table 4", "WMT10")
    (found,) = diagnose(part, only=["sole-winners"])
    won = {row["system"]: row["sole_wins"] for row in found.answer.details}
    blocks = part["ranking"].n_unique()
    labels = part.group_by("ranking").agg(pl.col("rank").count())["rank"]
    alone, unlabelled = (labels == 1).sum(), (labels == 0).sum()
    assert sum(won.values()) + alone + unlabelled == blocks
    won["(no sole winner)"] += unlabelled
    for system, figure in TABLE_4.items():
        table.row(system, figure, won.pop(system))
    assert len(won) == 8
    table.row("eight other systems", "175", sum(won.values()) + alone)
    table.row("all blocks", "1395", blocks)
    (counted,) = diagnose(part, only=["block-count"])
    shown = [row["blocks"] for row in counted.answer.details]
    table.row("blocks a system", "388", float(np.mean(shown)))


def test_tables_5_and_10(published, tables):
    """Pearson's r to the digit where ≥ others has the three digits of Table 2 (as here); with all
    its digits r moves by less than 0.001. A block counts where it shows the system, labelled or
    not.
    """
    findings = {"Table 5": "block-count", "Table 10": "reference-share"}
    columns = {"block-count": "blocks", "reference-share": "reference_share"}
    for number, (name, finding) in enumerate(findings.items()):
        table = published("Bojar 2011", name, "WMT10")
        every = []
        for pair, figures in TABLES_5_AND_10.items():
            (found,) = diagnose(tables[pair], only=[finding])
            rows = [
                (row[columns[finding]], round(row["at_least_others"], 3))
                for row in found.answer.details
            ]
            every += rows
            r = np.corrcoef(np.array(rows).T)[0, 1]
            assert found.answer.value == pytest.approx(r, abs=0.001)
            table.row(pair, figures[number], float(r))
        table.row("overall", OVERALL[number], float(np.corrcoef(np.array(every).T)[0, 1]))


def test_figures_3_and_6(published, tables):
    """The strongest correlations of the two tables, and whether they differ from nothing."""
    for figure, pair, finding in (
        ("Figure 3", "English-Czech", "block-count"),
        ("Figure 6", "English-German", "reference-share"),
    ):
        table = published("Bojar 2011", figure, "WMT10")
        (found,) = diagnose(tables[pair], only=[finding])
        answer = found.answer
        said = f"r = {answer.value:.2f} ({answer.low:.2f} to {answer.high:.2f})"
        assert (answer.high < 0) == (figure == "Figure 3")
        table.words(
            f"{pair}: the more often, the worse",
            "apparent",
            said + ("" if answer.high < 0 else ", not beyond chance"),
            holds=answer.high < 0,
        )


def test_table_6(published, english_czech):
    """Ties stay in the denominator. CU-TECTO wins against CU-BOJAR, 37 to 29 with 15 ties."""
    table = published("Bojar 2011", "Table 6", "WMT10")
    counts = count(english_czech)
    place = [counts.systems.index(system) for system in SYSTEMS]
    share = 100 * counts.wins / np.maximum(counts.comparisons, 1)
    for i, line in enumerate(TABLE_6.strip().splitlines()):
        cells = line.split()
        others = [j for j, cell in enumerate(cells) if cell != "-"]
        ours = tuple(float(share[place[j], place[i]]) for j in others)
        table.row(SYSTEMS[i], tuple(cells[j] for j in others), ours)
    tecto, bojar = place[2], place[1]
    text = published("Bojar 2011", "§2.5", "WMT10")
    ours = (counts.comparisons[tecto, bojar], counts.wins[tecto, bojar])
    ours += (counts.wins[bojar, tecto], counts.ties[tecto, bojar])
    text.row("CU-TECTO and CU-BOJAR", ("81", "37", "29", "15"), tuple(map(int, ours)))
    p = head_to_head(english_czech).to_frame()
    (row,) = p.filter(
        pl.concat_list("system_a", "system_b").list.sort() == ["cu-bojar", "cu-tecto"]
    ).iter_rows(named=True)
    assert row["p"] > 0.05
    text.words("their comparison", "no reliable picture", f"p = {row['p']:.2f}")


LANGUAGES = {"Czech": "cs", "English": "en", "French": "fr", "German": "de", "Spanish": "es"}


@pytest.fixture(scope="module")
def sources(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """By language, the sentences of newstest2010 under the numbers of WMT10: its files say which
    sentence of which document a number means. Those that nobody ranked are empty."""
    corpus = shared_data / "corpora" / "newstest"
    names = ("srcIndex", "documentId", "segmentId")
    numbered = pl.read_csv(shared_data / "wmt07-11" / "wmt10.RNK.csv.gz", columns=names).unique()
    first = pl.read_csv(corpus / "2010.documents.tsv.gz", separator="\t").unique(
        "document", keep="first"
    )
    placed = numbered.join(first, left_on="documentId", right_on="document")
    assert len(placed) == placed["srcIndex"].n_unique() == len(numbered)
    folder = tmp_path_factory.mktemp("sources")
    files = {}
    for language, code in LANGUAGES.items():
        packed = (corpus / f"2010.{code}.txt.gz").read_bytes()
        lines = gzip.decompress(packed).decode().splitlines()
        said = [""] * 2034
        for number, line, segment in placed.select("srcIndex", "line", "segmentId").iter_rows():
            said[number - 1] = lines[line + segment - 2]
        files[language] = folder / f"{code}.txt"
        files[language].write_text("\n".join(said) + "\n", encoding="utf-8")
    return files


def test_figure_2(published, tables, sources):
    """Sentences of newstest2010, words between spaces; how the paper counts words it does not say.
    S of all pairs together without the reference, lengths n and n + 1 at even n. The figure has no
    numbers.
    """
    parts, lengths = [], []
    for pair, part in tables.items():
        sourced = with_source(part, str(sources[pair.partition("-")[0]]))
        words = sourced.unique("ranking")["source"].cast(pl.String).str.split(" ").list.len()
        lengths.extend(words.to_list())
        parts.append(agreement_by(sourced, "length", resampling=FEW).to_frame())
    words = pl.col("part").cast(pl.Int32)
    even = pl.concat(parts).filter(words % 2 == 0, ~pl.col("with_reference"))

    def s(kind: str, low: int, high: int) -> float:
        chosen = even.filter((words >= low) & (words < high), kind=kind)
        return s_measure(chosen["agree"].sum(), chosen["comparable"].sum())

    table = published("Bojar 2011", "Figure 2", "WMT10")
    table.row("median words", "20", float(np.median(lengths)), within=1)
    short, middle, long = s("inter", 0, 10), s("inter", 10, 20), s("inter", 20, 1000)
    assert short > 0.5 > middle > 0.4 > long
    table.words("inter, up to 9 words", "reasonably high", f"S = {short:.2f}")
    table.words("inter, 10 to 19 words", "below 0.4", f"S = {middle:.2f}", holds=False)
    table.words("inter, 20 words or more", "below 0.4", f"S = {long:.2f}")
    once, again = s("intra", 0, 10), s("intra", 20, 1000)
    assert once > again > long
    table.words("intra, 9 words and 20 words", "falls with length", f"S = {once:.2f}, {again:.2f}")
