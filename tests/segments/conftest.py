"""Shared by the tests of segments: small databases, in memory."""

from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl
import pytest

import adjudge
from adjudge.data.outputs import join_systems

# annotation, systems, rank, text
Rows = Sequence[tuple[int, str, int, str]]


@pytest.fixture(scope="session")
def database_of() -> Callable[..., adjudge.Segments]:
    """`database_of([(1, "A B", 1, "kočka"), …])`: annotation n is of segment n, sentence n."""

    def database_of(rows: Rows, **columns: object) -> adjudge.Segments:
        frame = pl.DataFrame(
            {
                "pair": "en-cs",
                "protocol": "segments",
                "segment": f"{number}:0,1,2",
                "ranking": number,
                "output": join_systems(systems.split()),
                "rank": rank,
                "text": text,
                "source": "a black cat sleeps",
                "reference": "černá kočka spí",
            }
            | columns
            for number, systems, rank, text in rows
        )
        return adjudge.from_rankings(frame).segments()

    return database_of


SEGRANKS = {
    "annotations.tsv": (
        "annotation segment annotator ranks created_utc seconds",
        "1 1 7 1,2,3 2014-05-20_07:15:58 9",
        "2 2 7 1,1,4 2014-05-20_07:16:58 8",
        "3 3 7 2,1 2014-05-20_07:17:58 7",
    ),
    "segments.tsv": (
        "segment sentence source_segment source_word_indices candidate candidate_segment systems",
        "1 1 a_black_cat 0,1,2 0 černá_kočka A",
        "1 1 a_black_cat 0,1,2 1 černé_kočky B",
        "1 1 a_black_cat 0,1,2 2 kočka C",
        "2 1 on_the_mat 4,5,6 0 na_rohoži A",
        "2 1 on_the_mat 4,5,6 1 na_rohožce B",
        "2 1 on_the_mat 4,5,6 2 rohož C",
        "3 2 the_dog_barks 0,1,2 0 psí_kůra A,B",
        "3 2 the_dog_barks 0,1,2 1 pes_štěká C",
    ),
    "sentences.tsv": (
        "sentence source reference",
        "1 a_black_cat_sleeps_on_the_mat černá_kočka_spí_na_rohoži",
        "2 the_dog_barks_now pes_teď_štěká",
    ),
}


@pytest.fixture
def segranks_tables(tmp_path: Path) -> Path:
    """A folder with the three tables of SegRanks's database: two sentences, three segments."""
    split = str.maketrans({" ": "\t", "_": " ", ",": " "})
    for name, lines in SEGRANKS.items():
        header, *rows = lines
        text = [header.replace(" ", "\t"), *(row.translate(split) for row in rows)]
        (tmp_path / name).write_text("\n".join(text) + "\n")
    return tmp_path
