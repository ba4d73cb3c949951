"""WMT13 §4: Tables 7, 8 and 9, and the references of §5; Bojar 2011 §4.1.

The edits themselves are not public. What the papers print of them is put in as edits and reviews,
with as many of each status as the printed figures allow, and must come out again: these tests
check our arithmetic and the order of its steps, not the papers' figures.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl
import pytest

from adjudge.data.edit_table import edit_table
from adjudge.scoring.edits.agreement import acceptability_agreement
from adjudge.scoring.edits.data_rows import data_rows
from adjudge.scoring.edits.references import new_references
from adjudge.scoring.edits.results import Occurrence, occurrences
from adjudge.scoring.edits.understandability import understandability
from adjudge.stats.resampling import Resampling

pytestmark = pytest.mark.arithmetic

# An edit: segment, system, editor, and who reviewed it with which status.
Edit = tuple[str, str, str, Sequence[tuple[str, str]]]


def table_of(made: Iterable[Edit]) -> pl.DataFrame:
    rows: list[dict[str, Any]] = []
    for segment, system, editor, reviews in made:
        about = {"pair": "en-cs", "segment": segment, "output": system}
        empty = all(status == "EMPTY" for _, status in reviews)
        edit = len(rows) + 1
        rows.append(
            about
            | {"protocol": "blind-edit", "item": edit, "judge": editor}
            | {"edit": None if empty else f"edit {edit}", "incomprehensible": empty}
        )
        for reviewer, status in reviews:
            number = len(rows) + 1
            verdict = {"GOOD": "yes", "ALMOST": "yes", "BAD": "no", "EMPTY": None}[status]
            rows.append(
                about
                | {"protocol": "review", "item": number, "judge": reviewer, "reviewed": edit}
                | {"verdict": verdict, "edit": None if status == "GOOD" else f"text {number}"}
            )
    return edit_table(pl.DataFrame(rows, infer_schema_length=None))


STATUSES = ("GOOD", "ALMOST", "BAD", "EMPTY")
# Counts that give all figures of Table 7. Its ALMOST is printed as a share of one, not in percent:
# only 0.12 and not 0.1 % makes the rows add up.
FIRST = (1418, 490, 1725, 449)
REPEATED = (331, 95, 330, 49)
TABLE_7 = {
    "first": ("34.7", "0.1", "42.3", "11.0", 4082),
    "repeated": ("41.1", "0.1", "41.0", "6.1", 805),
    "overall": ("35.8", "0.1", "42.1", "10.2", 4887),
}


def printed(found: Occurrence) -> tuple[str | int, ...]:
    good, almost, bad, empty = (n / found.total for n in found.counts)
    percents = [f"{100 * share:.1f}" for share in (good, bad, empty)]
    return percents[0], f"{almost:.1f}", *percents[1:], found.total


def test_table_7(published) -> None:
    """An edit is repeated where its editor had edited or reviewed the segment before. ALMOST is
    printed as a share of one; only so do the rows add up.
    """
    first = [status for status, n in zip(STATUSES, FIRST, strict=True) for _ in range(n)]
    repeated = [status for status, n in zip(STATUSES, REPEATED, strict=True) for _ in range(n)]
    made: list[Edit] = [
        (f"{n}", "system", "editor", [("reviewer", status)]) for n, status in enumerate(first)
    ]
    made += [  # half of them by somebody who has only reviewed the segment
        (f"{n}", "other", "reviewer" if n % 2 else "editor", [("third", status)])
        for n, status in enumerate(repeated)
    ]
    found = occurrences(data_rows(table_of(made)))
    assert {one.occurrence: printed(one) for one in found} == TABLE_7
    table = published("WMT13", "Table 7", "made to fit")
    for one in found:
        figures = tuple(map(str, TABLE_7[one.occurrence]))
        table.row(one.occurrence, figures, tuple(map(str, printed(one))))


ORDER = ("GOOD GOOD", "ALMOST ALMOST", "BAD BAD", "ALMOST BAD", "ALMOST GOOD", "GOOD BAD")
# Pairs of reviews; test_wmt13_agreement.py says where they come from.
PAIRS = {"inter": (773, 58, 675, 320, 249, 615), "intra": (54, 9, 48, 7, 11, 41)}
TABLE_8 = {
    ("inter", "separate"): (2690, "56.0", "0.270"),
    ("inter", "as BAD"): (2690, "67.9", "0.351"),
    ("inter", "as GOOD"): (2690, "65.2", "0.289"),
    ("intra", "separate"): (170, "65.3", "0.410"),
    ("intra", "as BAD"): (170, "69.4", "0.386"),
    ("intra", "as GOOD"): (170, "71.8", "0.422"),
}


def test_table_8() -> None:
    made: list[Edit] = []
    for kind, second in (("inter", "reviewer 2"), ("intra", "reviewer 1")):
        for pair, n in zip(ORDER, PAIRS[kind], strict=True):
            one, other = pair.split()
            reviews = [("reviewer 1", one), (second, other)]
            made += [(f"{kind} {pair} {i}", "system", "editor", reviews) for i in range(n)]
    # Nothing was shown that could be an EMPTY's agreement.
    made += [("empty", "system", "editor", [("reviewer 1", "EMPTY"), ("reviewer 2", "EMPTY")])]
    found = acceptability_agreement(data_rows(table_of(made)), Resampling(replicates=20))
    assert {
        (one.agreed.kind, one.almost): (
            one.agreed.comparable,
            f"{100 * one.agreed.agree / one.agreed.comparable:.1f}",
            f"{one.agreed.value('fleiss'):.3f}",
        )
        for one in found
    } == TABLE_8


def test_table_9(published) -> None:
    """The text gives the reference, the average, and how wide the intervals are.

    Of 4082 first edits 46.7 % are GOOD or ALMOST; that the systems have 44.2 % of them leaves
    between 250 and 310 for the reference.
    """
    sizes = {"reference": (264, 212)} | {
        f"system {i}": (347, accepted)
        for i, accepted in enumerate((176, 172, 170, 168, 167, 149, 146, 143, 138, 131, 127))
    }
    made: list[Edit] = [
        (f"{system} {i}", system, "editor", [("reviewer", "GOOD" if i < accepted else "BAD")])
        for system, (rows, accepted) in sizes.items()
        for i in range(rows)
    ]
    found = understandability(data_rows(table_of(made)))
    assert found.systems[0] == "reference"
    table = published("WMT13", "Table 9", "made to fit")
    table.row("the reference, %", "80.3", 100 * found.share[0])
    table.row("average of the systems, %", "44.2", 100 * found.average)
    half = 50 * (found.high - found.low)
    assert half[0] == pytest.approx(4.8, abs=0.25)
    assert all(4.6 < one < 5.7 for one in half)
    assert 50 * (found.average_high - found.average_low) == pytest.approx(1.6, abs=0.15)
    # All the data could separate were the reference and two groups, ranks 2 to 6 and the rest.
    assert (found.rank_low[0], found.rank_high[0]) == (1, 1)
    assert found.rank_low[1] == 2
    assert found.rank_high[-1] == 12


def test_references_per_sentence(published) -> None:
    """Every row gives one, whatever its status: 4311 for 1468 sentences."""
    made: list[Edit] = [
        (f"{n % 1468}", f"system {n // 1468}", "editor", [("reviewer", STATUSES[n % 4])])
        for n in range(4311)
    ]
    (found,) = new_references(data_rows(table_of(made)))
    table = published("WMT13", "§4", "made to fit")
    ours = (found.number, sum(found.segments), found.mean)
    table.row("new references, sentences, mean", ("4311", "1468", "2.94"), ours)


def test_bojar_2011_a_score_of_five_edits() -> None:
    """CU-BOJAR with 3 of 5 acceptable edits seems far better than CMU with 5 of 30."""
    made: list[Edit] = [
        (f"{system} {i}", system, "editor", [("reviewer", "GOOD" if i < accepted else "BAD")])
        for system, edited, accepted in (("cu-bojar", 5, 3), ("cmu", 30, 5))
        for i in range(edited)
    ]
    found = understandability(data_rows(table_of(made)))
    assert found.systems == ("cu-bojar", "cmu")
    assert list(found.edits) == [5, 30]
    assert [f"{share:.2f}" for share in found.share] == ["0.60", "0.17"]
    assert found.low[0] < found.high[1]  # nothing is shown by that
    low, high = found.wilson(0)
    assert low < 0.25
    assert high > 0.85
