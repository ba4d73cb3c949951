"""`adjudge references`: more references and more sentences, beside people."""

import json

import numpy as np
import pytest

import adjudge as door
from adjudge.core.errors import BadParameter, InputError, NotEnoughData

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


def test_the_figure_shows_every_number_of_references(texts, votes, tmp_path, adjudge):
    study = texts.references(votes, ["wer", "per"], sentences=[10, 40, 120], probes=10)
    plot = study.plot()
    assert repr(plot) == "Plot(name='references')"
    for ending in ("svg", "png", "pdf"):
        plot.save(str(tmp_path / f"figure.{ending}"))
        assert (tmp_path / f"figure.{ending}").stat().st_size > 2000
    drawing = (tmp_path / "figure.svg").read_text()
    for said in ("1 reference<", "3 references<", "wer: Spearman", "per: Spearman", ">120<"):
        assert said in drawing
    assert "Correlation with people over 4 systems: wer from" in drawing
    with pytest.raises(BadParameter, match="no figure of a MetricScores"):
        texts.metrics("wer", replicates=10).plot()


@pytest.fixture(scope="module")
def edits(texts, tmp_path_factory):
    """One accepted edit of every line, two of every second and three of the first twelve."""
    rows = []
    for line, reference in enumerate(texts.material.references[0]):
        for which in range(1 + (line % 2 == 0) + (line < 12)):
            about = {"pair": "xx-yy", "segment": str(line + 1), "systems": ["s0"]}
            item = {**about, "protocol": "blind-edit", "item": len(rows) + 1, "judge": "A"}
            rows.append(item | {"edit": f"{reference} w{which}"})
            review = {**about, "protocol": "review", "item": len(rows) + 1, "judge": "B"}
            rows.append(review | {"reviewed": len(rows), "verdict": "yes"})
    path = tmp_path_factory.mktemp("edits") / "edits.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    return str(path)


def test_post_edits_are_references_of_the_sentences_that_have_them(texts, votes, edits):
    study = texts.references(votes, "wer", sentences=[10, 50, 120], probes=10, post_edits=edits)
    sizes = {}
    for part in study:
        sizes.setdefault((part.kind, part.references), []).append(part.sentences)
    assert sizes == {
        **{("reference", number): [10, 50, 120] for number in (1, 2, 3)},
        ("post-edit", 1): [10, 50, 120],
        ("post-edit", 2): [10, 50, 66],  # sixty, and the odd ones of the first twelve
    }
    assert "2 post-edits" in study.render()
    assert "post_edits:sha256-" in str(study.signature)


def test_post_edits_of_unknown_lines_are_refused(texts, votes, tmp_path, edits):
    other = tmp_path / "edits.jsonl"
    with open(edits) as file:
        other.write_text(file.read().replace('"segment": "7"', '"segment": "seven"'))
    with pytest.raises(InputError, match="'seven' is no line of the texts, which have 120"):
        texts.references(votes, "wer", post_edits=str(other))
