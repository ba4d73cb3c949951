"""A real decoder in the loop: Thot, trained and tuned on a small part of Multi30k."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import adjudge as door
from adjudge.core.errors import BadParameter
from adjudge.core.files.input_file import InputFile
from adjudge.web.demo.tuning import tuned_decoder

pytest.importorskip("thot", reason="no Thot; install it: pip install adjudge[decoder]")
pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples" / "thot-decoder"
HOW = {"iterations": 4, "restarts": 5, "rounds": 1, "replicates": 300}


@pytest.fixture(scope="module")
def looped(shared_data, tmp_path_factory):
    """Trained on 1,500 pairs, tuned on 40 sentences."""
    folder = tmp_path_factory.mktemp("thot")
    corpus = folder / "corpus"
    corpus.mkdir()
    multi30k = shared_data / "corpora" / "multi30k"
    small = {"train": 1500, "val": 40, "test_2016_flickr": 60}
    for part, number in small.items():
        for language in ("en", "de"):
            lines = InputFile(multi30k / f"{part}.{language}.txt.gz").text.split("\n")[:number]
            (corpus / f"{part}.{language}").write_text("".join(f"{line}\n" for line in lines))
    return folder, tuned_decoder(str(corpus), str(folder / "work"), **HOW)


def test_tuning_gains_more_than_chance(looped):
    _, result = looped
    development, test = result.reached
    assert (development.sentences, test.sentences) == (40, 60)
    assert development.difference_low > 0
    assert result.best.score == max(row.score for row in result.iterations)
    # Lists are merged: none of what an iteration saw is lost.
    pools = [row.pool for row in result.iterations]
    assert pools == sorted(pools)
    assert all(row.candidates > 1000 for row in result.iterations)


def test_the_command_goes_on_from_what_is_there(looped, adjudge):
    folder, result = looped
    how = [word for name, value in HOW.items() for word in (f"--{name}", value)]
    given = ("--corpus", folder / "corpus", "--folder", folder / "work", *how)
    answer = adjudge("tune", "--demo", *given, "-f", "json")
    assert answer.code == 0, answer.err
    rows = [json.loads(text) for text in (answer.out, result.render("json"))]
    without_notes = [[{**row, "notes": ""} for row in own] for own in rows]  # options have dashes
    assert without_notes[0] == without_notes[1]
    refused = adjudge("tune", "--demo", *given, "-m", "ter")
    assert refused.code == 2
    assert "--metric is nothing for the --demo" in refused.err


def test_the_examples_script_is_the_decoder(looped):
    """The scripts of `examples/`, by themselves, make the very list of the loop."""
    folder, _ = looped
    work = folder / "work"
    (model,) = work.glob("model-*")
    again = folder / "again"
    words = [sys.executable, EXAMPLE / "decode.py", model, work / "val.en"]
    subprocess.run([*words, work / "loop" / "1.weights", again], check=True)
    assert again.read_bytes() == (work / "loop" / "1.nbest").read_bytes()


def test_a_decoder_without_a_model_says_so(looped, tmp_path):
    folder, result = looped
    start = {name: float(w) for name, w in zip(result.names, result.start, strict=True)}
    with pytest.raises(door.AdjudgeError, match=r"iteration 1: .*no model of Thot; train one"):
        door.tune_decoder(
            f"{sys.executable} {EXAMPLE / 'decode.py'} {tmp_path} x {{weights}} {{nbest}}",
            reference=str(folder / "work" / "val.de"),
            weights=start,
            folder=str(tmp_path / "loop"),
        )


def test_a_corpus_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.delenv("ADJUDGE_SHARED_DATA", raising=False)
    with pytest.raises(BadParameter, match="name a `corpus`"):
        tuned_decoder(None, str(tmp_path))
    with pytest.raises(BadParameter, match=r"has no train\.en"):
        tuned_decoder(str(tmp_path), str(tmp_path / "work"))
    with pytest.raises(BadParameter, match="is not a language pair"):
        tuned_decoder(str(tmp_path), str(tmp_path / "work"), pair="english")
    (tmp_path / "train.en").write_text("a\nb\n")
    (tmp_path / "train.de").write_text("a\n")
    with pytest.raises(door.InputError, match="must be parallel"):
        tuned_decoder(str(tmp_path), str(tmp_path / "work"))
