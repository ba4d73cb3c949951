"""Tables of trained models."""

from collections.abc import Sequence

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Table
from adjudge.quality.models.numbers import NumberModel
from adjudge.quality.models.ranks import RankModel
from adjudge.quality.models.train import Trained

_HEADINGS = {
    "mae": "MAE",
    "rmse": "RMSE",
    "spearman": "Spearman",
    "tau": "τ",
    "pairs": "pairs",
    "macro_f1": "macro F1",
    "brier": "Brier",
    "calibration_error": "calibration error",
}


@shows(Trained)
def trained_tables(results: Sequence[Trained]) -> list[Table]:
    """One table per model."""
    return [_table(result) for result in results]


def _table(result: Trained) -> Table:
    row = result.to_frame().row(0, named=True)
    columns = [
        Column("learner", "learner"),
        Column("translations", "translations"),
        Column("features", "features"),
        *(
            Column(name, _heading(name), 0 if name == "pairs" else 3)
            for name in result.card.measured
        ),
    ]
    notes = ["Measured by cross-validation: on documents, or sources, that the model had not seen."]
    if row["chosen"]:
        notes.append(f"Chosen by cross-validation: {row['chosen']}.")
    resources = f"SHA-256 {row['resources']}" if row["resources"] else "none"
    notes += [
        f"Features: {row['families']}; tokenizer {row['tokenize']}; resources: {resources}.",
        f"Made by Adjudge {row['version']} with scikit-learn {row['scikit_learn']}.",
    ]
    return Table([row], columns, title=f"A model of {predicted_by(result)}", notes=notes)


def predicted_by(result: Trained) -> str:
    """Describe the predicted quantity."""
    model = result.model
    if isinstance(model, NumberModel):
        return model.quantity.title
    if isinstance(model, RankModel):
        return "ranks of candidates"
    return f"labels of words ({', '.join(model.classes)})"


def _heading(name: str) -> str:
    return _HEADINGS.get(name) or f"F1 {name.removeprefix('f1_').upper()}"
