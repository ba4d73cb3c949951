"""Feature extraction for both variants of BEER."""

from collections.abc import Callable

from adjudge.metrics.beer import features_2_0, features_2014
from adjudge.metrics.beer.model import Settings
from adjudge.metrics.catalogue.meteor import Meteor
from adjudge.metrics.metric import Floats, References, Texts
from adjudge.metrics.words import split_references, split_texts

Features = dict[str, Floats]
# The features of a copy of the reference, by variant.
COPY = {"2014": features_2014.COPY, "2.0": features_2_0.COPY}


def extraction(
    references: References, settings: Settings, resources: str = "", paraphrases: str = ""
) -> Callable[[Texts], list[Features]]:
    """Read the references once; return a function from a system's lines to their features against
    each reference.
    """
    lowercase = settings.lowercase == "yes"
    tokens = split_references(references, settings.tokenize, lowercase)
    if settings.variant == "2.0":
        beside = features_2_0.beside(tokens)
    else:
        function = frozenset(settings.function.split())
        meteor = Meteor(
            language=settings.language,
            modules=settings.modules,
            resources=resources,
            paraphrases=paraphrases,
        )
        beside = features_2014.beside(tokens, meteor.aligner(), function)
    return lambda texts: beside(split_texts(texts, settings.tokenize, lowercase))
