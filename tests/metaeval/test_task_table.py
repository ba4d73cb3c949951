"""The table of WMT23 and that of WMT24 on the same data: values, averages, order."""

from pathlib import Path

import polars as pl
import pytest

from adjudge.metaeval.task_table import task_table


@pytest.mark.parametrize(
    ("table", "published", "near"), [("wmt23", "WMT23", 1e-9), ("wmt24", "WMT24OnWMT23", 2e-3)]
)
def test_values_and_order_of_wmt23(wmt23, gold, table: str, published: str, near: float) -> None:
    ours = task_table(wmt23["en-de.default mqm"], table)
    rows = gold("wmt23_tasks").filter(pl.col("set") == f"{published} en-de primary mqm")
    named = dict(zip(ours.metrics, range(len(ours.metrics)), strict=True))

    def place(metric: str) -> int:
        bare = metric.removesuffix("[noref]")
        return named[f"{bare}-src" if bare != metric else f"{bare}-refA"]

    for row in rows.iter_rows(named=True):
        m = place(row["metric"])
        number = None if row["task"] == "average" else int(row["task"].removeprefix("task")) - 1
        value = ours.average[m] if number is None else ours.values[m, number]
        assert value == pytest.approx(row["value"], abs=near), row
    averages = rows.filter(pl.col("task") == "average").sort("rank")
    assert len(rows) == 32 * (len(ours.tasks) + 1)
    if near < 1e-6:
        order = [place(metric) for metric in averages["metric"]]
        assert order == sorted(order)
        assert len(set(ours.rank[order])) == 32


def test_the_command_prints_it(adjudge, tmp_path: Path) -> None:
    people = {"A": [9, 8, 7], "B": [7, 8, 5], "C": [4, 6, 5]}
    sides = {
        "human-scores/en-de.da.seg.score": people,
        "metric-scores/en-de/good.seg.score": people,
        "metric-scores/en-de/same.seg.score": {name: [1, 1, 1] for name in people},
    }
    for name, scores in sides.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{s}\t{v}\n" for s, row in scores.items() for v in row))
    said = adjudge("metaeval", tmp_path, "--table", "wmt23")
    assert said.code == 0, said.err
    assert "en-de: metrics by the tasks of WMT23 (da), 3 systems" in said.out
    assert "Without a value in every task there is no average: same." in said.out
    said = adjudge("metaeval", tmp_path, "--table", "wmt32")
    assert (said.code, said.out) == (2, "")
    assert "There are: wmt23, wmt24" in said.err
    said = adjudge("metaeval", tmp_path, "--table", "wmt23", "--level", "system")
    assert (said.code, said.out) == (2, "")
    assert "--table has its own statistics: leave out --level" in said.err
