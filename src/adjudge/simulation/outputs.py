"""Outputs to be judged: every system's output of every segment, and its true quality."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.data.judgement_table import ID
from adjudge.data.outputs import join_group, system_order
from adjudge.simulation.design import Design

PAIR = "src-tgt"
REFERENCE = "_ref"


@dataclass(frozen=True, eq=False)
class Material:
    """Segments in document order, with the quality of each system's output.

    `same_as[g, s]` is the first system whose output of segment g is that of system s, and
    so s itself where the output is its own.
    """

    pair: str
    systems: tuple[str, ...]
    documents: tuple[str, ...]
    document: NDArray[np.int64]  # of each segment
    segments: tuple[str, ...]
    quality: NDArray[np.float64]  # (segments, systems)
    same_as: NDArray[np.int64]  # (segments, systems)

    def output_names(self) -> tuple[NDArray[np.int64], pl.Series]:
        """Output code by (segment, system), and output name by code."""
        own = np.arange(len(self.systems))
        if (self.same_as == own).all():
            return np.broadcast_to(own, self.same_as.shape), pl.Series(self.systems, dtype=ID)
        in_order = system_order(self.systems)
        column = [self.systems.index(system) for system in in_order]
        segments = len(self.same_as)
        joined = (
            pl.DataFrame(
                {
                    "segment": np.repeat(np.arange(segments), len(own)),
                    "first": self.same_as[:, column].ravel(),
                    "system": np.tile(np.array(in_order), segments),
                }
            )
            .group_by("segment", "first", maintain_order=True)
            .agg(join_group("system").alias("output"))
        )
        names = joined["output"].unique(maintain_order=True)
        numbers = joined["output"].replace_strict(names, np.arange(len(names)))
        code = np.zeros(self.same_as.shape, np.int64)
        code[joined["segment"].to_numpy(), joined["first"].to_numpy()] = numbers.to_numpy()
        return np.take_along_axis(code, self.same_as, axis=1), names.cast(ID)


def draw_qualities(design: Design, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw the systems' qualities; the reference comes last, a spread above the best system."""
    drawn = rng.normal(0, design.quality_spread, design.systems)
    qualities = drawn if design.qualities is None else np.array(design.qualities, float)
    if design.reference:
        qualities = np.append(qualities, qualities.max() + design.quality_spread)
    return qualities


def draw_material(
    design: Design, qualities: NDArray[np.float64], rng: np.random.Generator
) -> Material:
    """Draw the documents, segments and outputs of a design."""
    shortest = design.tasks.hit_length
    lengths = shortest + rng.poisson(design.document_length - shortest, design.documents)
    document = np.repeat(np.arange(design.documents), lengths)
    segments, systems = len(document), len(qualities)
    difficulty = rng.lognormal(0, design.difficulty_spread, segments)[:, None]
    suits = rng.normal(0, design.document_effect, (design.documents, systems))[document]
    happens = rng.normal(0, design.segment_effect, (segments, systems))
    quality = difficulty * (qualities + suits + happens)
    same_as = np.tile(np.arange(systems), (segments, 1))
    related = np.arange(design.systems // 2)
    identical = rng.random((segments, len(related))) < design.identical
    same_as[:, 2 * related + 1] -= identical
    digits = len(str(max(design.systems, 10)))
    names = [f"system-{i:0{digits}}" for i in range(1, design.systems + 1)]
    return Material(
        pair=PAIR,
        systems=(*names, REFERENCE) if design.reference else tuple(names),
        documents=tuple(f"document-{i:03}" for i in range(1, design.documents + 1)),
        document=document,
        segments=tuple(map(str, range(1, segments + 1))),
        quality=np.take_along_axis(quality, same_as, axis=1),
        same_as=same_as,
    )
