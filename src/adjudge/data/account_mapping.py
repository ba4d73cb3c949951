"""Which accounts belong to which person.

An annotation tool gives people several accounts, one for each task. A mapping is JSON, in which
each person has a list of accounts (`{"Ada": ["engces01", "engces05"]}`) or each account a person,
perhaps below a name for each language pair; or it is a table of two columns, account and person.
"""

import csv
import io
import json
from typing import Any

import polars as pl

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile


def with_people(table: pl.DataFrame, file: InputFile) -> pl.DataFrame:
    """The table with people in place of accounts; accounts that have no person are kept."""
    people = read_mapping(file)
    known = {*people, *people.values()}
    judges = table["judge"].unique().drop_nulls().cast(pl.String).to_list()
    if not known & {*judges}:
        shown = f"; the judges are {', '.join(sorted(judges)[:3])}, …" if judges else ""
        raise InputError(f"names no account of these judgements{shown}", file=file.name)
    judge = pl.col("judge").cast(pl.String).replace(people)
    return table.with_columns(judge.cast(table.schema["judge"]).alias("judge"))


def read_mapping(file: InputFile) -> dict[str, str]:
    """The person of every account."""
    people: dict[str, str] = {}
    for account, person, line in _pairs(file):
        if not account or not person:
            raise InputError(
                "an account or a person has no name; name it", file=file.name, line=line
            )
        if people.setdefault(account, person) != person:
            raise InputError(
                f"account {account!r} belongs to {people[account]!r} and to {person!r}; remove one",
                file=file.name,
                line=line,
            )
    return people


def _pairs(file: InputFile) -> list[tuple[str, str, int | None]]:
    """Account, person and line of each entry."""
    if file.text.lstrip().startswith("{"):
        try:
            return _from_json(json.loads(file.text))
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"is no mapping of accounts to people ({error}); write "
                '{"person": ["account", …], …}',
                file=file.name,
            ) from None
    rows = csv.reader(io.StringIO(file.text, newline=""), delimiter=file.separator)
    pairs: list[tuple[str, str, int | None]] = []
    try:
        for fields in rows:
            if fields and len(fields) != 2:
                raise InputError(
                    f"has {len(fields)} fields instead of 2 (account, person); correct it",
                    file=file.name,
                    line=rows.line_num,
                )
            if fields:
                pairs.append((fields[0].strip(), fields[1].strip(), rows.line_num))
    except csv.Error as error:
        raise file.bad_line(rows.line_num, f"is no table ({error}); correct it") from None
    return pairs


def _from_json(mapping: Any) -> list[tuple[str, str, int | None]]:
    if not isinstance(mapping, dict):
        raise ValueError("it is no object")
    pairs: list[tuple[str, str, int | None]] = []
    for name, value in mapping.items():
        if isinstance(value, dict):
            pairs += _from_json(value)
        elif isinstance(value, list) and all(isinstance(each, str) for each in value):
            pairs += [(account, name, None) for account in value]
        elif isinstance(value, str):
            pairs.append((name, value, None))
        else:
            raise ValueError(f"{name!r} has neither accounts nor a person")
    return pairs
