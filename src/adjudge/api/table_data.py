"""What judgements, scores and edits have in common: choosing, writing, times, signatures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from functools import cached_property
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from adjudge.api.result import Result
from adjudge.core.errors import NotEnoughData
from adjudge.core.signature import Signature
from adjudge.data.selection import Moment, Names, Selection
from adjudge.data.source import Source, table_hash

if TYPE_CHECKING:
    import polars as pl

    from adjudge.data.item_times import By, Times
    from adjudge.report.analysis import Analysis

T = TypeVar("T")


@dataclass(frozen=True, eq=False, repr=False)
class Data:
    """A table of one kind, and where it comes from.

    Attributes
    ----------
    table : polars.DataFrame
        One row per judged output, score or edit (docs/formats.md has the columns).
    source : Source
        The files it was read from, with their hashes, and what was chosen.
    """

    table: "pl.DataFrame"
    source: Source = field(default_factory=Source)

    kind: ClassVar[str]

    @property
    def pairs(self) -> tuple[str, ...]:
        """The language pairs, in the order of their names."""
        return self._names("pair")

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges, in the order of their names."""
        return self._names("judge")

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of their names."""
        from adjudge.data.outputs import systems_of

        outputs = self.table["output"].unique().drop_nulls().to_list()
        return tuple(sorted({system for output in outputs for system in systems_of(output)}))

    def _names(self, column: str) -> tuple[str, ...]:
        return tuple(sorted(map(str, self.table[column].unique().drop_nulls())))

    def __len__(self) -> int:
        return len(self.table)

    def select(
        self,
        *,
        pair: Names | None = None,
        protocol: Names | None = None,
        judge: Names | None = None,
        without_judge: Names | None = None,
        group: Names | None = None,
        system: Names | None = None,
        without_system: Names | None = None,
        reference: Names | None = None,
        without_reference: bool = False,
        shortest: int | None = None,
        longest: int | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
    ) -> Self:
        """Choose some of them; the choice becomes part of every signature.

        Parameters
        ----------
        pair, protocol, judge, group, system : str or iterable of str
            Keep only these.
        without_judge, without_system : str or iterable of str
            Leave these out.
        reference : str or iterable of str
            Take these systems for the human reference. Those that are called `ref`, `reference`,
            `refA`, `Human-A` and the like are known without it.
        without_reference : bool
            Leave the human reference out.
        shortest, longest : int
            Keep source segments of at least, at most, so many words.
        since, until : datetime, date or str
            Keep what was judged at or after, before, this time (UTC where none is named).

        Returns
        -------
        The same kind of object with fewer rows.

        Raises
        ------
        AdjudgeError
            If a name does not occur; the message lists those that do. If there is no reference
            to leave out.
        NotEnoughData
            If nothing is left.

        Examples
        --------
        >>> import adjudge
        >>> judgements = adjudge.simulate(systems=4, rankings=100, seed=1)
        >>> len(judgements.select(without_system=judgements.systems[0]).systems)
        3
        """
        return self._keep(
            Selection(
                pair=pair,
                protocol=protocol,
                judge=judge,
                without_judge=without_judge,
                group=group,
                system=system,
                without_system=without_system,
                reference=reference,
                without_reference=without_reference,
                shortest=shortest,
                longest=longest,
                since=since,
                until=until,
            )
        )

    def _keep(self, selection: Selection) -> Self:
        """`select`, by a selection that was made before."""
        kept = self._chosen(selection)
        if not len(kept):
            raise NotEnoughData(f"{self._where()}no judgement is left; ask for less")
        return replace(self, table=kept, source=self.source.chosen(signed_choices(selection)))

    def _chosen(self, selection: Selection) -> "pl.DataFrame":
        from adjudge.data.selection import select

        return select(self.table, selection)

    def timing(self, by: "By | None" = None, drop_over: float = 300) -> "Result[Times]":
        """How long an item takes, by protocol (WMT07 §6).

        Parameters
        ----------
        by : {"judge", "group", "pair"}, optional
            Beside the protocol, tell these apart.
        drop_over : float
            Leave out sets that took longer than so many seconds.

        Returns
        -------
        Result

        Raises
        ------
        NotEnoughData
            If no times are known.

        Examples
        --------
        >>> import adjudge
        >>> judgements = adjudge.simulate(systems=3, rankings=100, seed=1)
        >>> judgements.timing().to_frame().columns[:3]
        ['protocol', 'items', 'dropped']
        """
        from adjudge.data.item_times import time_items

        times = time_items(self.table, drop_over, by)
        return self._result("timing", {"by": by, "drop_over": drop_over}, [times])

    def _where(self) -> str:
        """The files, before a message about them."""
        names = ", ".join(name for name, _ in self.source.files)
        return f"{names}: " if names else ""

    def to_frame(self) -> "pl.DataFrame":
        """The table itself (docs/formats.md has the columns).

        Returns
        -------
        polars.DataFrame

        Examples
        --------
        >>> import adjudge
        >>> judgements = adjudge.simulate(systems=3, rankings=100, seed=1)
        >>> judgements.to_frame().columns[:3]
        ['pair', 'protocol', 'document']
        """
        return self.table

    def to_pandas(self) -> Any:
        """`to_frame` as a frame of pandas, which must be installed beside Adjudge.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        MissingExtra
            If pandas or pyarrow is not installed.

        Examples
        --------
        >>> import adjudge
        >>> judgements = adjudge.simulate(systems=3, rankings=100, seed=1)
        >>> judgements.to_pandas().shape == judgements.to_frame().shape
        True
        """
        from adjudge.data.from_columns import to_pandas

        return to_pandas(self.to_frame())

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the file it was read from; of the table where there is none."""
        return self.source.hash or table_hash(self.table)

    def _sign(self, verb: str, parameters: Mapping[str, Any]) -> Signature:
        """The line from which an answer of these data can be made again."""
        name = verb if self.kind == "judgements" else f"{self.kind}.{verb}"
        asked = {key: value for key, value in parameters.items() if value not in (None, (), [], "")}
        return Signature(name, self.source.selection, asked, f"sha256-{self.hash}")

    def _result(
        self,
        verb: str,
        parameters: Mapping[str, Any],
        parts: Sequence[T],
        how: Mapping[str, Any] | None = None,
        analyses: "tuple[Analysis, ...]" = (),
        notes: Sequence[str] = (),
        unanswered: Mapping[str, str] | None = None,
    ) -> Result[T]:
        """An answer; what `notes` say of all its tables stands below the last one."""
        signed = self._sign(verb, parameters)
        said = dict.fromkeys(filter(None, (*self.source.notes, self.source.remark, *notes)))
        why = tuple((unanswered or {}).values())
        return Result(tuple(parts), signed, how or {}, analyses, " ".join((*said, *why)), why)


_OF_READING = {"source", "judges_from", "columns"}
SELECTABLE = frozenset(signature(Data.select).parameters) - {"self"} | _OF_READING


def names_of(names: Names) -> tuple[str, ...]:
    """One name or several, as several."""
    return (names,) if isinstance(names, str) else tuple(names)


def signed_choices(selection: Selection) -> dict[str, Any]:
    """What was chosen, as a signature writes it."""
    chosen = {field.name: getattr(selection, field.name) for field in fields(selection)}
    return {name: _signed(v) for name, v in chosen.items() if v not in ((), False, None)}


def _signed(value: Any) -> Any:
    if isinstance(value, tuple):
        return value[0] if len(value) == 1 else list(value)
    if isinstance(value, datetime):  # as the command line takes it, which means UTC
        return value.astimezone(UTC).replace(tzinfo=None).isoformat()
    return value
