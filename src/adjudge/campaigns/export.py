"""A campaign's answers as judgements.

The highest revision of every answer counts. Judges who were excluded are left out unless asked
for, and so are answers that came in after the campaign was closed. `seconds` is the browser's
active time where it sent one, else its wall time, else the server's.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl
from django.db.models import Case, F, QuerySet, TextField, Value, When
from django.db.models.functions import Cast, Coalesce

from adjudge.campaigns.models import Answer, Campaign, Judge, Output, Segment
from adjudge.campaigns.protocols import protocol_named
from adjudge.judgements.schema import JOINT, judgements

SchemaDict = Mapping[str, pl.DataType | type[pl.DataType]]

_ANSWERS: SchemaDict = {
    "ranking": pl.Int64,
    "revision": pl.Int64,
    "segment_key": pl.Int64,
    "hit": pl.String,
    "judge": pl.String,
    "group": pl.String,
    "shown": pl.String,
    "payload": pl.String,
    "skipped": pl.Boolean,
    "seconds": pl.Float64,
    "time": pl.Datetime("us", "UTC"),
}


def judgements_of(campaign: Campaign, include_excluded: bool = False) -> pl.DataFrame:
    """The judgement table of a campaign (`adjudge.judgements.schema`)."""
    chosen = Answer.objects.filter(assignment__judge__campaign=campaign)
    if not include_excluded:
        chosen = chosen.exclude(assignment__judge__state=Judge.State.EXCLUDED)
    if campaign.closed is not None:
        chosen = chosen.filter(received__lte=campaign.closed)
    answers = latest(chosen)
    ranked = protocol_named(campaign.protocol).judgements(answers.filter(~pl.col("skipped")))
    # A skipped item is one row with neither output nor rank: it still counts as shown.
    skipped = answers.filter("skipped").drop("shown", "payload")
    rows = pl.concat([ranked, skipped], how="diagonal")
    return judgements(
        rows.join(_segments(campaign), on="segment_key", how="left", maintain_order="left")
        .join(_outputs(campaign), on="output_key", how="left", maintain_order="left")
        .sort("ranking", "position", maintain_order=True)
        .with_columns(pl.lit(campaign.pair).alias("pair"))
        .drop("segment_key", "output_key", "skipped", "revision")
    )


def _frame(rows: Iterable[tuple[Any, ...]], schema: SchemaDict) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=schema, orient="row")


def latest(answers: QuerySet[Answer]) -> pl.DataFrame:
    """Those of the answers that count, one row each, as a protocol takes them."""
    rows = answers.annotate(
        shown=Cast("assignment__shown", TextField()),
        said=Cast("payload", TextField()),
        was_skipped=Case(When(skipped="", then=Value(False)), default=Value(True)),
        spent=Coalesce("active_seconds", "browser_seconds", "seconds"),
        judge=F("assignment__judge__name"),
        group=F("assignment__judge__group"),
    ).values_list(
        "assignment",
        "revision",
        "assignment__item__segment",
        Cast("assignment__hit", TextField()),
        "judge",
        "group",
        "shown",
        "said",
        "was_skipped",
        "spent",
        "received",
    )
    return (
        _frame(rows, _ANSWERS)
        .sort("ranking", "revision")
        .unique("ranking", keep="last", maintain_order=True)
        .with_columns(
            pl.col("group").replace("", None), pl.col("shown").str.json_decode(pl.List(pl.Int64))
        )
    )


def _segments(campaign: Campaign) -> pl.DataFrame:
    rows = Segment.objects.filter(campaign=campaign).values_list(
        "pk", "document__name", "name", "source", "reference"
    )
    names = ("document", "segment", "source", "reference")
    return _frame(rows, {"segment_key": pl.Int64, **dict.fromkeys(names, pl.String)})


def _outputs(campaign: Campaign) -> pl.DataFrame:
    """Every output with its text and the systems credited with it."""
    rows = Output.objects.filter(segment__campaign=campaign).values_list(
        "pk", "text", "systems__name"
    )
    frame = _frame(rows, {"output_key": pl.Int64, "text": pl.String, "system": pl.String})
    return (
        # In the order of `join_systems`.
        frame.sort(pl.col("system").str.to_lowercase(), "system")
        .group_by("output_key", maintain_order=True)
        .agg(pl.col("text").first(), pl.col("system").str.join(JOINT).alias("output"))
    )
