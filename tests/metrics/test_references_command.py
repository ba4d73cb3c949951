"""`adjudge references`: more references and more sentences, beside people."""

import json

import numpy as np
import pytest

import adjudge as door
from adjudge.errors import BadParameter, NotEnoughData

WORDS = [f"w{i}" for i in range(40)]


@pytest.fixture(scope="module")
def texts():
    """Four systems of known quality and three references that vary the same lines."""
    random = np.random.default_rng(1)
    lines = [random.choice(WORDS, 12).tolist() for _ in range(120)]

    def noisy(share):
        return [
            " ".join(w if random.random() > share else str(random.choice(WORDS)) for w in line)
            for line in lines
        ]

    systems = {f"s{k}": noisy(share) for k, share in enumerate((0.3, 0.36, 0.42, 0.48))}
    return door.from_texts(systems, [noisy(0.4) for _ in range(3)])


@pytest.fixture(scope="module")
def votes(tmp_path_factory):
    path = tmp_path_factory.mktemp("people") / "votes.csv"
    pairs = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    rows = [f"s{a},s{b},model_a" for a, b in pairs for _ in range(3)]
    path.write_text("model_a,model_b,winner\n" + "\n".join(rows) + "\n")
    return str(path)


def test_more_sentences_and_references_help(texts, votes):
    study = texts.references(votes, "bleu", sentences=[10, 120], probes=60)
    r = {(part.references, part.sentences): part.correlation for part in study}
    assert set(r) == {(k, n) for k in (1, 2, 3) for n in (10, 120)}
    assert r[1, 120] > r[1, 10]
    assert r[3, 10] > r[1, 10]
    assert r[3, 120] == pytest.approx(1, abs=0.05)


def test_lower_is_better_counts_the_same_way(texts, votes):
    study = texts.references(votes, "ter", sentences=[120], probes=10)
    assert all(part.correlation > 0.5 for part in study)


def test_the_same_seed_draws_the_same(texts, votes):
    first, again = (texts.references(votes, "wer", sentences=[20], probes=10) for _ in range(2))
    assert first.to_frame().equals(again.to_frame())


def test_what_cannot_be_asked(texts, votes, tmp_path):
    with pytest.raises(BadParameter, match="`sentences` is between 2 and 120"):
        texts.references(votes, "wer", sentences=[500])
    other = tmp_path / "other.csv"
    other.write_text("model_a,model_b,winner\nx,y,model_a\ny,s1,model_a\n")
    with pytest.raises(NotEnoughData, match="people scored 1 of these systems"):
        texts.references(str(other), "wer")


def test_the_command(adjudge, tmp_path, votes, texts):
    given = []
    for name, lines in texts.material.systems.items():
        (tmp_path / name).write_text("\n".join(lines))
        given += ["--system", f"{name}={tmp_path / name}"]
    for number, lines in enumerate(texts.material.references):
        (tmp_path / f"r{number}").write_text("\n".join(lines))
        given += ["--reference", tmp_path / f"r{number}"]
    options = ["--human", votes, "-m", "bleu", "--probes", "5", "--sentences", "30"]
    rows = json.loads(adjudge("references", *given, *options, "--format", "json").out)
    assert [row["references"] for row in rows] == [1, 2, 3]
    files = [tmp_path / name for name in ("r0", "r1", "r2", "s0", "s1", "s2", "s3")]
    again = adjudge("again", rows[0]["signature"], *files)
    assert again.code == 2
    assert "needs what people said, too" in again.err
    shown = adjudge("references", *given, *options).out
    assert "3 references" in shown
    assert "correlation with people over 4 systems, 5 probes" in shown
