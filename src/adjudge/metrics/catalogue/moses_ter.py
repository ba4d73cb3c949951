"""TER as Moses' `extractor` and `evaluator` count it (C. Servan's tercpp, in Moses' copy).

    100 · (insertions + deletions + substitutions + block moves) / words of the reference

The edits are those that Moses' search finds (`moses_ter_kernels`), to the digit. It moves words of
the reference where TER moves those of the output, and looks at ten moves at a time, so it mostly
counts more edits than `ter`. This is for what was made with Moses; TER itself is `ter`. Words
are as they stand, capitals kept; parameters are those of `ter`.

Moses knows a block by a hash of its words' numbers. Blocks are compared as they are here; on the
data of the tests no two were taken for each other.

Of several references, the fewest edits count, over the mean length.
"""

from dataclasses import dataclass
from typing import ClassVar

from adjudge.metrics.catalogue.ter import Ter
from adjudge.metrics.moses_ter_kernels import all_moses_edits
from adjudge.metrics.words import Numbers, Words


@dataclass(frozen=True)
class MosesTer(Ter):
    """TER by Moses' search."""

    name: ClassVar[str] = "moses-ter"
    title: ClassVar[str] = "Moses TER"
    summary: ClassVar[str] = "TER by the search of Moses' scorer"
    paper: ClassVar[str] = "Snover et al. 2006"

    case: bool = True

    def edits(self, words: Words, reference: Words) -> Numbers:
        """The edits of every segment, as Moses finds them."""
        return all_moses_edits(words.numbers, words.starts, reference.numbers, reference.starts)

    def peer_signature(self, references: int) -> str | None:
        """sacrebleu does not have it."""
        return None


METRIC = MosesTer()
