"""Agreement on labels: any categories, or which of two outputs is better."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from adjudge.agreement.categorical import (
    LabelAgreement,
    agreement_of,
    confusions,
    load,
    merging,
    pooled,
    read_labels,
    relative_ranks,
)
from adjudge.agreement.choices import MERGED, choice_labels, choices_of_systems, side_by_side
from adjudge.agreement.intervals import agreement_resampling
from adjudge.api.result import Result
from adjudge.core.files.input_file import InputFile
from adjudge.core.signature import Signature
from adjudge.core.tables.results import tables_for
from adjudge.data.table_files import is_known, read_as
from adjudge.stats.resampling import Resampling, Unit

if TYPE_CHECKING:
    import polars as pl

    from adjudge.agreement.labels import Labels
    from adjudge.core.tables.table import Table


@dataclass(frozen=True, eq=False, repr=False)
class LabelResult(Result[LabelAgreement]):
    """Agreement on labels, with the tables of what was said beside it."""

    beside: "tuple[Table, ...]" = ()

    @cached_property
    def tables(self) -> "list[Table]":
        """The tables of the result, with its signature."""
        return [replace(table, signature=str(self.signature)) for table in self.beside]


def label_agreement(
    path: str,
    *,
    merge: Iterable[str] = (),
    ranks: bool = False,
    unit: Unit = "auto",
    replicates: int = 1000,
    seed: int = 1,
    level: float = 0.95,
) -> Result[LabelAgreement]:
    """How far judges agree on labels: categories, acceptability, adequacy and fluency.

    Parameters
    ----------
    path : str
        CSV or TSV with the columns item, judge and label; or judgements of two outputs side by
        side, in any format of docs/formats.md.
    merge : iterable of str
        Count one label as another: "ALMOST=GOOD".
    ranks : bool
        Turn values into relative ranks; the columns are segment, system, judge and label.
    unit : {"auto", "segment", "judge"}
        What the intervals are to hold for. "auto": other judges and texts, as far as the
        labels tell. Else what a bootstrap draws.
    replicates, seed, level
        As for `Judgements.rank`.

    Returns
    -------
    Result
        One `LabelAgreement` for each kind: inter between judges, intra within one.

    Raises
    ------
    InputError
        If the file cannot be read as labels.
    BadParameter
        If a parameter is none that there is.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "labels.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("item,judge,label\\n1,ann,GOOD\\n1,bob,GOOD\\n2,ann,BAD\\n2,bob,GOOD\\n")
    >>> adjudge.label_agreement(path, replicates=20)[0].kind
    'inter'
    """
    resampling = agreement_resampling(Resampling(unit, replicates, seed, level))
    file = InputFile(path)
    merged = list(merge)
    if is_known(file) and not ranks:
        agreed, tables = _of_choices(read_as("judgements", file), merging(merged), resampling)
    else:
        frame = load(file)
        labels = relative_ranks(frame) if ranks else read_labels(frame, merging(merged))
        agreed, tables = _of_labels(labels, resampling)
    asked = {
        **({"merge": merged} if merged else {}),
        "ranks": ranks,
        "unit": resampling.unit,
        "replicates": replicates,
        "seed": seed,
        "level": level,
    }
    signature = Signature("label_agreement", {}, asked, f"sha256-{file.sha256}")
    return LabelResult(agreed, signature, beside=tuple(tables))


def _of_labels(
    labels: "Labels", resampling: Resampling
) -> "tuple[tuple[LabelAgreement, ...], list[Table]]":
    agreed = tuple(agreement_of(labels, resampling))
    return agreed, tables_for(agreed, confusions=confusions(labels), resampling=resampling)


def _of_choices(
    table: "pl.DataFrame", merge: dict[str, str], resampling: Resampling
) -> "tuple[tuple[LabelAgreement, ...], list[Table]]":
    """Agreement on the labels as they are, then with both kinds of tie merged; and the counts."""
    frame = side_by_side(table)
    labels = choice_labels(frame, merge)
    agreed, tables = _of_labels(labels, resampling)
    confused = confusions(labels)
    if len(confused) > 1:
        tables += tables_for(pooled(confused))
    used = frame["label"].unique()
    if not merge and all(label in used for label in MERGED):
        tables += _of_labels(choice_labels(frame, MERGED), resampling)[1]
    systems = choices_of_systems(frame)
    tables += tables_for(systems)
    if len(systems) == 1:
        tables += tables_for(choices_of_systems(frame, by_judge=True))
    return agreed, tables
