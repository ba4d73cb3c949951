"""SegRanks's JSON export (Macháček 2014, appendix B.5).

An object whose keys are `sentence,source segment` and whose values are lists of annotations,
each an object of candidate segment to rank. It names neither annotators nor systems, so every
candidate is an output of its own, of no system: collapsed comparisons exist, expanded do not.
A rank beyond the number of candidates is the category "garbage".
"""

import json
import re
from typing import Any

import polars as pl

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import OutputFile
from adjudge.data.formats import Format
from adjudge.data.judgement_table import judgement_table
from adjudge.data.outputs import unattributed
from adjudge.data.ranking_rows import to_rankings
from adjudge.data.segranks import CAMPAIGN, GARBAGE, own_ranks, sentence, words_at

_START = re.compile(rb'\s*\{\s*"(?:[^",\\]|\\.)*,(?:[^"\\]|\\.)*"\s*:\s*\[')
_LAST_COMMA = re.compile(r",\s*\}\s*$")  # the thesis's own example has one
_WORST = 10**9


class _Repeated(ValueError):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _Repeated(next(key for key in keys if keys.count(key) > 1))
    return value


def _parse(file: InputFile) -> dict[str, Any]:
    try:
        return json.loads(_LAST_COMMA.sub("}", file.text), object_pairs_hook=_object)  # type: ignore[no-any-return]
    except json.JSONDecodeError as error:
        raise file.bad_line(error.lineno, f"{error.msg}; the JSON is broken or cut") from None
    except _Repeated as error:
        raise _bad(file, str(error), "is there twice; join its annotations") from None
    except (RecursionError, ValueError) as error:
        raise InputError(f"is no SegRanks export ({error}); mend it", file=file.name) from None


def _bad(file: InputFile, key: str, reason: str) -> InputError:
    """An error at the line where `key` stands."""
    spellings = (json.dumps(key, ensure_ascii=False), json.dumps(key))
    offset = max(file.text.find(spelling) for spelling in spellings)
    return file.bad_line(file.text.count("\n", 0, max(offset, 0)) + 1, f"{key[:80]!r} {reason}")


def _annotations(file: InputFile) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    number = 0
    for key, annotations in _parse(file).items():
        sentence, comma, source = key.partition(",")
        if not comma or not isinstance(annotations, list):
            raise _bad(file, key, "is not `sentence,source segment` with a list; mend it")
        for annotation in annotations:
            if not isinstance(annotation, dict) or not annotation:
                raise _bad(file, key, "holds an annotation without candidates; mend it")
            number += 1
            for text, rank in annotation.items():
                if type(rank) is not int or abs(rank) > _WORST:
                    raise _bad(file, key, f"has the rank {str(rank)[:40]!r}, no number; mend it")
                label = GARBAGE if rank > len(annotation) else None
                rows.append((key, number, sentence, unattributed(text), rank, label, source, text))
    return rows


def read(file: InputFile) -> pl.DataFrame:
    """Every annotation of the export."""
    columns = ("segment", "ranking", "hit", "output", "rank", "label", "source", "text")
    schema = dict.fromkeys(columns) | {"label": pl.String}
    try:
        frame = pl.DataFrame(_annotations(file), schema=schema, orient="row")
    except UnicodeEncodeError:
        raise InputError("holds half a character (\\ud8…); mend it", file=file.name) from None
    return judgement_table(frame.with_columns(pair=pl.lit(CAMPAIGN)), file.name)


def _write(table: pl.DataFrame, file: OutputFile) -> None:
    given = table.drop_nulls("output").with_columns(sentence(), own_ranks())
    if sum(given.select("text", "rank", "sentence").null_count().row(0)):
        raise AdjudgeError(
            "SegRanks's JSON needs the sentence, the text and the rank of every candidate, which "
            "these judgements lack; choose another format (`to`)"
        )
    segment = pl.coalesce(words_at().list.join(" "), "source")
    rankings = to_rankings(given).with_columns(key=pl.col("sentence") + "," + segment)
    export: dict[str, list[dict[str, int]]] = {}
    for key, texts, ranks in rankings.select("key", "text", "rank").iter_rows():
        export.setdefault(key, []).append(dict(zip(texts, ranks, strict=True)))
    file.stream.write(json.dumps(export, ensure_ascii=False, indent=1).encode())


_EXAMPLE = """\
{"1,makers feud": [{"výrobci se přou": 1, "tvůrci spor": 2}, {"výrobci se přou": 3}],
 "2,a cat": [{"kočka": 1, "kočku": 1}]}
"""


FORMAT = Format(
    name="segranks-json",
    description="SegRanks's export (JSON)",
    kind="judgements",
    suffix=".json",
    recognise=lambda file: _START.match(file.head) is not None,
    read=read,
    example={"export.json": _EXAMPLE.encode()},
    write=_write,
    carries=frozenset({"pair", "segment", "hit", "rank", "label", "source", "text"}),
)
