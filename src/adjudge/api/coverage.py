"""Do intervals hold what they promise? By simulation."""

from collections.abc import Iterable, Mapping
from typing import Any

from adjudge.api.result import Result
from adjudge.core.errors import BadParameter
from adjudge.core.files.checkpoint import resumable
from adjudge.core.files.input_file import InputFile
from adjudge.core.parallel import Engine
from adjudge.core.signature import Signature
from adjudge.data.comparisons import by_pair, compare
from adjudge.data.table_files import read_as
from adjudge.simulation.coverage import Cell, Coverage
from adjudge.simulation.coverage import coverage as simulated
from adjudge.simulation.fit_campaign import described
from adjudge.simulation.fit_campaign import like as like_real
from adjudge.simulation.generators import Answered
from adjudge.simulation.situations import OF_CAMPAIGN, grid, read_grids

# What is tried where nothing is asked for.
DEFAULTS: dict[str, Any] = {
    "judges": [5, 30],
    "effects": ["none", "mild", "strong"],
    "unit": ["ranking", "auto"],
}
OPTIONS, LIKE = "options", "like"  # the names of the grids that no design file names


def coverage(
    *,
    judges: "int | Iterable[int] | None" = None,
    documents: "int | Iterable[int] | None" = None,
    effects: "str | Iterable[str] | None" = None,
    workloads: "str | Iterable[str] | None" = None,
    overlap: "str | Iterable[str] | None" = None,
    systems: "int | Iterable[int] | None" = None,
    rankings: "int | Iterable[int] | None" = None,
    truth: "str | Iterable[str] | None" = None,
    method: "str | Iterable[str] | None" = None,
    unit: "str | Iterable[str] | None" = None,
    design: str | None = None,
    like: str | None = None,
    campaigns: int = 200,
    replicates: int = 500,
    level: float = 0.95,
    seed: int = 1,
    checkpoint: str | None = None,
    workers: int = 1,
    engine: str | None = None,
) -> Result[Coverage]:
    """How often intervals, rank ranges and clusters are right, on campaigns of known truth.

    Every factor takes one value or several; all combinations are tried.

    Parameters
    ----------
    judges, documents, systems, rankings : int or several
        The size of the campaigns.
    effects : {"none", "mild", "strong"} or several
        How much judges and documents differ in which systems suit them.
    workloads : {"even", "heavy"} or several
        Do judges do about as much, or some ten times as much as others?
    overlap : {"none", "pools"} or several
        "pools": three judges do a tenth of the rankings, and a tenth is repeated.
    truth : {"distinct", "pairs", "equal"} or several
        Which systems are equally good: none, two and two, or all.
    method : str or several
        The ranking method.
    unit : str or several
        What intervals are to hold for, as for `Judgements.rank`.
    design : str, optional
        A file with grids of these factors, in TOML or JSON, instead (docs/simulation.md).
    like : str, optional
        A file with judgements: campaigns have its design, and effects as estimated from it.
    campaigns : int
        How many are simulated in each situation, unless a grid of the design says otherwise.
    replicates : int
        Of resampling, where it is done.
    level : float
        Confidence level of intervals and ranges.
    seed : int
        Makes the result repeatable, on any number of workers.
    checkpoint : str, optional
        A file that keeps the campaigns that are finished; with it a run that was stopped goes on.
        It goes when all is done.
    workers : int
        Processes.
    engine : str, optional
        A Dask cluster instead: "dask://HOST:PORT".

    Returns
    -------
    Result
        One `Coverage` a situation.

    Raises
    ------
    BadParameter
        If a parameter is none that there is.
    InputError
        If a file cannot be read as what it should be.

    Examples
    --------
    >>> import adjudge
    >>> found = adjudge.coverage(judges=4, effects="mild", unit="auto", rankings=100, campaigns=10)
    >>> 0.5 < found.covered <= 1
    True
    """
    factors = {
        "judges": judges,
        "documents": documents,
        "effects": effects,
        "workloads": workloads,
        "overlap": overlap,
        "systems": systems,
        "rankings": rankings,
        "truth": truth,
        "method": method,
        "unit": unit,
    }
    given = {name: _several(value) for name, value in factors.items() if value is not None}
    kind = _refuse_both(design, like, given)
    many: dict[str, Any] = {"replicates": replicates, "level": level, "seed": seed}
    file = InputFile(design or like or "") if kind else None
    digest = f"sha256-{file.sha256}" if file else "none"
    likenesses: dict[str, Answered] = {}
    if file is None:
        given = {**{k: v for k, v in DEFAULTS.items() if k not in given}, **given}
        cells = [Cell(OPTIONS, s, campaigns, **many) for s in grid(given)]
    elif kind == "design":
        grids = read_grids(file)
        asked_for = [(name, *each) for name, situations in grids.items() for each in situations]
        cells = [Cell(name, s, own or campaigns, **many) for name, s, own in asked_for]
    else:
        likenesses = {
            pair: like_real(compare(table)) for pair, table in by_pair(read_as("judgements", file))
        }
        campaigns_like = [described(likeness.real) for likeness in likenesses.values()]
        cells = [
            Cell(LIKE, s, campaigns, real=real, **many)
            for real in campaigns_like
            for s in grid(given)
        ]
    with resumable(checkpoint):
        results = tuple(simulated(cells, Engine(workers, engine), likenesses))
    asked = {"file": kind or "none", **given, "campaigns": campaigns, **many}
    return Result(results, Signature("coverage", {}, asked, digest))


def coverage_again(
    asked: Signature, paths: tuple[str, ...], more: Mapping[str, Any]
) -> Result[Coverage]:
    """What a signature says once more, of the same file."""
    parameters = dict(asked.parameters)
    kind = str(parameters.pop("file", "none"))
    if len(paths) != (kind != "none"):
        source = "no file" if kind == "none" else f"one file, that of `{kind}`"
        raise BadParameter(f"this signature was made from {source}, not from {len(paths)}")
    for path in paths:
        digest = f"sha256-{InputFile(path).sha256}"
        if digest != asked.input:
            raise BadParameter(
                f"{path}: not the input of this signature ({asked.input}), but {digest}; "
                "give the same file"
            )
    file: dict[str, Any] = {kind: paths[0]} if paths else {}
    return coverage(**parameters, **file, **more)


def _several(value: Any) -> list[Any]:
    return [value] if isinstance(value, str) or not isinstance(value, Iterable) else list(value)


def _refuse_both(design: str | None, like: str | None, given: dict[str, Any]) -> str:
    """Which file there is; refuses what the file says already."""
    if design is not None and like is not None:
        raise BadParameter("give `design` or `like`, not both")
    if design is not None and given:
        raise BadParameter(f"`{next(iter(given))}` is in the file of `design`; change it there")
    if like is not None:
        for name in OF_CAMPAIGN:
            if name in given:
                raise BadParameter(f"`{name}` is taken from the file of `like`; leave it out")
        return "like"
    return "" if design is None else "design"
