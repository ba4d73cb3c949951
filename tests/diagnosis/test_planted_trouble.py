"""Trouble planted in simulated campaigns is found, and clean campaigns raise few alarms."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from adjudge.diagnosis.diagnose import diagnose
from adjudge.diagnosis.finding import FINDINGS, Severity
from adjudge.simulation.campaign import simulate
from adjudge.simulation.design import Design, Judges

pytestmark = pytest.mark.slow

CULPRIT = "simulated-003"
ENOUGH = 20  # clean campaigns
NOT_SIMULATED = {"group", "text", "reference"}  # what they lack
RARE = 0.001  # a chance below which a number of alarms is a defect


def only(table, name, **options):
    (found,) = diagnose(table, only=[name], **options)
    return found.answer


def accused(answer):
    return {row["judge"] for row in answer.details if row["accused"]}


def by_culprit(share, seed=0):
    """An expression: the rankings of the culprit in which something is planted."""
    chosen = pl.col("ranking").hash(seed) % 1000 < 1000 * share
    return (pl.col("judge") == CULPRIT) & chosen & pl.col("rank").is_not_null()


def test_careless_judges_are_found_and_nobody_else():
    design = Design(identical=0.0, judges=Judges(careless=0.1))
    found, missed, innocent = 0, 0, 0
    for seed in range(4):
        campaign = simulate(design, seed)
        drawn = campaign.truth.judges
        careless = {name for name, is_ in zip(drawn.names, drawn.careless, strict=True) if is_}
        answer = only(campaign.judgements, "uninformative-judges")
        busy = {row["judge"] for row in answer.details if row["rankings"] >= 30}
        found += len(accused(answer) & careless)
        missed += len((careless & busy) - accused(answer))
        innocent += len(accused(answer) - careless)
        assert answer.severity >= Severity.note
    assert found >= 6
    assert missed == 0
    assert innocent == 0


def test_an_upside_down_judge_is_found(clean):
    table = clean(1).with_columns(
        pl.when(pl.col("judge") == CULPRIT)
        .then(6 - pl.col("rank"))
        .otherwise(pl.col("rank"))
        .alias("rank")
    )
    assert accused(only(table, "uninformative-judges")) == {CULPRIT}
    pulled = [row for row in only(table, "one-judge").details if row["pulled"]]
    assert CULPRIT in {row["judge"] for row in pulled}


def test_a_position_biased_judge_is_found(clean):
    biased = pl.col("rank") + pl.when(by_culprit(1)).then(pl.col("position") // 2).otherwise(0)
    assert accused(only(clean(1).with_columns(rank=biased), "position-judges")) == {CULPRIT}


def test_a_bias_of_everyone_is_found_with_its_size(clean):
    table = clean(2).with_columns(rank=10 * pl.col("rank") + 2 * pl.col("position"))
    answer = only(table, "position")
    assert answer.severity >= Severity.note
    assert answer.low < 2 < answer.high


def test_a_straight_liner_is_found(clean):
    drawn = pl.when(by_culprit(0.4)).then(pl.col("position")).otherwise(pl.col("rank"))
    table = clean(1).with_columns(drawn.alias("rank"))
    answer = only(table, "straight-lines")
    assert accused(answer) == {CULPRIT}
    assert CULPRIT in answer.meaning


def test_constant_ranks_are_found(clean):
    same = pl.when(by_culprit(0.4)).then(1).otherwise(pl.col("rank"))
    assert accused(only(clean(1).with_columns(same.alias("rank")), "constant-ranks")) == {CULPRIT}


def test_a_hasty_judge_is_found_by_time_and_by_words(clean):
    hasty = pl.when(by_culprit(0.9)).then(4.0).otherwise(pl.col("seconds"))
    table = clean(1).with_columns(hasty.alias("seconds"))
    answer = only(table, "speed")
    assert accused(answer) == {CULPRIT}
    assert "no texts" in answer.meaning
    words = pl.lit(" ".join(["word"] * 10)).cast(pl.Categorical)
    answer = only(table.with_columns(source=words, reference=words, text=words), "speed")
    assert accused(answer) == {CULPRIT}
    assert "words a minute" in answer.meaning
    assert answer.details[0]["words_per_minute"] == pytest.approx(60 * 70 / 4)


def test_two_systems_made_to_tie_are_a_family(clean):
    table = clean(1)
    named = pl.col("output").cast(pl.String)
    systems = sorted(named_systems(table))
    pair = [systems[2], systems[8]]
    both = named.is_in(pair) & (pl.col("ranking").hash(5) % 10 < 6)
    together = (both & pl.col("rank").is_not_null()).sum().over("ranking") == 2
    tied = pl.col("rank").filter(both).min().over("ranking")
    table = table.with_columns(
        pl.when(both & together).then(tied).otherwise(pl.col("rank")).alias("rank")
    )
    answer = only(table, "tie-families")
    assert answer.value == 1
    linked = [{row["system"], row["other"]} for row in answer.details if row["too_often"]]
    assert linked == [set(pair)]


def named_systems(table):
    return set(table["output"].cast(pl.String).drop_nulls().to_list())


def test_fatigue_is_found(clean):
    table = clean(3)
    late = (
        table.select("ranking", "judge", "time")
        .unique()
        .with_columns(order=pl.col("time").rank("ordinal").over("judge"))
        .with_columns(late=pl.col("order") > pl.col("order").max().over("judge") / 2)
    )
    rng = np.random.default_rng(1)
    clicks = pl.Series("clicks", rng.integers(1, 6, len(table)), pl.Int32)
    tired = (
        table.with_columns(clicks)
        .join(late.select("ranking", "late"), on="ranking", maintain_order="left")
        .with_columns(
            pl.when("late").then(pl.col("clicks")).otherwise(pl.col("rank")).alias("rank"),
            # One long session a judge: every block half a minute after the one before.
            time=pl.datetime(2026, 1, 5, time_zone="UTC")
            + pl.duration(seconds=30 * pl.col("time").rank("dense").over("judge")),
        )
        .drop("clicks", "late")
    )
    answer = only(tired, "fatigue")
    assert answer.severity is Severity.note
    assert answer.high < 0
    assert "falls" in answer.meaning


def test_one_judge_who_decides_the_order_is_found(clean):
    table = clean(4)
    systems = sorted(named_systems(table))
    favourite = pl.col("output").cast(pl.String) == systems[0]
    own_taste = pl.when((pl.col("judge") == CULPRIT) & favourite).then(-9).otherwise(pl.col("rank"))
    answer = only(table.with_columns(own_taste.alias("rank")), "one-judge")
    assert answer.severity >= Severity.note
    assert answer.details[0]["judge"] == CULPRIT
    assert systems[0].split(".")[-1] in answer.details[0]["pulled"]


def findings_that_test_chance() -> list[str]:
    """The findings that name their chance of a false alarm, and that clean campaigns can answer."""
    return [
        name
        for name, finding in FINDINGS.items()
        if finding.false_alarms is not None and not finding.needs & NOT_SIMULATED
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", findings_that_test_chance())
def test_clean_campaigns_raise_no_more_alarms_than_a_finding_says(clean, name):
    severities = [only(clean(seed), name).severity for seed in range(ENOUGH)]
    alarms = sum(severity > Severity.none for severity in severities)
    assert alarms <= stats.binom.isf(RARE, ENOUGH, FINDINGS[name].false_alarms)
    assert Severity.unanswered not in severities


def test_all_findings_can_be_asked_of_a_whole_campaign():
    campaign = simulate(Design(reference=True), 1)
    diagnosed = diagnose(campaign.judgements)
    assert {one.finding.name for one in diagnosed} == set(FINDINGS)
    severities = [one.answer.severity for one in diagnosed]
    assert severities == sorted(severities, reverse=True)


def test_judges_who_answer_at_random_contradict_themselves():
    judged = simulate(Design(judges=Judges(careless=1.0)), 2).judgements
    answer = only(judged, "contradictions")
    assert answer.severity is Severity.warning
    assert "not significantly different from random answers" in answer.meaning
    assert len(answer.details) == 20
    assert only(simulate(Design(), 2).judgements, "contradictions").severity is Severity.none


def test_a_circle_of_clear_majorities_is_a_warning(table_of):
    circle = [("j", {"A": 1, "B": 2}), ("j", {"B": 1, "C": 2}), ("j", {"C": 1, "A": 2})]
    answer = only(table_of(circle * 10), "cycles")
    assert answer.severity is Severity.warning
    assert answer.value == 3
    assert "every step" in answer.meaning
    answer = only(table_of(circle * 2), "cycles")
    assert answer.severity is Severity.note


def test_pairs_too_thin_to_say_anything_are_named(table_of):
    blocks = [("j", {"A": 1, "B": 2})] * 20 + [("j", {"B": 1, "C": 2})] * 5
    answer = only(table_of(blocks), "too-few")
    assert answer.value == 2
    assert "A and C" in answer.meaning
    assert "B and C" in answer.meaning
    assert {(row["system"], row["other"]) for row in answer.details} == {("A", "C"), ("B", "C")}


def test_a_majority_against_the_order_is_named(table_of):
    # B beats A head to head, yet A beats C far more often than B does.
    blocks = [("j", {"B": 1, "A": 2})] * 12 + [("j", {"A": 1, "B": 2})] * 2
    blocks += [("j", {"A": 1, "C": 2})] * 20 + [("j", {"C": 1, "B": 2})] * 20
    answer = only(table_of(blocks), "contradicted")
    assert answer.severity is Severity.warning
    assert answer.details[0]["better"] == "B"
    assert answer.details[0]["worse"] == "A"
    assert "B beats A 12 : 2" in answer.meaning
