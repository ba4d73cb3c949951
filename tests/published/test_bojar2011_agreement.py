"""Bojar 2011 §2.2.2, Table 3 and Tables 7 and 8."""

import polars as pl
import pytest

from adjudge.agreement import chance
from adjudge.agreement.categorical import confusions, label_agreement, read_labels
from adjudge.agreement.choices import choice_labels, choices_of_systems, side_by_side
from adjudge.data.judgement_table import judgement_table

LABELS = ("B>T", "T>B", "both fine", "both wrong")
# Table 7: what the author of T says (rows) and the author of B (columns).
TABLE_7 = ((9, 0, 1, 1), (2, 13, 0, 3), (2, 0, 2, 3), (10, 5, 1, 11))


@pytest.fixture(scope="module")
def table_7() -> pl.DataFrame:
    pairs = [
        (row, column)
        for row, line in zip(LABELS, TABLE_7, strict=True)
        for column, n in zip(LABELS, line, strict=True)
        for _ in range(n)
    ]
    return pl.DataFrame(
        [(i, judge, label) for i, pair in enumerate(pairs)
         for judge, label in zip("TB", pair, strict=True)],
        schema=["item", "judge", "label"],
        orient="row",
    )  # fmt: skip


def test_chance_of_random_clicks_is_036(published) -> None:
    table = published("Bojar 2011", "§2.2.2", "the paper")
    table.row("P(E) of a random clicker", "0.36", chance.random_clicking(5))


def test_chance_from_the_observed_ties() -> None:
    assert f"{chance.from_ties(168, 1000):.3f}" == "0.374"


@pytest.mark.arithmetic
@pytest.mark.parametrize(
    ("s", "pi"), [(0.487, 0.454), (0.439, 0.403), (0.633, 0.609), (0.601, 0.575)]
)
def test_table_3_pi_from_the_p_a_of_s(s: float, pi: float) -> None:
    p_a = s * (1 - chance.uniform(3)) + chance.uniform(3)
    p_e = round(float(chance.from_ties(168, 1000)), 3)  # the paper's figures are rounded
    assert f"{chance.corrected(p_a, p_e):.3f}" == f"{pi:.3f}"


def test_table_7(published, table_7: pl.DataFrame) -> None:
    (confusion,) = confusions(read_labels(table_7))
    table = published("Bojar 2011", "Table 7", "the paper")
    share = 100 * confusion.agree / confusion.comparable
    ours = (confusion.agree, confusion.comparable, share, confusion.kappa)
    table.row("agree, of, %, κ", ("35", "63", "56", "0.387"), ours)
    inter, _ = label_agreement(table_7)
    assert f"{inter.value('cohen'):.3f}" == "0.387"
    assert inter.unanimous == 35


def test_table_8_merged_categories(table_7: pl.DataFrame) -> None:
    merged = {"both fine": "both", "both wrong": "both"}
    inter, _ = label_agreement(table_7, merge=merged)
    # Off the diagonal of Table 7, four pairs differ in fine against wrong.
    assert (inter.agree, inter.comparable) == (39, 63)
    assert len(inter.categories) == 3


@pytest.fixture(scope="module")
def judged(table_7: pl.DataFrame) -> pl.DataFrame:
    """Table 7 as a campaign exports it: ranks of two outputs, and how they tie."""
    label = pl.col("label")
    answers = table_7.with_row_index("ranking").with_columns(
        pl.col("item").cast(pl.String).alias("segment"),
        pl.lit("en-cs").alias("pair"),
        pl.when(label.str.starts_with("both")).then(label).alias("said"),
    )
    ranks = {"CU-BOJAR": label == "T>B", "CU-TECTO": label == "B>T"}
    return judgement_table(
        pl.concat(
            answers.select(
                "ranking",
                "segment",
                "pair",
                "judge",
                pl.lit(system).alias("output"),
                (1 + worse.cast(pl.Int32)).alias("rank"),
                pl.col("said").alias("label"),
            )
            for system, worse in ranks.items()
        )
    )


def test_table_7_from_ranks(judged: pl.DataFrame) -> None:
    labels = choice_labels(side_by_side(judged))
    assert labels.categories == ("CU-BOJAR better", "CU-TECTO better", "both fine", "both wrong")
    (confusion,) = confusions(labels)
    assert (confusion.agree, confusion.comparable) == (35, 63)
    assert f"{confusion.kappa:.3f}" == "0.387"


def test_table_8_rows_of_the_two_authors(judged: pl.DataFrame) -> None:
    found = {
        one.judge: (one.said.first, one.said.second, one.said.both_fine, one.said.both_wrong)
        for one in choices_of_systems(side_by_side(judged), by_judge=True)
    }
    assert found == {"T": (11, 18, 7, 27), "B": (23, 18, 4, 18)}
