"""One judge, one question, two answers.

- `contradictions`: the same judge met the same two outputs of the same segment again and put
  them the other way round. The value is the share of repeated comparisons that were reversed.
  Random answers with the observed share of ties t reverse 2 · ((1 − t) / 2)²: 32 % for
  the random clicker over five ranks, who ties in a fifth (Bojar 2011 §2.2.2). More than half
  of that beyond chance is a note at least, not told apart from all of it a warning.
- `identical-outputs`: two outputs of the same words in one block, ranked differently
  (Bojar 2011 §2.5.2, Table 9). Needs the texts; files that merge equal outputs have none.
"""

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.finding import NOTHING_TO_DO, Answer, DetailRow, Finding, Severity, grade
from adjudge.diagnosis.order_change import Change
from adjudge.diagnosis.wording import output_name
from adjudge.stats.tests import share

EXAMPLES = 20

_OF_OUTPUT = ("rank", "output", "text", "code")


def _pairs_in_blocks(evidence: Evidence) -> pl.DataFrame:
    """Every two outputs of every block, in the order of their names, with judge and ranks."""
    rows = evidence.table.filter(pl.col("rank").is_not_null()).select(
        *("ranking", "judge", "segment", "rank", "output", "text"),
        code=pl.col("output").cast(pl.String).rank("dense"),
    )
    other = rows.select("ranking", *(pl.col(c).name.suffix("_2") for c in _OF_OUTPUT))
    return rows.join(other, on="ranking").filter(pl.col("code") < pl.col("code_2"))


def repeats(evidence: Evidence) -> pl.DataFrame:
    """One row for every two answers of one judge on the same two outputs of one segment.

    `first_rank`, `second_rank` are the two outputs' ranks in the one answer, `first_again`,
    `second_again` in the other.
    """
    same = ("judge", "segment", "code", "code_2")
    answers = (
        _pairs_in_blocks(evidence)
        .drop_nulls(["judge", "segment"])
        .filter(pl.len().over(same) > 1)
        .select(*same, "output", "output_2", "ranking", first_rank="rank", second_rank="rank_2")
    )
    again = answers.select(
        *same, later="ranking", first_again="first_rank", second_again="second_rank"
    )
    return answers.join(again, on=same).filter(pl.col("ranking") < pl.col("later"))


def random_reversal(tie_share: float) -> float:
    """How often two random answers are opposite when that share of answers is ties."""
    return 2 * ((1 - tie_share) / 2) ** 2


def _contradictions(evidence: Evidence) -> Answer:
    pairs = repeats(evidence).with_columns(
        before=pl.col("second_rank") - pl.col("first_rank"),
        after=pl.col("second_again") - pl.col("first_again"),
    )
    if pairs.is_empty():
        raise NotEnoughData("no judge met the same two outputs of a segment twice")
    pairs = pairs.with_columns(reversed=pl.col("before") * pl.col("after") < 0)
    by_segment = pairs.group_by("judge", "segment").agg(
        part=pl.col("reversed").sum(), whole=pl.len()
    )
    reversals = share(
        by_segment["part"].to_numpy().astype(float), by_segment["whole"].to_numpy().astype(float)
    )
    contradicted = pairs.filter("reversed")
    numbers = pl.concat([contradicted["ranking"], contradicted["later"]]).unique()
    change = _without_rankings(evidence, numbers)
    at_random = random_reversal(float((evidence.comparisons.outcome == 0).mean()))
    meaning = (
        f"Judges reversed their own answer in {len(contradicted):,} of {len(pairs):,} repeated "
        f"comparisons (random answers would in {100 * at_random:.0f} %)"
    )
    severity = grade(change, reversals.low > at_random / 2)
    if severity > Severity.none and reversals.high >= at_random:
        severity, meaning = Severity.warning, f"{meaning}, not told apart from random answers"
    return Answer(
        severity,
        f"{meaning}; without the blocks concerned {change}",
        NOTHING_TO_DO
        if severity is Severity.none
        else 'Look at the worst (`only="contradictions"`); talk to those judges, shorten '
        "segments or show fewer outputs at once.",
        reversals.value,
        reversals.low,
        reversals.high,
        change,
        _worst(contradicted),
    )


def _without_rankings(evidence: Evidence, numbers: pl.Series) -> Change:
    """What the order becomes without the rankings of these numbers."""
    mask = np.isin(evidence.comparisons.rankings, numbers.to_numpy())
    return evidence.without(mask[evidence.comparisons.ranking])


def _worst(contradicted: pl.DataFrame) -> list[DetailRow]:
    """The reversals with the widest swing of ranks."""
    swing = (pl.col("before") - pl.col("after")).abs()
    worst = contradicted.with_columns(swing=swing).sort(
        *("swing", "ranking", "later", "code", "code_2"),
        descending=[True, False, False, False, False],
    )
    return [
        {
            "judge": row["judge"],
            "segment": row["segment"],
            "output": output_name(row["output"]),
            "other": output_name(row["output_2"]),
            "ranks": f"{row['first_rank']} : {row['second_rank']}",
            "ranks_again": f"{row['first_again']} : {row['second_again']}",
            "ranking": row["ranking"],
            "ranking_again": row["later"],
        }
        for row in worst.head(EXAMPLES).iter_rows(named=True)
    ]


def _identical_outputs(evidence: Evidence) -> Answer:
    equal = _pairs_in_blocks(evidence).filter(pl.col("text") == pl.col("text_2"))
    if equal.is_empty():
        raise NotEnoughData("no block shows two outputs of the same words")
    by_block = equal.group_by("ranking").agg(
        part=(pl.col("rank") != pl.col("rank_2")).sum(), whole=pl.len()
    )
    reversals = share(
        by_block["part"].to_numpy().astype(float), by_block["whole"].to_numpy().astype(float)
    )
    apart = (pl.col("rank") - pl.col("rank_2")).abs()
    different = equal.with_columns(apart=apart).filter(pl.col("apart") > 0)
    change = _without_rankings(evidence, different["ranking"].unique())
    return Answer(
        grade(change, len(different) > 0),
        f"Outputs of the same words were ranked differently in {len(different):,} of "
        f"{len(equal):,} cases; without the blocks concerned {change}",
        "Show equal outputs once and give all their systems the rank."
        if len(different)
        else NOTHING_TO_DO,
        reversals.value,
        reversals.low,
        reversals.high,
        change,
        [
            {
                "judge": row["judge"],
                "segment": row["segment"],
                "output": output_name(row["output"]),
                "other": output_name(row["output_2"]),
                "rank": row["rank"],
                "other_rank": row["rank_2"],
                "text": row["text"],
                "ranking": row["ranking"],
            }
            for row in different.sort(
                *("apart", "ranking", "code", "code_2"), descending=[True, False, False, False]
            )
            .head(EXAMPLES)
            .iter_rows(named=True)
        ],
    )


FINDING = (
    Finding(
        "contradictions",
        "Do judges contradict themselves?",
        "share of a judge's repeated comparisons that were reversed",
        "share",
        "Bojar 2011 §2.5.2, Table 9",
        _contradictions,
        needs=frozenset({"judge", "segment"}),
    ),
    Finding(
        "identical-outputs",
        "Are identical outputs ranked differently?",
        "share of equal outputs in one block with different ranks",
        "share",
        "Bojar 2011 §2.5.2, Table 9",
        _identical_outputs,
        needs=frozenset({"text"}),
    ),
)
