"""Extraction of candidates that judges can rank, and the files that hold them.

Candidates are written as files that `adjudge campaign create` accepts as `segments`.

The method follows Macháček 2014 §2.1 and WMT07 §3.3.

The candidate of a system consists of the words of its output that are aligned to any word of the
source segment, in their order. Gaps between them are closed, as in the thesis, so that a candidate
need not be part of the output as it stands; `contiguous` takes everything from the first to the
last of them instead, as WMT07 does. What several systems wrote alike becomes one candidate.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from adjudge.core.errors import AdjudgeError, BadParameter, InputError, one_of
from adjudge.core.files.output import open_output
from adjudge.metrics.tokenizer import TOKENIZERS
from adjudge.segments.alignments import ALIGNERS, Alignment, learn_alignments, read_alignments
from adjudge.segments.segment_selection import ALGORITHM_1, Choice, Segment
from adjudge.segments.sentences import Sentences, Split, at_blanks, check_parallel, read_sentences
from adjudge.segments.trees import Parser, Tree, read_trees
from adjudge.text.reading import read_column

COLUMNS = ("sentence", "source", "reference", "source_segment", "candidate", "indices")


def merge_candidates(rows: pl.DataFrame) -> pl.DataFrame:
    """Merge equal candidates of a segment, with their systems; drop empty ones.

    `rows` has `COLUMNS` and the system, one row per system and segment.
    """
    return (
        rows.filter(pl.col("candidate") != "")
        .group_by(*COLUMNS, maintain_order=True)
        .agg(pl.col("system").drop_nulls().alias("systems"))
        .sort(
            "sentence",
            pl.col("indices").str.split(" ").list.first().cast(pl.Int64),
            maintain_order=True,
        )
    )


def write_candidates(merged: pl.DataFrame, path: str) -> None:
    """Write merged candidates.

    A file called segments.tsv names the systems of every candidate, and sentences.tsv is written
    beside it; any other file has the six columns of SegRanks, which name no systems.
    """
    if Path(path).name.startswith("segments.tsv"):
        beside = Path(path).with_name(Path(path).name.replace("segments", "sentences", 1))
        with_systems = _with_systems(merged)
        sentences = merged.select(COLUMNS[:3]).unique("sentence", maintain_order=True)
        _write(sentences, str(beside), header=True)
        _write(with_systems, path, header=True)
    else:
        _write(merged.select(COLUMNS), path, header=False)


def _with_systems(merged: pl.DataFrame) -> pl.DataFrame:
    """Columns of SegRanks's own table of segments."""
    spaced = [name for name in merged["systems"].explode().unique() if name and " " in name]
    if spaced:
        raise AdjudgeError(
            f"segments.tsv parts the names of systems by spaces, and {spaced[0]!r} has one; "
            "rename the system, or write to a file of another name"
        )
    segment = pl.struct("sentence", "indices").rank("dense")
    return merged.with_columns(segment=segment).select(
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


@dataclass(frozen=True, eq=False)
class Extraction:
    """Candidates of every system for every source segment."""

    rows: pl.DataFrame  # sentence, source, reference, source_segment, candidate, indices, system
    sentences: int
    words: int
    covered: int  # words of the source in some segment
    predicates: int
    covered_predicates: int
    parser: str | None  # what made the trees, where they were not given

    @cached_property
    def merged(self) -> pl.DataFrame:
        """Distinct candidates of each segment with their systems; empty ones are left out."""
        return merge_candidates(self.rows)

    @property
    def segments(self) -> int:
        """Number of source segments."""
        return self.rows.select("sentence", "indices").n_unique()

    def to_frame(self) -> pl.DataFrame:
        """Return a single row of numbers."""
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
        """Write a file that `adjudge campaign create` accepts as `segments`.

        A file called segments.tsv names the systems of every candidate, and sentences.tsv is
        written beside it; any other file has the six columns of SegRanks, which name no systems.
        """
        if not len(self.merged):
            raise AdjudgeError("there is no segment to write; ask for shorter or longer ones")
        write_candidates(self.merged, path)


def extract(
    source: str,
    reference: str,
    systems: Mapping[str, str],
    *,
    trees: str | None = None,
    alignments: Mapping[str, str] | None = None,
    parser: str | None = None,
    tokenize: str | None = None,
    corpus: tuple[str, str] | None = None,
    aligner: str = "diagonal",
    choice: Choice = ALGORITHM_1,
) -> Extraction:
    """Extract candidates from files of one sentence per line.

    With `trees`, words are separated by blanks. Otherwise the parser splits the source, and `intl`
    the rest. `tokenize` names a tokenizer for all.
    """
    if not systems:
        raise AdjudgeError("there are no outputs; name at least one `system`")
    one_of(aligner, ALIGNERS, "aligner")
    given, split = _splitting(trees, parser, tokenize)
    sources = read_sentences(source, split if given is None or tokenize else given.split)
    references = _parallel(reference, split, source, sources)
    shown = [" ".join(text.split()) for text in read_column(reference).texts]
    outputs = {name: _parallel(path, split, source, sources) for name, path in systems.items()}
    if trees is not None:
        parsed = _read_fitting(trees, source, sources)
    else:
        assert given is not None
        parsed = given.parse(sources, source)
    if alignments:
        if corpus is not None:
            raise BadParameter("`corpus` is to align with, and `alignment` is given; leave one out")
        links = read_alignments(alignments, sources, outputs)
    else:
        parallel = _read_corpus(corpus, split)
        links = learn_alignments(sources, references, outputs, parallel, aligner)
    segments = [
        choice.of_sentence(tree, [own[line] for own in links.values()])
        for line, tree in enumerate(parsed)
    ]
    frames = []
    for name, own in outputs.items():
        rows = _candidates(sources, shown, segments, own, links[name], choice.contiguous)
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
        parser=None if given is None else given.name,
    )


