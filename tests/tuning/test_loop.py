"""The loop of a decoder and a tuner, with real decoders: processes that read weights."""

import json
import os
import shlex
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import adjudge as door
from adjudge.data.outputs import join_systems
from adjudge.tuning.search import Search, search
from adjudge.tuning.weights import unlimited

pytestmark = pytest.mark.slow

TOP = Path(__file__).with_name("top_of_database.py")
START = {"feature_0": 0.1, "feature_1": 0.2, "feature_2": -0.1}
BLEU = "bleu(tokenize=none,smooth=none)"
# Made so that the best weights on the first two of each sentence are bad ones for all four.
DATABASE = """0 ||| a b c d e ||| 1 4 0
0 ||| a b c d x ||| 0 5 0
0 ||| x x x x x ||| 9 0 1
0 ||| a b c x x ||| 3 1 2
1 ||| f g h i j ||| 1 3 1
1 ||| f g h i x ||| 0 6 0
1 ||| y y y y y ||| 8 0 1
1 ||| f g h x x ||| 2 2 2
2 ||| k l m n o ||| 2 4 1
2 ||| k l m n x ||| 1 6 0
2 ||| z z z z z ||| 9 1 0
2 ||| k l m x x ||| 3 3 2
"""


@pytest.fixture
def small(tmp_path):
    """Three sentences of four candidates; a decoder that shows two of them."""
    (tmp_path / "database").write_text(DATABASE)
    (tmp_path / "reference").write_text("a b c d e\nf g h i j\nk l m n o\n")
    (tmp_path / "start").write_text("feature= 0.1 1 0\n")
    return tmp_path


@pytest.fixture
def larger(tmp_path):
    """Twenty sentences of fifteen candidates with more or fewer errors, and features that know."""
    random = np.random.default_rng(1)
    rows, references = [], []
    for sentence in range(20):
        words = [f"w{sentence}-{k}" for k in range(8)]
        references.append(" ".join(words))
        for _ in range(15):
            wrong = random.random(8) < random.random()
            text = " ".join(w if right else "x" for w, right in zip(words, ~wrong, strict=True))
            noise = random.normal(size=3) * [2, 3, 3]
            values = noise + wrong.sum() * np.array([-1, 1, 0.5])
            rows.append(f"{sentence} ||| {text} ||| {' '.join(f'{v:.3f}' for v in values)}\n")
    (tmp_path / "database").write_text("".join(rows))
    (tmp_path / "reference").write_text("".join(f"{line}\n" for line in references))
    (tmp_path / "start").write_text("feature= 0.1 1 0.2\n")
    return tmp_path


def command_of(folder, number=2) -> str:
    database = shlex.quote(str(folder / "database"))
    return f"{sys.executable} {TOP} {database} {number} {{weights}} {{nbest}}"


def options(place, **more):
    given = {
        "reference": str(place / "reference"),
        "weights": str(place / "start"),
        "folder": str(place / "work"),
        "metric": "bleu(tokenize=none,smooth=exp)",
        "replicates": 100,
        "restarts": 2,
        "rounds": 1,
    }
    return given | more


def test_z_merts_example_ends_where_z_mert_ends(shared_data, tmp_path):
    folder = shared_data / "tuning" / "zmert-example"
    loop = door.tune_decoder(
        f"{sys.executable} {TOP} {folder / 'cand_database.txt'} 10 {{weights}} {{nbest}}",
        reference=[str(path) for path in sorted(folder.glob("reference.*.txt"))],
        weights=START,
        folder=str(tmp_path),
        metric=BLEU,
        replicates=200,
    )[0]
    assert loop.iterations[0].score == pytest.approx(44.292270891454566, abs=1e-9)
    assert loop.best.score == pytest.approx(51.14880406806395, abs=1e-12)
    assert loop.ended == "converged"
    assert [row.promised is None for row in loop.iterations] == [True] + [False] * 3
    # Every pool holds those before it, and what is new is what it grew by.
    pools = [row.pool for row in loop.iterations]
    assert np.diff([0, *pools]).tolist() == [row.new for row in loop.iterations]
    assert loop.reached[0].score == loop.best.score
    # What was decoded counts as it does by itself.
    loop.write_chosen(str(tmp_path / "chosen"))
    texts = door.read_texts(
        {"tuned": str(tmp_path / "chosen")}, sorted(map(str, folder.glob("reference.*.txt")))
    )
    assert texts.metrics(BLEU, replicates=10).scores[0] == pytest.approx(loop.best.score)


