"""Ways in: from files, from columns in memory, from a simulation."""

from dataclasses import replace
from os import PathLike
from typing import Any, cast

from adjudge.api.edits import Edits
from adjudge.api.judgements import Judgements, SimulatedJudgements
from adjudge.api.scores import Scores
from adjudge.api.streamed_scores import scores_in
from adjudge.api.table_data import Data
from adjudge.api.votes import votes_in
from adjudge.core.errors import BadParameter, InputError, one_of
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.partitions import in_parts
from adjudge.data import from_columns as columns
from adjudge.data.account_mapping import with_people
from adjudge.data.any_table import frame_table
from adjudge.data.column_names import Columns, columns_from, columns_text
from adjudge.data.from_columns import Column, as_frame
from adjudge.data.item_times import read_timed
from adjudge.data.kinds import KINDS, KindName, kind_of
from adjudge.data.repeats import without_repeats
from adjudge.data.selection import with_source
from adjudge.data.source import Source
from adjudge.data.table_files import read_any

DATA: dict[str, type[Data]] = {data.kind: data for data in (Judgements, Scores, Edits)}


def read(
    *paths: Any,
    source: str | None = None,
    judges_from: str | None = None,
    kind: KindName | None = None,
    columns: Columns | str | None = None,
) -> Any:
    """Read judgements, scores or edits from files, or from a frame in memory.

    Parameters
    ----------
    *paths : str
        Files in any format of docs/formats.md, compressed or not; "-" is standard input. The
        format is found by looking at the file; in a file of no known format columns are recognised
        by their usual names. Instead of files, one frame of pandas, Polars or Arrow, a list of
        dicts, or a mapping of columns. Several files of one kind are read as one; a folder stands
        for the Parquet files in it, or for the human scores in one of mt-metrics-eval, and a
        pattern such as ``votes-*.csv`` for the files so called. A large file of votes or scores is
        read when something is asked of it, and counted meanwhile; of more than a million, what
        counts do not tell is found from a sample, and says so.
    source : str, optional
        A file with the source text, one line a segment, for lengths in words.
    judges_from : str, optional
        A file that says which accounts belong to one person (docs/formats.md): judges are people
        then, not accounts.
    kind : {"judgements", "scores", "edits"}, optional
        Which table of files that hold several, as those of WMT07 do; by default the rankings.
        Scores asked for as judgements are the rankings that they imply.
    columns : dict, optional
        Columns that are not recognised, by role: ``{"left": "System 1", "right": "System 2",
        "outcome": "Better"}``; for scores or ranks with one column per system, a list:
        ``{"score": ["A", "B"]}``.

    Returns
    -------
    Judgements, Scores or Edits
        As what the files hold.

    Raises
    ------
    InputError
        If a file cannot be read as what it claims to be: the message names line and remedy.
    BadParameter
        If there is no such kind.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "votes.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("model_a,model_b,winner\\nA,B,model_a\\nB,C,tie\\nA,C,model_a\\n")
    >>> adjudge.read(path).systems
    ('A', 'B', 'C')
    """
    if kind is not None:
        one_of(kind, KINDS, "kind")
    if len(paths) == 1 and not isinstance(paths[0], str | PathLike):
        return _from_frame(paths[0], kind, source, judges_from, columns)
    return read_as(kind, *paths, source=source, judges_from=judges_from, columns=columns)


def read_as(
    kind: KindName | None,
    *paths: str,
    source: str | None = None,
    judges_from: str | None = None,
    columns: Columns | str | None = None,
) -> Any:
    """Read files as one kind of data, or (None) as what they are; scores imply rankings."""
    paths = in_parts(paths)
    roles = columns_from(columns) if isinstance(columns, str) else columns
    whole = source is not None or judges_from is not None or bool(roles)
    if kind in (None, "judgements") and not whole:
        votes = votes_in(paths)
        if votes is not None:
            return votes
    if kind in (None, "scores") and not whole:
        scores = scores_in(paths)
        if scores is not None:
            return scores
    loaded = read_any(*paths, kind=kind, columns=roles)
    files = tuple((file.path, file.sha256) for file in loaded.sources)
    beside = tuple(other for file in loaded.sources for other in file.beside)
    also = " and ".join(loaded.also)
    beyond = f"The file also holds {also}, which are not in this table." if also else ""
    remark = " ".join(filter(None, (loaded.left_out, beyond)))
    selection = {"columns": columns_text(roles)} if roles else {}
    read_from = Source(files, beside, selection, remark, loaded.notes)
    data = _by_person(DATA[loaded.kind](loaded.frame, read_from), judges_from)
    return _completed(_of_kind(data, kind), source)


