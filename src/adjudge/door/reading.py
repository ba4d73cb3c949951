"""Ways in: from files, from columns in memory, from a simulation, from a signature."""

from typing import Any

from adjudge.door.data import SELECTABLE, Data
from adjudge.door.edits import Edits
from adjudge.door.judgements import Judgements, SimulatedJudgements
from adjudge.door.scores import Scores
from adjudge.door.signature import Signature
from adjudge.door.source import Source
from adjudge.errors import BadParameter, one_of

KINDS: dict[str, type[Data]] = {kind.kind: kind for kind in (Judgements, Scores, Edits)}

VERBS = {
    "judgements": (
        ["rank", "compare", "methods", "agreement", "diagnose", "plan", "report", "info", "timing"]
    ),
    "scores": ["rank", "agreement", "span_agreement", "timing"],
    "edits": ["rank", "timing"],
}


def read(*paths: str, source: str | None = None) -> Any:
    """Read judgements, scores or edits; the format is found by looking at the file.

    Parameters
    ----------
    *paths : str
        Files in any format of docs/formats.md, compressed or not; "-" is standard input. Several
        files of one kind are read as one.
    source : str, optional
        A file with the source text, one line a segment, for lengths in words.

    Returns
    -------
    Judgements, Scores or Edits
        As what the files hold.

    Raises
    ------
    InputError
        If a file cannot be read as what it claims to be: the message names line and remedy.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "votes.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("model_a,model_b,winner\\nA,B,model_a\\nB,C,tie\\nA,C,model_a\\n")
    >>> adjudge.read(path).systems
    ('A', 'B', 'C')
    """
    return read_as(None, *paths, source=source)


def read_as(kind: str | None, *paths: str, source: str | None = None) -> Any:
    """Read files as one kind of data, or (None) as what they are."""
    from adjudge.judgements.files import read_tables

    if not paths:
        raise BadParameter("name a file to read")
    loaded = read_tables(kind, *paths)
    table = loaded.table
    files = [*loaded.files]
    selection = {}
    if source is not None:
        from adjudge.judgements.selection import with_source

        table = with_source(table, source)
        selection = {"source": source}
    if loaded.kind == "edits":
        from adjudge.understandability import mark_repeated

        table = mark_repeated(table)
    return KINDS[loaded.kind](table, Source(tuple(files), selection))


def from_comparisons(left: Any, right: Any, outcome: Any, **columns: Any) -> Judgements:
    """Judgements from votes in memory; see `adjudge.judgements.from_comparisons`."""
    from adjudge.judgements.from_comparisons import from_comparisons as table_of

    return Judgements(table_of(left, right, outcome, **columns))


def from_scores(system: Any, segment: Any, score: Any, **columns: Any) -> Scores:
    """Scores from columns in memory; see `adjudge.judgements.from_scores`."""
    from adjudge.judgements.from_comparisons import from_scores as table_of

    return Scores(table_of(system, segment, score, **columns))


def simulate(
    *,
    systems: int = 12,
    judges: int = 30,
    rankings: int = 3000,
    block: int = 5,
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
    block : int
        How many outputs a ranking shows; no more than there are systems.
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

    campaign = run(
        Design(
            systems=systems,
            documents=documents,
            document_effect=document_effect,
            identical=identical,
            reference=reference,
            tasks=Tasks(rankings=rankings, block=min(block, systems), repeats=repeats, pool=pool),
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
    kind, _, verb = asked.verb.rpartition(".")
    kind = kind or "judgements"
    one_of(kind, VERBS, "signature")
    one_of(verb, VERBS[kind], "signature")
    data = read(*paths, source=asked.selection.get("source"))
    if f"sha256-{data.hash}" != asked.input:
        raise BadParameter(
            f"{', '.join(paths)}: not the input of this signature ({asked.input}), but "
            f"sha256-{data.hash}; give the same files in the same order"
        )
    if kind == "judgements" and isinstance(data, Scores):
        data = data.as_judgements()
    chosen = {name: value for name, value in asked.selection.items() if name != "source"}
    if chosen:
        data = data.choose({name: _tuples(value) for name, value in chosen.items()})
    return getattr(data, verb)(**asked.parameters, **more)


def _tuples(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