def test_the_command_and_the_door_say_the_same(adjudge, larger):
    looped = door.tune_decoder(command_of(larger), **options(larger))
    given = ("--weights", larger / "start", "--reference", larger / "reference", "--restarts", 2)
    how = ("-m", "bleu(tokenize=none,smooth=exp)", "--replicates", 100, "--rounds", 1)
    test = ("--test-decoder", command_of(larger), "--test-reference", larger / "reference")
    saved = ("--save-weights", larger / "best", "--save-chosen", larger / "chosen")
    answer = adjudge(
        *("tune", "--decoder", command_of(larger), "--folder", larger / "other", *given, *how),
        *(*test, *saved, "-f", "json"),
    )
    assert answer.code == 0, answer.err
    rows = json.loads(answer.out)
    iterations = [row for row in rows if row["kind"] == "iteration"]
    assert [row["score"] for row in iterations] == [row.score for row in looped.iterations]
    scores = {row["part"]: row for row in rows if row["kind"] == "score"}
    assert scores["test"]["score"] == scores["development"]["score"] == looped.best.score
    assert (larger / "chosen").read_text().splitlines() == list(looped.chosen)
    best = larger / "other" / f"test-{looped.best.number}.txt"
    assert best.read_text() == (larger / "chosen").read_text()  # the test decodes the same
    assert (larger / "other" / "1.txt").read_text() != best.read_text()
    assert (larger / "best").read_text() == (
        larger / "work" / f"{looped.best.number}.weights"
    ).read_text()
    assert "the best ones decoded" in repr(looped)
    with pytest.raises(door.BadParameter, match="a signature starts no programs"):
        door.again(str(looped.signature), str(larger / "reference"))


def test_a_loop_that_was_killed_goes_on_and_ends_the_same(larger, tmp_path):
    """The decoder kills the whole loop in its second iteration, at the first try."""
    whole = door.tune_decoder(command_of(larger), **options(larger, folder=str(tmp_path / "whole")))
    assert len(whole.iterations) > 2
    script = tmp_path / "deadly.py"
    script.write_text(
        "import os, signal, subprocess, sys\n"
        "from pathlib import Path\n"
        "weights, nbest = sys.argv[1:]\n"
        f"mark = Path({str(tmp_path / 'mark')!r})\n"
        "if Path(weights).name == '2.weights' and not mark.exists():\n"
        "    mark.touch()\n"
        "    Path(nbest).write_text('0 ||| half a li')\n"
        "    os.kill(os.getppid(), signal.SIGKILL)\n"
        "    sys.exit()\n"
        f"subprocess.run([*{shlex.split(command_of(larger))[:-2]!r}, weights, nbest], check=True)\n"
    )
    asked = options(larger)
    program = (
        f"import adjudge\nadjudge.tune_decoder({f'{sys.executable} {script}'!r}"
        f" + ' {{weights}} {{nbest}}', **{asked!r})"
    )
    died = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert died.returncode == -signal.SIGKILL
    kept = {path.name for path in (larger / "work").iterdir()}
    assert {"loop.json", "1.weights", "1.nbest", "2.weights", "iterations.jsonl"} <= kept
    assert "2.nbest" not in kept
    before = (larger / "work" / "1.nbest").stat().st_mtime_ns
    again = door.tune_decoder(f"{sys.executable} {script} {{weights}} {{nbest}}", **asked)
    assert (larger / "work" / "1.nbest").stat().st_mtime_ns == before  # not decoded anew
    assert not list((larger / "work").glob(".*"))
    for one, other in zip(whole.iterations, again.iterations, strict=True):
        assert vars(one) | {"weights": one.weights.tolist()} == vars(other) | {
            "weights": other.weights.tolist()
        }
    # Once more: nothing is decoded at all, and nothing else comes out.
    third = door.tune_decoder(f"{sys.executable} {script} {{weights}} {{nbest}}", **asked)
    assert third.render("json") == again.render("json")


