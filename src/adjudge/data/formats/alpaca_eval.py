"""AlpacaEval's annotations: a JSON list of comparisons of two outputs of an instruction.

`generator_1` and `generator_2` are the systems, `output_1` and `output_2` what they wrote,
`annotator` is the judge. `preference` is 1 where the first is better and 2 where the second is;
1.5, or 0 in early versions, is a tie. Weighted annotators give numbers between 1 and 2; of these
only the side of 1.5 counts here. An annotation without a preference failed and is left out. Which
output was shown first is not in the file: the annotators swap them at random.
"""

import json

import polars as pl

from adjudge.core.files.checked_table import leave_out, read_rows, refuse, require_values
from adjudge.core.files.input_file import InputFile
from adjudge.data.formats import Format
from adjudge.data.json_records import as_list, as_number, as_object, as_text, json_document
from adjudge.data.judgement_table import judgement_table
from adjudge.data.outputs import check_system_names

CAMPAIGN = "alpaca-eval"
_TEXTS = ("instruction", "generator_1", "output_1", "generator_2", "output_2", "annotator")
_TIE = (0.0, 1.5)


def _recognise(file: InputFile) -> bool:
    head = file.head.decode("utf-8", "ignore").lstrip()
    keys = ("generator_1", "generator_2", "preference")
    return head.startswith("[") and all(f'"{key}"' in head for key in keys)


def _read(file: InputFile) -> pl.DataFrame:
    return read_rows(
        file, lambda frame: _rankings(frame, file), lambda: _rows(file), check=judgement_table
    )


def _rows(file: InputFile) -> pl.DataFrame:
    records = [as_object(each, file, None) for each in as_list(json_document(file), file, None)]
    rows = [
        (
            *(as_text(record.get(name), file, None) for name in _TEXTS),
            as_number(record.get("preference"), file, None),
        )
        for record in records
    ]
    schema = {**dict.fromkeys(_TEXTS, pl.String()), "preference": pl.Float64()}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _rankings(frame: pl.DataFrame, file: InputFile) -> pl.DataFrame:
    none = pl.col("preference").is_null()
    frame = leave_out(frame, file, {"annotations without a preference": none})
    systems = ("generator_1", "generator_2")
    require_values(frame, ("instruction", *systems))
    check_system_names(frame, systems)
    preference = pl.col("preference")
    refuse(
        frame,
        ~(preference.is_between(1, 2) | (preference == 0)),
        "preference {} is neither 0 nor from 1 to 2; correct it",
        "preference",
    )
    tie = preference.is_in(_TIE)
    votes = frame.with_row_index("ranking", offset=1).with_columns(
        worse_1=(~tie & (preference > 1.5)).cast(pl.Int32),
        worse_2=(~tie & (preference < 1.5)).cast(pl.Int32),
    )
    order = votes["instruction"].unique(maintain_order=True)
    numbers = pl.Series(range(1, len(order) + 1), dtype=pl.Int64).cast(pl.String)
    votes = votes.with_columns(segment=pl.col("instruction").replace_strict(order, numbers))
    sides = [
        votes.select(
            pl.lit(CAMPAIGN).alias("pair"),
            "segment",
            "ranking",
            pl.col("annotator").alias("judge"),
            pl.col(f"generator_{side}").alias("output"),
            (pl.col(f"worse_{side}") + 1).alias("rank"),
            pl.col("instruction").alias("source"),
            pl.col(f"output_{side}").alias("text"),
        )
        for side in (1, 2)
    ]
    return pl.concat(sides).sort("ranking", maintain_order=True)


def _example() -> bytes:
    def compared(instruction: str, preference: float | None) -> dict[str, object]:
        outputs = {"output_1": "Yes.", "generator_1": "x", "output_2": "No.", "generator_2": "y, z"}
        said = {"annotator": "judge-1", "preference": preference}
        return {"instruction": instruction, **outputs, **said}

    given = [("Is it?", 1.0), ("Is it?", 1.93), ("Ptá se?", 1.5), ("Ptá se?", None)]
    return json.dumps([compared(*each) for each in given], indent=1).encode()


FORMAT = Format(
    name="alpaca-eval",
    description="AlpacaEval's annotations (JSON)",
    kind="judgements",
    suffix=".json",
    recognise=_recognise,
    read=_read,
    example={"annotations.json": _example},
    carries=frozenset({"pair", "segment", "judge", "output", "rank", "source", "text"}),
)
