"""From texts, trees and alignments to candidates that judges can rank (Macháček 2014 §2.1).

The candidate of a system is the words of its output that are aligned to any word of the source
segment, in their order. Gaps between them are closed, as in the thesis, so that a candidate need
not be part of the output as it stands; `contiguous` takes everything from the first to the last of
them instead. What several systems wrote alike becomes one candidate.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from adjudge.errors import AdjudgeError, InputError
from adjudge.files.input_file import InputFile
from adjudge.files.output import open_output
from adjudge.segments.algorithm import Segment, check_lengths, source_segments
from adjudge.segments.trees import Tree, read_trees
from adjudge.texts.from_files import read_column

Alignment = Mapping[int, Sequence[int]]  # source word → target words


@dataclass(frozen=True, eq=False)
class Extraction:
    """The candidates of every system for every source segment."""

    rows: pl.DataFrame  # sentence, source, reference, source_segment, candidate, indices, system
    sentences: int
    words: int
    covered: int  # words of the source in some segment
    predicates: int
    covered_predicates: int

    @cached_property
    def merged(self) -> pl.DataFrame:
        """One row a different candidate of a segment, with its systems; empty ones are left out."""
        keys = ("sentence", "source", "reference", "source_segment", "candidate", "indices")
        return (
            self.rows.filter(pl.col("candidate") != "")
            .group_by(*keys, maintain_order=True)
            .agg(pl.col("system").alias("systems"))
            .sort("sentence", pl.col("indices").str.split(" ").list.first().cast(pl.Int64))
        )

    @property
    def segments(self) -> int:
        """How many source segments there are."""
        return self.rows.select("sentence", "indices").n_unique()

    def to_frame(self) -> pl.DataFrame:
        """A single row of numbers."""
        number = self.merged.select("sentence", "indices").n_unique()
        return pl.DataFrame(
            {
                "sentences": [self.sentences],
                "segments": [self.segments],
                "candidates": [len(self.merged)],
                "candidates_a_segment": [len(self.merged) / number if number else None],
                "unmerged": [int((self.rows["candidate"] != "").sum())],
                "unaligned": [int((self.rows["candidate"] == "").sum())],
                "words": [self.words],
                "covered": [self.covered / self.words if self.words else None],
                "predicates": [self.predicates],
                "covered_predicates": [
                    self.covered_predicates / self.predicates if self.predicates else None
                ],
            }
        )

    def write_segments(self, path: str) -> None:
        """What `adjudge campaign create` takes as `segments`.

        A file called segments.tsv has the systems of every candidate, and sentences.tsv is written
        beside it; any other has the six columns of SegRanks, which name no systems.
        """
        if not len(self.merged):
            raise AdjudgeError("there is no segment to write; ask for shorter or longer ones")
        columns = ("sentence", "source", "reference", "source_segment", "candidate", "indices")
        if Path(path).name.startswith("segments.tsv"):
            beside = Path(path).with_name(Path(path).name.replace("segments", "sentences", 1))
            sentences = self.merged.select(columns[:3]).unique("sentence", maintain_order=True)
            _write(sentences, str(beside), header=True)
            _write(self._with_systems(), path, header=True)
        else:
            _write(self.merged.select(columns), path, header=False)

    def _with_systems(self) -> pl.DataFrame:
        """The columns of SegRanks's own table of segments."""
        spaced = [name for name in self.rows["system"].unique() if " " in name]
        if spaced:
            raise AdjudgeError(
                f"segments.tsv parts the names of systems by spaces, and {spaced[0]!r} has one; "
                "rename the system, or write to a file of another name"
            )
        segment = pl.struct("sentence", "indices").rank("dense")
        return self.merged.with_columns(segment=segment).select(
            "segment",
            "sentence",
            "source_segment",
            pl.col("indices").alias("source_word_indices"),
            pl.int_range(pl.len()).over("segment").alias("candidate"),
            pl.col("candidate").alias("candidate_segment"),
            pl.col("systems").list.join(" "),
        )


def _write(rows: pl.DataFrame, path: str, header: bool) -> None:
    with open_output(path) as stream:
        rows.write_csv(stream, separator="\t", include_header=header, quote_style="never")


