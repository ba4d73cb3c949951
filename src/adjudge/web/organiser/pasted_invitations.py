"""Parsing of people to invite: names or e-mail addresses by line, or a CSV table."""

import csv
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from adjudge.core.errors import AdjudgeError

MOST_AT_ONCE = 1000
LONGEST_NAME = 200
_NAMES, _EMAILS = ("name", "judge"), ("email", "e-mail", "mail")


@dataclass(frozen=True)
class Invited:
    """Person to invite."""

    name: str
    email: str = ""


def read_people(text: str) -> list[Invited]:
    """Parse `Ann`, `ann@example.org`, `Ann <ann@example.org>` or `Ann, ann@example.org`, one per
    line; or a table with columns `name` and `email` in its first line.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise AdjudgeError("nobody is named; write a name a line")
    between = "\t" if "\t" in lines[0] else ";" if ";" in lines[0] else ","
    rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=between)]
    heading = [cell.lower() for cell in rows[0]]
    if {*heading} & {*_NAMES, *_EMAILS}:
        people = [_from_row(dict(zip(heading, row, strict=False))) for row in rows[1:]]
    else:
        people = [_from_line(line, row) for line, row in zip(lines, rows, strict=True)]
    _check(people)
    return people


def _from_row(row: dict[str, str]) -> Invited:
    email = next((row[name] for name in _EMAILS if row.get(name)), "")
    return Invited(next((row[name] for name in _NAMES if row.get(name)), "") or email, email)


def _from_line(line: str, cells: list[str]) -> Invited:
    name, bracket, email = line.removesuffix(">").rpartition("<")
    if line.endswith(">") and bracket and "@" in email:
        return Invited(name.strip(' "') or email, email)
    if len(cells) == 2 and "@" in cells[1]:
        return Invited(cells[0] or cells[1], cells[1])
    return Invited(line, line if "@" in line else "")


def _check(people: list[Invited]) -> None:
    if not people:
        raise AdjudgeError("the table names nobody; add a line for each judge")
    if len(people) > MOST_AT_ONCE:
        raise AdjudgeError(f"at most {MOST_AT_ONCE} are invited at once; leave some for later")
    seen: set[str] = set()
    for person in people:
        if not person.name or len(person.name) > LONGEST_NAME or not person.name.isprintable():
            raise AdjudgeError(f"“{person.name[:LONGEST_NAME]}” is not a name")
        if person.name in seen:
            raise AdjudgeError(f"{person.name} is there twice")
        seen.add(person.name)
        try:
            if person.email:
                validate_email(person.email)
        except ValidationError:
            raise AdjudgeError(f"{person.email} is not an e-mail address") from None
