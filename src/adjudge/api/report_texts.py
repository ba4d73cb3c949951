"""Texts that are given to a report, for its part on metrics."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adjudge.api.metric_names import metrics_named
from adjudge.api.texts import USUAL, Texts
from adjudge.core.errors import BadParameter

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric
    from adjudge.metrics.system_scores import MetricScores


@dataclass(frozen=True)
class GivenTexts:
    """The texts of one language pair, and the metrics that are to score them."""

    texts: Texts
    metrics: "tuple[Metric, ...]"

    def scored(self, replicates: int, seed: int, level: float) -> "tuple[MetricScores, ...]":
        """All systems by every metric."""
        return self.texts.metrics(self.metrics, replicates=replicates, seed=seed, level=level).parts

    def pair_among(self, pairs: Collection[str]) -> str:
        """The language pair of the judgements that the texts are of."""
        own = self.texts.material.pair
        if own in pairs:
            return own
        if len(pairs) == 1:
            return next(iter(pairs))
        called = f"are of {own}" if own else "are of one language pair"
        raise BadParameter(
            f"the texts {called}, the judgements of {', '.join(pairs)}; choose one with `pair`"
        )

    @property
    def signed(self) -> dict[str, Any]:
        """What a signature says of them."""
        return {"metric": list(map(str, self.metrics)), "texts": f"sha256-{self.texts.hash}"}

    @property
    def options(self) -> dict[str, Any]:
        """The options that give them on a command line."""
        usual = self.metrics == tuple(metrics_named(USUAL))
        metric = None if usual else list(map(str, self.metrics))
        return {**self.texts.source.options, "metric": metric}


def given_texts(
    texts: Texts | None, metric: "str | Metric | Iterable[str | Metric] | None"
) -> GivenTexts | None:
    """What a report is given; None where it is given no texts."""
    if texts is None:
        if metric is not None:
            raise BadParameter("`metric` scores texts; give them, too")
        return None
    return GivenTexts(texts, tuple(metrics_named(USUAL if metric is None else metric)))
