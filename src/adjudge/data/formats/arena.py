"""Arena votes: one row a comparison of two models (or systems), as CSV, JSONL and Parquet.

model_a, model_b and winner (`model_a`, `tie (bothbad)`, … or another word of `outcomes.py`) are
required; judge, question_id (our segment; with turn where MT-Bench asks of each turn), language
(our pair) and tstamp (seconds since 1970, or ISO 8601) are used where present. Arenas publish many
more columns, conversations above all: those are not judgements and are not kept. A file without
languages is one campaign called `arena`.
"""

from collections.abc import Iterable
from io import BytesIO

import polars as pl

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.checked_table import refuse, require_values
from adjudge.core.files.delimited import lazy_delimited, read_delimited
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.jsonl import lazy_jsonl, read_jsonl
from adjudge.core.files.parquet import lazy_parquet, parquet_columns, read_parquet
from adjudge.data.formats import Format
from adjudge.data.judgement_table import judgement_table
from adjudge.data.outcomes import BOTH_BAD, label_of, side_of
from adjudge.data.outputs import check_system_names, has_one_system
from adjudge.data.ranking_rows import to_rankings, to_rows

CAMPAIGN = "arena"
REQUIRED = ("model_a", "model_b", "winner")
OPTIONAL = ("judge", "question_id", "turn", "language", "tstamp")
_OUTCOME = side_of(pl.col("winner"))
_CARRIES = frozenset({"pair", "segment", "judge", "output", "rank", "position", "label", "time"})


def _build(frame: pl.DataFrame) -> pl.DataFrame:
    missing = [name for name in REQUIRED if name not in frame.columns]
    if missing:
        raise InputError(f"no column {missing[0]!r}; arena votes need it, add it", line=1)
    require_values(frame, REQUIRED)
    refuse(
        frame,
        _OUTCOME.is_null(),
        "unknown winner {}; use model_a, model_b, tie or tie (bothbad)",
        "winner",
    )
    refuse(
        frame,
        pl.col("model_a") == pl.col("model_b"),
        "compares {} with itself; remove the row",
        "model_a",
    )
    check_system_names(frame, ("model_a", "model_b"))
    votes = frame.select(
        pl.col("language").fill_null(CAMPAIGN).alias("pair")
        if "language" in frame.columns
        else pl.lit(CAMPAIGN).alias("pair"),
        *_renamed(
            frame,
            judge="judge",
            line="line",
            model_a="left",
            model_b="right",
            winner="winner",
        ),
        *_segment(frame.columns),
        *([_time(frame)] if "tstamp" in frame.columns else []),
    )
    return _rankings(votes)


def _segment(columns: Iterable[str]) -> list[pl.Expr]:
    """The question, and the turn of it where that is known."""
    if "question_id" not in columns:
        return []
    question = pl.col("question_id")
    if "turn" not in columns:
        return [question.alias("segment")]
    of_turn = pl.concat_str(question, pl.lit(" turn "), "turn")
    return [pl.coalesce(of_turn, question).alias("segment")]


def _rankings(votes: pl.DataFrame) -> pl.DataFrame:
    """A ranking of two outputs of every vote."""
    wide = votes.with_columns(
        pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias("ranking"),
        pl.when(_OUTCOME < 0).then(2).otherwise(1).cast(pl.Int32).alias("rank_a"),
        pl.when(_OUTCOME > 0).then(2).otherwise(1).cast(pl.Int32).alias("rank_b"),
        label_of(pl.col("winner")).alias("label"),
    )
    rows = to_rows(wide, [pl.col("left"), pl.col("right")], [pl.col("rank_a"), pl.col("rank_b")])
    return rows.drop("left", "right", "winner", "rank_a", "rank_b")


def _renamed(frame: pl.DataFrame, **names: str) -> list[pl.Expr]:
    return [pl.col(old).alias(new) for old, new in names.items() if old in frame.columns]


def _time(frame: pl.DataFrame) -> pl.Expr:
    """Seconds since 1970 or ISO 8601, as a time."""
    stamp, time = pl.col("tstamp"), _moment(strict=False)
    refuse(frame, stamp.is_not_null() & time.is_null(), "tstamp {} is no time; mend it", "tstamp")
    return time.alias("time")


def _moment(strict: bool) -> pl.Expr:
    """The column tstamp as times; what is none is null, or an error where it is read strictly."""
    stamp = pl.col("tstamp")
    seconds = (stamp.cast(pl.Float64, strict=False) * 1e6).round().cast(pl.Int64, strict=False)
    written = pl.when(seconds.is_null()).then(stamp)
    return pl.coalesce(
        seconds.cast(pl.Datetime("us", "UTC")),
        written.str.to_datetime(strict=strict, time_unit="us", time_zone="UTC"),
    )


def _text(columns: list[str]) -> list[pl.Expr]:
    """Numbers as names: Parquet and JSONL may hold question_id or tstamp as either."""
    return [pl.col(name).cast(pl.String) for name in columns]


def _known(columns: tuple[str, ...]) -> list[str]:
    return [name for name in columns if name in (*REQUIRED, *OPTIONAL)]


def _read_parquet(file: InputFile) -> pl.DataFrame:
    columns = _known(parquet_columns(file))
    return read_parquet(
        file,
        lambda frame: _build(frame.with_columns(_text(columns))),
        columns=columns,
        check=judgement_table,
    )


