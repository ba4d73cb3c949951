"""Ways to lists of candidates: from files, and from the signature of what was tuned on them."""

import hashlib
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any

from adjudge.api.reading import read_as
from adjudge.api.search_settings import Names, names_of
from adjudge.api.tuning import Candidates
from adjudge.core.errors import BadParameter
from adjudge.core.files.input_file import InputFile
from adjudge.core.signature import Signature

if TYPE_CHECKING:
    from adjudge.segments.database import SegmentDatabase


def read_candidates(
    *paths: str, reference: Names = (), statistics: Names = (), segments: Names = ()
) -> Candidates:
    """Read lists of candidates with features, to tune weights on.

    Parameters
    ----------
    *paths : str
        n-best lists of Moses, JSON lines, or features that Moses extracted (docs/tuning.md).
        Several are lists of the same sentences, from one iteration each, and are merged.
    reference : str or iterable of str
        The file of the reference, or of several.
    statistics : str or iterable of str
        Instead, beside files of features: the statistics that Moses extracted, one each.
    segments : str or iterable of str
        Judgements of short segments of these sentences, to be tuned towards (docs/segments.md).

    Returns
    -------
    Candidates

    Raises
    ------
    InputError
        If a file cannot be read, or a candidate has other features than the first.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "list")
    >>> with open(path, "w") as file:
    ...     _ = file.write("0 ||| a ||| lm= -2 w= 1\\n0 ||| b ||| lm= -1 w= 1\\n")
    >>> adjudge.read_candidates(path)
    2 candidates of 1 sentences in 1 lists, 2 features
    """
    from adjudge.tuning import read_nbest

    references, beside, ranked = map(names_of, (reference, statistics, segments))
    if not paths:
        raise BadParameter("name a list of candidates; there is nothing to tune on")
    if references and beside:
        raise BadParameter("`statistics` are counted already; leave `reference` out")
    files = [InputFile(path) for path in paths]
    lists = tuple(map(read_nbest.read_candidates, files))
    extracted = read_nbest.extracted_pool(lists, beside) if beside else None
    if extracted is None and not any(any(each.texts) or each.scores for each in lists):
        raise BadParameter(
            f"{paths[0]} has features only; give the `statistics` that Moses extracted beside them"
        )
    files += [InputFile(path) for path in (*references, *beside, *ranked)]
    return Candidates(
        lists,
        read_nbest.read_references(references),
        hash_of(files),
        {
            "lists": len(paths),
            "references": len(references),
            "statistics": len(beside),
            "segments": len(ranked),
        },
        extracted,
        segment_database(ranked) if ranked else None,
    )


def hash_of(files: Iterable[InputFile]) -> str:
    """The hash of all that is in these files, in this order."""
    return hashlib.sha256("\n".join(file.sha256 for file in files).encode()).hexdigest()


def segment_database(paths: list[str]) -> "SegmentDatabase":
    """The database of ranked segments in these files, which is of one language pair."""
    databases: list[SegmentDatabase] = read_as("judgements", *paths).segments().databases
    if len(databases) > 1:
        pairs = ", ".join(each.pair for each in databases)
        raise BadParameter(f"`segments` are of several language pairs: {pairs}; give those of one")
    return databases[0]


def tuned_again(asked: Signature, paths: tuple[str, ...], more: dict[str, Any]) -> Any:
    """Tuning from its signature: lists first, then references, then statistics."""
    told = dict(asked.parameters)
    kinds = ("lists", "references", "statistics", "segments")
    numbers = [told.pop(kind) for kind in kinds]
    if len(paths) != sum(numbers):
        said = ", ".join(f"{n} {kind}" for n, kind in zip(numbers, kinds, strict=True) if n)
        raise BadParameter(f"this signature is of {said}, in this order, not of {len(paths)} files")
    rest = iter(paths)
    lists, references, beside, ranked = (list(islice(rest, number)) for number in numbers)
    candidates = read_candidates(*lists, reference=references, statistics=beside, segments=ranked)
    if f"sha256-{candidates.hash}" != asked.input:
        raise BadParameter(
            f"{', '.join(paths)}: not the input of this signature ({asked.input}); give the same "
            "files in the same order"
        )
    question = asked.verb.rpartition(".")[2]
    if beside:
        for given in ("metric", "share"):
            told.pop(given, None)
    return getattr(candidates, question)(**told, **more)
