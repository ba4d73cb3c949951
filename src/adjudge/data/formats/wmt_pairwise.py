"""WMT pairwise CSV (WMT15, WMT16): one line a pair of outputs of a ranking.

srclang, trglang, srcIndex, segmentId, judgeID, system1Id, system1rank, system2Id, system2rank,
rankingID. A plus joins the systems that share an output; a rank of −1 is a missing label.

The lines of one rankingID (by one judge, of one segment) become one ranking again where they
are all pairs of some outputs and give each output one rank, as WMT's own are: also in its
expanded files, where systems that share an output have lines of their own and the ranking has
that many more outputs. Otherwise every line is a ranking of two, so that the comparisons are
those of the file in any case.
"""

import polars as pl

from adjudge.core.errors import AdjudgeError
from adjudge.core.files.checked_table import refuse, require_columns, require_values
from adjudge.core.files.delimited import lazy_delimited, read_delimited
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import OutputFile
from adjudge.data.formats import Format
from adjudge.data.formats.wmt_csv import (
    has_ranking_id,
    is_wmt_header,
    judge_group,
    label,
    language_pair,
    lower_header,
    require_known,
    split_pair,
)
from adjudge.data.judgement_table import judgement_table
from adjudge.data.outputs import (
    attributed,
    check_system_names,
    join_column,
    replace_separator,
    separate_systems,
)
from adjudge.data.ranking_rows import in_order

PLUS = "+"
_REQUIRED = (
    "srclang",
    "trglang",
    "srcindex",
    "judgeid",
    "system1id",
    "system1rank",
    "system2id",
    "system2rank",
    "rankingid",
)
_CONTEXT = ("pair", "segment", "judge", "group")


def _build(frame: pl.DataFrame) -> pl.DataFrame:
    frame = lower_header(frame)
    require_columns(frame, ("segmentid",), _REQUIRED, "the pairwise CSV")
    require_values(frame, _REQUIRED)
    check_system_names(frame, ("system1id", "system2id"))
    pairs = frame.select(
        language_pair(),
        pl.col("srcindex").alias("segment"),
        pl.col("judgeid").alias("judge"),
        judge_group(),
        "rankingid",
        join_column(frame["system1id"], PLUS).alias("left"),
        join_column(frame["system2id"], PLUS).alias("right"),
        label(frame, "system1rank").alias("left_rank"),
        label(frame, "system2rank").alias("right_rank"),
        *(name for name in ("line",) if name in frame.columns),
    ).with_row_index("row")
    refuse(pairs, pl.col("left") == pl.col("right"), "compares {} with itself; remove it", "left")
    key = [pl.col("pair"), pl.col("segment"), pl.col("judge"), pl.col("rankingid")]
    pairs = pairs.with_columns(pl.col("row").first().over(key).alias("block"))
    either_order = (
        pl.min_horizontal("left", "right").alias("first_by_name"),
        pl.max_horizontal("left", "right").alias("second_by_name"),
    )
    refuse(
        pairs,
        ~pl.struct("block", *either_order).is_first_distinct(),
        "ranking {} is there twice: two lines compare the same outputs; remove the repeat",
        "rankingid",
    )
    return _rebuild(pairs)


def _sides(pairs: pl.DataFrame) -> pl.DataFrame:
    """Two rows per pair: its left output, its right output."""
    return pl.concat(
        pairs.select(
            "row",
            "block",
            pl.lit(place, pl.Int32).alias("place"),
            pl.col(side).alias("output"),
            pl.col(f"{side}_rank").alias("rank"),
        )
        for place, side in enumerate(("left", "right"))
    )