def test_more_iterations_go_on(small):
    first = door.tune_decoder(command_of(small), **options(small, iterations=1))
    assert (first.ended, len(first.iterations)) == ("iterations", 1)
    more = door.tune_decoder(command_of(small), **options(small))
    assert more.iterations[0].score == first.best.score
    assert len(more.iterations) > 1


def test_a_dive_is_said_and_the_best_weights_are_taken(tmp_path):
    """The first list has nothing on which feature b is bad; what it leads to is bad."""
    words = [f"w{k} a{k} b{k} c{k} d{k}" for k in range(8)]
    rows = []
    for k, text in enumerate(words):
        rows += [
            f"{k} ||| {text.replace(' d', ' x')} ||| 5 {k % 2}\n",
            f"{k} ||| {text} ||| 4 {1 + k % 2}\n",
            f"{k} ||| bad worse worst of all ||| 0 {4.99 + k % 2}\n",
        ]
    (tmp_path / "database").write_text("".join(rows))
    (tmp_path / "reference").write_text("".join(f"{text}\n" for text in words))
    (tmp_path / "start").write_text("feature= 1 0.1\n")
    looped = door.tune_decoder(
        command_of(tmp_path), **options(tmp_path, restarts=0, rounds=0, iterations=2)
    )
    first, second = looped.iterations
    assert second.promised == pytest.approx(100)
    assert second.score < first.score
    assert second.dive
    assert not first.dive
    assert looped.best is first
    assert np.array_equal(looped.weights, first.weights)
    assert "Iteration 2 dived" in repr(looped)
    assert "not the last" in repr(looped)
    # The list of the dive is among the others, so the next weights are good ones.
    assert door.tune_decoder(
        command_of(tmp_path), **options(tmp_path, restarts=0, rounds=0, iterations=3)
    ).best.score == pytest.approx(100)


BAD = [
    ("sh -c 'echo no such model >&2; exit 3' {weights}", "ended with code 3 and said: no such mod"),
    ("sh -c 'kill -9 $$' {weights}", "was killed by signal 9 and said nothing"),
    ("true {weights}", "printed nothing"),
    ("true {weights} {nbest}", "wrote nothing to {nbest}"),
    ("no-such-decoder {weights}", "'no-such-decoder' cannot be started (No such file"),
    ("sh -c 'head -n 4 DATABASE # {weights}'", "candidates of 1 sentences, the reference has 3"),
    ("sh -c 'head -c 100 DATABASE # {weights}'", "line 4: lacks feature feature_1"),
    ("sh -c 'sed /^1/d DATABASE # {weights}'", "sentence 1 has no candidates"),
    ("sh -c 'sed s/5/nan/ DATABASE # {weights}'", "line 2: feature feature_1 is not a finite"),
    (
        "sh -c 'sed \"s/$/ 1/\" DATABASE # {weights}'",
        "file of weights has none for feature feature_3",
    ),
    ("sh -c 'echo 5 # {weights}'", "is not a list of candidates"),
]


