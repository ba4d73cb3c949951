"""Word alignment: number and distribution of links, and reordering.

Amount and distribution of links, after FBK-UEdin (WMT13 §6.7). Links are those given with the data;
without any, every token is linked to its likeliest translation by IBM Model 1.
"""

import numpy as np

from adjudge.quality.features.column import Column, Floats, Numbers, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared, share
from adjudge.quality.features.links import Links


def _columns(prepared: Prepared) -> list[Column]:
    links = prepared.links
    rows = len(prepared)
    number_of_links = np.bincount(links.row, minlength=rows)
    columns = [
        number(
            "links_per_source_token",
            "links per source token",
            share(number_of_links, prepared.source_lengths),
        )
    ]
    for side, places, lengths in (
        ("source", links.source, prepared.source_lengths),
        ("target", links.target, prepared.target_lengths),
    ):
        linked = _linked(links.row, places, lengths)
        columns += _side(side, linked, links.row, places, lengths)
    return [*columns, *_order(links, prepared)]


def _linked(row: Numbers, places: Numbers, lengths: Numbers) -> Numbers:
    """Number of links of every token; all rows end to end."""
    start = np.append(0, np.cumsum(lengths))
    return np.bincount(start[row] + places, minlength=int(start[-1]))


def _side(
    side: str, linked: Numbers, row: Numbers, places: Numbers, lengths: Numbers
) -> list[Column]:
    rows = len(lengths)
    of_token = np.repeat(np.arange(rows), lengths)
    none = np.bincount(of_token[linked == 0], minlength=rows)
    many = np.bincount(of_token[linked > 1], minlength=rows)
    return [
        number(f"{side}_unlinked", f"share of {side} tokens without a link", share(none, lengths)),
        number(
            f"{side}_linked_twice",
            f"share of {side} tokens with several links",
            share(many, lengths),
        ),
        number(
            f"{side}_longest_gap",
            f"longest run of {side} tokens without a link, by {side} tokens",
            share(_longest_run(linked == 0, lengths), lengths),
        ),
    ]


def _longest_run(marked: "np.typing.NDArray[np.bool_]", lengths: Numbers) -> Numbers:
    """Longest run of marked tokens in every row."""
    start = np.append(0, np.cumsum(lengths))
    begins = np.zeros(len(marked) + 1, bool)
    begins[start] = True
    place = np.arange(len(marked))
    # The last place where a run was broken: before a row, or at a token that is not marked.
    broken = np.maximum.accumulate(
        np.where(~marked, place, np.where(begins[:-1], place - 1, -1)) if len(marked) else place
    )
    run = np.where(marked, place - broken, 0)
    longest = np.zeros(len(lengths), np.int64)
    np.maximum.at(longest, np.repeat(np.arange(len(lengths)), lengths), run)
    return longest


def _order(links: Links, prepared: Prepared) -> list[Column]:
    """Jumps between consecutive links, in the order of target tokens."""
    rows = len(prepared)
    follows = links.row[1:] == links.row[:-1]
    row = links.row[1:][follows]
    jump = (links.source[1:] - links.source[:-1])[follows]
    steps = np.bincount(row, minlength=rows)

    def mean(values: Floats | Numbers) -> Floats:
        return share(np.bincount(row, values, minlength=rows), steps)

    relative = share(links.source, prepared.source_lengths[links.row]) - share(
        links.target, prepared.target_lengths[links.row]
    )
    return [
        number(
            "links_backwards",
            "share of links that go back in the source from the one before",
            mean(jump < 0),
        ),
        number(
            "links_in_order",
            "share of links to the source token next to that of the one before",
            mean(jump == 1),
        ),
        number(
            "jump", "mean distance from one linked source token to the next", mean(np.abs(jump))
        ),
        number(
            "off_diagonal",
            "mean distance of links from the diagonal, as a share of the sentence",
            share(
                np.bincount(links.row, np.abs(relative), minlength=rows),
                np.bincount(links.row, minlength=rows),
            ),
        ),
    ]


FAMILY = Family(
    "alignment",
    "linked and unlinked words, and changes of order",
    "WMT13 §6.7",
    _columns,
    ("alignment",),
)
