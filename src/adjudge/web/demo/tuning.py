"""Demonstration of tuning: a decoder trained on captions, and tuned in a loop.

A folder of parallel texts has `train`, `val` and `test` (or `test_…`) in two languages, as in
`train.en.txt.gz` and `train.de.txt.gz`; Multi30k is one. Texts are tokenised and lowercased. The
first sentences of `val` are used for tuning, all of `test` for testing.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.api.nbest_io import hash_of
from adjudge.core.errors import AdjudgeError, BadParameter, InputError, need
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import open_output
from adjudge.core.parallel import doing

if TYPE_CHECKING:
    from adjudge.api.result import Result
    from adjudge.tuning.loop import Loop

# Thot's own first weights; what each is: docs/tuning.md.
START = dict(
    zip(
        ("wp", "lm", "tseglen", "sjump", "sseglen", "pts", "pst", "swlenli"),
        (0.0, 1.0, 1.0, 0.01, 1.0, 1.0, 0.0, 1.0),
        strict=True,
    )
)
METRIC = "bleu(tokenize=none)"  # the texts are words already
_SHARED = "ADJUDGE_SHARED_DATA"


def tuned_decoder(
    corpus: str | None,
    folder: str,
    pair: str = "en-de",
    sentences: int = 500,
    training: int | None = None,
    **how: Any,
) -> "Result[Loop]":
    """Train a decoder in the folder, unless it exists, and tune it there.

    `sentences` limits the tuning data, and `training` the training data; `how` is passed to
    `tune_decoder`.
    """
    from adjudge.api.decoder_tuning import tune_decoder

    need("thot", "the demonstration's decoder needs", "decoder")
    here = Path(folder)
    here.mkdir(parents=True, exist_ok=True)
    most = {"train": training, "val": sentences, "test": None}
    texts = _prepared(found_corpus(corpus), pair, here, most)
    learnt = hash_of(InputFile(path) for path in texts["train"])
    model = here / f"model-{learnt[:8]}"
    if not model.exists():
        with doing("Training the decoder"):
            _train([*texts["train"], model])
    decoders = {
        part: _command("decode", model, texts[part][0], "{weights}", "{nbest}")
        for part in ("val", "test")
    }
    return tune_decoder(
        decoders["val"],
        reference=str(texts["val"][1]),
        weights=START,
        folder=str(here / "loop"),
        metric=METRIC,
        test_decoder=decoders["test"],
        test_reference=str(texts["test"][1]),
        **how,
    )


def found_corpus(given: str | None) -> Path:
    """Folder of texts: the named one, or Multi30k among the shared data."""
    if given is not None:
        return Path(given)
    shared = os.environ.get(_SHARED)
    if shared is None:
        raise BadParameter(
            "name a `corpus`: a folder with train, val and test in two languages, such as "
            "train.en.txt and train.de.txt (docs/tuning.md says where there is one)"
        )
    return Path(shared) / "corpora" / "multi30k"


def _prepared(
    corpus: Path, pair: str, folder: Path, most: Mapping[str, int | None]
) -> dict[str, list[Path]]:
    """Tokenised texts of every part, source and target, with at most `most` sentences."""
    from adjudge.metrics.tokenizer import split
    from adjudge.text.reading import read_column

    source, dash, target = pair.partition("-")
    if not (source and dash and target):
        raise BadParameter(f"`pair` {pair!r} is not a language pair; write it like en-de")
    texts: dict[str, list[Path]] = {}
    for part, number in most.items():
        columns = [read_column(str(_found(corpus, part, side))) for side in (source, target)]
        texts[part] = []
        if len(columns[0].texts) != len(columns[1].texts):
            raise InputError(
                f"has {len(columns[1].texts):,} lines, {columns[0].file} has "
                f"{len(columns[0].texts):,}; they must be parallel",
                file=columns[1].file,
            )
        for column, side in zip(columns, (source, target), strict=True):
            lines = split(column.texts[:number], "13a", True)
            path = folder / f"{part}.{side}"
            with open_output(str(path)) as stream:
                stream.write("".join(f"{' '.join(words)}\n" for words in lines).encode())
            texts[part].append(path)
    return texts


def _found(corpus: Path, part: str, language: str) -> Path:
    """File of a part: `val.en`, `val.en.txt.gz`, `test_2016.en.gz`; the first of several."""
    name = re.compile(rf"{part}(_[^.]*)?\.{re.escape(language)}(\..*)?")
    found = sorted(path for path in corpus.glob("*") if name.fullmatch(path.name))
    if not found:
        raise BadParameter(
            f"`corpus` {corpus} has no {part}.{language} or {part}.{language}.txt.gz"
        )
    return found[0]


def _command(script: str, *words: object) -> str:
    """Command line of a script in `thot/`."""
    path = files("adjudge.web.demo") / "thot" / f"{script}.py"
    # Quoted but for what stands for a path yet.
    quoted = [str(word) if str(word).startswith("{") else shlex.quote(str(word)) for word in words]
    return " ".join([shlex.quote(sys.executable), shlex.quote(str(path)), *quoted])


def _train(texts_and_model: list[Path]) -> None:
    words = shlex.split(_command("train", *texts_and_model))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AdjudgeError(f"the decoder could not be trained: {done.stderr.strip()[-300:]}")
