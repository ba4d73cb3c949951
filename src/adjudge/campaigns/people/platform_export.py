"""Crowd platform's CSV export of workers and tasks.

Mechanical Turk names the columns `WorkerId` and `AssignmentId`, Prolific `Participant id` and
`Submission id`. A list of workers alone (`read_workers`) has the column `WorkerId` or, as
Mechanical Turk's page *Workers* writes it, `Worker ID`.
"""

import csv
import io

from adjudge.campaigns.people.crowd import platform_name
from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile

_WORKER = ("workerid", "worker id")
_COLUMNS = (("WorkerId", "AssignmentId"), ("Participant id", "Submission id"))


def read_workers(path: str) -> list[str]:
    """Read the distinct workers in file order."""
    file = InputFile(path)
    rows, by_name = _table(file)
    for column in _WORKER:
        if column in by_name:
            workers = (platform_name(row[by_name[column]] or "") for row in rows)
            return [worker for worker in dict.fromkeys(workers) if worker]
    raise InputError("has no column WorkerId; give a CSV table with one", file=file.name)


def _table(file: InputFile) -> tuple["csv.DictReader[str]", dict[str, str]]:
    rows = csv.DictReader(io.StringIO(file.text))
    return rows, {name.strip().lower(): name for name in rows.fieldnames or ()}


def read_platform_list(path: str) -> set[tuple[str, str]]:
    """Read the workers and their tasks."""
    file = InputFile(path)
    rows, by_name = _table(file)
    for columns in _COLUMNS:
        if all(column.lower() in by_name for column in columns):
            worker, task = (by_name[column.lower()] for column in columns)
            tasks = {(row[worker] or "", row[task] or "") for row in rows}
            if not tasks:
                break
            return tasks
    raise InputError(
        "lists no workers with their tasks; give the results as Mechanical Turk (WorkerId, "
        "AssignmentId) or Prolific (Participant id, Submission id) has them for download",
        file=file.name,
    )
