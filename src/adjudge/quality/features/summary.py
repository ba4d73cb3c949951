"""Summary of feature values, and files of the values."""

from dataclasses import dataclass

import polars as pl

from adjudge.core.errors import BadParameter
from adjudge.core.files.output import open_output, uncompressed_name
from adjudge.quality.features.column import FeatureTable

_ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet")


@dataclass(frozen=True, eq=False)
class FeatureSummary:
    """Features of translations (`level` sentence) or of their tokens (`level` word)."""

    features: FeatureTable
    level: str

    def to_frame(self) -> pl.DataFrame:
        """Return one row per column: its mean, standard deviation and range, or its number of
        labels.
        """
        rows = []
        for column in self.features.columns:
            values = column.values
            spread = (
                {"distinct": values.n_unique()}
                if column.is_label
                else {
                    "mean": values.mean(),
                    "deviation": values.std(ddof=0),
                    "low": values.min(),
                    "high": values.max(),
                }
            )
            rows.append({"column": column.name, "what": column.what, **spread})
        empty = {"column": None, "what": None, "mean": None, "deviation": None}
        empty |= {"low": None, "high": None, "distinct": None}
        return pl.DataFrame([empty | row for row in rows], infer_schema_length=None)

    def write(self, path: str) -> None:
        """Write the values, one row per translation or token, in the format of the path's
        suffix.
        """
        ending = next((e for e in _ENDINGS if uncompressed_name(path).endswith(e)), None)
        if ending is None:
            raise BadParameter(
                f"{path}: its ending names no format; end it in one of {', '.join(_ENDINGS)}"
            )
        frame = self.features.to_frame()
        with open_output(path) as stream:
            if ending == ".parquet":
                frame.write_parquet(stream)
            elif ending == ".jsonl":
                frame.write_ndjson(stream)
            else:
                frame.write_csv(stream, separator="," if ending == ".csv" else "\t")
