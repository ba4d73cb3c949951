"""Models of quality: trained from data, saved to a file, asked about other translations."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adjudge.api.result import Result
from adjudge.core.signature import Signature

if TYPE_CHECKING:
    import polars as pl

    from adjudge.quality.models.train import Trained


def train_quality(
    *data: str,
    task: str | None = None,
    predict: str | None = None,
    higher_is_better: bool | None = None,
    labels: str = "binary",
    learner: str | None = None,
    feature: str | Iterable[str] = (),
    metric: str | Iterable[str] = (),
    resources: str | None = None,
    pseudo_reference: Mapping[str, str] | None = None,
    source_tags: str | None = None,
    target_tags: str | None = None,
    split: str | None = None,
    pair: str | None = None,
    seed: int = 1,
    workers: int = 1,
    engine: str | None = None,
) -> "Result[Trained]":
    """Train a model that predicts quality without a reference (WMT13 §6).

    Parameters
    ----------
    *data : str
        Translations whose quality is known, in any layout of docs/quality.md.
    task : {"scoring", "time", "selection", "words"}, optional
        Task 1.1, 1.3, 1.2 or 2; by default the only one that the data are of. Where they have
        several, ranks, seconds and HTER say, an error asks for `task` or `predict`.
    predict : str, optional
        The number to predict, as "hter" or "effort", where the data have several.
    higher_is_better : bool, optional
        Of a number that is none of ours: is a higher one better?
    labels : {"binary", "edits"}
        Of words: OK and BAD, or keep, substitute and delete.
    learner : str, optional
        How it learns; by default "ensemble", of ranks "logistic", of words "crf".
    feature : str or iterable of str
        Families of features; by default every one that needs no more than is given.
    metric : str or iterable of str
        Metrics asked of pseudo-references and between candidates; by default sentbleu, ter
        and chrf.
    resources : str, optional
        A folder that `train_resources` made.
    pseudo_reference : mapping of str to str, optional
        For the name of another system, the file of its translations, a line for each row.
    source_tags, target_tags : str, optional
        Files with the parts of speech of every token, a line for each row.
    split, pair : str, optional
        Only this part of the data ("train"), only this language pair.
    seed : int
        Where random numbers begin.
    workers, engine
        On how many processes parameters are tried; or on the Dask cluster at "dask://HOST:PORT".

    Returns
    -------
    Result
        One `Trained`: `save(path)` writes the model; `measured` says how good it was on documents
        that it had not seen.

    Raises
    ------
    InputError
        If a file cannot be read.
    BadParameter
        If there is no such task, learner or feature.
    NotEnoughData
        If the data do not hold what is to be predicted.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "train.tsv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("source\\ttarget\\thter\\n")
    ...     for n in range(30):
    ...         _ = file.write(f"{'a ' * n}cat .\\t{'ein ' * n}Katze .\\t{n / 30}\\n")
    >>> trained = adjudge.train_quality(path, learner="elastic-net", feature="counts")
    >>> trained.card.translations
    30
    """
    from adjudge.api.parallel_lines import Beside
    from adjudge.core.parallel import Engine
    from adjudge.quality.models.train import train
    from adjudge.quality.reading import read_quality
    from adjudge.text.resources.bundle import Resources

    lines = Beside(pseudo_reference, source_tags, target_tags)
    read = lines.added_to(read_quality(data, split=split, pair=pair))
    known = None if resources is None else Resources.load(resources)
    asked: dict[str, Any] = {
        "task": task,
        "predict": predict,
        "higher_is_better": higher_is_better,
        "labels": labels,
        "learner": learner,
        "seed": seed,
    }
    chosen = (feature,) if isinstance(feature, str) else tuple(feature)
    metrics = (metric,) if isinstance(metric, str) else tuple(metric)
    where = Engine(workers, engine)
    trained = train(read, known, features=chosen, metrics=metrics, engine=where, **asked)
    asked |= {"task": trained.task, "learner": trained.model.learner}
    asked |= {"feature": list(chosen) or None, "metric": list(metrics) or None}
    asked |= {"resources": trained.card.resources, "beside": lines.named}
    asked |= {"split": split, "pair": pair, "labels": labels if trained.task == "words" else None}
    told = {name: value for name, value in asked.items() if value is not None}
    signature = Signature("train_quality", {}, told, f"sha256-{read.hash}")
    card = replace(trained.card, signature=str(signature))
    return Result((replace(trained, card=card),), signature)


def quality_model(path: str) -> "Result[Trained]":
    """Read a model of quality: what it is, what it was made from, and how good it was.

    Parameters
    ----------
    path : str
        The file of the model. Opening it runs no code.

    Returns
    -------
    Result
        One `Trained`; its signature is the one that it was made with.

    Raises
    ------
    InputError
        If the file is no model, or one of another version.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> path, model = os.path.join(folder, "train.tsv"), os.path.join(folder, "model.adjudge")
    >>> with open(path, "w") as file:
    ...     _ = file.write("source\\ttarget\\thter\\n")
    ...     for n in range(30):
    ...         _ = file.write(f"{'a ' * n}cat .\\t{'ein ' * n}Katze .\\t{n / 30}\\n")
    >>> adjudge.train_quality(path, learner="elastic-net", feature="counts")[0].save(model)
    >>> adjudge.quality_model(model).families
    ('counts',)
    """
    from adjudge.quality.models.model_file import load_model
    from adjudge.quality.models.train import Trained

    trained = Trained(*load_model(path))
    made = trained.card.signature or str(
        Signature("train_quality", {}, {}, f"sha256-{trained.card.data}")
    )
    return Result((trained,), Signature.parse(made, frozenset()))


def predict_quality(
    model: str,
    data: str | Sequence[str],
    *,
    resources: str | None = None,
    pseudo_reference: Mapping[str, str] | None = None,
    source_tags: str | None = None,
    target_tags: str | None = None,
    split: str | None = None,
    pair: str | None = None,
) -> "pl.DataFrame":
    """Predict the quality of translations with a model of `train_quality`.

    Parameters
    ----------
    model : str
        The file of the model. Opening it runs no code.
    data : str or sequence of str
        Translations, in any layout of docs/quality.md; what is known of their quality is not used.
        "-" is standard input.
    resources : str, optional
        The folder of resources that the model was trained with.
    pseudo_reference : mapping of str to str, optional
        For the name of another system, the file of its translations, a line for each row.
    source_tags, target_tags : str, optional
        Files with the parts of speech of every token, a line for each row.
    split, pair : str, optional
        Only this part of the data, only this language pair.

    Returns
    -------
    polars.DataFrame
        A row a translation: `score` with the ends `low` and `high` of its 90 % interval; or
        `score` and `rank` among the candidates of its source; or the `tags` of its words, and
        the `chances` that a post-editor would change each of them.

    Raises
    ------
    InputError
        If the file is no model, or one of another version.
    BadParameter
        If the data or the resources are not of the kind that the model knows.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> path, model = os.path.join(folder, "train.tsv"), os.path.join(folder, "model.adjudge")
    >>> with open(path, "w") as file:
    ...     _ = file.write("source\\ttarget\\thter\\n")
    ...     for n in range(30):
    ...         _ = file.write(f"{'a ' * n}cat .\\t{'ein ' * n}Katze .\\t{n / 30}\\n")
    >>> adjudge.train_quality(path, learner="elastic-net", feature="counts")[0].save(model)
    >>> adjudge.predict_quality(model, path).columns
    ['segment', 'score', 'low', 'high']
    """
    from adjudge.api.parallel_lines import Beside
    from adjudge.quality.reading import read_quality
    from adjudge.text.resources.bundle import Resources

    trained = quality_model(model)[0]
    read = read_quality([data] if isinstance(data, str) else data, split=split, pair=pair)
    read = Beside(pseudo_reference, source_tags, target_tags).added_to(read)
    known = None if resources is None else Resources.load(resources)
    return trained.predict(read, known)
