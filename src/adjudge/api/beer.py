"""BEER trained on what people preferred."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adjudge.api.result import Result
from adjudge.api.texts import Texts
from adjudge.core.errors import BadParameter, NotEnoughData, one_of
from adjudge.core.signature import Signature

if TYPE_CHECKING:
    from adjudge.data.comparisons import Comparisons
    from adjudge.metrics.beer.training import TrainedBeer


def train_beer(
    texts: Texts | Sequence[Texts],
    human: str | Sequence[str],
    *,
    variant: str = "2014",
    tokenize: str = "13a",
    lowercase: bool = True,
    modules: str = "exact",
    language: str = "en",
    resources: str = "",
    paraphrases: str = "",
    seed: int = 1,
) -> "Result[TrainedBeer]":
    """Train BEER, a metric, on what people preferred (docs/metrics.md).

    Parameters
    ----------
    texts : Texts or sequence of Texts
        Outputs that people compared, with their references; one a language pair.
    human : str or sequence of str
        Judgements or scores by people (docs/formats.md) of these systems, whose segments are
        called by the numbers of their lines.
    variant : {"2014", "2.0"}
        Which features: those of 2014, with word order by permutation trees, or of BEER 2.0.
    tokenize : str
        How lines become words.
    lowercase : bool
        Whether words are compared in lower case.
    modules, language, resources, paraphrases
        Which words match in BEER 2014: METEOR's modules and what they need.
    seed : int
        Which segments are left out together.

    Returns
    -------
    Result
        One `TrainedBeer`; `result[0].save(path)` writes the file for ``beer(model=FILE)``.

    Raises
    ------
    BadParameter
        If there is no such variant, tokenizer or module.
    NotEnoughData
        If people preferred no output of these systems.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> outputs = {"A": [f"a b c {n}" for n in range(9)], "B": [f"b x {n}" for n in range(9)]}
    >>> texts = adjudge.from_texts(outputs, [[f"a b c d {n}" for n in range(9)]])
    >>> path = os.path.join(tempfile.mkdtemp(), "preferences.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("segment,better,worse\\n")
    ...     _ = file.write("".join(f"{n + 1},A,B\\n" for n in range(9)))
    >>> trained = adjudge.train_beer(texts, path)
    >>> trained.preferences
    9
    """
    from adjudge.api.reading import read_as
    from adjudge.data.comparisons import by_pair, compare
    from adjudge.metrics.beer.model import VARIANTS, Settings
    from adjudge.metrics.beer.training import train
    from adjudge.metrics.catalogue.meteor import Meteor
    from adjudge.metrics.tokenizer import TOKENIZERS

    one_of(variant, VARIANTS, "variant")
    TOKENIZERS.named(tokenize)
    Meteor(language=language, modules=modules)  # refuses what it does not know
    given = [texts] if isinstance(texts, Texts) else list(texts)
    if not given:
        raise BadParameter("give `texts` that people compared")
    judged = read_as("judgements", *([human] if isinstance(human, str) else human))
    people = {pair: compare(table) for pair, table in by_pair(judged.table)}
    settings = Settings(variant, tokenize, "yes" if lowercase else "no", language, modules)
    trained = train(
        [each.material for each in given],
        [_of_pair(people, each.material.pair) for each in given],
        settings,
        resources,
        paraphrases,
        seed,
    )
    asked: dict[str, Any] = {
        "human": f"sha256-{judged.hash}",
        "variant": variant,
        "tokenize": tokenize,
        "lowercase": lowercase,
        "modules": modules,
        "language": language,
        "seed": seed,
    }
    hashes = "+".join(f"sha256-{each.hash}" for each in given)
    return Result((trained,), Signature("train_beer", {}, asked, hashes))


def _of_pair(people: "dict[str, Comparisons]", pair: str) -> "Comparisons":
    """What people said of a language pair; texts that name none are of the only one there is."""
    if pair in people:
        return people[pair]
    if not pair and len(people) == 1:
        return next(iter(people.values()))
    there_are = ", ".join(people)
    if not pair:
        raise BadParameter(f"people compared outputs of {there_are}; say which, `pair`")
    raise NotEnoughData(f"people compared no outputs of {pair}; there are: {there_are}")