def extract(
    source: str,
    reference: str,
    trees: str,
    systems: Mapping[str, str],
    alignments: Mapping[str, str],
    *,
    shortest: int = 3,
    longest: int = 6,
    predicates: bool = False,
    contiguous: bool = False,
) -> Extraction:
    """Extract from files: every line is a sentence, its words between blanks."""
    check_lengths(shortest, longest)
    sources = _tokens(source)
    references = _tokens(reference)
    _same_length(reference, len(references), source, len(sources))
    parsed = read_trees(trees)
    _same_length(trees, len(parsed), source, len(sources))
    for number, (tree, tokens) in enumerate(zip(parsed, sources, strict=True), 1):
        _fits(tree, tokens, trees, number, source)
    segments = [source_segments(tree, shortest, longest, predicates) for tree in parsed]
    frames = []
    for name, path in systems.items():
        if name not in alignments:
            raise AdjudgeError(
                f"the outputs of {name} have no alignment; give one with `alignment`"
            )
        outputs = _tokens(path)
        _same_length(path, len(outputs), source, len(sources))
        links = read_pharaoh(alignments[name], sources, outputs)
        rows = _candidates(sources, references, segments, outputs, links, contiguous)
        frames.append(pl.DataFrame(rows, _COLUMNS, orient="row").with_columns(system=pl.lit(name)))
    covered = [{word for segment in own for word in segment} for own in segments]
    return Extraction(
        rows=pl.concat(frames),
        sentences=len(sources),
        words=sum(map(len, sources)),
        covered=sum(map(len, covered)),
        predicates=sum(len(tree.predicates) for tree in parsed),
        covered_predicates=sum(
            len(own & set(tree.predicates)) for own, tree in zip(covered, parsed, strict=True)
        ),
    )


_COLUMNS = {
    "sentence": pl.Int64,
    "source": pl.String,
    "reference": pl.String,
    "source_segment": pl.String,
    "candidate": pl.String,
    "indices": pl.String,
}


def _candidates(
    sources: Sequence[list[str]],
    references: Sequence[list[str]],
    segments: Sequence[list[Segment]],
    outputs: Sequence[list[str]],
    links: Sequence[Alignment],
    contiguous: bool,
) -> Iterator[tuple[int, str, str, str, str, str]]:
    """One row a source segment."""
    for line, own in enumerate(segments):
        for segment in own:
            yield (
                line + 1,
                " ".join(sources[line]),
                " ".join(references[line]),
                " ".join(sources[line][word] for word in segment),
                " ".join(outputs[line][word] for word in project(segment, links[line], contiguous)),
                " ".join(map(str, segment)),
            )


def project(segment: Segment, links: Alignment, contiguous: bool = False) -> list[int]:
    """The places of the words that are aligned to a segment."""
    places = sorted({target for word in segment for target in links.get(word, ())})
    if contiguous and places:
        return list(range(places[0], places[-1] + 1))
    return places


def read_pharaoh(
    path: str, sources: Sequence[list[str]], outputs: Sequence[list[str]]
) -> list[Alignment]:
    """Alignments as Pharaoh, GIZA++'s tools and fast_align write them: `0-0 1-2`, a line each."""
    file = InputFile(path)
    lines = file.text.removesuffix("\n").split("\n")
    _same_length(path, len(lines), "the source", len(sources))
    alignments: list[Alignment] = []
    for number, line in enumerate(lines, 1):
        links: dict[int, list[int]] = {}
        for pair in line.split():
            left, dash, right = pair.partition("-")
            if not dash or not left.isdecimal() or not right.isdecimal():
                raise file.bad_line(number, f"{pair!r} is no link like 3-4; give Pharaoh's format")
            word, target = int(left), int(right)
            if word >= len(sources[number - 1]) or target >= len(outputs[number - 1]):
                raise file.bad_line(
                    number,
                    f"the link {pair} is out of range: the source has {len(sources[number - 1])} "
                    f"words, the output {len(outputs[number - 1])}; align these texts again",
                )
            links.setdefault(word, []).append(target)
        alignments.append(links)
    return alignments


def _tokens(path: str) -> list[list[str]]:
    return [[word for word in line.split(" ") if word] for line in read_column(path).texts]


def _same_length(file: str, lines: int, other: str, expected: int) -> None:
    if lines != expected:
        raise InputError(
            f"has {lines:,} sentences, {other} has {expected:,}; they must be parallel", file=file
        )


def _fits(tree: Tree, tokens: Sequence[str], file: str, number: int, source: str) -> None:
    if tree.length != len(tokens):
        raise InputError(
            f"the tree has {tree.length} words, line {number} of {source} has {len(tokens)} "
            f"({' '.join(tokens)[:60]!r}); parse the same tokens",
            file=file,
            line=tree.line,
        )