def _read_jsonl(file: InputFile) -> pl.DataFrame:
    schema = dict.fromkeys((*REQUIRED, *OPTIONAL), pl.String())
    return read_jsonl(file, schema, _build, strict=False, check=judgement_table)


def _votes(query: pl.LazyFrame, columns: list[str]) -> pl.LazyFrame:
    language = pl.col("language") if "language" in columns else pl.lit(None, pl.String)
    return query.select(_text(columns)).select(
        language.fill_null(CAMPAIGN).alias("pair"),
        *([pl.col("judge")] if "judge" in columns else []),
        *_segment(columns),
        pl.col("model_a").alias("left"),
        pl.col("model_b").alias("right"),
        "winner",
        *([_moment(strict=True).alias("time")] if "tstamp" in columns else []),
    )


def _jsonl_votes(file: InputFile) -> pl.LazyFrame:
    columns = [name for name in (*REQUIRED, *OPTIONAL) if name in file.json_keys]
    return _votes(lazy_jsonl(file, dict.fromkeys(columns, pl.String())), columns)


def _csv_votes(file: InputFile) -> pl.LazyFrame:
    return _votes(lazy_delimited(file), _known(file.header))


def _parquet_votes(file: InputFile) -> pl.LazyFrame:
    columns = _known(parquet_columns(file))
    return _votes(lazy_parquet(file, columns), columns)


def _to_votes(table: pl.DataFrame) -> pl.DataFrame:
    """One row per ranking, which must be of two outputs of one system each."""
    rankings = to_rankings(table.with_columns(one_system=has_one_system().all().over("ranking")))
    fits = (
        (pl.col("output").list.len() == 2)
        & (pl.col("output").list.drop_nulls().list.len() == 2)
        & (pl.col("rank").list.drop_nulls().list.len() == 2)
        & pl.col("one_system")
    )
    wrong = rankings.filter(~fits)
    if len(wrong):
        raise AdjudgeError(
            f"ranking {wrong['ranking'][0]} is no vote between two systems, which is all that "
            "arena formats hold; choose another format (`to`)"
        )
    first, second = pl.col("rank").list.get(0), pl.col("rank").list.get(1)
    bad = pl.col("label").list.get(0) == BOTH_BAD
    votes = rankings.select(
        pl.col("segment").alias("question_id"),
        pl.col("output").list.get(0).alias("model_a"),
        pl.col("output").list.get(1).alias("model_b"),
        pl.when(first < second)
        .then(pl.lit("model_a"))
        .when(second < first)
        .then(pl.lit("model_b"))
        .when(bad)
        .then(pl.lit("tie (bothbad)"))
        .otherwise(pl.lit("tie"))
        .alias("winner"),
        "judge",
        pl.when(pl.col("pair") != CAMPAIGN).then("pair").alias("language"),
        (pl.col("time").dt.epoch("us") / 1e6).alias("tstamp"),
    )
    empty = [name for name in votes.columns if votes[name].null_count() == len(votes)]
    return votes.drop(empty)


def _has_votes(columns: Iterable[str]) -> bool:
    return len({*REQUIRED} & {*columns}) >= 2


_EXAMPLE = """\
question_id,model_a,model_b,winner,judge,language,tstamp
q1,x,"y, z",model_a,arena_user_1,Čeština,1000000000.5
q2,"y, z",x,tie,,,2000000000.0
q2,x,w,tie (bothbad),j,,1999999999.0
,w,x,model_b,j,,
""".encode()


def _example_frame() -> pl.DataFrame:
    return pl.read_csv(BytesIO(_EXAMPLE))


def _example_parquet() -> bytes:
    stream = BytesIO()
    _example_frame().write_parquet(stream)
    return stream.getvalue()


FORMAT = (
    Format(
        name="arena-csv",
        description="Arena votes as CSV",
        kind="judgements",
        suffix=".arena.csv",
        recognise=lambda file: _has_votes(file.header),
        read=lambda file: read_delimited(file, _build, check=judgement_table),
        example={"votes.csv": _EXAMPLE},
        write=lambda table, file: _to_votes(table).write_csv(file.stream),
        carries=_CARRIES,
        votes=_csv_votes,
        outcome=_OUTCOME,
        rankings=_rankings,
    ),
    Format(
        name="arena-jsonl",
        description="Arena votes as JSONL",
        kind="judgements",
        suffix=".arena.jsonl",
        recognise=lambda file: _has_votes(file.json_keys),
        read=_read_jsonl,
        example={"votes.jsonl": lambda: _example_frame().write_ndjson().encode()},
        write=lambda table, file: _to_votes(table).write_ndjson(file.stream),
        carries=_CARRIES,
        votes=_jsonl_votes,
        outcome=_OUTCOME,
        rankings=_rankings,
    ),
    Format(
        name="arena-parquet",
        description="Arena votes as Parquet",
        kind="judgements",
        suffix=".arena.parquet",
        recognise=lambda file: _has_votes(parquet_columns(file)),
        read=_read_parquet,
        example={"votes.parquet": _example_parquet},
        write=lambda table, file: _to_votes(table).write_parquet(file.stream),
        carries=_CARRIES,
        votes=_parquet_votes,
        outcome=_OUTCOME,
        rankings=_rankings,
    ),
)