@pytest.mark.parametrize(("command", "said"), BAD)
def test_a_bad_decoder_is_told_with_the_iteration(adjudge, small, command, said):
    command = command.replace("DATABASE", str(small / "database"))
    answer = adjudge(
        *("tune", "--decoder", command, "--weights", small / "start", "--folder", small / "work"),
        *("--reference", small / "reference"),
    )
    assert answer.code == 2
    assert "iteration 1: " in answer.err
    assert said in " ".join(answer.err.split())
    assert "repair the decoder" in answer.err
    assert not list((small / "work").glob("*.nbest"))
    # Once the decoder is mended, the same folder is good.
    assert door.tune_decoder(command_of(small), **options(small, iterations=1)).iterations


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ("sys.exit('out of memory')", "ended with code 1 and said: out of memory"),
        ("print(text[: len(text) // 2 + 3])", "iteration 2"),
        ("print(text.replace('\\n', ' other=1\\n'))", "has feature other besides, unlike"),
        ("print(text.split('\\n2 |')[0])", "candidates of 2 sentences, the reference has 3"),
    ],
)
def test_what_was_done_before_is_kept(small, second, said):
    script = small / "decoder.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\n"
        f"text = Path({str(small / 'database')!r}).read_text()\n"
        "if Path(sys.argv[1]).name == '1.weights':\n    print(text)\n"
        f"else:\n    {second}\n"
    )
    with pytest.raises(door.AdjudgeError) as error:
        door.tune_decoder(f"{sys.executable} {script} {{weights}}", **options(small))
    assert str(error.value).startswith("iteration 2: ")
    assert said in str(error.value)
    assert f"iterations 1 to 1 are kept in {small / 'work'}" in str(error.value)
    assert (small / "work" / "1.nbest").exists()
    assert not (small / "work" / "2.nbest").exists()
    assert len((small / "work" / "iterations.jsonl").read_text().splitlines()) == 1


def test_a_folder_of_another_loop_is_refused(small):
    door.tune_decoder(command_of(small), **options(small, iterations=1))
    with pytest.raises(door.BadParameter, match="of a loop with another `seed`: 1, not 2"):
        door.tune_decoder(command_of(small), **options(small, seed=2))
    (small / "reference").write_text("a\nb\nc\n")
    with pytest.raises(door.BadParameter, match="another `input`"):
        door.tune_decoder(command_of(small), **options(small))
    (small / "work" / "loop.json").unlink()
    with pytest.raises(door.BadParameter, match="has lists but no loop"):
        door.tune_decoder(command_of(small), **options(small))


def test_a_folder_in_which_a_loop_is_at_work_is_refused(adjudge, small):
    """The decoder of the first loop waits until the second loop was tried."""
    begun, go_on = small / "begun", small / "go-on"
    for pipe in (begun, go_on):
        os.mkfifo(pipe)
    waiting = f"sh -c 'echo > {begun}; cat {go_on}; {command_of(small)}'"
    asked = options(small, iterations=1)
    with ThreadPoolExecutor(1) as other:
        first = other.submit(door.tune_decoder, waiting, **asked)
        begun.read_text()
        second = adjudge(
            *("tune", "--decoder", command_of(small), "--weights", small / "start"),
            *("--reference", small / "reference", "--folder", small / "work"),
        )
        go_on.write_text("")
        assert len(first.result().iterations) == 1
    assert second.code == 2
    assert f"--folder {small / 'work'} is in use" in " ".join(second.err.split())
    # And now that the first has ended, the folder is free.
    assert len(door.tune_decoder(waiting, **asked).iterations) == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--decoder", "decode"), "--decoder has no {weights} in it"),
        (("--decoder", "decode '{weights}"), "cannot be split into words"),
        (("--decoder", "x {weights}", "LIST"), "NBEST is nothing for a --decoder"),
        (("--decoder", "x {weights}", "--hold-out", "0.5"), "--hold-out is nothing for a --dec"),
        (("--decoder", "x {weights}", "--test-decoder", "y {weights}"), "go together"),
        (("--decoder", "x {weights}", "--tuner", "mert", "--tuner", "pro"), "a second --tuner"),
        (("LIST", "--test-decoder", "y {weights}"), "--test-decoder needs a --decoder"),
        ((), "name a list of candidates"),
    ],
)
def test_options_that_do_not_fit(adjudge, small, more, said):
    more = tuple(str(small / "database") if word == "LIST" else word for word in more)
    answer = adjudge(
        *("tune", *more, "--weights", small / "start", "--reference", small / "reference"),
        *("--folder", small / "work"),
    )
    assert answer.code == 2
    assert said in " ".join(answer.err.split())