def _of_kind(data: Data, kind: KindName | None) -> Data:
    """The data as the kind asked for; scores imply rankings."""
    if kind == "judgements" and isinstance(data, Scores):
        data = data.as_judgements()
    if kind not in (None, data.kind):
        held = cast(KindName, data.kind)
        raise InputError(
            f"holds {held}, not {kind}; give it to {KINDS[held].taken_by}",
            file=data.source.files[0][0] if data.source.files else None,
        )
    return data


def _from_frame(
    given: Any,
    kind: KindName | None,
    source: str | None,
    judges_from: str | None,
    columns: Columns | str | None,
) -> Any:
    """A frame that has the columns of a table, or usual ones."""
    frame = as_frame(given)
    if not len(frame):
        raise BadParameter("the frame has no rows; give some")
    held = next((one for one in KINDS.values() if {*one.always} <= {*frame.columns}), None)
    if held is not None and not columns:
        table, notes = held.check(frame, ""), []
    else:
        roles = columns_from(columns) if isinstance(columns, str) else columns
        table, layout = frame_table(frame, roles)
        table, repeats = without_repeats(table)
        notes = [layout, *repeats]
    data = DATA[kind_of(table.columns).name](table, Source(notes=tuple(notes)))
    data = _by_person(data, judges_from)
    return _completed(_of_kind(data, kind), source)


def read_mixed(*paths: str, source: str | None = None, judges_from: str | None = None) -> Data:
    """Read the columns that judgements, scores and edits share; files may be of mixed kinds."""
    return _completed(_by_person(Judgements(read_timed(*paths)), judges_from), source)


def _by_person(data: Data, path: str | None) -> Data:
    """The data with people in place of their accounts, if a file says whose these are."""
    if path is None:
        return data
    table = with_people(data.table, InputFile(path))
    return replace(data, table=table, source=data.source.chosen({"judges_from": path}))


def _completed(data: Data, path: str | None) -> Data:
    """The data with the source text, and edits with the mark of what the editor had seen."""
    if isinstance(data, Edits):
        from adjudge.scoring.edits.data_rows import mark_repeated

        data = replace(data, table=mark_repeated(data.table))
    if path is None:
        return data
    source = data.source.chosen({"source": path})
    return replace(data, table=with_source(data.table, path), source=source)


def from_comparisons(
    left: Column,
    right: Column,
    outcome: Column,
    *,
    judge: Column | None = None,
    segment: Column | None = None,
    document: Column | None = None,
    pair: Column | None = None,
    protocol: Column | None = None,
    group: Column | None = None,
    hit: Column | None = None,
    seconds: Column | None = None,
    time: Column | None = None,
    comment: Column | None = None,
    source: Column | None = None,
    reference: Column | None = None,
) -> Judgements:
    """Judgements from comparisons of two systems in memory, one ranking a comparison.

    Every column is a list, a NumPy array, or a column of Polars, pandas or Arrow.

    Parameters
    ----------
    left, right
        The names of the two systems; `left` was shown first.
    outcome
        Who is better: numbers (positive: left, negative: right, 0: a tie), or words: "left",
        "right", the winner's name, "tie", "both fine", or another of docs/formats.md.
    judge, segment, document, pair, protocol, group, hit, seconds, time, comment, source, reference
        What else is known: a column, or one value for all rows.

    Returns
    -------
    Judgements

    Raises
    ------
    BadParameter
        If columns differ in length, or a value cannot be; the message names the row.

    Examples
    --------
    >>> import adjudge
    >>> votes = adjudge.from_comparisons(
    ...     ["A", "B", "A"], ["B", "C", "C"], [+1, 0, +1], judge=["ann", "bob", "ann"]
    ... )
    >>> votes.systems
    ('A', 'B', 'C')
    """
    table = columns.from_comparisons(
        left,
        right,
        outcome,
        judge=judge,
        segment=segment,
        document=document,
        pair=pair,
        protocol=protocol,
        group=group,
        hit=hit,
        seconds=seconds,
        time=time,
        comment=comment,
        source=source,
        reference=reference,
    )
    return Judgements(table)


