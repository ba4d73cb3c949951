"""Features of translations, for quality estimation."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudge.door.result import Result
from adjudge.door.signature import Signature
from adjudge.errors import one_of

if TYPE_CHECKING:
    from adjudge.quality.features.summary import FeatureSummary

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
        Families of features; by default every one that needs no more than is given.
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
        If there is no such family, or files do not fit together.
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
    from adjudge.door.quality_lines import Beside
    from adjudge.quality.features.extraction import sentence_features, word_features
    from adjudge.quality.features.preparing import METRICS, prepare
    from adjudge.quality.features.summary import FeatureSummary
    from adjudge.quality.reading import read_quality
    from adjudge.resources.bundle import Resources

    one_of(level, LEVELS, "level")
    chosen = (feature,) if isinstance(feature, str) else tuple(feature)
    metrics = (metric,) if isinstance(metric, str) else tuple(metric)
    paths = [data] if isinstance(data, str) else list(data)
    lines = Beside(pseudo_reference, source_tags, target_tags)
    read = lines.added_to(read_quality(paths, split=split, pair=pair))
    known = None if resources is None else Resources.load(resources)
    if level == "word" and tokenize is None:
        tokenize = "none"
    prepared = prepare(read.table, known, tokenize=tokenize, metric=metrics or METRICS)
    extract = sentence_features if level == "sentence" else word_features
    summary = FeatureSummary(extract(prepared, chosen), level)
    asked: dict[str, Any] = {
        "level": level,
        "feature": list(chosen) or None,
        "tokenize": prepared.tokenize,
    }
    if prepared.pseudo_references or prepared.lacks("candidates") is None:
        asked["metric"] = [str(each) for each in prepared.metrics]
    if known is not None:
        asked["resources"] = f"sha256-{known.recipe.hash}"
    selection = {"split": split, "pair": pair}
    chosen_rows = {name: value for name, value in selection.items() if value is not None}
    return Result(
        (summary,), Signature("quality_features", chosen_rows, asked, f"sha256-{read.hash}")
    )
