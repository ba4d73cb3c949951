"""CDER (Leusch, Ueffing and Ney 2006): word edits with long jumps, as Moses counts them.

    CDER = 100 · cost / words of the reference

The path through the grid of output and reference may, after any reference word, jump to any place
of the output for a cost of one; it visits every reference word once, and output words as often as
it likes. It starts at the output's beginning and ends at its end, so that two swapped halves cost
3. Lower is better; 0 to 100 and beyond. Of several references each segment takes the nearest.
"""

from dataclasses import dataclass
from typing import ClassVar

from adjudge.metrics.catalogue.wer import Wer


@dataclass(frozen=True)
class Cder(Wer):
    """CDER with its parameters."""

    name: ClassVar[str] = "cder"
    title: ClassVar[str] = "CDER"
    summary: ClassVar[str] = "word edits with long jumps per word of the reference"
    paper: ClassVar[str] = "Leusch et al. 2006"

    jumps: ClassVar[bool] = True


METRIC = Cder()
