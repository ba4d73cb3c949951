"""Recognition of columns by their usual names, in files and frames that no format claims.

A table is one of four layouts: votes (two systems and an outcome a row), preferences (the better
and the worse system), scores, and rankings (a system and its score or rank a row). Scores and ranks
may also stand in one column per system, a row per segment. Case and punctuation of names do not
count.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from shlex import quote
from typing import Literal

import polars as pl

from adjudge.core.errors import BadParameter, InputError, one_of
from adjudge.data.outcomes import side_of, winning_side

MOST_GUESSED = 8  # columns of text that are tried as systems and outcomes
MOST_SHOWN = 20  # columns in a refusal
LONGEST_SHOWN = 60  # letters of a column in a refusal
LayoutName = Literal["votes", "preferences", "scores", "rankings"]
Columns = Mapping[str, str | Sequence[str]]  # role: column, or several

# Usual names of each role, the most telling first.
_NAMES = {
    "left": "left modela model1 systema system1 sysa sys1 system1id system1name modelaname "
    "leftmodel leftsystem modelleft systemleft mta mt1 enginea engine1 generator1 assistanta "
    "candidatea candidate1 contestanta outputa output1 translationa translation1 a",
    "right": "right modelb model2 systemb system2 sysb sys2 system2id system2name modelbname "
    "rightmodel rightsystem modelright systemright mtb mt2 engineb engine2 generator2 assistantb "
    "candidateb candidate2 contestantb outputb output2 translationb translation2 b",
    "outcome": "winner outcome preference preferred vote choice verdict winnermodel result "
    "judgement judgment decision better answer label",
    "better": "better winner chosen preferred winnermodel",
    "worse": "worse loser rejected losermodel",
    "system": "system systemid systemname sys sysid sysname model modelid modelname mtsystem "
    "engine mtengine mt candidate provider targetid submission",
    "score": "score rawscore rating overall overallscore scores da esa directassessment grade "
    "quality points value mean",
    "rank": "rank ranking place",
    "ranking": "rankingid rankingnumber taskid",
    "scale": "scale criterion criteria dimension aspect scorename",
    "segment": "segment segmentid segid seg segmentnumber itemid item lineid line linenumber "
    "sentenceid sentence sentid questionid question promptid exampleid instance srcindex id",
    "document": "document documentid docid doc documentname file",
    "judge": "judge judgeid annotator annotatorid rater raterid user userid username evaluator "
    "evaluatorid worker workerid assessor coder reviewer login person",
    "pair": "pair languagepair langpair lp langs languages language lang direction",
    "source_language": "sourcelanguage sourcelang srclang srclanguage slang source src from",
    "target_language": "targetlanguage targetlang tgtlang trglang trglanguage tgtlanguage tlang "
    "target tgt trg to",
    "protocol": "protocol",
    "group": "group judgegroup annotatorgroup",
    "hit": "hit hitid batch batchid",
    "seconds": "seconds secs duration timespent elapsed elapsedseconds timetaken durationseconds",
    "time": "time timestamp tstamp date datetime submittedat createdat submitted created endtime",
    "comment": "comment comments remark remarks note notes feedback",
    "source": "source src sourcetext sourcesegment",
    "reference": "reference ref referencetext humanreference",
    "text": "text output translation hypothesis hyp targettext target tgt mtoutput",
    "spans": "spans errorspans",
}
_WORDS = {role: tuple(names.split()) for role, names in _NAMES.items()}

_REQUIRED: dict[LayoutName, tuple[str, ...]] = {
    "votes": ("left", "right", "outcome"),
    "preferences": ("better", "worse"),
    "scores": ("system", "score"),
    "rankings": ("system", "rank"),
}
_ANYWHERE = (
    *("judge", "segment", "document", "pair", "source_language", "target_language", "protocol"),
    *("group", "hit", "seconds", "time", "comment", "source", "reference"),
)
_OPTIONAL: dict[LayoutName, tuple[str, ...]] = {
    "votes": _ANYWHERE,
    "preferences": _ANYWHERE,
    "scores": (*_ANYWHERE, "scale", "text", "spans"),
    "rankings": (*_ANYWHERE, "ranking", "text"),
}
_SEVERAL = ("score", "rank")  # roles that several columns may share
# Scales that are columns of their own.
SCALES = {
    "adequacy": "adequacy",
    "fluency": "fluency",
    "da": "direct-assessment",
    "directassessment": "direct-assessment",
    "esa": "error-spans",
}
# Columns of numbers that are no system's.
_NO_SYSTEM = re.compile(r"|unnamed\d*|index|no|nr|row|n|count|average|avg|mean|total|sum|words|age")
_NUMBER = r"^\s*[-+]?\d+([.,]\d+)?([eE][-+]?\d+)?\s*$"
MISSING = ("", "-", "na", "n/a", "nan", "none", "null")
_LANGUAGE = r"^[A-Za-z]{2,12}([-_][A-Za-z]{2,8})?$"


@dataclass(frozen=True)
class Layout:
    """The columns of a table by their roles."""

    name: LayoutName
    columns: Mapping[str, tuple[str, ...]]
    unread: tuple[str, ...] = ()

    @property
    def per_system(self) -> bool:
        """Whether every system has a column of its own."""
        return self.name in ("scores", "rankings") and "system" not in self.columns

    def __str__(self) -> str:
        shown = ", ".join(f"{role} = {' + '.join(of)}" for role, of in self.columns.items())
        unread = f"; not read: {', '.join(self.unread)}" if self.unread else ""
        kind = f"{self.name}, one column per system" if self.per_system else self.name
        return f"Read as {kind}: {shown}{unread}."


def plain(name: str) -> str:
    """A column's name without case and punctuation."""
    return re.sub(r"[\W_]+", "", name.casefold())


