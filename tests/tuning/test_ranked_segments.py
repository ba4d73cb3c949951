"""Tuning towards ranked segments (Macháček 2014 §3.3.2): by hand, and on the thesis's database."""

from html import unescape
from pathlib import Path

import numpy as np
import pytest

import adjudge
from adjudge.core.errors import BadParameter
from adjudge.core.files.input_file import InputFile
from adjudge.data.outputs import join_systems
from adjudge.segments.segranks_bleu import SegRanksBleu, further_references
from adjudge.text.reading import read_lines
from adjudge.tuning.objective import interpolated
from adjudge.tuning.segranks import (
    SEGMENT_METRICS,
    ExactMatch,
    PenalizeUnknown,
    database_of,
    hit_rate,
    metric_of_segments,
)

pytestmark = pytest.mark.slow

# On the tokenised outputs of newstest2014: ExactMatch, PenalizeUnknown, hits of 7,904 segments.
REFERENCE = {
    "CU-TectoMT": (0.4759, 0.3823, 0.8598),
    "commercial1": (0.4111, 0.3686, 0.9211),
}


@pytest.fixture(scope="module")
def by_hand() -> adjudge.Segments:
    """Two segments of one sentence; A and B made the first candidate of the first segment."""
    import polars as pl

    ranked = [
        (1, "0,1,2", "A B", 1, "černá kočka spí"),
        (1, "0,1,2", "C", 2, "kočka spí"),
        (2, "3,4,5", "A", 1, "na zelené střeše"),
        (2, "3,4,5", "B C", 1, "na střeše"),
    ]
    frame = pl.DataFrame(
        {
            "pair": "en-cs",
            "protocol": "segments",
            "segment": f"1:{words}",
            "ranking": number,
            "output": join_systems(systems.split()),
            "rank": rank,
            "text": text,
            "source": "a black cat sleeps on a green roof",
            "reference": "černá kočka spí na zelené střeše",
        }
        for number, words, systems, rank, text in ranked
    )
    return adjudge.from_rankings(frame).segments()


@pytest.mark.parametrize(
    ("text", "exact", "penalised"),
    [
        # The longest one that is found counts; a tie is no comparison.
        ("černá kočka spí na střeše", (100, 1, 2, 2), (100, 1, 2, 2)),
        # Word for word: "kočka spí" beside letters is no hit; lost to three systems each.
        ("kočka spící", (0, 0, 0, 2), (0, 6, 0, 2)),
        ("kočka spí", (0, 2, 1, 2), (0, 5, 1, 2)),
    ],
)
def test_counts_by_hand(by_hand, text: str, exact: tuple, penalised: tuple) -> None:
    for metric, expected in ((ExactMatch, exact), (PenalizeUnknown, penalised)):
        counted = metric(database=by_hand.databases[0]).statistics((("a b",),))((text,))
        np.testing.assert_array_equal(counted, [expected])


def test_every_metric_of_segments_counts_hits(by_hand) -> None:
    texts = ("černá kočka spí na střeše",)
    for make in SEGMENT_METRICS.values():
        counted = make(by_hand.databases[0]).statistics((("a b",),))
        objective = interpolated([make(by_hand.databases[0])], [counted(texts).shape[1]])
        assert hit_rate(counted(texts), objective) == 1
        assert hit_rate(counted(("kočka spí",)), objective) == 0.5
        assert database_of(objective) is by_hand.databases[0]


def test_hits_leave_bleu_as_it_is(by_hand) -> None:
    texts, references = ("černá kočka spí na střeše",), ("černá kočka spí na zelené střeše",)
    own = metric_of_segments("segranks-bleu", by_hand.databases[0])
    further = further_references(by_hand.databases[0], 1)
    plain = SegRanksBleu().statistics((references, *further))(texts)
    counted = own.statistics((references,))(texts)
    np.testing.assert_array_equal(counted[:, :-2], plain)
    assert own.values(counted[0]) == SegRanksBleu().values(plain[0])
    assert own.segment_values(counted)[0] == SegRanksBleu().segment_values(plain)[0]


def test_without_segments_there_is_nothing_to_tune_towards() -> None:
    with pytest.raises(BadParameter, match="needs ranked `segments`"):
        metric_of_segments("exact-match", None)


@pytest.mark.shared_data
def test_systems_of_the_thesis(shared_data: Path, tmp_path: Path) -> None:
    given = shared_data / "segranks"
    for name in ("annotations", "sentences"):
        (tmp_path / f"{name}.tsv.gz").symlink_to(given / f"{name}.tsv.gz")
    (tmp_path / "segments.tsv.gz").symlink_to(given / "segments-remapped.tsv.gz")
    database = adjudge.read(str(tmp_path / "annotations.tsv.gz")).segments().databases[0]
    reference = read_lines(InputFile(str(given / "reference.txt.gz")))
    metrics = [kind(database=database) for kind in (ExactMatch, PenalizeUnknown)]
    for system, (exact, penalised, hits) in REFERENCE.items():
        tokens = given / "extraction" / "tokenized" / f"{system}.txt.gz"  # by Moses
        lines = tuple(map(unescape, read_lines(InputFile(str(tokens)))))
        sums = [metric.statistics((reference,))(lines).sum(axis=0) for metric in metrics]
        assert sums[0][3] == 7905  # of which one was listed twice
        assert sums[0][2] / sums[0][3] == pytest.approx(hits, abs=0.0005)
        found = [own[0] / own[1] / 100 for own in sums]
        assert found == pytest.approx([exact, penalised], abs=0.003)
