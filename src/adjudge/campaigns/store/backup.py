"""Full backup of all campaigns while judges work, and its restoration.

One file of JSON lines, compressed as its ending says: a heading; for every table a line with
its name and columns, then its rows, one array each; a last line that counts the rows, so that
a file cut short is noticed. It is read inside one snapshot of the database (a read transaction
on SQLite in WAL mode, REPEATABLE READ on PostgreSQL), so it is consistent and nobody waits.
The file does not depend on the engine: a backup of one can be restored into the other. Nor does
it depend on the version that made it: the rows go into tables as they were then, which are
brought up to date afterwards. Where the pages are installed, the accounts of organisers are in it.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import IO, Any, cast

from django.apps import apps
from django.apps.registry import Apps
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import IntegrityError, connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from adjudge.campaigns.models import AuditEntry, Campaign, Item
from adjudge.campaigns.store.queries import OneCampaign
from adjudge.campaigns.store.unfinished import Making, making, remove_abandoned
from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import open_output

KIND = "adjudge campaigns"
ACCOUNTS = "auth_user"
_APP = "campaigns"
_ROWS = 1000  # at a time
_Models = list[type[models.Model]]
_Lines = Iterator[tuple[int, Any]]


def backup(path: str) -> int:
    """Write everything to `path`; return the number of rows."""
    rows = 0
    with open_output(path, private=True) as stream, _snapshot():
        created = timezone.now().isoformat(timespec="seconds")
        _write(stream, {"backup": KIND, "schema": _schema(), "created": created})
        for model in [*_models(), *_accounts()]:
            columns = [field.attname for field in _fields(model)]
            _write(stream, {"table": model._meta.db_table, "columns": columns})
            stored = model._base_manager.order_by("pk").values_list(*columns)
            for row in stored.iterator(_ROWS):
                _write(stream, [_plain(value) for value in row])
                rows += 1
        _write(stream, {"rows": rows})
    return rows


def restore(path: str, only: str | None = None) -> int:
    """Restore a backup into an empty database; return the number of rows.

    `only`: restore one campaign, into an empty database or into the one that it is missing from.
    """
    if only is not None:
        return _restore_one(InputFile(path), OneCampaign(only))
    remove_abandoned()
    if Campaign.everything.exists():
        raise AdjudgeError(
            "this database holds campaigns already; restore into an empty one (`database`)"
        )
    file = InputFile(path)
    lines = _lines(file)
    with _tables_as_of(_schema_in(file, next(lines, (1, None))[1])) as models_then:
        pending = _Pending(file, models_then)
        with transaction.atomic():
            for _ in pending.stored(lines):
                pass
    _set_sequences()
    return pending.read


def _restore_one(file: InputFile, chosen: OneCampaign) -> int:
    if Campaign.objects.filter(name=chosen.name).exists():
        raise AdjudgeError(f"there is a campaign {chosen.name!r} already; rename that one first")
    lines = _lines(file)
    schema = _schema_in(file, next(lines, (1, None))[1])
    if schema != _schema():
        raise InputError(
            f"was made with tables as of {schema}; restore all of it into an empty database, and "
            "one campaign from a backup of that",
            file=file.name,
        )
    try:
        with making() as made:
            pending = _PendingOne(file, _models(), chosen, made)
            made.in_steps(pending.stored(lines))
            if not chosen.is_found:
                raise InputError(f"holds no campaign {chosen.name!r}", file=file.name)
            with transaction.atomic():
                pending.finish()
    except IntegrityError:
        raise AdjudgeError(
            f"{file.name}: rows of the campaign {chosen.name!r} are in this database already, or "
            "others in their place; restore it into an empty database (`database`)"
        ) from None
    _set_sequences()
    return pending.kept


class _Pending:
    """Rows in transit to the database, table after table."""

    def __init__(self, file: InputFile, models_then: _Models) -> None:
        self.file = file
        self.by_table = {model._meta.db_table: model for model in [*models_then, *_accounts()]}
        self.model: type[models.Model] | None = None
        self.fields: list[models.Field[Any, Any]] = []
        self.rows: list[models.Model] = []
        self.read = 0  # rows of the file

    def stored(self, lines: _Lines) -> Iterator[None]:
        """Read the file and store its content in batches."""
        for number, line in lines:
            if isinstance(line, list):
                self._add(number, line)
            elif not isinstance(line, dict):
                said = "is neither a row nor a table; the file is damaged"
                raise self.file.bad_line(number, said)
            if len(self.rows) >= _ROWS or not isinstance(line, list):
                self._store()
                yield
            if isinstance(line, dict):
                if "rows" in line:
                    if line["rows"] != self.read:
                        break
                    return
                self._begin(number, line)
        raise InputError("ends before its last line; the copy was cut short", file=self.file.name)

    def _begin(self, number: int, line: dict[str, Any]) -> None:
        table = line.get("table")
        if table == ACCOUNTS and ACCOUNTS not in self.by_table:
            raise AdjudgeError("it holds accounts of organisers; restore it where the pages are")
        if not isinstance(table, str) or table not in self.by_table:
            raise self.file.bad_line(number, f"no table {table!r} in this version")
        self.model = model = self.by_table[table]
        columns, known = line.get("columns"), {field.attname for field in _fields(model)}
        if not isinstance(columns, list) or not {*map(str, columns)} <= known:
            raise self.file.bad_line(number, f"{table} has other columns in this version")
        self.fields = [_field(model, name) for name in columns]

    def _add(self, number: int, row: list[Any]) -> None:
        if self.model is None or len(row) != len(self.fields):
            raise self.file.bad_line(number, "a row that fits no table; the file is damaged")
        self.read += 1
        values = zip(self.fields, row, strict=True)
        try:
            stored = self.model(**{f.attname: f.to_python(v) for f, v in values})
        except (ValidationError, TypeError, ValueError):
            said = "a row that fits no table; the file is damaged"
            raise self.file.bad_line(number, said) from None
        self._take(stored)

    def _take(self, row: models.Model) -> None:
        self.rows.append(row)

    def _store(self) -> None:
        if self.model is not None:
            if self.model._meta.db_table == ACCOUNTS:
                self.rows = _new_accounts(self.model, self.rows)
            self.model._default_manager.bulk_create(self.rows)
        self.rows = []


class _PendingOne(_Pending):
    """Restoration of one campaign into a database in use, hidden until `finish`."""

    def __init__(
        self, file: InputFile, models_now: _Models, chosen: OneCampaign, made: Making
    ) -> None:
        super().__init__(file, models_now)
        self.chosen, self.made = chosen, made
        self.kept = 0
        self.log: list[AuditEntry] = []  # outlives campaigns that come to nothing
        # What refers to rows of tables that follow: values of rows by their table, and items.
        self.links: dict[type[models.Model], list[tuple[Any, ...]]] = {}
        self.items: list[Item] = []

    def _take(self, row: models.Model) -> None:
        if not self.chosen.takes(row):
            return
        self.kept += 1
        if isinstance(row, AuditEntry):
            self.log.append(row)
            return
        if isinstance(row, Campaign):
            self.made.adopt(row)
        if isinstance(row, Item) and row.about_id is not None:
            self.items.append(Item(pk=row.pk, about_id=row.about_id))
            row.about_id = None
        if row._meta.auto_created:
            values = tuple(getattr(row, field.attname) for field in _fields(type(row)))
            self.links.setdefault(type(row), []).append(values)
            return
        self.rows.append(row)

    def stored(self, lines: _Lines) -> Iterator[None]:
        """Read and store all but the log."""
        yield from super().stored(lines)
        for model, rows in self.links.items():
            for start in range(0, len(rows), _ROWS):
                portion = rows[start : start + _ROWS]
                model._default_manager.bulk_create(model(*values) for values in portion)
                yield
        for start in range(0, len(self.items), _ROWS):
            Item.objects.bulk_update(self.items[start : start + _ROWS], ["about"])
            yield

    def finish(self) -> None:
        """Make the campaign visible."""
        self.chosen.make_room(self.log)
        AuditEntry.objects.bulk_create(self.log)
        (campaign,) = self.made.campaigns
        self.made.show(campaign, self.chosen.name)


def _accounts() -> _Models:
    """Models of organiser accounts, if the pages are installed."""
    if not apps.is_installed("django.contrib.auth"):
        return []
    return [apps.get_model("auth", "User")]


def _new_accounts(model: type[models.Model], accounts: list[Any]) -> list[models.Model]:
    """Accounts whose names are free, with keys of this database."""
    taken = set(model._default_manager.values_list("username", flat=True))
    new = [account for account in accounts if account.get_username() not in taken]
    for account in new:
        account.pk = None
    return new


def _models(registry: Apps = apps) -> _Models:
    return list(registry.get_app_config(_APP).get_models(include_auto_created=True))


def _fields(model: type[models.Model]) -> "list[models.Field[Any, Any]]":
    return list(model._meta.concrete_fields)


def _field(model: type[models.Model], column: str) -> "models.Field[Any, Any]":
    return next(field for field in _fields(model) if field.attname == column)


def _schema() -> str:
    """Last migration, which identifies the schema."""
    applied = MigrationRecorder(connection).applied_migrations()
    return max(name for app, name in applied if app == _APP)


@contextmanager
def _tables_as_of(schema: str) -> Iterator[_Models]:
    """Create the empty tables as of a migration; migrate to the present afterwards."""
    if schema == _schema():
        yield _models()
        return
    try:
        call_command("migrate", _APP, schema, verbosity=0, interactive=False)
        state = MigrationExecutor(connection).loader.project_state((_APP, schema))
        yield _models(state.apps)
    finally:
        call_command("migrate", _APP, verbosity=0, interactive=False)


@contextmanager
def _snapshot() -> Iterator[None]:
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    # Not `atomic`: that would take the write lock and keep judges waiting.
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _write(stream: IO[bytes], line: object) -> None:
    stream.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")


def _lines(file: InputFile) -> _Lines:
    for number, line in enumerate(bytes(file.data).splitlines(), 1):
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError):
            raise file.bad_line(
                number, "is not valid JSON; the file is damaged or no backup"
            ) from None


def _schema_in(file: InputFile, heading: Any) -> str:
    """Migration after which the backup was made."""
    if not isinstance(heading, dict) or heading.get("backup") != KIND:
        raise InputError(
            "is not a backup of campaigns; make one with campaign backup", file=file.name
        )
    schema = heading.get("schema")
    if (_APP, schema) not in MigrationExecutor(connection).loader.graph.nodes:
        raise InputError(
            f"was made with tables as of {schema}, which this version does not know (it has "
            f"{_schema()}); restore it with the version that made it, or a later one",
            file=file.name,
        )
    return str(schema)


def _set_sequences() -> None:
    """Reset sequences after the restored rows (PostgreSQL)."""
    statements = connection.ops.sequence_reset_sql(no_style(), _models())
    with connection.cursor() as cursor:
        for statement in cast(list[str], statements):
            cursor.execute(statement)
