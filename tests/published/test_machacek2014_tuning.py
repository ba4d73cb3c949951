"""Macháček 2014 §3.3: the four tuned systems' translations of newstest2012.

Which tokenizer scored them is not said. With quotes and dashes made plain, mteval-13a and lower
case, all eight figures come out by .0005 to .0007 too low, and their differences right.
"""

import re
from pathlib import Path

import pytest
from scipy.stats import binomtest

from adjudge.core.files.input_file import InputFile
from adjudge.metrics.metric import metric_named
from adjudge.text.reading import read_lines

PAPER, DATA = "Macháček 2014", "SegRanks"
# What was tuned towards: its file, BLEU, CDER; of a hundred sentences better and worse, share of
# sentences that differ from the baseline's.
PRINTED = {
    "BLEU (baseline)": ("bleu-baseline", "0.1782", "0.3855", None, ""),
    "ExactMatch": ("interpolated-contains", "0.1637", "0.3674", (22, 38), "83.4"),
    "PenalizeUnknown": ("interpolated-penalizeunknow", "0.1772", "0.3850", (34, 25), "62.4"),
    "SegRanksBLEU": ("enhanced-bleu", "0.1753", "0.3835", (29, 49), "58.6"),
}
PLAIN = (("[„“”‚‘’«»]", '"'), ("[–—]", "-"))


@pytest.fixture(scope="module")
def texts(shared_data: Path) -> dict[str, tuple[str, ...]]:
    """The lines of every file."""
    folder = shared_data / "segranks" / "tuned"
    names = [name for name, *_ in PRINTED.values()]
    return {
        name: tuple(read_lines(InputFile(str(folder / f"{name}.txt.gz"))))
        for name in (*names, "reference")
    }


def _plain(lines: tuple[str, ...]) -> tuple[str, ...]:
    text = "\n".join(lines)
    for marks, plain in PLAIN:
        text = re.sub(marks, plain, text)
    return tuple(text.split("\n"))


def _scores(texts: dict[str, tuple[str, ...]], name: str) -> tuple[float, float]:
    """BLEU and 1 − CDER."""
    values = []
    for signature in ("bleu(lowercase=yes)", "cder(lowercase=yes)"):
        metric = metric_named(signature)
        counts = metric.statistics((_plain(texts["reference"]),))(_plain(texts[name]))
        value = float(metric.values(counts.sum(axis=0))) / 100
        values.append(value if metric.higher_is_better else 1 - value)
    return values[0], values[1]


@pytest.mark.slow
def test_table_3_8(published, texts):
    """Which tokenizer scored them is not said; quotes and dashes made plain, mteval-13a and lower
    case come nearest, .0005 to .0007 below print everywhere. The systems are the author's."""
    table = published(PAPER, "Table 3.8", DATA)
    ours = {tuned: _scores(texts, own[0]) for tuned, own in PRINTED.items()}
    for tuned, (_, bleu, cder, *_) in PRINTED.items():
        table.row(f"{tuned}: BLEU, CDER", (bleu, cder), ours[tuned], within=0.0008)
    first = ours["BLEU (baseline)"]
    for tuned, (_, bleu, cder, *_) in PRINTED.items():  # the differences come out
        gaps = [a - b for a, b in zip(first, ours[tuned], strict=True)]
        assert gaps == pytest.approx([0.1782 - float(bleu), 0.3855 - float(cder)], abs=0.0002)


def test_sentences_that_differ(published, texts):
    """Lines that are not the baseline's."""
    table = published(PAPER, "Table 3.8 note 2", DATA)
    for tuned, (name, *_, share) in list(PRINTED.items())[1:]:
        pairs = zip(texts[name], texts["bleu-baseline"], strict=True)
        table.row(tuned, share, 100 * sum(a != b for a, b in pairs) / 3003)


def test_better_and_worse_by_chance():
    """Among 59 to 78 judged differences, only SegRanksBLEU's falls out of what a coin gives."""
    p = {
        tuned: binomtest(min(own[3]), sum(own[3])).pvalue
        for tuned, own in PRINTED.items()
        if own[3] is not None
    }
    assert {tuned: round(value, 2) for tuned, value in p.items()} == {
        "ExactMatch": 0.05,
        "PenalizeUnknown": 0.3,
        "SegRanksBLEU": 0.03,
    }
