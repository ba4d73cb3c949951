"""Ways in: from files, from columns in memory, from a simulation, from a signature."""

from dataclasses import replace
from typing import Any, cast

from adjudge.door.data import SELECTABLE, Data
from adjudge.door.edits import Edits
from adjudge.door.judgements import Judgements, SimulatedJudgements
from adjudge.door.scores import Scores
from adjudge.door.signature import Signature
from adjudge.door.source import Source
from adjudge.door.text_reading import read_texts
from adjudge.errors import BadParameter, InputError, one_of
from adjudge.judgements import from_columns as columns
from adjudge.judgements.files import read_any
from adjudge.judgements.from_columns import Column
from adjudge.judgements.kinds import KINDS, KindName
from adjudge.judgements.selection import Selection, with_source
from adjudge.judgements.timing import read_timed
from adjudge.understandability.data_rows import mark_repeated

DATA: dict[str, type[Data]] = {data.kind: data for data in (Judgements, Scores, Edits)}

VERBS = {
    "judgements": (
        ["rank", "compare", "methods", "agreement", "diagnose", "plan", "report", "info", "timing"]
    ),
    "scores": ["rank", "agreement", "span_agreement", "report", "timing"],
    "edits": ["rank", "timing"],
}


def read(*paths: str, source: str | None = None, kind: KindName | None = None) -> Any:
    """Read judgements, scores or edits; the format is found by looking at the file.

    Parameters
    ----------
    *paths : str
        Files in any format of docs/formats.md, compressed or not; "-" is standard input. Several
        files of one kind are read as one.
    source : str, optional
        A file with the source text, one line a segment, for lengths in words.
    kind : {"judgements", "scores", "edits"}, optional
        Which table of files that hold several, as those of WMT07 do; by default the rankings.
        Scores asked for as judgements are the rankings that they imply.

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
    return read_as(kind, *paths, source=source)


def read_as(kind: KindName | None, *paths: str, source: str | None = None) -> Any:
    """Read files as one kind of data, or (None) as what they are; scores imply rankings."""
    loaded = read_any(*paths, kind=kind)
    files = tuple((file.path, file.sha256) for file in loaded.sources)
    also = " and ".join(loaded.also)
    remark = f"The file also holds {also}, which are not in this table." if also else ""
    data = DATA[loaded.kind](loaded.frame, Source(files, remark=remark))
    if kind == "judgements" and isinstance(data, Scores):
        data = data.as_judgements()
    if kind not in (None, data.kind):
        raise InputError(
            f"holds {data.kind}, not {kind}; give it to {KINDS[loaded.kind].taken_by}",
            file=files[0][0],
        )
    return _completed(data, source)


def read_mixed(*paths: str, source: str | None = None) -> Data:
    """What files of judgements, scores and edits have in common; the kinds may be mixed."""
    return _completed(Judgements(read_timed(*paths)), source)


def _completed(data: Data, path: str | None) -> Data:
    """The data with the source text, and edits with the mark of what the editor had seen."""
    if isinstance(data, Edits):
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
) -> Judgements:
    """Judgements from comparisons of two systems in memory, one ranking a comparison.

    Every column is a list, a NumPy array, or a column of Polars, pandas or Arrow.

    Parameters
    ----------
    left, right
        The names of the two systems; `left` was shown first.
    outcome
        Who is better: numbers (positive: left, negative: right, 0: a tie), or words: "left",
        "right", the winner's name, "tie", "both fine", "both wrong".
    judge, segment, document, pair, protocol, group, hit, seconds, time
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
) -> Scores:
    """Scores from columns in memory, one score a row; see `from_comparisons` for the columns.

    Parameters
    ----------
    system, segment, score
        Whose output, of which segment, was given which score; higher is better.
    scale
        What was scored. "adequacy" and "fluency" go from 1 to 5, "direct-assessment" and
        "error-spans" from 0 to 100, other scales where they like.
    judge, document, pair, protocol, group, hit, seconds, time
        What else is known: a column, or one value for all rows.

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
    from adjudge.simulation import Design, Judges, Tasks
    from adjudge.simulation import simulate as run

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


def again(signature: str, *paths: str, **more: Any) -> Any:
    """Make a result again from its signature and its files.

    Parameters
    ----------
    signature : str
        The line printed below a table, or the `signature` of a JSON row.
    *paths : str
        The files it was made from, in the same order.
    **more
        What a signature does not say: the `path` of a report, the `workers`.

    Returns
    -------
    Result
        The same numbers as before.

    Raises
    ------
    BadParameter
        If the line is no signature, or the files are not those it was made from.

    Examples
    --------
    >>> import adjudge, tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "votes.jsonl")
    >>> _ = adjudge.simulate(systems=3, rankings=100, seed=1).write(path)
    >>> ranking = adjudge.read(path).rank(unit="judge", replicates=50, seed=7)
    >>> same = adjudge.again(str(ranking.signature), path)
    >>> same.to_frame().equals(ranking.to_frame())
    True
    """
    asked = Signature.parse(signature, SELECTABLE)
    if asked.verb == "label_agreement":
        from adjudge.door.labels import label_agreement

        if len(paths) != 1:
            raise BadParameter(f"labels come from one file, not {len(paths)}")
        result = label_agreement(paths[0], **asked.parameters, **more)
        _refuse_other_input(asked, result.signature.input, paths)
        return result
    if asked.verb == "coverage":
        from adjudge.door.coverage import coverage_again

        return coverage_again(asked, paths, more)
    kind, _, verb = asked.verb.rpartition(".")
    if kind == "texts":
        return _texts_again(asked, verb, paths)
    kind = kind or "judgements"
    one_of(kind, VERBS, "signature")
    one_of(verb, VERBS[kind], "signature")
    data = read(*paths, source=asked.selection.get("source"), kind=cast(KindName, kind))
    _refuse_other_input(asked, f"sha256-{data.hash}", paths)
    chosen = {name: value for name, value in asked.selection.items() if name != "source"}
    if chosen:
        data = data._keep(Selection(**chosen))
    return getattr(data, verb)(**asked.parameters, **more)


def _texts_again(asked: Signature, verb: str, paths: tuple[str, ...]) -> Any:
    """Metrics of the same texts: references first, then systems, then documents."""
    told = {**asked.selection, **asked.parameters}
    if "human" in told:
        raise BadParameter(
            f"this signature needs what people said, too: ask `Texts.{verb}` with the same `human`"
        )
    one_of(verb, ("metrics", "paired", "segment_scores", "combined"), "signature")
    if "references" not in told:
        raise BadParameter("the texts of this signature were no files; read them again")
    names, number, documents = told["system"], told["references"], told.get("documents", False)
    expected = number + len(names) + bool(documents)
    if len(paths) != expected:
        raise BadParameter(
            f"this signature is of {number} references, the systems {', '.join(names)}"
            f"{' and documents' if documents else ''}, in this order: {expected} files, not "
            f"{len(paths)}"
        )
    texts = read_texts(
        dict(zip(names, paths[number:], strict=False)),
        paths[:number],
        documents=paths[-1] if documents else None,
        pair=told.get("pair"),
    )
    _refuse_other_input(asked, f"sha256-{texts.hash}", paths)
    asking = ("metric", "weights", "scaling", "unit", "replicates", "seed", "level")
    return getattr(texts, verb)(**{name: told[name] for name in asking if name in told})


def _refuse_other_input(asked: Signature, given: str, paths: tuple[str, ...]) -> None:
    if given != asked.input:
        raise BadParameter(
            f"{', '.join(paths)}: not the input of this signature ({asked.input}), but {given}; "
            "give the same files in the same order"
        )
