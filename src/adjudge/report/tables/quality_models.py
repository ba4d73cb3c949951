"""Trained models of quality."""

from collections.abc import Sequence

from adjudge.quality.models.trained import Trained
from adjudge.report.tables import shows
from adjudge.report.typesetting import Column, Table

_HEADINGS = {
    "mae": "MAE",
    "rmse": "RMSE",
    "spearman": "Spearman",
    "tau": "τ",
    "pairs": "pairs",
    "macro_f1": "macro F1",
}


@shows(Trained)
def trained_tables(results: Sequence[Trained]) -> list[Table]:
    """A table a model."""
    return [_table(result) for result in results]


def _table(result: Trained) -> Table:
    row = result.to_frame().row(0, named=True)
    columns = [
        Column("learner", "learner"),
        Column("translations", "translations"),
        Column("features", "features"),
        *(Column(name, _heading(name)) for name in result.card.measured),
    ]
    notes = ["Measured by cross-validation: on documents, or sources, that the model had not seen."]
    if row["chosen"]:
        notes.append(f"Chosen by cross-validation: {row['chosen']}.")
    return Table([row], columns, title=f"A model of {result.task}", notes=notes)


def _heading(name: str) -> str:
    return _HEADINGS.get(name) or f"F1 {name.removeprefix('f1_').upper()}"