def from_rankings(frame: Any) -> Judgements:
    """Judgements from a frame with one row per judged output.

    Parameters
    ----------
    frame : Polars, pandas or Arrow table
        With the columns pair, ranking, output and rank, and any others of docs/formats.md.

    Returns
    -------
    Judgements

    Raises
    ------
    InputError
        If a row cannot be; the message names it.

    Examples
    --------
    >>> import adjudge
    >>> import polars as pl
    >>> frame = pl.DataFrame(
    ...     {"pair": ["en-de"] * 2, "ranking": [1, 1], "output": ["A", "B"], "rank": [1, 2]}
    ... )
    >>> adjudge.from_rankings(frame).systems
    ('A', 'B')
    """
    return Judgements(columns.from_rankings(frame))


def from_scores(
    system: Column,
    segment: Column,
    score: Column,
    *,
    judge: Column | None = None,
    scale: Column = "score",
    document: Column | None = None,
    pair: Column | None = None,
    protocol: Column | None = None,
    group: Column | None = None,
    hit: Column | None = None,
    seconds: Column | None = None,
    time: Column | None = None,
    comment: Column | None = None,
    source: Column | None = None,
    reference: Column | None = None,
    text: Column | None = None,
    spans: Column | None = None,
) -> Scores:
    """Scores from columns in memory, one score a row; see `from_comparisons` for the columns.

    Parameters
    ----------
    system, segment, score
        Whose output, of which segment, was given which score; higher is better.
    scale
        What was scored. "adequacy" and "fluency" go from 1 to 5, "direct-assessment" and
        "error-spans" from 0 to 100, other scales where they like.
    judge, document, pair, protocol, group, hit, seconds, time, comment, source, reference, text
        What else is known: a column, or one value for all rows.
    spans
        The errors marked in each output: a list of dicts with `start`, `end`, `severity` and
        `category` (docs/formats.md), empty where there are none.

    Returns
    -------
    Scores

    Raises
    ------
    BadParameter
        If columns differ in length, or a value cannot be; the message names the row.

    Examples
    --------
    >>> import adjudge
    >>> adjudge.from_scores(["A", "B"], [1, 1], [71, 64.5], judge="ann").scales
    ('score',)
    """
    table = columns.from_scores(
        system,
        segment,
        score,
        judge=judge,
        scale=scale,
        document=document,
        pair=pair,
        protocol=protocol,
        group=group,
        hit=hit,
        seconds=seconds,
        time=time,
        comment=comment,
        source=source,
        reference=reference,
        text=text,
        spans=spans,
    )
    return Scores(table)


def simulate(
    *,
    systems: int = 12,
    judges: int = 30,
    rankings: int = 3000,
    block: int | None = None,
    documents: int = 100,
    repeats: float = 0.1,
    pool: float = 0.1,
    identical: float = 0.2,
    careless: float = 0.0,
    biased: float = 0.0,
    document_effect: float = 0.1,
    reference: bool = False,
    seed: int = 1,
) -> SimulatedJudgements:
    """Simulate a campaign whose truth is known (docs/simulation.md has the model).

    Parameters
    ----------
    systems, judges, rankings, documents : int
        How many of each.
    block : int, optional
        How many outputs a ranking shows; by default five, or as many as there are systems.
    repeats, pool : float
        Shares of the HITs that the same judge gets again, that several judges get.
    identical : float
        Share of segments on which two related systems have the same output.
    careless : float
        Share of judges who click at random.
    biased : float
        Standard deviation of each judge's bias towards each system.
    document_effect : float
        Standard deviation of how well a system suits a document.
    reference : bool
        Let the human reference be judged too.
    seed : int
        The same seed gives the same judgements.

    Returns
    -------
    SimulatedJudgements
        Judgements with the attribute `truth`.

    Raises
    ------
    AdjudgeError
        If the numbers make no sense together.

    Examples
    --------
    >>> import adjudge
    >>> adjudge.simulate(systems=3, rankings=50, seed=1).truth.expected_wins.shape
    (3,)
    """
    from adjudge.simulation.campaign import simulate as run
    from adjudge.simulation.design import Design, Judges, Tasks

    shown = min(5, systems) if block is None else block
    campaign = run(
        Design(
            systems=systems,
            documents=documents,
            document_effect=document_effect,
            identical=identical,
            reference=reference,
            tasks=Tasks(
                rankings=rankings,
                block=shown,
                repeats=repeats,
                pool=pool,
            ),
            judges=Judges(count=judges, careless=careless, preference=biased),
        ),
        seed,
    )
    return SimulatedJudgements(campaign.judgements, truth=campaign.truth)
