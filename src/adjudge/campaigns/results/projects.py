"""Answers of all campaigns of a project in one table."""

from collections.abc import Callable, Iterable

import polars as pl

from adjudge.campaigns.models import Campaign
from adjudge.campaigns.protocol_kit.protocol import Kind
from adjudge.campaigns.results.tables import edits_of, judgements_of, kinds_of, scores_of
from adjudge.data.kinds import KINDS
from adjudge.data.table_files import join_tables

TABLES: dict[Kind, Callable[[Campaign, bool], pl.DataFrame]] = {
    "judgements": judgements_of,
    "scores": scores_of,
    "edits": edits_of,
}


def kinds_of_all(campaigns: Iterable[Campaign]) -> list[Kind]:
    """Kinds of tables for the answers of these campaigns."""
    return sorted({kind for campaign in campaigns for kind in kinds_of(campaign)})


def table_of_all(
    campaigns: Iterable[Campaign], kind: Kind, include_excluded: bool = False
) -> pl.DataFrame:
    """Concatenated answers of a kind, one campaign after the other."""
    tables = [TABLES[kind](c, include_excluded) for c in campaigns if kind in kinds_of(c)]
    filled = [table for table in tables if len(table)]
    return join_tables(filled, KINDS[kind].numbers) if filled else tables[0]
