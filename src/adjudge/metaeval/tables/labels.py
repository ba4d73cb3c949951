"""Labels of tables and figures of meta-evaluation."""

from collections.abc import Sequence

from adjudge.metaeval.evaluation import MetaEvaluation
from adjudge.stats.interval_columns import drawn

TITLES = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's ρ",
    "kendall": "Kendall's τ-b",
    "kendall-c": "Kendall's τ-c",
    "accuracy": "accuracy",
    "soft-accuracy": "soft accuracy",
    "accuracy-calibrated": "accuracy, calibrated",
    "pearson-differences": "r of differences",
    "darr": "DARR τ",
    "wmt12": "τ WMT12",
    "wmt13": "τ WMT13",
    "wmt14": "τ WMT14",
    "hties": "τ HTIES",
}

MEANINGS = {
    "pearson": "cov(h, m) / √(var(h) var(m)) of people's scores h and the metric's scores m.",
    "spearman": "Pearson's r of ranks; ties share their mean rank.",
    "kendall": "(C − D) / √((C + D + T_h)(C + D + T_m)): C pairs ordered alike, D otherwise, T "
    "tied by people or by the metric alone.",
    "kendall-c": "2 k (C − D) / (n² (k − 1)), k being the smaller number of different values.",
    "accuracy": "The share of pairs of which people and the metric say the same, ties too.",
    "soft-accuracy": "1 less the mean difference of people's and the metric's p that one system "
    "is better than the other (Thompson 2024).",
    "accuracy-calibrated": "Accuracy, the metric's scores tying that differ by no more than ε; "
    "ε is the best for each metric (Deutsch 2023).",
    "pearson-differences": "Pearson's r of the differences of all pairs of a segment.",
    "darr": "τ of pairs that people put at least 25 points apart; a metric's tie is wrong.",
    "wmt12": "τ of people's preferences; a metric's tie counts as wrong, human ties are left out.",
    "wmt13": "τ of people's preferences; ties of either side are left out, so it can be gamed.",
    "wmt14": "τ of people's preferences; a metric's tie counts as 0, human ties are left out.",
    "hties": "τ of people's preferences; a metric's tie counts as 0, as right where people tie.",
}

ADJUSTED = {
    "bh": "p adjusted for false discoveries",
    "holm": "p adjusted for any false one",
    "none": "p not adjusted",
}


def title_of(statistic: str) -> str:
    """Heading of a statistic; a user-defined one is a τ."""
    return TITLES.get(statistic, f"τ {statistic}")


def of_pair(result: MetaEvaluation) -> str:
    """Prefix of a title with the language pair."""
    return f"{result.pair}: " if result.pair else ""


def is_tau(result: MetaEvaluation) -> bool:
    """Test whether the statistics are τ of preferences."""
    return title_of(result.statistics[0]).startswith("τ ")


def held_for(result: MetaEvaluation) -> str:
    """Population for which intervals hold."""
    unit, number = result.resampling.unit, result.resampling.replicates
    return "other judges and texts" if unit == "auto" else drawn(unit, number)


def tied_notes(statistics: Sequence[str]) -> list[str]:
    """Notes on the row of a metric that ties everything, and on gaming the statistic."""
    notes = [
        "(ties everything) is no metric: it is what one would get that calls every two outputs "
        "equal. An empty cell: not defined."
    ]
    if "wmt13" in statistics:
        notes.append(
            "WMT13 leaves out what a metric ties, so one that ties nearly everything is judged by "
            "what little is left: DiscoTK-light-kool, with 99.8 % ties, had the best of all at "
            "WMT14, .676 (.002 by WMT14's; Macháček 2014, Table 4.6)."
        )
    return notes
