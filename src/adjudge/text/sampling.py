"""Sample of a test set: segments on which the systems differ.

To separate two nearly equal systems, judges should see sentences with different translations; the
others carry no information (Macháček 2014 §3.3.2, Table 3.8).
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from adjudge.core.errors import BadParameter
from adjudge.text.testset import TestSet


def differing(texts: TestSet) -> list[int]:
    """Segments with two or more distinct outputs."""
    if texts.parts:
        return [
            segment
            for segment, parts in enumerate(texts.parts)
            if any(len({output.text for output in part.outputs}) > 1 for part in parts)
        ]
    outputs = zip(*texts.systems.values(), strict=True)
    return [segment for segment, own in enumerate(outputs) if len(set(own)) > 1]


def sample_different(texts: TestSet, number: int, random: Random) -> TestSet:
    """Draw segments on which the systems differ at random, in their original order."""
    different = differing(texts)
    if number > len(different):
        raise BadParameter(
            f"`sample_different` is {number:,}, but the systems differ on {len(different):,} of "
            f"{len(texts.source):,} segments only; ask for fewer"
        )
    return only(texts, sorted(random.sample(different, number)))


def only(texts: TestSet, segments: Sequence[int]) -> TestSet:
    """Restrict the test set to these segments."""

    def kept(column: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(column[segment] for segment in segments)

    return replace(
        texts,
        source=kept(texts.source),
        reference=None if texts.reference is None else kept(texts.reference),
        documents=kept(texts.documents),
        names=kept(texts.names),
        systems={name: kept(column) for name, column in texts.systems.items()},
        parts=tuple(texts.parts[segment] for segment in segments) if texts.parts else (),
        more_references=tuple(map(kept, texts.more_references)),
    )