def _splitting(
    trees: str | None, parser: str | None, tokenize: str | None
) -> tuple[Parser | None, Split]:
    """Parser, if there are no trees, and the function that splits outputs into words."""
    if tokenize is not None:
        one_of(tokenize, TOKENIZERS, "tokenize")
    if trees is not None and parser is not None:
        raise BadParameter("`parser` is to make trees, and `trees` are given; leave one out")
    name = tokenize or ("none" if trees is not None else "intl")
    split = at_blanks if name == "none" else TOKENIZERS.named(name).split
    return None if trees is not None else Parser(parser), split


def _parallel(path: str, split: Split, source: str, sources: Sentences) -> Sentences:
    sentences = read_sentences(path, split)
    check_parallel(path, len(sentences), source, len(sources))
    return sentences


def _read_corpus(
    corpus: tuple[str, str] | None, split: Split
) -> tuple[Sentences, Sentences] | None:
    if corpus is None:
        return None
    left = read_sentences(corpus[0], split)
    return left, _parallel(corpus[1], split, corpus[0], left)


def _read_fitting(trees: str, source: str, sources: Sentences) -> list[Tree]:
    """Read the trees of a file, each with as many words as its sentence."""
    parsed = read_trees(trees)
    check_parallel(trees, len(parsed), source, len(sources))
    for number, (tree, tokens) in enumerate(zip(parsed, sources, strict=True), 1):
        if tree.length != len(tokens):
            raise InputError(
                f"the tree has {tree.length} words, line {number} of {source} has {len(tokens)}"
                f"{_parting(tree, tokens)}; parse the same tokens",
                file=trees,
                line=tree.line,
            )
    return parsed


def _parting(tree: Tree, tokens: Sequence[str]) -> str:
    """Describe the first difference between tree and sentence, for a message."""
    for place, (leaf, token) in enumerate(zip(tree.leaves, tokens, strict=False), 1):
        if leaf != token:
            return f"; token {place} is {leaf!r} in the tree, {token!r} in the text"
    return f"; they part after token {min(tree.length, len(tokens))}"


_COLUMNS = {
    "sentence": pl.Int64,
    "source": pl.String,
    "reference": pl.String,
    "source_segment": pl.String,
    "candidate": pl.String,
    "indices": pl.String,
}


def _candidates(
    sources: Sentences,
    references: Sequence[str],
    segments: Sequence[list[Segment]],
    outputs: Sentences,
    links: Sequence[Alignment],
    contiguous: bool,
) -> Iterator[tuple[int, str, str, str, str, str]]:
    """Return one row per source segment."""
    for line, own in enumerate(segments):
        for segment in own:
            yield (
                line + 1,
                " ".join(sources[line]),
                references[line],
                " ".join(sources[line][word] for word in segment),
                " ".join(outputs[line][word] for word in project(segment, links[line], contiguous)),
                " ".join(map(str, segment)),
            )


def project(segment: Segment, links: Alignment, contiguous: bool = False) -> list[int]:
    """Positions of the words that are aligned to a segment."""
    places = sorted({target for word in segment for target in links.get(word, ())})
    if contiguous and places:
        return list(range(places[0], places[-1] + 1))
    return places