def _rebuild(pairs: pl.DataFrame) -> pl.DataFrame:
    """Rankings from their pairs."""
    sides = _sides(pairs)
    # The output shown first is never on the right, the second once, and so on.
    outputs = sides.group_by("block", "output").agg(
        pl.col("rank").first(),
        (pl.col("rank").n_unique() == 1).alias("one_rank"),
        pl.col("place").sum().alias("earlier"),
        pl.col("row").min(),
    )
    size = pl.col("size")
    whole = (
        outputs.group_by("block")
        .agg(pl.len().alias("size"), pl.col("one_rank").all())
        .join(pairs.group_by("block").agg(pl.len().alias("pairs")), on="block")
        .filter(pl.col("one_rank") & (pl.col("pairs") * 2 == size * (size - 1)))
        .select("block")
    )
    rows = pl.concat(
        [
            outputs.join(whole, on="block", how="semi").select(
                pl.col("block").alias("first"), "output", "rank", "earlier", "row"
            ),
            sides.join(whole, on="block", how="anti").select(
                pl.col("row").alias("first"),
                "output",
                "rank",
                pl.col("place").alias("earlier"),
                "row",
            ),
        ]
    ).sort("first", "earlier", "row")
    context = pairs.select(
        pl.col("row").alias("first"), *_CONTEXT, *(c for c in ("line",) if c in pairs.columns)
    )
    return (
        rows.join(context, on="first", how="left", maintain_order="left")
        .with_columns(
            pl.col("first").rle_id().cast(pl.Int64).alias("ranking") + 1,
            pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("first").alias("position"),
        )
        .drop("first", "earlier", "row")
    )


def _votes(file: InputFile) -> pl.LazyFrame:
    query = lazy_delimited(file).rename({name: name.strip().lower() for name in file.header})
    labelled = (pl.col("system1rank") != "-1") & (pl.col("system2rank") != "-1")
    return query.filter(labelled | labelled.is_null()).select(
        language_pair(),
        pl.col("judgeid").alias("judge"),
        replace_separator("system1id", PLUS).alias("left"),
        replace_separator("system2id", PLUS).alias("right"),
        "system1rank",
        "system2rank",
    )


def _outcome() -> pl.Expr:
    left, right = (pl.col(f"system{i}rank").cast(pl.Int32, strict=False) for i in (1, 2))
    sound = (left > 0) & (right > 0)
    return pl.when(sound).then((right - left).sign().cast(pl.Int8))


def _write(table: pl.DataFrame, file: OutputFile) -> None:
    require_known(table, ("segment", "judge"), "the pairwise CSV")
    names = table.select(pl.col("output").unique().drop_nulls().cast(pl.String))
    with_plus = pl.col("output").str.contains(PLUS, literal=True)
    if names.select((~attributed() | with_plus).any()).item():
        raise AdjudgeError(
            "the pairwise CSV joins systems by a plus, so it has no place for one with a plus in "
            "its name, nor for an output of no system; choose another format (`to`)"
        )
    outputs = in_order(table.filter(pl.col("output").is_not_null())).with_columns(
        separate_systems(PLUS).alias("output"),
        pl.col("rank").fill_null(-1),
        pl.int_range(pl.len()).over("ranking").alias("place"),
    )
    second = outputs.select("ranking", "output", "rank", "place")
    outputs.join(second, on="ranking", maintain_order="left_right").filter(
        pl.col("place") < pl.col("place_right")
    ).select(
        *split_pair(table),
        pl.col("segment").alias("srcIndex"),
        pl.col("segment").alias("segmentId"),
        pl.col("judge").alias("judgeID"),
        pl.col("output").alias("system1Id"),
        pl.col("rank").alias("system1rank"),
        pl.col("output_right").alias("system2Id"),
        pl.col("rank_right").alias("system2rank"),
        pl.col("ranking").alias("rankingID"),
    ).write_csv(file.stream)


_EXAMPLE = """\
srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID
eng,ces,7,7,judge_1,A,1,B+Překladač,2,1
eng,ces,7,7,judge_1,A,1,"C, D",-1,1
eng,ces,7,7,judge_1,B+Překladač,2,"C, D",-1,1
eng,ces,8,8,judge_1,"C, D",1,A,1,2
"""


FORMAT = Format(
    name="wmt-pairwise",
    description="WMT pairwise CSV (WMT15, WMT16)",
    kind="judgements",
    suffix=".pairs.csv",
    recognise=lambda file: is_wmt_header(file) and has_ranking_id(file),
    read=lambda file: read_delimited(file, _build, check=judgement_table),
    example={"judgements.pairs.csv": _EXAMPLE.encode()},
    write=_write,
    carries=frozenset({"pair", "segment", "judge", "output", "rank", "position"}),
    votes=_votes,
    outcome=_outcome(),
)
