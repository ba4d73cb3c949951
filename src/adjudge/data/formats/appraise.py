"""Appraise XML, as exported for WMT13 to WMT16.

`HIT` (source-language, target-language, hit-id) > `ranking-task` (id: the segment) >
`ranking-result` (user, duration) > `translation` (system, rank). Commas join the systems that
share an output; a rank of −1 is a missing label; a result marked `skipped` has no translations.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

import numpy as np
import polars as pl

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.checked_table import read_carefully, refuse, to_number
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import OutputFile
from adjudge.data.formats import Format
from adjudge.data.judgement_table import judgement_table
from adjudge.data.outputs import (
    check_system_names,
    join_column,
    shown_name,
    systems_of,
)
from adjudge.data.ranking_rows import to_rankings

COMMA = ","
_DURATION = r"^(?:(\d{1,6}) days?, )?(\d{1,6}):(\d{1,6}):(\d{1,6}(?:\.\d{1,9})?)$"
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_RESULT = ("pair", "hit", "segment", "judge", "duration", "line")


class _Reader:
    """Collects the results and their translations while expat walks the file."""

    def __init__(self, file: InputFile, lines: bool) -> None:
        self.file = file
        self.results: list[tuple[str | int | None, ...]] = []
        self.starts: list[int] = []  # where each result's translations begin
        self.systems: list[str] = []
        self.ranks: list[str] = []
        self.lines: list[int] | None = [] if lines else None
        self.pair: str | None = None
        self.hit: str | None = None
        self.segment: str | None = None
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EntityDeclHandler = self.entity

    def parse(self) -> pl.DataFrame:
        try:
            self.parser.Parse(self.file.data, True)
        except expat.ExpatError as error:
            raise self.fail(f"{expat.ErrorString(error.code)}; the XML is broken or cut") from None
        except (ValueError, UnicodeError, LookupError) as error:
            raise self.fail(f"{error}; the XML is broken or cut") from None
        if not self.results:
            raise self.fail("the XML ends without any <ranking-result>; is it from Appraise?")
        return self.frame()

    def fail(self, reason: str) -> InputError:
        return self.file.bad_line(self.parser.CurrentLineNumber, reason)

    def entity(self, *declaration: Any) -> None:
        raise self.fail("declares an XML entity, which Appraise never does; remove it")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        try:
            if tag == "translation":
                if not self.starts:
                    raise self.fail("is outside any <ranking-result>; mend the XML")
                self.systems.append(attributes["system"])
                self.ranks.append(attributes["rank"])
                if self.lines is not None:
                    self.lines.append(self.parser.CurrentLineNumber)
            elif tag == "ranking-result":
                self.result(attributes)
            elif tag == "ranking-task":
                self.segment = attributes.get("id")
            elif tag == "HIT":
                self.hit = attributes.get("hit-id")
                self.pair = f"{attributes['source-language']}-{attributes['target-language']}"
        except KeyError as error:
            raise self.fail(f"<{tag}> has no {error.args[0]}; Appraise writes one") from None

    def result(self, attributes: dict[str, str]) -> None:
        self.starts.append(len(self.systems))
        judge, duration = attributes.get("user"), attributes.get("duration")
        line = self.parser.CurrentLineNumber
        self.results.append((self.pair, self.hit, self.segment, judge, duration, line))

    def frame(self) -> pl.DataFrame:
        """One row per translation, and one per result that has none."""
        starts = np.array(self.starts)
        sizes = np.diff(starts, append=len(self.systems))
        schema = {name: pl.Int64 if name == "line" else pl.String for name in _RESULT}
        results = pl.DataFrame(self.results, schema=schema, orient="row").with_columns(
            ranking=pl.int_range(1, pl.len() + 1, dtype=pl.Int64)
        )
        place = np.arange(len(self.systems)) - np.repeat(starts, sizes) + 1
        translations = pl.DataFrame(
            {
                "ranking": np.repeat(np.arange(1, len(starts) + 1), sizes),
                "position": pl.Series(place, dtype=pl.Int32),
                "system": pl.Series(self.systems, dtype=pl.String),
                "rank": pl.Series(self.ranks, dtype=pl.String),
                "translation_line": self.lines,
            }
        )
        rows = results.join(translations, on="ranking", how="left", maintain_order="left_right")
        return rows.with_columns(line=pl.coalesce("translation_line", "line"))


def _seconds() -> pl.Expr:
    parts = pl.col("duration").str.extract_groups(_DURATION)
    days, hours, minutes, seconds = (
        parts.struct.field(str(i)).cast(pl.Float64) for i in range(1, 5)
    )
    total = 86400 * days.fill_null(0) + 3600 * hours + 60 * minutes + seconds
    return total.round(6)  # Appraise's clock has microseconds


def _build(frame: pl.DataFrame) -> pl.DataFrame:
    frame = frame.with_columns(seconds=_seconds())
    refuse(
        frame,
        pl.col("duration").is_not_null() & pl.col("seconds").is_null(),
        "duration {} is not hours:minutes:seconds; mend it",
        "duration",
    )
    check_system_names(frame, ("system",))
    rank = to_number(frame, "rank")
    return frame.select(
        "pair",
        "hit",
        "segment",
        "judge",
        "seconds",
        "ranking",
        "position",
        "line",
        join_column(frame["system"], COMMA).alias("output"),
        pl.when(rank != -1).then(rank).alias("rank"),
    )


def read(file: InputFile) -> pl.DataFrame:
    """Every ranking of the export, in its order."""
    file.check_lines()  # expat would take minutes over a tag that does not end
    return read_carefully(
        file,
        _build,
        fast=lambda: _Reader(file, lines=False).parse(),
        slow=lambda: _Reader(file, lines=True).parse(),
        check=judgement_table,
    )


def _check_writable(table: pl.DataFrame) -> None:
    for output in table["output"].unique().drop_nulls().to_list():
        systems = systems_of(output)
        if not systems or any(COMMA in system for system in systems):
            raise AdjudgeError(
                f"{shown_name(output)[:80]!r} cannot be written as Appraise XML, which joins "
                "systems by commas and needs their names; rename it or choose another format (`to`)"
            )
    for pair in table["pair"].unique().to_list():
        if not all(pair.partition("-")):
            raise AdjudgeError(
                f"{pair!r} is no language pair like eng-deu, which Appraise XML needs; "
                "choose another format (`to`)"
            )


@cache
def _quoted(value: str) -> str:
    if _NOT_XML.search(value):
        raise AdjudgeError(f"{value[:80]!r} holds a character XML cannot carry; rename it")
    return quoteattr(value)


def _attributes(**values: str | None) -> str:
    """XML attributes, those without a value left out."""
    pairs = ((name, value) for name, value in values.items() if value is not None)
    return "".join(f" {name.replace('_', '-')}={_quoted(value)}" for name, value in pairs)


def _elements(rankings: pl.DataFrame) -> Iterator[str]:
    """The lines of the XML; consecutive rankings of one HIT share its element."""
    columns = ("pair", "hit", "segment", "judge", "seconds", "output", "rank")
    rows = rankings.select(columns).iter_rows()
    for (pair, hit), results in groupby(rows, key=lambda row: row[:2]):
        source, _, target = pair.partition("-")
        yield f"<HIT{_attributes(hit_id=hit, source_language=source, target_language=target)}>\n"
        for _, _, segment, judge, seconds, outputs, ranks in results:
            time = "" if seconds is None else f' duration="{_clock(seconds)}"'
            skipped = ' skipped="true"' if outputs == [None] else ""
            yield f"<ranking-task{_attributes(id=segment)}>\n"
            yield f"  <ranking-result{time}{_attributes(user=judge)}{skipped}>\n"
            for output, rank in zip(outputs, ranks, strict=True):
                if output is not None:
                    system = _quoted(COMMA.join(systems_of(output)))
                    label = -1 if rank is None else rank
                    yield f'    <translation system={system} rank="{label}" />\n'
            yield "  </ranking-result>\n</ranking-task>\n"
        yield "</HIT>\n"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(int(minutes), 60)
    return f"{hours:02}:{minutes:02}:{rest:09.6f}"


def _write(table: pl.DataFrame, file: OutputFile) -> None:
    _check_writable(table)
    body = "".join(_elements(to_rankings(table)))
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    file.stream.write(f"{head}<results>\n{body}</results>\n".encode())


_EXAMPLE = """\
<?xml version="1.0" encoding="UTF-8"?>
<results>
<HIT hit-id="h1" source-language="eng" target-language="ces">
<ranking-task id="7">
  <ranking-result user="judge_1" duration="00:01:02.500000">
    <translation system="A" rank="1" />
    <translation system="B,Překladač" rank="2" />
    <translation system="C" rank="-1" />
  </ranking-result>
</ranking-task>
<ranking-task id="8">
  <ranking-result user="judge_1" duration="00:00:03.000000" skipped="true">
  </ranking-result>
</ranking-task>
</HIT>
</results>
"""


FORMAT = Format(
    name="appraise",
    description="Appraise XML (WMT13–WMT16)",
    kind="judgements",
    suffix=".xml",
    recognise=lambda file: file.head.lstrip().startswith(b"<"),
    read=read,
    example={"judgements.xml": _EXAMPLE.encode()},
    write=_write,
    carries=frozenset({"pair", "segment", "hit", "judge", "output", "rank", "position", "seconds"}),
    skipped=True,
)
