"""How many references, and how many sentences, a metric needs: asked of texts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudge.api.metric_names import metrics_named
from adjudge.api.result import Result
from adjudge.core.signature import Signature

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric
    from adjudge.metrics.metric_inputs import Material
    from adjudge.metrics.reference_study import ReferenceStudy

# As in WMT13: mteval-v13a with international tokenisation, which does not look at case.
STUDIED = tuple(f"{name}(tokenize=mteval-intl,lowercase=yes)" for name in ("bleu", "nist"))


class ReferenceQuestions:
    """What texts are asked about their references."""

    material: "Material"
    hash: str
    files: Mapping[str, Any]

    def references(
        self,
        human: str | Sequence[str],
        metric: "str | Metric | Iterable[str | Metric]" = STUDIED,
        *,
        sentences: Sequence[int] = (),
        probes: int = 100,
        seed: int = 1,
        post_edits: str | Sequence[str] = (),
    ) -> "Result[ReferenceStudy]":
        """Correlation of metrics with people by number of references and sentences (WMT13 §5).

        Parameters
        ----------
        human : str or sequence of str
            Files of judgements or scores by people (docs/formats.md) of the same systems.
        metric : str or iterable of str
            As for `metrics`; by default BLEU and NIST.
        sentences : sequence of int
            How many sentences are drawn; by default some sizes, and all.
        probes : int
            How often they are drawn.
        seed : int
            The same seed draws the same.
        post_edits : str or sequence of str
            Files of edits and reviews of an understandability campaign, whose new references
            are studied as well; segments are called by the numbers of their lines.

        Returns
        -------
        Result
            One `ReferenceStudy` for every metric, number of references and of sentences.

        Raises
        ------
        NotEnoughData
            If people scored fewer than three of the systems.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "votes.csv")
        >>> with open(path, "w") as file:
        ...     _ = file.write("model_a,model_b,winner\\nA,B,model_a\\nB,C,model_a\\nA,C,tie\\n")
        >>> outputs = {"A": ["a b c", "d e"], "B": ["a b", "d e"], "C": ["a", "d"]}
        >>> texts = adjudge.from_texts(outputs, [["a b c", "d e"], ["a b", "e"]])
        >>> study = texts.references(path, "chrf", probes=10)
        >>> [part.references for part in study]
        [1, 2]
        """
        from adjudge.api.post_edits import read_post_edits
        from adjudge.api.reading import read
        from adjudge.core.errors import within
        from adjudge.metrics.reference_study import study_references

        within(probes, "probes", 2)
        paths = [human] if isinstance(human, str) else list(human)
        judged = read(*paths)
        ranking = judged.rank()[0]
        people = dict(zip(ranking.systems, map(float, ranking.scores), strict=True))
        chosen = metrics_named(metric)
        edited = read_post_edits(post_edits, self.material.segments)
        parts = study_references(
            self.material, chosen, people, sentences, probes, seed, edited.by_line
        )
        asked = {
            "human": f"sha256-{judged.hash}",
            "metric": [str(each) for each in chosen],
            "sentences": sorted({part.sentences for part in parts}),
            "probes": probes,
            "seed": seed,
            **({"post_edits": f"sha256-{edited.hash}"} if edited.hash else {}),
        }
        signature = Signature("texts.references", self.files, asked, f"sha256-{self.hash}")
        return Result(tuple(parts), signature)
