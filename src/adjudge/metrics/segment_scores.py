"""Segment scores, and score files in the layouts of WMT's metrics tasks."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from adjudge.core.errors import AdjudgeError, one_of
from adjudge.core.files.output import open_output
from adjudge.metrics.sufficient_statistics import Measured

# mt-metrics-eval: system, score; WMT07 to WMT14: metric, pair, test set, system(, segment), score.
LAYOUTS = ("mt-metrics-eval", "wmt14")


@dataclass(frozen=True, eq=False)
class SegmentScores:
    """Score of every segment of every system by one metric."""

    measured: Measured

    def to_frame(self) -> pl.DataFrame:
        """Return one row per system and segment."""
        scores = self.measured.segment_scores()
        segments, systems = scores.shape
        return pl.DataFrame(
            {
                "pair": [self.measured.pair or None] * scores.size,
                "metric": [str(self.measured.metric)] * scores.size,
                "system": [name for name in self.measured.systems for _ in range(segments)],
                "segment": list(range(1, segments + 1)) * systems,
                "score": scores.T.ravel(),
            },
            schema_overrides={"pair": pl.String},
        )


def write_scores(
    measured: Sequence[Measured], folder: str, layout: str = "mt-metrics-eval", testset: str = ""
) -> list[str]:
    """Write METRIC.seg.score and METRIC.sys.score for every metric; return the paths."""
    one_of(layout, LAYOUTS, "layout")
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AdjudgeError(f"{folder}: cannot be made ({error.strerror}); choose another") from None
    paths = []
    for each in measured:
        pair = each.pair or "xx-xx"
        by_segment, by_system = each.segment_scores(), each.scores()
        seg, sys_ = [], []
        for place, system in enumerate(each.systems):
            if layout == "mt-metrics-eval":
                seg += [f"{system}\t{score:.10g}" for score in by_segment[:, place]]
                sys_.append(f"{system}\t{by_system[place]:.10g}")
            else:
                key = f"{each.metric.short}\t{pair}\t{testset or 'testset'}\t{system}"
                seg += [
                    f"{key}\t{number}\t{score:.10g}"
                    for number, score in enumerate(by_segment[:, place], 1)
                ]
                sys_.append(f"{key}\t{by_system[place]:.10g}")
        for kind, lines in (("seg", seg), ("sys", sys_)):
            path = target / f"{each.metric.short}.{kind}.score"
            with open_output(str(path)) as stream:
                stream.write(("\n".join(lines) + "\n").encode())
            paths.append(str(path))
    return paths
