"""Short segments for judging: phrases of sentences and their translations.

Either the six-column file of SegRanks (Macháček 2014, appendix B.2: sentence, source sentence,
reference, source segment, candidate segment, zero-based word indices), which names no systems; or
`segments.tsv` of its database, with systems, beside `sentences.tsv`. Candidates with equal texts
are merged.

If outputs of systems are given too, they identify the systems of a six-column candidate: of the
candidates of a phrase, the one that stands in the system's sentence with the fewest words left out,
then the longest. They also show the sentence a candidate stands in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from adjudge.core.errors import InputError
from adjudge.core.files.checked_table import refuse
from adjudge.core.files.delimited import read_delimited
from adjudge.core.files.input_file import InputFile
from adjudge.data.formats.segranks_database import is_table_of_segments, read_segments
from adjudge.data.formats.segranks_segments import COLUMNS, check_segments
from adjudge.text.phrases import Sentence
from adjudge.text.reading import read_column, read_documents
from adjudge.text.testset import Column, Part, PartOutput, TestSet, assemble


def read_phrases(
    segments: str,
    systems: Mapping[str, str] | None = None,
    documents: str | None = None,
    languages: tuple[str, str] = ("", ""),
) -> TestSet:
    """Read a test set of sentences with parts; `systems` maps names to files of whole outputs."""
    file = InputFile(segments)
    rows = _database(file) if is_table_of_segments(file) else _six_columns(file)
    return phrases_of(rows, file.name, systems, documents, languages)


def phrases_of(
    rows: pl.DataFrame,
    name: str,
    systems: Mapping[str, str] | None = None,
    documents: str | None = None,
    languages: tuple[str, str] = ("", ""),
) -> TestSet:
    """Build a test set from rows of candidates; `name` describes their origin in errors."""
    columns = {system: read_column(path) for system, path in (systems or {}).items()}
    of_lines = None if documents is None else read_documents(InputFile(documents))
    names = rows["sentence"].unique(maintain_order=True).to_list()
    lines = _lines(name, names, {c.file: c.texts for c in columns.values()}, of_lines)
    order = sorted(range(len(names)), key=lambda place: lines[place])
    sentences = rows.unique("sentence", keep="first", maintain_order=True)[order]
    picked = {
        system: Column(column.file, tuple(column.texts[lines[place]] for place in order))
        for system, column in columns.items()
    }
    texts = assemble(
        Column(name, tuple(sentences["source"]), None, tuple(sentences["sentence"])),
        Column(name, tuple(sentences["reference"])),
        picked,
        None if of_lines is None else [of_lines[lines[place]] for place in order],
        languages,
    )
    return _with_parts(texts, rows)


def _six_columns(file: InputFile) -> pl.DataFrame:
    def build(frame: pl.DataFrame) -> pl.DataFrame:
        frame = check_segments(frame)
        for text in ("source", "reference"):
            refuse(
                frame,
                pl.col(text) != pl.col(text).first().over("sentence"),
                f"sentence {{}} had another {text} further up; mend one of them",
                "sentence",
            )
        return frame.with_columns(systems=pl.lit(None, pl.List(pl.String)))

    return read_delimited(
        file, build, separator="\t", columns=COLUMNS, check=lambda frame, name: frame
    )


def _database(file: InputFile) -> pl.DataFrame:
    rows = read_segments(file).select(
        "sentence",
        "source",
        "reference",
        "source_segment",
        pl.col("candidate_segment").alias("candidate"),
        pl.col("source_word_indices").alias("indices"),
        pl.col("systems").str.split(" "),
        line=pl.int_range(2, pl.len() + 2),
    )
    try:
        unknown = "sentence {} is not in sentences.tsv; use the one of this project"
        refuse(rows, pl.col("source").is_null(), unknown, "sentence")
        return check_segments(rows)
    except InputError as error:
        raise InputError(error.reason, file=file.name, line=error.line) from None


def _lines(
    file: str,
    names: Sequence[str],
    texts: Mapping[str, Sequence[str]],
    documents: Sequence[str] | None,
) -> list[int]:
    """Line of the other files for each sentence.

    If all sentences are numbers, sentence 7 is line 7; otherwise the files hold exactly the
    sentences of `file`, in its order.
    """
    lengths = {name: len(lines) for name, lines in texts.items()}
    if documents is not None:
        lengths["the table of documents"] = len(documents)
    numbers = [int(name) for name in names if name.isdecimal() and name == str(int(name))]
    longest = min(lengths.values(), default=0) or max(numbers, default=0)
    if len(numbers) == len(names) and min(numbers) >= 1 and max(numbers) <= longest:
        return [number - 1 for number in numbers]
    for name, length in lengths.items():
        if length != len(names):
            raise InputError(
                f"has {length:,} lines for the {len(names):,} sentences of {file}; give one "
                "line a sentence, or number the sentences by their lines",
                file=name,
            )
    return list(range(len(names)))


def _with_parts(texts: TestSet, rows: pl.DataFrame) -> TestSet:
    """Add the phrases of every sentence to the test set, in word order."""
    merged = (
        rows.group_by("sentence", "indices", "candidate", maintain_order=True)
        .agg(
            pl.col("source_segment").first(),
            pl.col("systems").explode().drop_nulls().unique().sort(),
        )
        .group_by("sentence", "indices", maintain_order=True)
        .agg(pl.col("source_segment").first(), "candidate", "systems")
    )
    place_of = {name: place for place, name in enumerate(texts.names)}
    written = [
        {system: Sentence(outputs[place]) for system, outputs in texts.systems.items()}
        for place in range(len(texts.names))
    ]
    parts: list[list[Part]] = [[] for _ in texts.names]
    for sentence, indices, phrase, candidates, systems in merged.iter_rows():
        place = place_of[sentence]
        words = tuple(int(index) for index in indices.split(" "))
        credited = dict(zip(candidates, systems, strict=True))
        if not any(systems):
            credited = _makers(candidates, written[place])
        outputs = tuple(_output(text, credited[text], written[place]) for text in candidates)
        parts[place].append(Part(words, phrase, outputs))
    in_order = tuple(tuple(sorted(own, key=lambda part: part.words)) for own in parts)
    return replace(texts, parts=in_order)


def _makers(candidates: Sequence[str], written: Mapping[str, Sentence]) -> dict[str, list[str]]:
    """Systems of each candidate of a phrase, as far as their outputs show."""
    makers: dict[str, list[str]] = {candidate: [] for candidate in candidates}
    for system, sentence in written.items():
        placed = {
            candidate: phrase
            for candidate in candidates
            if (phrase := sentence.find(candidate)) is not None
        }
        if placed:
            makers[max(placed, key=lambda name: placed[name].closeness)].append(system)
    return makers


def _output(text: str, systems: Sequence[str], written: Mapping[str, Sentence]) -> PartOutput:
    """Locate a candidate in the sentence of its first system."""
    for system in systems:
        phrase = written[system].find(text) if system in written else None
        if phrase is not None:
            return PartOutput(text, tuple(systems), written[system].text, phrase.spans[0][0])
    return PartOutput(text, tuple(systems))
