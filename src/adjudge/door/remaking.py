"""A result made again from its signature."""

from typing import Any, cast

from adjudge.door.data import SELECTABLE
from adjudge.door.reading import read
from adjudge.door.signature import Signature
from adjudge.door.text_reading import read_texts
from adjudge.errors import BadParameter, one_of
from adjudge.judgements.kinds import KindName
from adjudge.judgements.selection import Selection

VERBS = {
    "judgements": (
        *("rank", "compare", "methods", "plan", "assisted"),
        *("agreement", "diagnose", "report", "info", "timing"),
    ),
    "scores": ("rank", "assisted", "agreement", "span_agreement", "report", "timing"),
    "edits": ("rank", "info", "timing"),
    "segments": ("info", "rank", "leave_one_out", "closest", "beside", "coverage"),
}


def again(signature: str, *paths: str, **more: Any) -> Any:
    """Make a result again from its signature and its files.

    Parameters
    ----------
    signature : str
        The line printed below a table, or the `signature` of a JSON row.
    *paths : str
        The files it was made from, in the same order.
    **more
        What a signature does not say: the `path` of a report, the `workers`, the `metric_scores`
        of a metric.

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
    if asked.verb == "train_beer":
        raise BadParameter(
            "this signature needs texts and what people said of them: ask `adjudge.train_beer`"
        )
    kind, _, verb = asked.verb.rpartition(".")
    if verb in ("metaeval", "metaeval_table"):
        raise BadParameter(
            f"this signature needs the metrics' scores, too: ask `{verb}` of the same people with "
            "the same metrics"
        )
    if kind == "texts":
        return _texts_again(asked, verb, paths)
    kind = kind or "judgements"
    one_of(kind, VERBS, "signature")
    one_of(verb, VERBS[kind], "signature")
    of_segments = kind == "segments"
    read_as = cast(KindName, "judgements" if of_segments else kind)
    data = read(*paths, source=asked.selection.get("source"), kind=read_as)
    _refuse_other_input(asked, f"sha256-{data.hash}", paths)
    chosen = {name: value for name, value in asked.selection.items() if name != "source"}
    if chosen:
        data = data._keep(Selection(**chosen))
    if verb == "assisted":
        return _assisted_again(data, asked, more)
    parameters = dict(asked.parameters)
    if "texts" in parameters:
        _refuse_other_texts(parameters.pop("texts"), more.get("texts"))
    for name in ("sentences", "trees"):
        if of_segments and name in parameters:
            return _with_file_again(data, verb, parameters, more, name)
    asker = data.segments() if of_segments else data
    return getattr(asker, verb)(**parameters, **more)


def _with_file_again(
    data: Any, verb: str, told: dict[str, Any], more: dict[str, Any], name: str
) -> Any:
    """What a database says together with other files, which a signature knows by their hash."""
    if name not in more:
        raise BadParameter(f"this signature needs further files, too: name them with `{name}`")
    expected = told.pop(name)
    result = getattr(data.segments(), verb)(**told, **more)
    if result.signature.parameters[name] != expected:
        raise BadParameter(f"`{name}` are not the files of this signature; give the same")
    return result


def _assisted_again(data: Any, asked: Signature, more: dict[str, Any]) -> Any:
    """What people and a metric say together, from the same scores of the metric."""
    if "metric_scores" not in more:
        raise BadParameter(
            "this signature needs the scores of a metric, too: name their files with "
            "`metric_scores`, and `documents` if there was one"
        )
    told = dict(asked.parameters)
    expected = told.pop("metric_input", None)
    result = data.assisted(**told, **more)
    if result.signature.parameters["metric_input"] != expected:
        raise BadParameter("`metric_scores` are not the files of this signature; give the same")
    return result


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


def _refuse_other_texts(expected: str, texts: Any) -> None:
    if texts is None:
        raise BadParameter("this report has a part on metrics: give the same `texts`, too")
    if f"sha256-{texts.hash}" != expected:
        raise BadParameter(f"`texts` are not those of this signature ({expected})")


def _refuse_other_input(asked: Signature, given: str, paths: tuple[str, ...]) -> None:
    if given != asked.input:
        raise BadParameter(
            f"{', '.join(paths)}: not the input of this signature ({asked.input}), but {given}; "
            "give the same files in the same order"
        )