def numeric(column: pl.Series) -> bool:
    """Whether at least half the values of a column are numbers."""
    if column.dtype != pl.String:
        return column.dtype.is_numeric()
    values = column.drop_nulls().filter(
        ~column.drop_nulls().str.strip_chars().str.to_lowercase().is_in(MISSING)
    )
    return len(values) > 0 and 2 * values.str.contains(_NUMBER).sum() >= len(values)


def holds_outcomes(column: pl.Series) -> bool:
    """Whether all values of a column are words for outcomes."""
    words = column.cast(pl.String).drop_nulls()
    return len(words) > 0 and not pl.select(side_of(pl.lit(words))).to_series().null_count()


def _languages(column: pl.Series) -> bool:
    return column.dtype == pl.String and bool(column.drop_nulls().str.contains(_LANGUAGE).all())


def times(column: pl.Expr) -> pl.Expr:
    """Seconds (or milliseconds) since 1970 or ISO 8601, as times; null for anything else."""
    stamp = column.cast(pl.Float64, strict=False)
    seconds = pl.when(stamp > 1e11).then(stamp / 1000).otherwise(stamp)
    written = column.cast(pl.String).str.strip_chars()
    return pl.coalesce(
        (seconds * 1e6).round().cast(pl.Int64, strict=False).cast(pl.Datetime("us", "UTC")),
        written.str.to_datetime(strict=False, time_unit="us", time_zone="UTC"),
        written.str.to_datetime("%Y-%m-%d", strict=False, time_unit="us", time_zone="UTC"),
    )


def _times(column: pl.Series) -> bool:
    if column.dtype.is_temporal():
        return True
    return not pl.select(times(pl.lit(column.drop_nulls()))).to_series().null_count()


def _names(column: pl.Series) -> bool:
    return not numeric(column) and not holds_outcomes(column)


_FITS = {
    "score": numeric,
    "rank": numeric,
    "seconds": numeric,
    "time": _times,
    "source_language": _languages,
    "target_language": _languages,
    "pair": _names,
    "better": _names,
    "worse": _names,
}


