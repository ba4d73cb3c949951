"""Macháček 2014 §2.1: the author's own trees and alignments give his own segments.

He wrote the leaves of the trees, in which some characters are written otherwise (`-LRB-`); we
write the text's words.
"""

from collections import Counter
from pathlib import Path

import pytest

from adjudge.core.files.input_file import InputFile
from adjudge.segments.alignments import read_pharaoh
from adjudge.segments.extraction import Extraction, extract, project
from adjudge.segments.segment_selection import source_segments
from adjudge.segments.trees import Tree, read_trees

SYSTEMS = ("CU-TectoMT", "commercial1", "commercial2", "cu-bojar", "cu-depfix", "cu-funky")
LEAVES = {"-LRB-": "(", "-RRB-": ")", "\\/": "/", "\\*": "*"}
SYSTEMS += ("onlineA", "onlineB", "uedin-unconstrained", "uedin-wmt14")


@pytest.fixture(scope="module")
def run(shared_data: Path) -> Path:
    return shared_data / "segranks" / "extraction"


@pytest.fixture(scope="module")
def trees(run: Path) -> list[Tree]:
    return read_trees(str(run / "trees.txt.gz"))


@pytest.fixture(scope="module")
def extraction(run: Path) -> Extraction:
    return extract(
        str(run / "tokenized" / "source.txt.gz"),
        str(run / "tokenized" / "reference.txt.gz"),
        {name: str(run / "tokenized" / f"{name}.txt.gz") for name in SYSTEMS},
        trees=str(run / "trees.txt.gz"),
        alignments={name: str(run / "alignments" / f"{name}.txt.gz") for name in SYSTEMS},
    )


def his(run: Path, name: str) -> list[tuple[str, ...]]:
    text = InputFile(str(run / f"expected.{name}.tsv.gz")).text
    for leaf, word in LEAVES.items():
        text = text.replace(leaf, word)
    return [tuple(line.split("\t")) for line in text.rstrip("\n").split("\n")]


def words(path: Path) -> list[list[str]]:
    return [line.split(" ") for line in InputFile(str(path)).text.rstrip("\n").split("\n")]


@pytest.mark.parametrize(
    ("shortest", "longest", "number"), [(3, 6, 8616), (1, 6, 34933), (1, 4, 43424)]
)
def test_segments_line_by_line(run: Path, trees, shortest: int, longest: int, number: int) -> None:
    sources = words(run / "tokenized" / "source.txt.gz")
    outputs = words(run / "tokenized" / "cu-bojar.txt.gz")
    links = read_pharaoh(str(run / "alignments" / "cu-bojar.txt.gz"), sources, outputs)
    ours = [
        (
            str(line + 1),
            " ".join(sources[line][word] for word in segment),
            " ".join(outputs[line][word] for word in project(segment, links[line])),
        )
        for line, tree in enumerate(trees)
        for segment in source_segments(tree, shortest, longest)
    ]
    assert len(ours) == number
    assert ours == his(run, f"cu-bojar.min{shortest}-max{longest}")


def test_merged_candidates_as_a_multiset(published, run: Path, extraction: Extraction) -> None:
    """The author's first run; the final one has 50,011 of 84,850."""
    merged = extraction.merged.select("systems", "sentence", "source_segment", "candidate")
    ours = [(str(len(systems)), str(line), *texts) for systems, line, *texts in merged.iter_rows()]
    assert Counter(ours) == Counter(his(run, "merged.min3-max6"))
    table = published("Macháček 2014", "first run of the extraction", "SegRanks")
    numbers = extraction.to_frame().row(0, named=True)
    table.row(
        "segments, candidates before and after merging",
        ("8616", "86160", "51078"),
        (numbers["segments"], numbers["unmerged"], numbers["candidates"]),
    )
    assert numbers["covered"] == pytest.approx(0.568, abs=0.0005)
    assert numbers["covered_predicates"] == pytest.approx(0.375, abs=0.0005)


def test_predicates_are_covered_when_asked_for(trees) -> None:
    for tree in trees[:500]:
        plain = source_segments(tree)
        more = source_segments(tree, predicates=True)
        assert set(plain) <= set(more)
        assert set(tree.predicates) <= {word for segment in more for word in segment}
        covered = [word for segment in more for word in segment]
        assert len(covered) == len(set(covered))
        assert max(map(len, more), default=0) <= 6
