"""Resources for quality estimation: learned from plain parallel text, kept in a folder."""

from typing import TYPE_CHECKING, Any

from adjudge.api.result import Result
from adjudge.core.errors import BadParameter, within
from adjudge.core.signature import Signature

if TYPE_CHECKING:
    from adjudge.text.resources.bundle import Resources
    from adjudge.text.resources.language_model.model import LanguageModel


def train_resources(
    source: str,
    target: str,
    folder: str,
    *,
    tokenize: str = "13a",
    lowercase: bool = True,
    order: int = 3,
    iterations: int = 5,
    source_model: str | None = None,
    target_model: str | None = None,
    arpa: bool = False,
) -> "Result[Resources]":
    """Learn what features need from parallel text, and keep it (docs/quality-features.md).

    Language models (modified Kneser–Ney) and n-gram counts of both sides, and lexical tables in
    both directions (IBM Model 1). If the folder holds what the same text and settings gave
    before, that is read instead.

    Parameters
    ----------
    source, target : str
        Two files of plain text; a line of one is the translation of that line of the other.
    folder : str
        Where the resources are kept.
    tokenize : str
        How lines become tokens; "none" for text that is tokenised already.
    lowercase : bool
        Whether case is ignored.
    order : int
        How many words the longest n-grams of the language models have.
    iterations : int
        How often IBM Model 1 goes through the text.
    source_model, target_model : str, optional
        ARPA files of language models to take instead of training them.
    arpa : bool
        Write the language models as ARPA files into the folder, too.

    Returns
    -------
    Result
        One `Resources`.

    Raises
    ------
    BadParameter
        If the files have different numbers of lines, or a parameter is none that there is.
    InputError
        If a file cannot be read; of an ARPA file the line is named.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> for name, text in {"en": "the cat\\nthe dog\\n", "de": "die Katze\\nder Hund\\n"}.items():
    ...     with open(os.path.join(folder, name), "w") as file:
    ...         _ = file.write(text)
    >>> trained = adjudge.train_resources(
    ...     os.path.join(folder, "en"), os.path.join(folder, "de"), os.path.join(folder, "kept")
    ... )
    >>> trained.sentences
    2
    """
    from adjudge.core.files.input_file import InputFile
    from adjudge.metrics.tokenizer import TOKENIZERS, split
    from adjudge.text.reading import read_lines
    from adjudge.text.resources.bundle import Recipe, cached, train
    from adjudge.text.resources.language_model.arpa import write_arpa
    from adjudge.text.resources.language_model.kneser_ney import HIGHEST_ORDER

    within(order, "order", 1, HIGHEST_ORDER)
    within(iterations, "iterations", 1)
    files = (InputFile(source), InputFile(target))
    models = [None if path is None else InputFile(path) for path in (source_model, target_model)]
    recipe = Recipe(
        files[0].sha256,
        files[1].sha256,
        TOKENIZERS.named(tokenize).name,
        lowercase,
        order,
        iterations,
        *(None if model is None else model.sha256 for model in models),
    )
    resources = cached(folder, recipe)
    reused = resources is not None
    if resources is None:
        texts = [read_lines(file) for file in files]
        if len(texts[0]) != len(texts[1]):
            raise BadParameter(
                f"{source} has {len(texts[0]):,} lines, {target} has {len(texts[1]):,}; "
                "give two files whose lines pair up"
            )
        tokens = [split(lines, recipe.tokenize, lowercase) for lines in texts]
        resources = train(tokens[0], tokens[1], recipe, _model(source_model), _model(target_model))
        resources.save(folder)
    if arpa:
        for side in ("source", "target"):
            write_arpa(getattr(resources, f"{side}_model"), f"{folder}/{side}_model.arpa.gz")
    asked: dict[str, Any] = {
        "tokenize": tokenize,
        "lowercase": lowercase,
        "order": order,
        "iterations": iterations,
    }
    for name, model in zip(("source_model", "target_model"), models, strict=True):
        if model is not None:
            asked[name] = f"sha256-{model.sha256}"
    signed = Signature("train_resources", {}, asked, "+".join(f"sha256-{f.sha256}" for f in files))
    return Result((resources,), signed, {"folder": folder, "reused": reused})


def _model(path: str | None) -> "LanguageModel | None":
    from adjudge.text.resources.language_model.arpa import read_arpa

    return None if path is None else read_arpa(path)
