"""A result made again from its signature."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from adjudge.api.reading import read
from adjudge.api.table_data import SELECTABLE, names_of
from adjudge.api.text_reading import read_texts
from adjudge.core.errors import BadParameter, one_of
from adjudge.core.signature import Signature
from adjudge.data.kinds import KindName
from adjudge.data.selection import Selection

Paths = tuple[str, ...]
More = Mapping[str, Any]

VERBS = {
    "judgements": (
        *("rank", "compare", "methods", "plan", "assisted"),
        *("agreement", "diagnose", "report", "info", "timing"),
        *("metaeval", "metaeval_table"),
    ),
    "scores": (
        *("rank", "assisted", "agreement", "span_agreement", "report", "timing"),
        *("metaeval", "metaeval_table"),
    ),
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
        What a signature does not say: the `path` of a report, the `workers`, the files of
        `metric_scores`.

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
    kind = asked.verb.rpartition(".")[0]
    remake = _REMADE_BY.get(asked.verb) or _REMADE_BY.get(kind) or _data_again
    return remake(asked, paths, more)


def _labels_again(asked: Signature, paths: Paths, more: More) -> Any:
    from adjudge.api.labels import label_agreement

    if len(paths) != 1:
        raise BadParameter(f"labels come from one file, not {len(paths)}")
    result = label_agreement(paths[0], **asked.parameters, **more)
    _refuse_other_input(asked, result.signature.input, paths)
    return result


def _coverage_again(asked: Signature, paths: Paths, more: More) -> Any:
    from adjudge.api.coverage import coverage_again

    return coverage_again(asked, paths, more)


def _quality_again(asked: Signature, paths: Paths, more: More) -> Any:
    from adjudge.api.quality_evaluation import evaluate_quality

    if not paths:
        raise BadParameter("this signature is of data and predictions: name their files in order")
    told = {**asked.selection, **asked.parameters, **more}
    result = evaluate_quality(paths[0], *paths[1:], **told)
    _refuse_other_input(asked, result.signature.input, paths)
    return result


def _model_again(asked: Signature, paths: Paths, more: More) -> Any:
    from adjudge.api.quality_training import train_quality

    told = {**asked.selection, **asked.parameters}
    _refuse_lines_beside(told)
    expected = told.pop("resources", None)
    if expected is not None and "resources" not in more:
        raise BadParameter("this signature needs `resources`, too: name their folder")
    result = train_quality(*paths, **{**told, **more})
    _refuse_other_input(asked, result.signature.input, paths)
    if result.signature.parameters.get("resources") != expected:
        raise BadParameter("`resources` are not those of this signature; give the same")
    return result


def _refuse_lines_beside(told: Mapping[str, Any]) -> None:
    if "beside" in told:
        raise BadParameter(
            "this signature is of files beside the data, which cannot be named here; "
            "give these lines as columns of the data, and the signature has none"
        )


def _gain_again(asked: Signature, paths: Paths, more: More) -> Any:
    from adjudge.api.quality_report import quality_gain

    if len(paths) < 2:
        raise BadParameter("this signature is of a model and data: name their files in order")
    told = {**asked.selection, **asked.parameters}
    _refuse_lines_beside(told)
    if told.pop("resources", None) is not None and "resources" not in more:
        raise BadParameter("this signature needs `resources`, too: name their folder")
    result = quality_gain(*paths, **{**told, **more})
    _refuse_other_input(asked, result.signature.input, paths)
    return result


def _quality_report_again(asked: Signature, paths: Paths, more: More) -> Any:
    raise BadParameter("a report says in its last section which command makes it again")


def _tuning_again(asked: Signature, paths: Paths, more: More) -> Any:
    from adjudge.api.nbest_io import tuned_again

    return tuned_again(asked, paths, dict(more))


def _beer_again(asked: Signature, paths: Paths, more: More) -> Any:
    raise BadParameter(
        "this signature needs texts and what people said of them: ask `adjudge.train_beer`"
    )


def _several_files_again(asked: Signature, paths: Paths, more: More) -> Any:
    raise BadParameter(
        f"this signature needs several files: ask `adjudge.{asked.verb}` with what it says"
    )


def _loop_again(asked: Signature, paths: Paths, more: More) -> Any:
    raise BadParameter(
        "this signature is of a loop with a decoder, and a signature starts no programs; look at "
        "the command it names, and ask `adjudge.tune_decoder` (or `adjudge tune`) with what it says"
    )


def _data_again(asked: Signature, paths: Paths, more: More) -> Any:
    """A question of judgements, scores, edits or segments."""
    kind, _, verb = asked.verb.rpartition(".")
    kind = kind or "judgements"
    one_of(kind, VERBS, "signature")
    one_of(verb, VERBS[kind], "signature")
    of_segments = kind == "segments"
    read_as = cast(KindName, "judgements" if of_segments else kind)
    how = {name: asked.selection.get(name) for name in ("source", "judges_from", "columns")}
    data = read(*paths, kind=read_as, **how)
    _refuse_other_input(asked, f"sha256-{data.hash}", paths)
    chosen = {name: value for name, value in asked.selection.items() if name not in how}
    if chosen:
        data = data._keep(Selection(**chosen))
    asker = data.segments() if of_segments else data
    told = dict(asked.parameters)
    if "texts" in told:
        _refuse_other_texts(told.pop("texts"), more.get("texts"))
    if "metrics" in told:
        more = _with_metrics(asked, told, more)
    for signed, (given, what) in _FURTHER.items():
        if signed in told:
            return _further_again(getattr(asker, verb), told, more, signed, given, what)
    return getattr(asker, verb)(**told, **more)


# What else a question needs: under which name a signature has its hash, the parameter, and words.
_FURTHER = {
    "sentences": ("sentences", "further files"),
    "trees": ("trees", "further files"),
    "metric_input": ("metric_scores", "the scores of a metric, and `documents` if there was one"),
    "metrics": ("metric_scores", "the scores of the metrics"),
}


def _further_again(
    ask: Callable[..., Any], told: dict[str, Any], more: More, signed: str, given: str, what: str
) -> Any:
    """What is said together with other files, which a signature knows by their hash."""
    if given not in more and signed not in more:
        raise BadParameter(f"this signature needs {what}, too: name the files with `{given}`")
    expected = told.pop(signed)
    result = ask(**told, **more)
    if result.signature.parameters[signed] != expected:
        raise BadParameter(f"`{given}` are not the files of this signature; give the same")
    return result


def _with_metrics(asked: Signature, told: dict[str, Any], more: More) -> More:
    """Scores by metrics read from their files as before; or as they are given, `metrics`."""
    from adjudge.api.metric_scores import read_metric_scores

    lower = told.pop("lower", ())
    if "metric_scores" not in more:
        return more
    pair = asked.selection.get("pair")
    paths = names_of(more["metric_scores"])
    metrics = read_metric_scores(*paths, pair=pair if isinstance(pair, str) else None, lower=lower)
    rest = {name: value for name, value in more.items() if name != "metric_scores"}
    return {**rest, "metrics": metrics}


def _texts_again(asked: Signature, paths: Paths, more: More) -> Any:
    """Metrics of the same texts: references first, then systems, then documents."""
    verb = asked.verb.rpartition(".")[2]
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


# Questions that are asked of no table of judgements, scores or edits.
_REMADE_BY: Mapping[str, Callable[[Signature, Paths, More], Any]] = {
    "label_agreement": _labels_again,
    "coverage": _coverage_again,
    "evaluate_quality": _quality_again,
    "quality_features": _several_files_again,
    "quality_gain": _gain_again,
    "quality_report": _quality_report_again,
    "train_beer": _beer_again,
    "train_quality": _model_again,
    "train_resources": _several_files_again,
    "texts": _texts_again,
    "candidates": _tuning_again,
    "tune_decoder": _loop_again,
}
