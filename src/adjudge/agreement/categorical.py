"""Agreement on labels of any kind: one row a label, with columns item, judge and label.

Examples: the better of two systems, or both fine, or both wrong (Bojar 2011 Tables 7 and 8);
reviewed edits labelled GOOD, ALMOST or BAD, the middle one separate or merged with either side
(WMT13 Table 8); adequacy and fluency values, as they are or turned into relative ranks of the
outputs of one segment (WMT07 §6).

`inter` compares labels of different judges, `intra` one judge's repeated labels; P(E) is from
the labels that have something to be compared with.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from scipy.sparse import coo_array

from adjudge.agreement import chance_corrected
from adjudge.agreement.chance import Floats, Mirror, known, ratio
from adjudge.agreement.coefficients import NAMES, Coefficient, coefficients, rows_of
from adjudge.agreement.conventions import Evidence
from adjudge.agreement.crossed_variance import population, resolved
from adjudge.agreement.intervals import agreement_resampling
from adjudge.agreement.labels import KINDS, Ints, Kind, Labels, pairwise_labels
from adjudge.core.errors import BadParameter, InputError, one_of
from adjudge.core.files.delimited import read_delimited
from adjudge.core.files.input_file import InputFile
from adjudge.core.results import Results
from adjudge.data.comparisons import compare, encode
from adjudge.data.judgement_table import judgement_table
from adjudge.stats.resampling import Resampling, Unit

COLUMNS = ("item", "judge", "label")
RANKED_COLUMNS = ("segment", "system", "judge", "label")


@dataclass(frozen=True, eq=False)
class LabelAgreement:
    """One kind of agreement on labels, by every coefficient."""

    kind: Kind
    items: int  # with at least two comparable labels
    judges: int
    categories: tuple[str, ...]
    agree: int
    comparable: int
    unanimous: int | None  # items whose judges all said the same (inter)
    unit: Unit  # that was taken
    holds_for: str  # whom the intervals hold for
    coefficients: tuple[Coefficient, ...]

    def value(self, name: str) -> float | None:
        """Return a coefficient by name."""
        return next((c.value for c in self.coefficients if c.name == name), None)

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat row per coefficient."""
        return [
            {
                "kind": self.kind,
                "items": self.items,
                "judges": self.judges,
                "categories": len(self.categories),
                "agree": self.agree,
                "comparable": self.comparable,
                "unanimous": self.unanimous,
                **row,
                "unit": self.unit,
                "holds_for": self.holds_for,
            }
            for row in rows_of(self.coefficients)
        ]


@dataclass(frozen=True, eq=False)
class Confusion:
    """Confusion table of two judges on the items both labelled (the first label of each)."""

    judge: str
    other: str
    categories: tuple[str, ...]
    table: Ints  # judge's label × other's label
    mirror: Mirror | None = None  # as of the labels

    @property
    def agree(self) -> int:
        """Number of items with the same label."""
        return int(np.trace(self.table))

    @property
    def comparable(self) -> int:
        """Number of items that both labelled."""
        return int(self.table.sum())

    @property
    def kappa(self) -> float | None:
        """Cohen's κ; if the order of the judges is arbitrary, of the symmetrised table."""
        table = self.table.astype(float)
        if self.mirror is not None:
            table = (table + table[np.ix_(self.mirror, self.mirror)]) / 2
        return known(chance_corrected.cohen_kappa(table))

    def row(self) -> dict[str, Any]:
        """Return the pair of judges as flat keys."""
        return {
            "judge": self.judge,
            "other_judge": self.other,
            "agree": self.agree,
            "comparable": self.comparable,
            "p_a": known(ratio(self.agree, self.comparable)),
            "cohen": self.kappa,
        }


def load(file: InputFile) -> pl.DataFrame:
    """Read a CSV or TSV file of labels, compressed or not; every column as text."""
    frame = read_delimited(file, lambda rows: rows, check=lambda rows, _: rows)
    return frame.drop("line", strict=False)


def merging(pairs: Sequence[str]) -> dict[str, str]:
    """Parse `OLD=NEW` pairs into a mapping."""
    wrong = [pair for pair in pairs if pair.count("=") != 1]
    if wrong:
        raise BadParameter(f"`merge` {wrong[0]!r} names no two labels; write OLD=NEW")
    return dict(pair.split("=") for pair in pairs)


def read_labels(frame: pl.DataFrame, merge: Mapping[str, str] | None = None) -> Labels:
    """Convert a frame of columns item, judge, label to `Labels`; `merge` renames labels.

    Labels are ordered by value if all are numbers, else by name. Null labels are dropped.
    """
    missing = [name for name in COLUMNS if name not in frame.columns]
    if missing:
        raise InputError(
            f"labels need the columns {', '.join(COLUMNS)}; missing: {', '.join(missing)}"
        )
    columns = frame.select(
        pl.col(name).cast(pl.String).cast(pl.Categorical) for name in COLUMNS
    ).drop_nulls()
    item, _ = encode(columns["item"])
    judge, judges = encode(columns["judge"])
    label, names = encode(columns["label"])
    for old in merge or {}:
        one_of(old, names, "merge")
    renamed = [(merge or {}).get(name, name) for name in names]
    categories = sorted(set(renamed), key=_by_value(renamed))
    to = np.array([categories.index(name) for name in renamed], np.int64)
    return Labels(
        item=item.astype(np.int64),
        judge=judge.astype(np.int64),
        label=to[label] if len(label) else label.astype(np.int64),
        segment=item.astype(np.int64),
        judges=judges,
        categories=tuple(categories),
    )


