"""The question how far judges agree, broken down by what was asked for."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.agreement.intervals import agreement_resampling
from adjudge.agreement.options import AgreementOptions
from adjudge.agreement.parts import BY
from adjudge.api.table_data import names_of
from adjudge.data.selection import Selection
from adjudge.stats.resampling import Resampling

if TYPE_CHECKING:
    import polars as pl

    from adjudge.data.table_files import Path
    from adjudge.data.votes.census import Census


class Answer(NamedTuple):
    """The parts of an answer, what `tables_for` is told about them, and notes below them all."""

    parts: Sequence[Any]
    how: Mapping[str, Any]
    notes: Sequence[str] = ()


def drawn_for(options: AgreementOptions) -> Resampling:
    """How the intervals are drawn."""
    asked = Resampling(options.unit, options.replicates, options.seed, options.level)
    return agreement_resampling(asked)


def answer(table: "pl.DataFrame", options: AgreementOptions) -> Answer:
    """Agreement from all judgements."""
    from adjudge.agreement.coefficients import agreement_by_coefficient
    from adjudge.agreement.controls import agreement_by_controls
    from adjudge.agreement.judges import agreement_by_judge, agreement_by_judges
    from adjudge.agreement.pairwise import agreement
    from adjudge.agreement.parts import agreement_by

    resampling, form, names = drawn_for(options), options.form, names_of(options.trusted)
    drawn = {"resampling": resampling}
    match options.by:
        case "pair":
            parts = agreement(table, options.forms, options.convention, resampling)
            return Answer(parts, drawn)
        case "coefficient":
            return Answer(agreement_by_coefficient(table, form, resampling), drawn)
        case "judge":
            return Answer(agreement_by_judge(table, form, resampling), drawn)
        case "judges":
            return Answer(agreement_by_judges(table, form), {})
        case "controls":
            trusted = {"trusted": names}
            return Answer(agreement_by_controls(table, names, form), trusted)
    return Answer(agreement_by(table, options.by, form, resampling), drawn)


def answer_of_votes(
    paths: Sequence["Path"], chosen: Selection, census: "Census", options: AgreementOptions
) -> Answer | None:
    """From sums over the votes of files; None where they do not say it."""
    from adjudge.agreement.vote_agreement import (
        agreement_of_votes,
        judges_of_votes,
        parts_of_votes,
    )

    files = (paths, chosen, census)
    drawn = {"resampling": drawn_for(options)}
    if options.by in BY:
        parts = parts_of_votes(*files, options.by, options.form, drawn_for(options))
        return Answer(parts, drawn)
    if options.by == "judge":
        judges = judges_of_votes(*files, drawn_for(options))
        return None if judges is None else Answer(judges, drawn)
    if options.by == "pair" and options.unit == "auto":
        pairs = agreement_of_votes(*files, options.forms, options.convention, options.level)
        return Answer(pairs, drawn)
    return None
