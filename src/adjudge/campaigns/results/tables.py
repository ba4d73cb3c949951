"""Answers of a campaign as tables of judgements, scores or edits, depending on the protocol.

The current revision of every answer counts, with the time its judge spent (`store.standing`).
Judges who were excluded are left out unless asked for, and so are answers that came in after the
campaign was closed.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl
from django.db.models import Case, F, QuerySet, TextField, Value, When
from django.db.models.functions import Cast

from adjudge.campaigns.models import Answer, Campaign, Judge, Output, Remark, Segment
from adjudge.campaigns.protocol_kit.protocol import Kind
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.store.queries import standing, stored_seconds_spent
from adjudge.data.edit_table import edit_table
from adjudge.data.judgement_table import judgement_table
from adjudge.data.outputs import join_group, text_output
from adjudge.data.score_table import score_table

SchemaDict = Mapping[str, pl.DataType | type[pl.DataType]]

_ANSWERS: SchemaDict = {
    "ranking": pl.Int64,
    "revision": pl.Int64,
    "protocol": pl.String,
    "reviewed": pl.Int64,
    "reviewed_revision": pl.Int64,
    "segment_key": pl.Int64,
    "hit": pl.String,
    "judge": pl.String,
    "group": pl.String,
    "shown": pl.String,
    "payload": pl.String,
    "skipped": pl.Boolean,
    "reason": pl.String,
    "seconds": pl.Float64,
    "time": pl.Datetime("us", "UTC"),
    "design": pl.Int64,
}

_OF_EDITS = ("revision", "reviewed", "reviewed_revision")  # what only a table of edits needs

_OUTPUTS: SchemaDict = {
    "output_key": pl.Int64,
    "text": pl.String,
    "part_order": pl.Int64,
    "words": pl.String,
    "system": pl.String,
}


def judgements_of(campaign: Campaign, include_excluded: bool = False) -> pl.DataFrame:
    """Judgement table of a campaign (`adjudge.data.judgement_table`)."""
    return judgement_table(_rows(campaign, "judgements", include_excluded).drop(_OF_EDITS))


def scores_of(campaign: Campaign, include_excluded: bool = False) -> pl.DataFrame:
    """Score table of a campaign (`adjudge.data.score_table`)."""
    rows = _rows(campaign, "scores", include_excluded).drop(_OF_EDITS)
    return score_table(rows.rename({"ranking": "item"}))


def edits_of(campaign: Campaign, include_excluded: bool = False) -> pl.DataFrame:
    """Edit table of a campaign (`adjudge.data.edit_table`).

    Excludes reviews of edits that do not count: revised or given up since, or by an excluded
    editor.
    """
    rows = _rows(campaign, "edits", include_excluded)
    edits = rows.filter(pl.col("output").is_not_null()).select(
        pl.col("ranking").alias("reviewed"), pl.col("revision").alias("reviewed_revision")
    )
    of_edit = ["reviewed", "reviewed_revision"]
    lost = rows.drop_nulls("reviewed").join(edits, on=of_edit, how="anti")
    kept = rows.filter(~pl.col("ranking").is_in(lost["ranking"].implode()))
    return edit_table(kept.drop("revision", "reviewed_revision").rename({"ranking": "item"}))


def kinds_of(campaign: Campaign) -> list[Kind]:
    """Kinds of tables for the answers of this campaign."""
    return sorted({PROTOCOLS.named(name).kind for name in campaign.protocols})


def _rows(campaign: Campaign, kind: Kind, include_excluded: bool) -> pl.DataFrame:
    """Rows of one kind, with the columns that all tables share."""
    chosen = Answer.objects.filter(assignment__judge__campaign=campaign)
    if not include_excluded:
        chosen = chosen.exclude(assignment__judge__state=Judge.State.EXCLUDED)
    answers = _with_comments(answer_frame(standing(chosen, until=campaign.closed)), campaign)
    # A skipped item is one row with neither output nor answer: it still counts as shown.
    skipped = answers.filter("skipped", pl.col("protocol").is_in(_of_kind(kind)))
    given = rows_of_kind(answers, kind).drop("part", strict=False)  # as the outputs themselves say
    rows = pl.concat([given, skipped.drop("shown", "payload")], how="diagonal_relaxed")
    return (
        rows.join(_segments(campaign), on="segment_key", how="left", maintain_order="left")
        .join(_outputs(campaign), on="output_key", how="left", maintain_order="left")
        .pipe(_by_part)
        .sort("ranking", "position", maintain_order=True)
        .with_columns(pl.lit(campaign.pair).alias("pair"), _design(campaign))
        .drop("segment_key", "output_key", "skipped")
    )


def _design(campaign: Campaign) -> pl.Expr:
    """Version of the design (`setup.changes`); null if it was never changed."""
    known = pl.lit(campaign.version > 1)
    return pl.when(known).then(pl.col("design").cast(pl.String)).alias("design")


def _with_comments(answers: pl.DataFrame, campaign: Campaign) -> pl.DataFrame:
    """Join the judge's comments on the item: reason for skipping, then remarks."""
    remarks = Remark.objects.filter(judge__campaign=campaign, assignment__isnull=False)
    written = _frame(
        remarks.order_by("pk").values_list("assignment", "text"),
        {"ranking": pl.Int64, "remark": pl.String},
    )
    comments = written.group_by("ranking").agg(pl.col("remark").str.join("\n"))
    reason = pl.col("reason").replace("", None)
    return (
        answers.join(comments, on="ranking", how="left", maintain_order="left")
        .with_columns(
            pl.concat_str(reason, "remark", separator="\n", ignore_nulls=True)
            .replace("", None)
            .alias("comment")
        )
        .drop("reason", "remark")
    )