def test_weights_without_names_are_refused(adjudge, small):
    (small / "start").write_text("0.1 0.2 0.3\n")
    answer = adjudge("tune", "--decoder", "x {weights}", "--weights", small / "start")
    assert answer.code == 2
    assert "start: has no names" in answer.err
    none = adjudge("tune", "--decoder", "x {weights}")
    assert "give --weights for the --decoder to begin with" in " ".join(none.err.split())


def test_hit_rates_of_every_iteration(tmp_path):
    """Towards ranked segments: a hit is a ranked translation that is found word for word."""
    ranked = [
        (1, "1:0,1", "A", 1, "černá kočka"),
        (1, "1:0,1", "B", 2, "kočka"),
        (2, "2:0,1", "A", 1, "bílý pes"),
        (2, "2:0,1", "B", 2, "pes bílý"),
    ]
    frame = pl.DataFrame(
        {
            "pair": "en-cs",
            "protocol": "segments",
            "segment": segment,
            "ranking": number,
            "output": join_systems([system]),
            "rank": rank,
            "text": text,
            "source": "a cat or a dog",
            "reference": "černá kočka spí",
        }
        for number, segment, system, rank, text in ranked
    )
    segments = tmp_path / "segments.jsonl"
    door.from_rankings(frame).write(str(segments))
    (tmp_path / "database").write_text(
        "0 ||| kočka spí tu dnes ||| 3 1\n"
        "0 ||| černá kočka spí tu dnes ||| 1 2\n"
        "0 ||| koťata spí tu dnes ||| 2 1\n"
        "1 ||| psi spí tu dnes ||| 3 1\n"
        "1 ||| bílý pes spí tu dnes ||| 1 2\n"
        "1 ||| pejsek spí tu dnes ||| 2 0\n"
    )
    (tmp_path / "reference").write_text("černá kočka spí tu dnes\nbílý pes spí tu dnes\n")
    (tmp_path / "start").write_text("feature= 1 0\n")
    asked = options(tmp_path, metric=["exact-match", "bleu(tokenize=none)"])
    looped = door.tune_decoder(command_of(tmp_path, 3), segments=str(segments), **asked)
    first, last = looped.iterations[0], looped.best
    # Of two ranked segments, "kočka" is found at first; in the list three of six candidates hit.
    assert (first.hit_rate, first.list_hit_rate) == (0.5, pytest.approx(3 / 6))
    assert last.hit_rate == 1
    assert last.bleu == pytest.approx(100)
    assert first.bleu < 60
    assert "hit rate" in repr(looped)
    assert "Taken for unseen, the ranked systems have 0 %" in repr(looped)
    with pytest.raises(door.BadParameter, match="`segments` are of other sentences"):
        door.tune_decoder(
            command_of(tmp_path, 3),
            segments=str(segments),
            test_decoder=command_of(tmp_path),
            test_reference=str(tmp_path / "reference"),
            **asked,
        )


def test_older_weights_are_starting_points(lists):
    """A search without random starts ends no lower than where the older weights are."""
    pool, start = lists.pool("runs5", BLEU), lists.start("runs5")
    limits, alone = unlimited(len(start)), Search(restarts=0, rounds=0)
    good = search(pool, start, Search(restarts=5, rounds=0), limits)[0]
    assert search(pool, start, alone, limits)[0].score < good.score
    older = replace(alone, further=(tuple(good.weights.tolist()),))
    assert search(pool, start, older, limits)[0].score >= good.score
