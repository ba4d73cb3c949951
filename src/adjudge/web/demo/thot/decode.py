"""sil-thot as a decoder command: a file of weights in, an n-best list out.

    python decode.py MODEL SOURCE WEIGHTS LIST

MODEL is the folder that `train.py` wrote, SOURCE a text with one sentence per line and words
separated by blanks. The eight features have the names that Thot gives to their weights.

It stands alone: `examples/thot-decoder` has it, too.
"""

import sys
from pathlib import Path

from thot.alignment import AlignmentModelType
from thot.translation import SmtDecoder, SmtModel

FEATURES = ("wp", "lm", "tseglen", "sjump", "sseglen", "pts", "pst", "swlenli")
BEST = 100  # candidates of a sentence


def decode(folder: Path, source: Path, weights: Path, nbest: Path) -> None:
    """Decode the best candidates of every sentence with these weights."""
    given = dict(line.split("=") for line in weights.read_text().split())
    model = SmtModel(AlignmentModelType.FAST_ALIGN)
    if not (
        model.load_translation_model(f"{folder}/tm") and model.load_language_model(f"{folder}/lm")
    ):
        sys.exit(f"{folder}: no model of Thot; train one")
    model.non_monotonicity = 0  # target phrases in the order of the source
    model.w, model.a, model.e, model.heuristic = 0.4, 10, 2, 6  # as Thot's own trainer has them
    model.weights = [float(given[name]) for name in FEATURES]
    decoder = SmtDecoder(model)
    decoder.s = 10  # hypotheses of a stack
    decoder.is_breadth_first = True
    with nbest.open("w", encoding="utf-8") as file:
        for sentence, words in enumerate(source.read_text("utf-8").splitlines()):
            for candidate in decoder.translate_n(words, BEST):
                values = zip(FEATURES, candidate.score_components, strict=True)
                features = " ".join(f"{name}={value!r}" for name, value in values)
                text = " ".join(candidate.target)
                file.write(f"{sentence} ||| {text} ||| {features} ||| {candidate.score}\n")


if __name__ == "__main__":
    decode(*map(Path, sys.argv[1:]))