def _by_value(names: Sequence[str]) -> Any:
    """Sort key of labels; of 1 and 1.0, which are two labels, the shorter comes first."""
    if all(_number(name) is not None for name in names):
        return lambda name: (float(name), name)
    return str


def _number(name: str) -> float | None:
    try:
        return float(name)
    except ValueError:
        return None


def label_agreement(
    frame: pl.DataFrame,
    merge: Mapping[str, str] | None = None,
    resampling: Resampling | None = None,
) -> Results[LabelAgreement]:
    """Compute inter- and intra-annotator agreement on the labels of a frame (item, judge,
    label).
    """
    return agreement_of(read_labels(frame, merge), resampling)


def agreement_of(
    labels: Labels, resampling: Resampling | None = None, wanted: Container[str] = NAMES
) -> Results[LabelAgreement]:
    """Compute inter- and intra-annotator agreement on `labels`, by the `wanted` coefficients."""
    resampling = agreement_resampling(resampling)
    numbers = [_number(name) for name in labels.categories]
    values = None if None in numbers else np.array(numbers, float)
    results = []
    for kind in KINDS:
        matches = labels.of_kind(kind)
        paired = matches.comparable > 0
        evidence = Evidence(labels, kind == "inter", kind == "intra", counted=paired)
        unit = resolved(resampling, evidence).unit
        results.append(
            LabelAgreement(
                kind=kind,
                items=_different(labels.item[paired]),
                judges=_different(labels.judge[paired]),
                categories=labels.categories,
                agree=int(matches.agree.sum()) // 2,
                comparable=int(matches.comparable.sum()) // 2,
                unanimous=_unanimous(labels) if kind == "inter" else None,
                unit=unit,
                holds_for=population(evidence, unit),
                coefficients=coefficients(evidence, resampling, values=values, wanted=wanted),
            )
        )
    return Results(results)


def _unanimous(labels: Labels) -> int:
    matches = labels.inter
    disagreed = labels.item[matches.agree < matches.comparable]
    return _different(labels.item[matches.comparable > 0]) - _different(disagreed)


def _different(codes: Ints) -> int:
    return int(np.count_nonzero(np.bincount(codes)))


def confusions(labels: Labels) -> Results[Confusion]:
    """Confusion table of all pairs of judges with an item in common."""
    first = np.unique(labels.item_of_judge, return_index=True)[1]
    once = np.zeros(len(labels), bool)
    once[first] = True
    kept = labels.where(once & (labels.inter.comparable > 0))
    k, judges = len(labels.categories), len(labels.judges)
    ones = np.ones(len(kept), np.int64)
    shape = (judges * k, int(kept.item.max(initial=0)) + 1)
    said = coo_array((ones, (kept.judge * k + kept.label, kept.item)), shape=shape).tocsr()
    both = said @ said.T  # how often judge and label go with judge and label
    tables = []
    for a in range(judges):
        counts = both[a * k : (a + 1) * k].toarray().reshape(k, judges, k)
        tables += [
            Confusion(
                labels.judges[a], labels.judges[b], labels.categories, counts[:, b], labels.mirror
            )
            for b in np.flatnonzero(counts.sum((0, 2)))
            if b > a
        ]
    return Results(tables)


def pooled(tables: Sequence[Confusion]) -> Confusion:
    """Pool all pairs of judges in one table, each pair in both directions, so that it is
    symmetric.
    """
    table = np.sum([both.table + both.table.T for both in tables], 0)
    return Confusion("one judge", "another", tables[0].categories, table, tables[0].mirror)


def confusion_kappas(tables: Sequence[Confusion]) -> Floats:
    """Defined κ of all pairs of judges (Bojar 2011 §2.5.2 gives range, mean and deviation)."""
    return np.array([table.kappa for table in tables if table.kappa is not None])


def relative_ranks(frame: pl.DataFrame) -> Labels:
    """Convert values that a judge gave to the outputs of a segment to labels <, = and > of pairs.

    Columns segment, system, judge, label; higher values are better. A judge's values of one segment
    form one block, so nothing here is a repeat: for `intra`, give repeats their own `ranking`, an
    optional column.
    """
    missing = [name for name in RANKED_COLUMNS if name not in frame.columns]
    if missing:
        raise InputError(
            f"relative ranks need the columns {', '.join(RANKED_COLUMNS)}; "
            f"missing: {', '.join(missing)}"
        )
    block = ["segment", "judge", *(["ranking"] if "ranking" in frame.columns else [])]
    value = pl.col("label").cast(pl.Float64, strict=False)
    words = frame.filter(value.is_null() & pl.col("label").is_not_null())["label"].cast(pl.String)
    if len(words):
        raise InputError(f"label {words[0]!r} is not a number to rank by; leave `ranks` out")
    table = frame.drop_nulls(["label", *block]).select(
        pl.lit("values").alias("pair"),
        pl.col("segment").cast(pl.String),
        pl.col("judge").cast(pl.String),
        pl.col("system").cast(pl.String).alias("output"),
        pl.struct(block).rank("dense").cast(pl.Int64).alias("ranking"),
        value.rank("dense", descending=True).over(block).cast(pl.Int32).alias("rank"),
    )
    return pairwise_labels(compare(judgement_table(table), "collapsed"))
