"""Inference of the task from the data, shared by training and evaluation."""

import polars as pl

from adjudge.core.errors import BadParameter
from adjudge.quality.quantities import QUANTITIES
from adjudge.quality.tasks.scoring import chosen_number, predictable


def chosen_task(table: pl.DataFrame, predict: str | None = None) -> str:
    """Only possible task of the data, or that of the number `predict`; otherwise raise an error."""
    if predict is None:
        numbers = predictable(table)
        known = [name for name in numbers if name in QUANTITIES]
        if table["rank"].count():
            if known:
                raise BadParameter(
                    f"there are ranks and {', '.join(known)}; say which is predicted: "
                    f'`task="selection"`, or `predict="{known[0]}"`'
                )
            return "selection"
        if not numbers and table["tags"].count():
            return "words"
    return "time" if chosen_number(table, predict) == "seconds" else "scoring"
