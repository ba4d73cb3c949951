"""A small pipeline of spaCy that learns from a treebank: tags and dependencies."""

import random
from pathlib import Path
from typing import Any

import spacy
from spacy.tokens import Doc
from spacy.training import Example

from adjudge.core.files.input_file import InputFile

EPOCHS = 10
_SHARED = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96, "upstream": "*"}
_TAGGER = {"@architectures": "spacy.Tagger.v2", "tok2vec": _SHARED}
_PARSER = {
    "@architectures": "spacy.TransitionBasedParser.v2",
    "state_type": "parser",
    "extra_state_tokens": False,
    "hidden_width": 64,
    "maxout_pieces": 2,
    "use_upper": True,
    "tok2vec": _SHARED,
}


def train(treebank: Path, folder: str, language: str = "en") -> float:
    """Learn from nine of ten sentences of a file of CoNLL-U, and write the pipeline to a folder.

    Returns the share of words that are attached to the right head in the other sentences.
    """
    spacy.util.fix_random_seed(1)
    nlp = spacy.blank(language)
    nlp.add_pipe("tok2vec")
    nlp.add_pipe("morphologizer", config={"model": _TAGGER})
    nlp.add_pipe("parser", config={"model": _PARSER, "min_action_freq": 5})
    blocks = InputFile(treebank).text.strip().split("\n\n")
    examples = [_example(nlp, block) for block in blocks]
    learnt = [example for place, example in enumerate(examples) if place % 10]
    nlp.initialize(lambda: learnt)
    order = random.Random(1)
    for _ in range(EPOCHS):
        order.shuffle(learnt)
        for batch in spacy.util.minibatch(learnt, 16):
            nlp.update(batch, drop=0.2)
    nlp.to_disk(folder)
    return float(nlp.evaluate(examples[::10])["dep_uas"])


def _example(nlp: Any, block: str) -> Example:
    rows = [line.split("\t") for line in block.split("\n") if line[0] != "#"]
    rows = [row for row in rows if row[0].isdecimal()]
    words = [row[1] for row in rows]
    gold = Doc(
        nlp.vocab,
        words=words,
        heads=[place if row[6] == "0" else int(row[6]) - 1 for place, row in enumerate(rows)],
        deps=["ROOT" if row[6] == "0" else row[7].split(":")[0] for row in rows],
        pos=[row[3] for row in rows],
    )
    return Example(Doc(nlp.vocab, words=words), gold)
