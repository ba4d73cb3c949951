"""Which translations to have annotated next."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from adjudge.core.errors import BadParameter

if TYPE_CHECKING:
    import polars as pl


def annotation_order(
    model: str,
    data: str | Sequence[str],
    *,
    number: int | None = None,
    resources: str | None = None,
    pseudo_reference: Mapping[str, str] | None = None,
    source_tags: str | None = None,
    target_tags: str | None = None,
    split: str | None = None,
    pair: str | None = None,
) -> "pl.DataFrame":
    """In which order to have translations annotated, so that a model learns most (WMT13 §6.7).

    Parameters
    ----------
    model : str
        The file of a model whose learner is a Gaussian process.
    data : str or sequence of str
        Translations that nobody has annotated, in any layout of docs/quality.md.
    number : int, optional
        How many; by default all.
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
        A row a translation, the first to be asked first: `row` in the data, `segment`, and
        `deviation`, how uncertain the model is of it when all before it are known.

    Raises
    ------
    InputError
        If the file is no model, or one of another version.
    BadParameter
        If the model is none of a Gaussian process, or the data are not of the kind that it knows.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> path, model = os.path.join(folder, "train.tsv"), os.path.join(folder, "model.adjudge")
    >>> with open(path, "w") as file:
    ...     _ = file.write("source\\ttarget\\thter\\n")
    ...     for n in range(30):
    ...         _ = file.write(f"{'a ' * n}cat .\\t{'ein ' * n}Katze .\\t{n / 30}\\n")
    >>> trained = adjudge.train_quality(path, learner="gaussian-process", feature="counts")
    >>> trained[0].save(model)
    >>> adjudge.annotation_order(model, path, number=3).columns
    ['row', 'segment', 'deviation']
    """
    from adjudge.api.parallel_lines import Beside
    from adjudge.api.quality_training import quality_model
    from adjudge.quality.models.annotation_order import annotation_order
    from adjudge.quality.models.numbers import NumberModel
    from adjudge.quality.reading import read_quality
    from adjudge.text.resources.bundle import Resources

    if number is not None and number < 1:
        raise BadParameter(f"`number` is 1 or more, not {number}")
    trained = quality_model(model)[0]
    if not isinstance(trained.model, NumberModel):
        raise BadParameter(f"the model is of {trained.task}; give one that predicts a number")
    read = read_quality([data] if isinstance(data, str) else data, split=split, pair=pair)
    read = Beside(pseudo_reference, source_tags, target_tags).added_to(read)
    known = None if resources is None else Resources.load(resources)
    return annotation_order(trained.model, trained.prepared(read.table, known), number)
