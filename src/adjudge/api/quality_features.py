"""Features of translations, for quality estimation."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudge.api.result import Result
from adjudge.core.errors import BadParameter, one_of
from adjudge.core.signature import Signature

if TYPE_CHECKING:
    from adjudge.quality.features.column import FeatureTable
    from adjudge.quality.features.inputs import Prepared
    from adjudge.quality.features.summary import FeatureSummary
    from adjudge.quality.reading import QualityData
    from adjudge.text.resources.bundle import Resources

LEVELS = ("sentence", "word")


def quality_features(
    data: str | Sequence[str],
    *,
    resources: str | None = None,
    feature: str | Iterable[str] = (),
    level: str = "sentence",
    metric: str | Iterable[str] = (),
    pseudo_reference: Mapping[str, str] | None = None,
    source_tags: str | None = None,
    target_tags: str | None = None,
    tokenize: str | None = None,
    predict: str | None = None,
    model: str | None = None,
    split: str | None = None,
    pair: str | None = None,
) -> "Result[FeatureSummary]":
    """Compute features of translations (docs/quality-features.md).

    Parameters
    ----------
    data : str or sequence of str
        Data for quality estimation, in any layout (docs/quality.md).
    resources : str, optional
        A folder that `train_resources` made.
    feature : str or iterable of str
        Families of features; by default every one that needs no more than is given and learns
        nothing. What a family that learns (style, changes) says of a translation is learned from
        other documents of the data, whose quality must be known.
    level : {"sentence", "word"}
        Whether a row is a translation or a token of one.
    metric : str or iterable of str
        Metrics asked of pseudo-references and between candidates; by default sentbleu, ter
        and chrf.
    pseudo_reference : mapping of str to str, optional
        For the name of another system, the file of its translations, a line for each row.
    source_tags, target_tags : str, optional
        Files with the parts of speech of every token, a line for each row.
    tokenize : str, optional
        How texts become tokens; by default at blanks if the data count such tokens (alignment,
        tags), else as the text of the resources.
    predict : str, optional
        The number that families learn from, as "hter" or "effort", where the data have several.
    model : str, optional
        The file of a model of `train_quality`: its families, as it learned them, for translations
        that it did not learn from; then no `feature`, `metric`, `tokenize` or `predict` is given.
    split, pair : str, optional
        Only this part of the data, only this language pair.

    Returns
    -------
    Result
        One `FeatureSummary`, a row a column; its `features` are the values: `features.names`,
        `features.numbers`, `features.to_frame()`.

    Raises
    ------
    InputError
        If a file cannot be read.
    BadParameter
        If there is no such family, or files do not fit together; of `predict`, if the data have
        several numbers and it names none; of `model`, if it was trained on these translations.
    NotEnoughData
        If a named family needs what was not given.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "translations.tsv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("source\\ttarget\\nA cat sat.\\tEine Katze saß.\\n")
    >>> result = adjudge.quality_features(path, feature="counts")
    >>> result.features.names[:2]
    ('source_characters', 'target_characters')
    """
    from adjudge.api.parallel_lines import Beside
    from adjudge.core.files.input_file import InputFile
    from adjudge.quality.features.extraction import word_features
    from adjudge.quality.features.inputs import METRICS, prepare
    from adjudge.quality.features.summary import FeatureSummary
    from adjudge.quality.features.supervised_features import known_or_plain_features
    from adjudge.quality.reading import read_quality
    from adjudge.text.resources.bundle import Resources

    one_of(level, LEVELS, "level")
    chosen = (feature,) if isinstance(feature, str) else tuple(feature)
    metrics = (metric,) if isinstance(metric, str) else tuple(metric)
    paths = [data] if isinstance(data, str) else list(data)
    lines = Beside(pseudo_reference, source_tags, target_tags)
    read = lines.added_to(read_quality(paths, split=split, pair=pair))
    known = None if resources is None else Resources.load(resources)
    if model is not None:
        given = {"feature": chosen, "metric": metrics, "tokenize": tokenize, "predict": predict}
        prepared, features = _by_model(model, read, known, level, given)
    else:
        if level == "word" and tokenize is None:
            tokenize = "none"
        prepared = prepare(read.table, known, tokenize=tokenize, metric=metrics or METRICS)
        if level == "word":
            features = word_features(prepared, chosen)
        else:
            features = known_or_plain_features(prepared, chosen, predict)
    asked: dict[str, Any] = {
        "level": level,
        "feature": list(chosen) or None,
        "tokenize": prepared.tokenize,
    }
    others = bool(prepared.pseudo_references) or prepared.lacks("candidates") is None
    if others and level == "sentence":
        asked["metric"] = [str(each) for each in prepared.metrics]
    if known is not None:
        asked["resources"] = f"sha256-{known.recipe.hash}"
    if predict is not None:
        asked["predict"] = predict
    if model is not None:
        asked["model"] = f"sha256-{InputFile(model).sha256}"
    selection = {"split": split, "pair": pair}
    chosen_rows = {name: value for name, value in selection.items() if value is not None}
    return Result(
        (FeatureSummary(features, level),),
        Signature("quality_features", chosen_rows, asked, f"sha256-{read.hash}"),
    )


def _by_model(
    path: str,
    data: "QualityData",
    resources: "Resources | None",
    level: str,
    given: Mapping[str, Any],
) -> "tuple[Prepared, FeatureTable]":
    """The features that a model asks of translations; what it has settled is refused."""
    from adjudge.api.quality_training import quality_model
    from adjudge.quality.features.extraction import word_features
    from adjudge.quality.models.train import fingerprint
    from adjudge.quality.models.words import WordModel

    for name, value in given.items():
        if value:
            raise BadParameter(f"the model says which features there are; leave out `{name}`")
    trained = quality_model(path)[0]
    of_words = isinstance(trained.model, WordModel)
    if of_words != (level == "word"):
        raise BadParameter(
            f"the model is of {trained.task}; "
            + ('give `level="word"`' if of_words else 'leave out `level="word"`')
        )
    prepared = trained.prepared(data.table, resources)
    if isinstance(trained.model, WordModel):
        return prepared, word_features(prepared, trained.model.families)
    fitted = trained.model.features
    if fitted.states and fingerprint(data.table) == trained.card.learned_from:
        learned = ", ".join(fitted.states)
        raise BadParameter(
            f"the model learned {learned} from these translations, and so knows their quality; "
            f"leave out `model` and name `feature`: {learned} is then learned from other documents"
        )
    return prepared, fitted.features(prepared)
