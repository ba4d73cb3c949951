"""Table in the style of WMT23 and WMT24: metrics by their average over tasks."""

from collections.abc import Sequence

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Table
from adjudge.metaeval.tables.labels import title_of
from adjudge.metaeval.task_table import Task, TaskTable


@shows(TaskTable)
def task_tables(results: Sequence[TaskTable]) -> list[Table]:
    """One table per language pair and human scale."""
    return [_table(result) for result in results]


def _table(result: TaskTable) -> Table:
    rows = [
        {
            "rank": int(result.rank[m]) or None,
            "metric": metric + (" ↓" if result.turned[m] else ""),
            "average": result.average[m],
        }
        | {f"v{t}": result.values[m, t] for t in range(len(result.tasks))}
        for m, metric in enumerate(result.metrics)
    ]
    of_pair = f"{result.pair}: " if result.pair else ""
    return Table(
        rows,
        [
            Column("rank", "rank"),
            Column("metric", "metric"),
            Column("average", "average", 3),
            *(Column(f"v{t}", _title(task), 3) for t, task in enumerate(result.tasks)),
        ],
        title=f"{of_pair}metrics by the tasks of {result.table.upper()} ({result.human}), "
        f"{result.systems} systems",
        notes=[*result.notes, _average_note(result)],
        data=result.rows(),
    )


def _title(task: Task) -> str:
    level = {"system": "systems", "segment": "segments"}[task.level]
    return f"{level}: {title_of(task.statistic)}"


def _average_note(result: TaskTable) -> str:
    correlated = any("accuracy" not in task.statistic for task in result.tasks)
    how = ", of which a correlation r counts as (r + 1) / 2" if correlated else ""
    return (
        f"The average is the mean of the tasks{how}. This order says nothing of how sure it is; "
        "the tables of single statistics do."
    )
