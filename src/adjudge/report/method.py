"""Description of the method of a report, in words and formulas."""

from collections.abc import Iterator, Sequence

from adjudge.agreement.conventions import CONVENTIONS
from adjudge.metrics.system_scores import MetricScores
from adjudge.ranking.method import METHODS
from adjudge.report.analysis import Settings
from adjudge.simulation.planning import Goal
from adjudge.stats.interval_columns import drawn
from adjudge.stats.resampling import plural

_OUTPUTS = {
    "expanded": "An output that several systems produced counts for each of them.",
    "collapsed": "An output that several systems produced is one candidate.",
}


def method_section(
    settings: Settings, metrics: Sequence[MetricScores] = ()
) -> Iterator[tuple[str, str]]:
    """Steps by name, with an exact description."""
    method = settings.chosen
    yield (
        "Comparisons",
        "A ranking of k outputs gives k(k − 1)/2 comparisons; an output without a rank gives none. "
        + _OUTPUTS[settings.outputs],
    )
    yield (
        f"Score: {method.name}",
        f"{method.summary} ({method.paper}). Ties: {method.ties}. The reference "
        f"{'takes part as a system' if method.reference else 'is left out'}.",
    )
    yield "Uncertainty", _uncertainty(settings)
    yield (
        "Clusters",
        "In the order of scores, a cluster ends where no rank range so far reaches one to come "
        "(WMT13 §3.4).",
    )
    yield (
        "Head to head",
        "Share of wins among the comparisons that one of the two won; test of the difference of "
        "expected wins over other judges and texts (WMT13's sign test where asked for), p adjusted "
        "over all pairs to control the false discovery rate (Benjamini and Hochberg 1995): "
        "⋆ p ≤ 0.10, † p ≤ 0.05, ‡ p ≤ 0.01.",
    )
    yield (
        "Methods side by side",
        f"{', '.join(METHODS)}; methods that are random ran {settings.runs:,} times on all "
        "judgements. Violated comparisons: over all pairs that an order puts A above B, how many "
        "more comparisons say the opposite (Lopez 2012 §5).",
    )
    yield (
        "Agreement",
        "κ = (P(A) − P(E)) / (1 − P(E)), P(E) = ((1 − t)/2)² · 2 + t² from the share t of ties. "
        + " ".join(f"{name}: {convention.summary}." for name, convention in CONVENTIONS.items())
        + " Intervals hold for other judges and texts as far as the labels tell (variance "
        "components, Wilson's interval of P(A)); by judge and by length they are from "
        f"{settings.replicates:,} replicates of segments.",
    )
    yield (
        "Diagnosis",
        "Every finding is a question put to the judgements. A warning is a trouble on which the "
        "order hangs: without it another system comes first, or two systems change places that "
        "the rank ranges had separated. What changes only the order by a method that is not in "
        "use is no reason for a warning.",
    )
    yield "More rankings", _planning(settings)
    if metrics:
        yield "Metrics", metrics_method(metrics)


def metrics_method(metrics: Sequence[MetricScores]) -> str:
    """Description of the metrics, with their signatures."""
    first = metrics[0]
    references = "one reference" if first.references == 1 else f"{first.references} references"
    return (
        f"{', '.join(str(scored.metric) for scored in metrics)}, against {references}. Intervals, "
        f"rank ranges and clusters: {drawn(first.resampling.unit, first.resampling.replicates)}, "
        f"the same for all systems (seed {first.resampling.seed}). A metric agrees with people on "
        "two systems that their rank ranges separate if it orders them alike (pairwise accuracy, "
        "Kocmi et al. 2021)."
    )


def _uncertainty(settings: Settings) -> str:
    if settings.unit == "none":
        return "Nothing was resampled: intervals, rank ranges and clusters hold no sampling error."
    if settings.unit == "auto":
        return (
            "Over other judges and documents, as far as the judgements tell; the heading of each "
            "ranking says for whom it holds. The variance between judges, between documents and "
            "of the rest is estimated from what each judge says of each document, pooled over "
            f"systems. Interval at {100 * settings.level:g} %: Wilson's with the effective number "
            "of votes for shares, score ± t · standard error for strengths. Rank ranges, unless "
            "WMT13's were asked for, hold for all systems at once (step-down over the largest "
            "difference of all pairs). Methods without a variance in closed form are resampled, "
            f"{settings.replicates:,} replicates (seed {settings.seed})."
        )
    units = plural(settings.unit)
    return (
        f"{settings.replicates:,} replicates, each drawing as many {units} as there are "
        f"with replacement (seed {settings.seed}), are scored alike. Interval: percentiles of the "
        f"scores at {100 * settings.level:g} %, widened where there are few {units} (expanded "
        "percentile interval, Hesterberg 2015). Rank range: the ranks of a system in all "
        "replicates, sorted, without the same share at either end."
    )


def _planning(settings: Settings) -> str:
    if settings.unit == "none":
        return "Not planned, since nothing was resampled."
    return (
        "Further rankings by further judges of further texts like these, after which two systems "
        f"differ significantly as in the ranking ({100 * settings.level:g} %) with a chance of "
        f"{100 * Goal.chance:g} %. The variance of judges falls with their number, that of texts "
        "with theirs, and only the rest with the number of rankings: more rankings by the same "
        "judges of the same texts never fall below what the two leave. Clusters of a larger "
        "campaign are simulated with the covariance of the scores."
    )
