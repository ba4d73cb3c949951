"""Demo corpus: twelve short English documents and their German translations.

Written for this project: everybody and everything in it is invented. The six systems err the
way real ones do:

| system                | how it errs                                                         |
|-----------------------|---------------------------------------------------------------------|
| literal-rbmt          | word for word, idioms and names translated                          |
| baseline-smt          | English word order, wrong agreement, verbs dropped                  |
| baseline-smt-postedit | the same, roughly mended: often the very same text                  |
| fluent-nmt            | fluent German that says something else                              |
| small-nmt             | words and names dropped or left in English                          |
| large-nmt             | good; little to find fault with                                     |
"""

import json
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files
from typing import Any

from adjudge.text.testset import TestSet

# How well simulated judges think of each system.
QUALITIES = {
    "literal-rbmt": -0.4,
    "baseline-smt": -0.3,
    "baseline-smt-postedit": 0.0,
    "fluent-nmt": 0.0,
    "small-nmt": 0.0,
    "large-nmt": 0.3,
}


@cache
def corpus() -> TestSet:
    """Demo corpus; segments are named by their line numbers."""
    source = _lines("source.txt")
    documents: list[str] = []
    for line in _lines("documents.tsv")[1:]:
        document, first, last = line.split("\t")
        documents += [document] * (int(last) - int(first) + 1)
    return TestSet(
        source=source,
        reference=_lines("reference.txt"),
        documents=tuple(documents),
        names=tuple(str(line) for line in range(1, len(source) + 1)),
        systems={name: _lines("systems", f"{name}.txt") for name in QUALITIES},
        source_language="en",
        target_language="de",
    )


def tutorial() -> tuple[dict[str, Any], ...]:
    """Three practice items from the corpus for ranking (docs/campaigns.md)."""
    return tuple(json.loads("\n".join(_lines("tutorial.json"))))


def quality(segment: str, systems: tuple[str, ...], text: str) -> float:
    """Quality of a text for simulated judges, before their own noise.

    It is that of the best system that wrote it, raised by the share of the reference's words it has
    in order; equal texts are therefore equally good.
    """
    reference = corpus().reference or ()
    wanted = reference[int(segment) - 1].split()
    words = SequenceMatcher(None, text.split(), wanted, autojunk=False)
    return max(QUALITIES.get(system, 1.0) for system in systems) + words.ratio()


def _lines(*path: str) -> tuple[str, ...]:
    text = files(__package__).joinpath("data", *path).read_text(encoding="utf-8")
    return tuple(text.splitlines())
