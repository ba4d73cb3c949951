"""Appraise XML, as exported for WMT13 to WMT16.

`HIT` (source-language, target-language, hit-id) > `ranking-task` (id: the segment) >
`ranking-result` (user, duration) > `translation` (system, rank). Commas join the systems that
share an output; a rank of −1 is a missing label; a result marked `skipped` has no translations.
"""

import re
from typing import Any
from xml.parsers import expat

import polars as pl

from adjudge.errors import InputError
from adjudge.judgements.formats import Format
from adjudge.judgements.input_file import InputFile
from adjudge.judgements.schema import join_systems, judgements

_DURATION = re.compile(r"(?:(\d+) days?, )?(\d+):(\d+):(\d+(?:\.\d+)?)")
_COLUMNS = {
    "pair": pl.String,
    "hit": pl.String,
    "segment": pl.String,
    "judge": pl.String,
    "seconds": pl.Float64,
    "label": pl.String,
    "ranking": pl.Int64,
    "position": pl.Int32,
    "output": pl.String,
    "rank": pl.Int32,
    "line": pl.Int64,
}


class _Reader:
    """Collects one row per translation while expat walks the file."""

    def __init__(self, file: InputFile) -> None:
        self.file = file
        self.rows: list[tuple[Any, ...]] = []
        self.outputs: dict[str, str] = {}
        self.pair: str | None = None
        self.hit: str | None = None
        self.segment: str | None = None
        self.judge: str | None = None
        self.seconds: float | None = None
        self.ranking = 0
        self.position = 0
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.EntityDeclHandler = self.entity

    def parse(self) -> pl.DataFrame:
        try:
            self.parser.Parse(self.file.data, True)
        except expat.ExpatError as error:
            raise self.fail(f"{expat.ErrorString(error.code)}; the XML is broken or cut") from None
        return pl.DataFrame(self.rows, schema=_COLUMNS, orient="row")

    def fail(self, reason: str) -> InputError:
        return self.file.bad_line(self.parser.CurrentLineNumber, reason)

    def entity(self, *declaration: Any) -> None:
        raise self.fail("declares an XML entity, which Appraise never does; remove it")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        try:
            if tag == "translation":
                self.position += 1
                rank = int(attributes["rank"])
                self.add(self.output(attributes["system"]), None if rank == -1 else rank)
            elif tag == "ranking-result":
                self.ranking += 1
                self.position = 0
                self.judge = attributes.get("user")
                self.seconds = self.duration(attributes.get("duration"))
            elif tag == "ranking-task":
                self.segment = attributes["id"]
            elif tag == "HIT":
                self.hit = attributes.get("hit-id")
                self.pair = f"{attributes['source-language']}-{attributes['target-language']}"
        except KeyError as error:
            raise self.fail(f"<{tag}> has no {error.args[0]}; Appraise writes one") from None
        except ValueError:
            raise self.fail(f"rank {attributes['rank']!r} is no number; write 1, 2, …") from None

    def end(self, tag: str) -> None:
        if tag == "ranking-result" and self.position == 0:
            self.add(None, None, "skipped")

    def add(self, output: str | None, rank: int | None, label: str | None = None) -> None:
        self.rows.append(
            (
                self.pair,
                self.hit,
                self.segment,
                self.judge,
                self.seconds,
                label,
                self.ranking,
                self.position or None,
                output,
                rank,
                self.parser.CurrentLineNumber,
            )
        )

    def output(self, systems: str) -> str:
        """The systems' names joined our way; few distinct ones, so worked out once each."""
        known = self.outputs.get(systems)
        if known is None:
            known = self.outputs[systems] = join_systems(systems.split(","))
        return known

    def duration(self, text: str | None) -> float | None:
        if text is None:
            return None
        match = _DURATION.fullmatch(text)
        if match is None:
            raise self.fail(f"duration {text!r} is not hours:minutes:seconds; mend it")
        days, hours, minutes, seconds = match.groups(default="0")
        return 86400 * int(days) + 3600 * int(hours) + 60 * int(minutes) + float(seconds)


def read(file: InputFile) -> pl.DataFrame:
    """Every ranking of the export, in its order."""
    return judgements(_Reader(file).parse(), file.name)


FORMAT = Format(
    name="appraise",
    description="Appraise XML (WMT13–WMT16)",
    suffix=".xml",
    recognise=lambda head: b"<HIT" in head and head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"),
    read=read,
)
