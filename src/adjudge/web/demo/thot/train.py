"""Train a phrase-based translation model with sil-thot.

    python train.py SOURCE TARGET MODEL

SOURCE and TARGET are parallel texts with one sentence per line and words separated by blanks. MODEL
is a folder, which appears once it is complete. Words are aligned both ways by fast_align, phrases
of up to seven words extracted from the two alignments together, and three-grams of the target
counted.

It stands alone: `examples/thot-decoder` has it, too.
"""

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from thot.alignment import FastAlignModel
from thot.translation import AlignmentExtractor, PhraseExtractParameters, PhraseModel

ROUNDS = 5  # of expectation maximisation
LONGEST = 7  # words of a phrase
MOST = 20  # translations of a phrase
ORDER = 3  # of the language model

Sentences = Sequence[Sequence[str]]


def train(source: Path, target: Path, model: Path) -> None:
    """Write all files that the decoder reads."""
    sources, targets = _sentences(source), _sentences(target)
    if len(sources) != len(targets):
        sys.exit(f"{source} has {len(sources)} lines, {target} has {len(targets)}")
    with tempfile.TemporaryDirectory(dir=model.parent, prefix=f".{model.name}.") as folder:
        made = Path(folder) / "model"
        made.mkdir()
        align(sources, targets, made / "tm_invswm")
        align(targets, sources, made / "tm_swm")
        extract_phrases(made / "tm")
        count_words(targets, made / "lm")
        for path in (*made.glob("*.bestal"), made / "tm.A3.final"):
            path.unlink()  # the decoder does not read alignments
        os.replace(made, model)


def align(sources: Sentences, targets: Sentences, model: Path) -> None:
    """Align in one direction: a lexicon of words, and the best alignment of every pair in Giza's
    format.
    """
    aligner = FastAlignModel()
    for source, target in zip(sources, targets, strict=True):
        aligner.add_sentence_pair(source, target)
    aligner.start_training()
    for _ in range(ROUNDS):
        aligner.train()
    aligner.end_training()
    aligner.print(str(model))
    with open(f"{model}.bestal", "w", encoding="utf-8") as file:
        for source, target in zip(sources, targets, strict=True):
            _, matrix = aligner.get_best_alignment(source, target)
            rows = [[j + 1 for j in range(len(target)) if matrix[i, j]] for i in range(len(source))]
            aligned = set().union(*rows)
            nowhere = [j + 1 for j in range(len(target)) if j + 1 not in aligned]
            words = zip(["NULL", *source], [nowhere, *rows], strict=True)
            said = " ".join(f"{word} ({{ {''.join(f'{j} ' for j in own)}}})" for word, own in words)
            file.write(f"# 1\n{' '.join(target)}\n{said}\n")


def extract_phrases(model: Path) -> None:
    """Extract the phrase table from the symmetrised alignments."""
    extractor = AlignmentExtractor()
    extractor.open(f"{model}_swm.bestal")
    extractor.symmetrize1(f"{model}_invswm.bestal", f"{model}.A3.final", transpose=True)
    extractor.close()
    parameters = PhraseExtractParameters()
    parameters.max_target_phrase_length = LONGEST
    phrases = PhraseModel()
    phrases.build(f"{model}.A3.final", parameters, pseudo_ml=False)
    phrases.print_phrase_table(f"{model}.ttable", n=MOST)
    # How much the table counts beside the lexicon, and how long segments are: as Thot has it.
    for ending, text in {
        "lambda": "0.7 0.7",
        "srcsegmlentable": "Uniform",
        "trgcutstable": "0.999",
        "trgsegmlentable": "Geometric",
    }.items():
        Path(f"{model}.{ending}").write_text(text)


def count_words(targets: Sentences, model: Path) -> None:
    """Write n-grams with their counts; the first occurrence of a word counts as unknown."""
    counts: Counter[tuple[str, ...]] = Counter()
    known: set[str] = set()
    for target in targets:
        words = ["<s>", *(word if word in known else "<unk>" for word in target), "</s>"]
        known.update(target)
        for order in range(1, ORDER + 1):
            counts.update(zip(*(words[k:] for k in range(order)), strict=False))
    number = sum(count for gram, count in counts.items() if len(gram) == 1)
    with model.open("w", encoding="utf-8") as file:
        for gram, count in sorted(counts.items(), key=lambda item: (len(item[0]), item[0])):
            before = counts[gram[:-1]] if len(gram) > 1 else number
            file.write(f"{' '.join(gram)} {before} {count}\n")
    Path(f"{model}.weights").write_text(f"{ORDER} 3 10{' 0.5' * 3 * ORDER}\n")
    Path(f"{model}.wp").write_text("")  # for translation as one types, which is not wanted


def _sentences(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text("utf-8").splitlines()]


if __name__ == "__main__":
    train(*map(Path, sys.argv[1:]))
