"""Parts of speech, if supplied: of the word, of its neighbours, of its source word."""

import numpy as np

from adjudge.quality.features.column import Column, label
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared
from adjudge.quality.features.links import first_links
from adjudge.quality.features.windows import spelled, window
from adjudge.text.resources.corpus import encode


def _columns(prepared: Prepared) -> list[Column]:
    assert prepared.target_tags is not None
    columns = window("tag", "part of speech", encode(prepared.target_tags), (-1, 0, 1))
    if prepared.source_tags is not None and prepared.lacks("alignment") is None:
        source = encode(prepared.source_tags)
        places = first_links(prepared.links, source.start, prepared.target_start)
        linked = np.append(source.word, -1)[places]
        what = "part of speech of the source word it is linked to"
        columns.append(label("source_tag", what, spelled(linked, source.vocabulary)))
    return columns


FAMILY = Family(
    "tags",
    "parts of speech of the word, its neighbours and its source word",
    "WMT13 §6.7 (LIG)",
    _columns,
    ("target_tags",),
)
