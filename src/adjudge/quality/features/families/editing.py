"""Editor and position in the document, for predictions of time (WMT13 §6.3, Task 1.3)."""

import numpy as np

from adjudge.quality.features.column import Column, label, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared


def _columns(prepared: Prepared) -> list[Column]:
    table = prepared.table
    columns = [label("translator", "who edits", table["translator"])]
    if table["document"].null_count() == 0:
        columns.append(label("document", "the document", table["document"]))
    if table["position"].null_count() == 0:
        position = table["position"].to_numpy().astype(np.float64)
        columns.append(number("position", "place in the document, from 1", position))
    return columns


FAMILY = Family(
    "editing",
    "translator, document and place in it",
    "WMT13 §6.3",
    _columns,
    ("translator",),
)
