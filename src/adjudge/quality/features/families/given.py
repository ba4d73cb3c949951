"""Features supplied with the data, such as those from inside a system (glass-box features)."""

from adjudge.core.errors import NotEnoughData
from adjudge.quality.features.column import Column, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared


def _columns(prepared: Prepared) -> list[Column]:
    columns = []
    for name in prepared.given:
        values = prepared.table[name]
        if values.null_count():
            raise NotEnoughData(f"not every translation has a {name}; leave the others out")
        columns.append(number(name, "given with the data", values.to_numpy()))
    return columns


FAMILY = Family(
    "given",
    "columns feature_… of the data, as they are",
    "WMT13 §6.3",
    _columns,
    ("given",),
)
