"""Rows for machines: JSON and CSV."""

import csv
import io
import json
from collections.abc import Sequence

from adjudge.core.tables.table import Row, plain_row


def json_text(rows: Sequence[Row]) -> str:
    """An array of flat objects, one a line."""
    lines = (json.dumps(plain_row(row), ensure_ascii=False) for row in rows)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def csv_text(rows: Sequence[Row]) -> str:
    """A column for every key of any row."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, keys, lineterminator="\n")
    writer.writeheader()
    writer.writerows(plain_row(row) for row in rows)
    return text.getvalue()
