"""A crowd platform's own list of who did which task: the CSV file that it offers for download.

Mechanical Turk names the columns `WorkerId` and `AssignmentId`, Prolific `Participant id` and
`Submission id`.
"""

import csv
import io

from adjudge.errors import InputError
from adjudge.files.input_file import InputFile

_COLUMNS = (("WorkerId", "AssignmentId"), ("Participant id", "Submission id"))


def read_platform_list(path: str) -> set[tuple[str, str]]:
    """The workers and their tasks."""
    file = InputFile(path)
    rows = csv.DictReader(io.StringIO(file.text))
    by_name = {name.strip().lower(): name for name in rows.fieldnames or ()}
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
