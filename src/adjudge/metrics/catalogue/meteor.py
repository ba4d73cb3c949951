"""METEOR 1.5 (Denkowski and Lavie 2014; Macháček 2014 §4.2.8), equal to the jar.

Words and phrases of output and reference are matched by up to four modules (`meteor_alignment`):
exact, stem, synonym, paraphrase. Of all matches an alignment is chosen that covers each word at
most once, most words, in few chunks, with short distances (`meteor_alignment`). Then

    P = Σ w_i (δ m_i(h_c) + (1 − δ) m_i(h_f)) / (δ |h_c| + (1 − δ) |h_f|),   R alike,
    F = P R / (α P + (1 − α) R),   score = F · (1 − γ (chunks / m)^β)

with content words c and function words f, and m the mean of the matched words on either side. A
segment that matches as a whole in one chunk has no penalty. Counts are summed over a corpus. 0 to
1. Of several references the one with the best score counts.

α, β, γ, δ and w are those of `language` (the published ones); other languages take those that are
independent of it. As shipped, METEOR takes English function words for every language (`words=own`:
the language's), cuts the coverage of a match that is not exact to a whole number and adds a
distance to the wrong path; `alignment=published` is without the last two. `resources` is METEOR's
jar, from which lists are read (English words and synonyms), `paraphrases` its table of
paraphrases; neither is part of Adjudge. `synonyms=wordnet` takes synonyms from the WordNet that is
installed (`wordnet`), and `words=none` takes every word for a content word: with both no jar is
needed. Texts are split by METEOR's own rules (its `-norm`), without a jar as if its list of
abbreviations were empty; `normalize=no` takes words as they are, between blanks.

`version` gives earlier ones, for English: exact, Porter stems, WordNet synonyms (WMT07 §4), all
matches and words with the same weight. `2005` has α = 0.9, β = 3, γ = 0.5 (Banerjee and Lavie 2005:
F = 10 P R / (R + 9 P), penalty 0.5 (chunks / m)³). `wmt07` has α = 0.81, β = 0.83, γ = 0.28, tuned
for adequacy and fluency together (Lavie and Agarwal 2007, which WMT07 cites; these three numbers
could not be checked against the paper). The alignment is METEOR 1.5's as published, not the stages
of the time, one module after the other; so no digits of either are claimed.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from adjudge.core.errors import BadParameter, one_of
from adjudge.metrics import meteor_alignment as matchers
from adjudge.metrics.edits import ratio
from adjudge.metrics.meteor_alignment import align, settled
from adjudge.metrics.meteor_resources import Paraphrases, normalise, paraphrases, read_prefixes
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts
from adjudge.metrics.tokenizer import Tokens
from adjudge.metrics.wordnet import wordnet

_MODULES = matchers.MODULES
# α, β, γ, δ, and the weight of every module, for ranking (METEOR 1.5's default task).
_PARAMETERS = {
    "en": (0.85, 0.2, 0.6, 0.75, {"exact": 1.0, "stem": 0.6, "synonym": 0.8, "paraphrase": 0.6}),
    "cz": (0.95, 0.2, 0.6, 0.8, {"exact": 1.0, "paraphrase": 0.4}),
    "fr": (0.9, 1.4, 0.6, 0.65, {"exact": 1.0, "stem": 0.2, "paraphrase": 0.4}),
    "es": (0.65, 1.3, 0.5, 0.8, {"exact": 1.0, "stem": 0.8, "paraphrase": 0.6}),
    "de": (0.95, 1.0, 0.55, 0.55, {"exact": 1.0, "stem": 0.8, "paraphrase": 0.2}),
    "ru": (0.75, 1.4, 0.7, 0.5, {"exact": 1.0, "stem": 0.5, "paraphrase": 0.5}),
}
_ALIKE = {"exact": 1.0, "stem": 1.0, "synonym": 1.0}
_EARLIER = {"2005": (0.9, 3.0, 0.5, 0.5, _ALIKE), "wmt07": (0.81, 0.83, 0.28, 0.5, _ALIKE)}
_OTHERS = (0.75, 1.4, 0.7, 0.5, {"exact": 1.0, "stem": 0.5})


@dataclass(frozen=True)
class Meteor(Metric):
    """METEOR with its parameters."""

    name: ClassVar[str] = "meteor"
    title: ClassVar[str] = "METEOR"
    summary: ClassVar[str] = (
        "F of aligned words times a penalty for chunks (needs a jar or WordNet)"
    )
    paper: ClassVar[str] = "Denkowski and Lavie 2014"
    scale: ClassVar[str] = "0 to 1"
    slow: ClassVar[bool] = True

    language: str = "en"
    modules: str = "exact+stem+synonym"
    normalize: bool = True
    lowercase: bool = True
    alignment: Literal["shipped", "published"] = "shipped"
    words: Literal["english", "own", "none"] = "english"
    synonyms: Literal["jar", "wordnet"] = "jar"
    version: Literal["1.5", "wmt07", "2005"] = "1.5"
    resources: str = ""
    paraphrases: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        earlier = self.version in _EARLIER
        if earlier and (self.language, self.alignment) != ("en", "published"):
            raise BadParameter(
                f"`version={self.version}` needs `alignment=published` and `language=en`"
            )
        weights = self._parameters()[4]
        for module in self.modules.split("+"):
            one_of(module, _MODULES, "modules")
            if module not in weights:
                raise BadParameter(
                    f"`modules` cannot have {module!r} for `language={self.language}`; there are: "
                    f"{', '.join(weights)}"
                )

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: words, matches of every module, chunks; content words before
        function words.
        """
        function = self._function_words()
        if "synonym" in self.modules:
            self._synsets()  # what is missing is said before anything is counted
        self._need_paraphrases()
        theirs = [self._split(tuple(texts)) for texts in references]

        def counted(texts: Texts) -> Floats:
            lines = self._split(tuple(texts))
            each = np.stack(
                [
                    [
                        _counts(*segment, function)
                        for segment in zip(lines, tokens, self._aligned(lines, tokens), strict=True)
                    ]
                    for tokens in theirs
                ]
            )
            best = self.values(each).argmax(axis=0)
            return np.asarray(np.take_along_axis(each, best[None, :, None], axis=0)[0])

        return counted

    def _function_words(self) -> frozenset[str]:
        if self.words == "none" or self.version in _EARLIER:
            return frozenset()
        if not self.resources:
            raise BadParameter(
                "meteor needs its lists of words; give meteor(resources=meteor-1.5.jar) or, "
                "without function words, meteor(words=none,synonyms=wordnet), see docs/metrics.md"
            )
        own = self.words == "own"
        language = matchers.LANGUAGES.get(self.language, "other") if own else "english"
        return matchers.function_words(self.resources, language)

    def _synsets(self) -> matchers.Synsets:
        if self.synonyms == "wordnet":
            return wordnet()
        if not self.resources:
            raise BadParameter(
                "`modules` has synonym; give METEOR's jar, `resources=FILE`, or `synonyms=wordnet`"
            )
        return matchers.synonyms(self.resources)

    def _split(self, texts: Texts) -> Tokens:
        """Tokenise by METEOR's own rules, or at blanks; then lowercase."""
        language = matchers.LANGUAGES.get(self.language)
        if not self.normalize:
            lines = [text.split() for text in texts]
        elif language is None:
            raise BadParameter(
                f"METEOR cannot normalise {self.language!r}; give tokenised texts and "
                "`normalize=no`"
            )
        else:
            name = f"nonbreaking/{language}.prefixes"
            listed = matchers.Jar(self.resources).lines(name) if self.resources else []
            lines = normalise(texts, language, read_prefixes(listed))
        return [[word.lower() for word in line] for line in lines] if self.lowercase else lines

    def aligner(self) -> matchers.Aligner:
        """Aligner alone, which needs METEOR's jar for synonyms only."""
        if "synonym" in self.modules:
            self._synsets()
        self._need_paraphrases()
        return self._aligned

    def _need_paraphrases(self) -> None:
        if "paraphrase" in self.modules and not self.paraphrases:
            raise BadParameter("`modules` has paraphrase; give its table, `paraphrases=FILE`")

    def _aligned(self, lines: Tokens, references: Tokens) -> Iterator[list[matchers.Match]]:
        """Chosen matches of every segment, in reference order."""
        known = None
        if "paraphrase" in self.modules:
            known = paraphrases(self.paraphrases, (lines, references))
        for output, reference in zip(lines, references, strict=True):
            if output == reference:
                yield [(position, 1, position, 1, 0) for position in range(len(output))]
            else:
                yield self._chosen(output, reference, known)

    def _chosen(
        self, output: Sequence[str], reference: Sequence[str], known: Paraphrases | None
    ) -> list[matchers.Match]:
        candidates = sorted(self._matches(output, reference, known), key=lambda match: match[0])
        if not candidates:
            return []
        matches = np.array(candidates)
        weight = np.where(matches[:, 4] == 0, 2, 1)
        first = np.searchsorted(matches[:, 0], np.arange(len(reference) + 1)).astype(np.int64)
        chosen = align(
            len(output),
            len(reference),
            np.column_stack([matches[:, :4], weight]),
            first,
            settled(matches, first, len(output), len(reference)),
            self.alignment == "published",
        )
        return [candidates[which] for which in chosen[chosen >= 0].tolist()]

    def _matches(
        self, output: Sequence[str], reference: Sequence[str], known: Paraphrases | None
    ) -> Iterator[matchers.Match]:
        modules = self.modules.split("+")
        if "exact" in modules:
            yield from matchers.exact(output, reference)
        if "stem" in modules:
            stemmer = "porter" if self.version in _EARLIER else self.language
            yield from matchers.stem(output, reference, stemmer)
        if "synonym" in modules:
            yield from matchers.synonym(output, reference, self._synsets())
        if known is not None:
            yield from matchers.paraphrase(output, reference, known)

    def values(self, sums: Floats) -> Floats:
        """METEOR of a corpus."""
        alpha, beta, gamma, delta, weights = self._parameters()
        of_class = np.array([delta, 1 - delta])
        weight = np.array([weights.get(module, 0.0) for module in _MODULES])
        matched = sums[..., 4:-3].reshape(*sums.shape[:-1], len(_MODULES), 2, 2) @ of_class
        ours, theirs = np.moveaxis(weight @ matched, -1, 0)
        precision = ratio(ours, sums[..., 0:2] @ of_class)
        recall = ratio(theirs, sums[..., 2:4] @ of_class)
        mean = ratio(precision * recall, alpha * precision + (1 - alpha) * recall)
        pieces = ratio(sums[..., -3], (sums[..., -2] + sums[..., -1]) / 2)
        return np.asarray(mean * (1 - gamma * pieces**beta))

    def _parameters(self) -> tuple[float, float, float, float, dict[str, float]]:
        if self.version in _EARLIER:
            return _EARLIER[self.version]
        return _PARAMETERS.get(self.language, _OTHERS)


def _counts(
    output: Sequence[str],
    reference: Sequence[str],
    chosen: Iterable[matchers.Match],
    function: frozenset[str],
) -> Floats:
    """Word counts (4), matches of every module (4 each), chunks, matched words of either side."""
    counts = np.zeros(4 + 4 * len(_MODULES) + 3)
    own, other = ([word in function for word in words] for words in (output, reference))
    counts[:4] = len(own) - sum(own), sum(own), len(other) - sum(other), sum(other)
    chunks, last = 0, (-1, -1)
    for start, length, place, size, module in chosen:
        row = 4 + 4 * module
        wrong = sum(own[place : place + size])
        counts[row : row + 2] += size - wrong, wrong
        wrong = sum(other[start : start + length])
        counts[row + 2 : row + 4] += length - wrong, wrong
        chunks += (start, place) != last
        last = (start + length, place + size)
        counts[-2:] += size, length
    whole = counts[-2] == len(output) and counts[-1] == len(reference)
    counts[-3] = 0 if whole and chunks == 1 else chunks
    return counts


METRIC = Meteor()
