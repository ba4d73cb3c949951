"""Tables of features for quality estimation."""

from collections.abc import Sequence

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Row, Table
from adjudge.quality.features.summary import FeatureSummary


@shows(FeatureSummary)
def feature_tables(results: Sequence[FeatureSummary]) -> list[Table]:
    """One row per feature column."""
    tables = []
    for result in results:
        rows: list[Row] = list(result.to_frame().to_dicts())
        of = "translations" if result.level == "sentence" else "tokens"
        has_labels = bool(result.features.labels)
        labels = [Column("distinct", "different labels")] if has_labels else []
        tables.append(
            Table(
                rows,
                [
                    Column("column", "feature"),
                    Column("what", "what it is"),
                    Column("mean", "mean", 3),
                    Column("deviation", "deviation", 3),
                    Column("low", "lowest", 3),
                    Column("high", "highest", 3),
                    *labels,
                ],
                title=f"{len(rows)} features of {result.features.rows:,} {of}",
                data=[{**row, "level": result.level, "rows": result.features.rows} for row in rows],
            )
        )
    return tables