def _of_kind(kind: Kind) -> list[str]:
    return [protocol.name for protocol in PROTOCOLS.values() if protocol.kind == kind]


def rows_of_kind(answers: pl.DataFrame, kind: Kind) -> pl.DataFrame:
    """Convert answers under the protocols of one kind to rows."""
    given = answers.filter(~pl.col("skipped"))
    return pl.concat(
        [
            PROTOCOLS.named(name).rows(given.filter(pl.col("protocol") == name))
            for name in _of_kind(kind)
        ],
        how="diagonal_relaxed",
    )


def _by_part(rows: pl.DataFrame) -> pl.DataFrame:
    """Split each part of a screen into a ranking of its own, of a segment `sentence:indices`, with
    its share of the time.
    """
    if rows["part_order"].null_count() == len(rows):
        return rows.drop("part_order", "words")
    return rows.with_columns(
        pl.struct("ranking", "part_order").rank("dense").cast(pl.Int64).alias("ranking"),
        pl.when(pl.col("part_order").is_null())
        .then("segment")
        .otherwise(pl.concat_str("segment", pl.lit(":"), "words"))
        .alias("segment"),
        pl.col("seconds") / pl.col("part_order").n_unique().over("ranking"),
    ).drop("part_order", "words")


def _frame(rows: Iterable[tuple[Any, ...]], schema: SchemaDict) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=schema, orient="row")


def answer_frame(answers: QuerySet[Answer]) -> pl.DataFrame:
    """Frame of answers, one row each, as input of protocols."""
    rows = answers.annotate(
        shown=Cast("assignment__shown", TextField()),
        said=Cast("payload", TextField()),
        was_skipped=Case(When(skipped="", then=Value(False)), default=Value(True)),
        spent=stored_seconds_spent(),
        judge=F("assignment__judge__name"),
        group=F("assignment__judge__group"),
    ).values_list(
        "assignment",
        "revision",
        "assignment__hit__protocol",
        "assignment__item__about__assignment",
        "assignment__item__about__revision",
        "assignment__item__segment",
        Cast("assignment__hit", TextField()),
        "judge",
        "group",
        "shown",
        "said",
        "was_skipped",
        "skipped",
        "spent",
        "received",
        "assignment__version",
    )
    return _frame(rows.order_by("assignment"), _ANSWERS).with_columns(
        pl.col("group").replace("", None), pl.col("shown").str.json_decode(pl.List(pl.Int64))
    )


def _segments(campaign: Campaign) -> pl.DataFrame:
    rows = Segment.objects.filter(campaign=campaign).values_list(
        "pk", "document__name", "name", "source", "reference"
    )
    names = ("document", "segment", "source", "reference")
    return _frame(rows, {"segment_key": pl.Int64, **dict.fromkeys(names, pl.String)})


def _outputs(campaign: Campaign) -> pl.DataFrame:
    """Outputs with their texts, the part they translate and the systems credited with them."""
    rows = Output.objects.filter(segment__campaign=campaign).values_list(
        "pk", "text", "part__order", Cast("part__words", TextField()), "systems__name"
    )
    frame = _frame(rows, _OUTPUTS)
    return (
        # In the order of `system_order`.
        frame.sort(pl.col("system").str.to_lowercase(), "system")
        .group_by("output_key", maintain_order=True)
        .agg(
            pl.col("text", "part_order", "words").first(),
            join_group("system").alias("output"),
        )
        .with_columns(
            pl.col("words").str.replace_all(r"[\[\] ]", ""),
            pl.when(pl.col("output") == "")
            .then(text_output(pl.col("text")))
            .otherwise("output")
            .alias("output"),
        )
    )