def given_columns(columns: Columns, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The columns that the caller names for roles, all of which must exist."""
    given = {}
    for role, said in columns.items():
        one_of(role, _NAMES, "columns")
        of = (said,) if isinstance(said, str) else tuple(said)
        for name in of:
            if name not in names:
                raise BadParameter(
                    f"`columns`: there is no column {name!r}; there are: {', '.join(names)}"
                )
        if len(of) != 1 and role not in _SEVERAL:
            raise BadParameter(f"`columns`: {role} takes one column, not {len(of)}")
        given[role] = of
    return given


def recognise_columns(sample: pl.DataFrame, columns: Columns | None = None) -> Layout | None:
    """The layout of a table by the names (and the kind of values) of its columns.

    Parameters
    ----------
    sample
        The first rows.
    columns
        Columns that the caller names, by role.

    Returns
    -------
    Layout or None
        None where the names do not say what the table holds.
    """
    given = given_columns(columns or {}, sample.columns)
    for layout, required in _REQUIRED.items():
        known = {*required, *_OPTIONAL[layout]}
        if not given.keys() <= known:
            continue
        found = _find(sample, required, given)
        if found.keys() >= {*required}:
            found = _find(sample, _OPTIONAL[layout], found)
            if layout != "rankings" or found.keys() & {"segment", "ranking"}:
                return _finished(layout, found, sample)
    return _per_system(sample, given)


def _find(
    sample: pl.DataFrame, roles: Sequence[str], found: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """The columns found, and for every other role the first that bears a usual name of it."""
    result = dict(found)
    by_name = {plain(name): name for name in reversed(sample.columns)}
    for role in roles:
        if role in result:
            continue
        taken = {name for of in result.values() for name in of}
        free = [
            by_name[word]
            for word in _WORDS[role]
            if word in by_name and by_name[word] not in taken and _fits(sample, role, by_name[word])
        ]
        if free:
            result[role] = (free[0],)
        elif role == "score":
            scales = [by_name[word] for word in SCALES if word in by_name]
            scales = [name for name in scales if name not in taken and numeric(sample[name])]
            if scales:
                result[role] = tuple(scales)
    if len(result.keys() & {"source_language", "target_language"}) == 1:
        for role in ("source_language", "target_language"):
            if role not in found:
                result.pop(role, None)
    return result


def _fits(sample: pl.DataFrame, role: str, name: str) -> bool:
    return role not in _FITS or bool(_FITS[role](sample[name]))


def _per_system(sample: pl.DataFrame, given: Mapping[str, tuple[str, ...]]) -> Layout | None:
    """Scores or ranks with one column per system."""
    if not given.keys() <= {*_OPTIONAL["scores"], "score", "rank"} or {"score", "rank"} <= {*given}:
        return None
    found = _find(sample, _ANYWHERE, given)
    named = found.pop("score", None) or found.pop("rank", None)
    taken = {name for of in found.values() for name in of}
    systems = named or tuple(
        name
        for name in sample.columns
        if name not in taken and numeric(sample[name]) and not _NO_SYSTEM.fullmatch(plain(name))
    )
    if len(systems) < 2 or not (named or found.keys() & {"segment", "judge", "document"}):
        return None  # numbers could be anything
    by_rank = "rank" in given or ("score" not in given and _ranks(sample, systems))
    layout: LayoutName = "rankings" if by_rank else "scores"
    return _finished(layout, {"rank" if by_rank else "score": systems, **found}, sample)


def _ranks(sample: pl.DataFrame, systems: Sequence[str]) -> bool:
    """Whether every row ranks the systems: whole numbers from 1 to at most their number."""
    values = sample.select(number(sample[name]).alias(name) for name in systems)
    rows = values.select(
        low=pl.min_horizontal(pl.all()),
        high=pl.max_horizontal(pl.all()),
        whole=pl.all_horizontal((pl.all() == pl.all().round()).fill_null(True)),
    )
    fits = (rows["low"] == 1) & (rows["high"] <= len(systems)) & rows["whole"]
    return bool(fits.all())


def number(column: pl.Series) -> pl.Series:
    """A column as numbers, with a point or a comma before decimals; null for anything else."""
    if column.dtype == pl.String:
        column = column.str.strip_chars().str.replace(r"^([-+]?\d+),(\d+)$", "$1.$2")
    return column.cast(pl.Float64, strict=False)


def _finished(
    name: LayoutName, found: Mapping[str, tuple[str, ...]], sample: pl.DataFrame
) -> Layout:
    taken = {name for of in found.values() for name in of}
    return Layout(name, dict(found), tuple(name for name in sample.columns if name not in taken))


def guess_columns(sample: pl.DataFrame) -> dict[str, tuple[str, ...]] | None:
    """Columns that would make a table of votes or scores, by their values."""
    names = sample.columns
    text = [name for name in names if not numeric(sample[name])][:MOST_GUESSED]
    sides = sorted(combinations(text, 2), key=lambda two: -_common(sample, *two))
    for left, right in sides:
        for outcome in names:
            if outcome in (left, right):
                continue
            if holds_outcomes(sample[outcome]) or (
                outcome in text and _names_a_side(sample, outcome, left, right)
            ):
                return {"left": (left,), "right": (right,), "outcome": (outcome,)}
    numbers = [name for name in names if numeric(sample[name])]
    if numbers and text:
        score = max(numbers, key=lambda name: (sample[name].n_unique(), names.index(name)))
        system = max(text, key=lambda name: (_repeated(sample, name), names.index(name)))
        rest = [name for name in (*numbers, *text) if name not in (system, score)]
        return {"system": (system,), "score": (score,), **({"segment": (rest[0],)} if rest else {})}
    return {"score": tuple(numbers)} if len(numbers) > 1 else None


def _common(sample: pl.DataFrame, one: str, other: str) -> int:
    """The number of values that two columns have in common."""
    return len({*sample[one].drop_nulls()} & {*sample[other].drop_nulls()})


def _repeated(sample: pl.DataFrame, name: str) -> int:
    """The number of values of a column, none where most occur once."""
    distinct = sample[name].n_unique()
    return distinct if 2 * distinct <= len(sample) else 0


def _names_a_side(sample: pl.DataFrame, outcome: str, left: str, right: str) -> bool:
    """Whether every outcome is the name of one of two systems, or a tie."""
    rows = sample.select(side=winning_side(outcome, left, right), given=outcome)
    return not rows.filter(pl.col("given").is_not_null() & pl.col("side").is_null()).height


def _on_one_line(column: str) -> str:
    """A column name without control characters, shortened if it is very long."""
    printable = "".join(letter if letter.isprintable() else "�" for letter in column)
    return printable if len(printable) <= LONGEST_SHOWN else f"{printable[:LONGEST_SHOWN]}…"


def unrecognised(
    sample: pl.DataFrame, name: str | None, columns: Columns | None, line: int | None
) -> InputError:
    """The refusal of a table: the columns found, those needed, and a command that would work."""
    found = ", ".join(map(_on_one_line, sample.columns[:MOST_SHOWN]))
    if len(sample.columns) > MOST_SHOWN:
        found += f", … ({len(sample.columns):,} in all)"
    guess = guess_columns(sample) or {}
    if any(column != _on_one_line(column) for of in guess.values() for column in of):
        guess = {}  # a command with such names could not be typed
    example = ""
    if guess and name is not None:
        command = "scores" if "score" in guess else "rank"
        said = quote(columns_text(guess))
        example = f" For example: adjudge {command} {quote(name)} --columns {said}"
    elif guess:
        shown = {role: of[0] if len(of) == 1 else [*of] for role, of in guess.items()}
        example = f" For example: columns={shown}"
    return InputError(
        "is in no known format (docs/formats.md), and its columns do not say what they hold. "
        f"Found: {found}. Needed: left, right and outcome (votes); system and score (scores); "
        "system, rank and segment (rankings); or one column of numbers per system. Name them with "
        "`columns`." + example,
        file=name,
        line=line,
    )


def columns_from(text: str) -> dict[str, tuple[str, ...]]:
    """Columns by role from `left=System 1,right=System 2`, quoted as in CSV.

    A role that is given several times has several columns.
    """
    columns: dict[str, tuple[str, ...]] = {}
    for field in next(csv.reader([text], skipinitialspace=True), []):
        role, equals, name = field.partition("=")
        if not equals:
            raise BadParameter(f"`columns`: {field!r} is not of the form role=column")
        columns[role.strip()] = (*columns.get(role.strip(), ()), name)
    return columns


def columns_text(columns: Columns) -> str:
    """Columns by role, as `columns_from` reads them."""
    line = io.StringIO()
    pairs = ((role, (of,) if isinstance(of, str) else of) for role, of in columns.items())
    fields = [f"{role}={name}" for role, names in pairs for name in names]
    csv.writer(line, lineterminator="").writerow(fields)
    return line.getvalue()
