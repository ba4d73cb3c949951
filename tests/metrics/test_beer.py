"""BEER: permutation trees, its features, and training on what people preferred."""

import io
import json
import tarfile
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as door
from adjudge.core.errors import BadParameter, InputError, NotEnoughData
from adjudge.metrics.beer.extraction import COPY, extraction
from adjudge.metrics.beer.model import VARIANTS, Settings
from adjudge.metrics.beer.permutation_trees import ORDER, order_features
from adjudge.metrics.metric import metric_named

WORDS = [f"w{number}" for number in range(30)]


def catalan(n):
    return comb(2 * n, n) // (n + 1)


def slow_tree(values):
    """Kinds of nodes and number of trees, by trying every split."""
    if len(values) == 1:
        return np.zeros(4), 1
    splits = [k for k in range(1, len(values)) if _contiguous(values[:k], values[k:])]
    if splits:
        nodes, trees = np.zeros(4), 0
        for k in splits:
            parts = [slow_tree(part) for part in (values[:k], values[k:])]
            trees += parts[0][1] * parts[1][1]
            nodes = parts[0][0] + parts[1][0]
        nodes = nodes.copy()
        nodes[0 if values[0] < values[-1] else 1] += 1
        return nodes, trees
    # No two parts: as few as there can be, each as long as it can be.
    parts, start = [], 0
    while start < len(values):
        end = max(
            end
            for end in range(start + 1, len(values) + 1)
            if end - start < len(values) and _contiguous(values[start:end])
        )
        parts.append(values[start:end])
        start = end
    below = [slow_tree(part) for part in parts]
    nodes = sum(part[0] for part in below)
    nodes[2 if len(parts) == 4 else 3] += 1
    return nodes, int(np.prod([part[1] for part in below]))


def _contiguous(*parts):
    return all(max(part) - min(part) + 1 == len(part) for part in parts)


@given(st.permutations(range(9)) | st.integers(1, 9).flatmap(lambda n: st.permutations(range(n))))
def test_trees_of_a_permutation(values):
    nodes, trees = slow_tree(list(values))
    features = dict(zip(ORDER, order_features(np.array(values)), strict=True))
    if len(values) > 1:
        shares = [features[name] for name in ("monotone", "inverted", "four", "larger")]
        assert shares == pytest.approx(list(nodes / nodes.sum()))
    assert features["trees"] == pytest.approx(trees / catalan(len(values) - 1))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], [0, 0, 0, 0, 0, 0]),
        ([7], [1, 1, 0, 0, 0, 1]),
        ([0, 1, 2, 3], [1, 1, 0, 0, 0, 1]),
        ([3, 2, 1, 0], [0, 0, 1, 0, 0, 1]),
        ([1, 3, 0, 2], [0.5, 0, 0, 1, 0, 1 / 5]),  # the smallest that no two parts make
        ([10, 0, 20, 30], [5 / 6, 2 / 3, 1 / 3, 0, 0, 2 / 5]),  # only the order counts
    ],
)
def test_some_permutations(values, expected):
    assert order_features(np.array(values, np.int64)).tolist() == pytest.approx(expected)


def _features(variant, output, reference):
    settings = Settings(variant=variant, function="the of")
    (features,) = extraction([(reference,)], settings)((output,))
    return {name: column[0] for name, column in features.items()}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_copy_has_everything_and_something_else_nothing(variant):
    line = "the cat of the house sat down"
    assert _features(variant, line, line) == pytest.approx(COPY[variant])
    nothing = _features(variant, "zz", line)
    shared = [name for name, value in nothing.items() if value and "len_" not in name]
    # The tool counts the empty string as the one character n-gram of length 0.
    assert [name for name in shared if not name.startswith("char1.")] == []


def test_the_features_of_2014():
    features = _features("2014", "the cat sat", "the old cat of us")
    assert len(features) == 27 + 6
    assert [features[f"function.{part}"] for part in "prf"] == pytest.approx([1, 1 / 2, 2 / 3])
    assert [features[f"content.{part}"] for part in "prf"] == pytest.approx([1 / 2, 1 / 3, 2 / 5])
    assert [features[f"all.{part}"] for part in "prf"] == pytest.approx([2 / 3, 2 / 5, 1 / 2])
    # t h e _ c a t in both; of eleven characters and seventeen.
    assert features["char1.p"] == pytest.approx(9 / 11)
    assert features["order.kendall"] == 1


def simulated(seed, segments=60):
    """Outputs in which words were lost and moved, and what people say who mind only losses."""
    random = np.random.default_rng(seed)
    reference, outputs, rows = [], {"A": [], "B": [], "C": []}, []
    for segment in range(1, segments + 1):
        line = random.choice(WORDS, 12, replace=False)
        reference.append(" ".join(line))
        lost = {}
        for name, lines in outputs.items():
            lost[name] = int(random.integers(0, 8))
            kept = random.permutation(line)[lost[name] :]
            lines.append(" ".join([*kept, *(f"x{n}" for n in range(lost[name]))]))
        rows += [
            f"{segment}\t{better}\t{worse}"
            for better in outputs
            for worse in outputs
            if lost[better] < lost[worse]
        ]
    return door.from_texts(outputs, [reference]), rows


@pytest.fixture
def people(tmp_path):
    texts, rows = simulated(1)
    path = tmp_path / "preferences.tsv"
    path.write_text("\n".join(["segment\tbetter\tworse", *rows]) + "\n")
    return texts, str(path), len(rows)


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_people_mind_is_learnt_and_told_of_new_outputs(people, tmp_path, variant):
    texts, path, preferences = people
    trained = door.train_beer(texts, path, variant=variant)
    assert trained.preferences == preferences
    assert min(trained.tau) > 0.85
    model = tmp_path / "beer.tsv"
    trained[0].save(str(model))
    new, rows = simulated(2)
    scores = new.segment_scores(f"beer(model={model})")[0].measured.segment_scores()
    right = [_difference(scores, row) for row in rows]
    assert np.sign(right).mean() > 0.9
    words = new.segment_scores("sentbleu")[0].measured.segment_scores()
    assert np.sign(right).mean() > np.sign([_difference(words, row) for row in rows]).mean()
    # The score in the file is the thesis's: weights times features.
    (features,) = extraction(new.material.references, trained.model.settings)(
        new.material.systems["A"]
    )
    weighted = sum(w * features[name] for name, (w, _, _) in trained.model.weights.items())
    assert scores[:, 0] == pytest.approx(weighted)
    copy = door.from_texts({"R": new.material.references[0]}, [new.material.references[0]])
    assert copy.segment_scores(f"beer(model={model})").to_frame()["score"].to_list() == (
        pytest.approx([1.0] * len(copy))
    )


def _difference(scores, row):
    segment, better, worse = row.split("\t")
    place = int(segment) - 1
    return scores[place, "ABC".index(better)] - scores[place, "ABC".index(worse)]


def test_several_references_and_language_pairs(people, tmp_path):
    texts, _, preferences = people
    rows = [row for pair in ("cs-en", "de-en") for row in (f"{pair}\t{r}" for r in simulated(1)[1])]
    path = tmp_path / "both.tsv"
    path.write_text("\n".join(["pair\tsegment\tbetter\tworse", *rows]) + "\n")
    other = ["none of it"] * len(texts)
    both = [
        door.from_texts(texts.material.systems, [texts.material.references[0], *more], pair=pair)
        for pair, more in (("cs-en", []), ("de-en", [other]))
    ]
    trained = door.train_beer(both, str(path))
    assert trained.preferences == 2 * preferences
    single = door.train_beer(both[0], str(path))
    # The second reference is never the better one, so each pair says the same.
    assert trained.segments == 2 * single.segments
    with pytest.raises(BadParameter, match=r"cs-en, de-en; say which, `pair`"):
        door.train_beer(texts, str(path))
    with pytest.raises(NotEnoughData, match="no outputs of fr-en"):
        door.train_beer(
            door.from_texts({"A": ["a"]}, [["a"]], pair="fr-en"),
            str(path),
        )


def test_people_who_want_the_opposite_are_refused(people, tmp_path):
    texts, _, _ = people
    turned = tmp_path / "turned.tsv"
    rows = (row.split("\t") for row in simulated(1)[1])
    lines = (f"{segment}\t{worse}\t{better}\n" for segment, better, worse in rows)
    turned.write_text("segment\tbetter\tworse\n" + "".join(lines))
    with pytest.raises(NotEnoughData, match="resembles the reference less"):
        door.train_beer(texts, str(turned))


def test_the_command_and_the_metric(adjudge, people, tmp_path):
    texts, path, preferences = people
    for name, lines in {**texts.material.systems, "ref": texts.material.references[0]}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    files = ["--reference", "ref", *(f"--system={name}={name}" for name in "ABC")]
    asked = ["beer", *files, "--human", path, "--model", "beer.tsv", "-f", "json"]
    answer = adjudge(*asked, folder=tmp_path)
    assert answer.code == 0, answer.err
    rows = json.loads(answer.out)
    assert len(rows) == 33
    assert rows[0]["preferences"] == preferences
    scored = adjudge("metrics", *files, "-m", "beer(model=beer.tsv)", "-f", "json", folder=tmp_path)
    assert {row["system"] for row in json.loads(scored.out)} == set("ABC")
    refused = adjudge(*asked, "--pair", "a-b", "--pair", "c-d", folder=tmp_path)
    assert (refused.code, "need a --testset" in refused.err) == (2, True)
    refused = adjudge("again", rows[0]["signature"], "ref", folder=tmp_path)
    assert (refused.code, "train_beer" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("all.f\tone\t0\t1\n", "line 1: is neither feature, weight, min, max nor a setting"),
        ("all.f\t1\t1\t1\n", "line 1: min 1 is not below max 1"),
        ("# no weights\n", "has no weights"),
        ("setting\tcolour\tred\nall.f\t1\t0\t1\n", "line 1: `setting` cannot be 'colour'"),
        ("setting\ttokenize\t14a\nall.f\t1\t0\t1\n", "line 1: "),
        ("setting\tvariant\t3.0\nall.f\t1\t0\t1\n", "`variant` cannot be '3.0'"),
        ("setting\tslope\tsteep\nall.f\t1\t0\t1\n", "line 1: is neither"),
    ],
)
def test_a_file_that_is_no_model(tmp_path, content, said):
    path = tmp_path / "model.tsv"
    path.write_text(content)
    with pytest.raises(InputError) as refused:
        metric_named(f"beer(model={path})").statistics([("a",)])
    assert said in str(refused.value)


def test_what_is_missing_is_said(tmp_path):
    path = tmp_path / "model.tsv"
    path.write_text("all.f\t1\t0\t1\n")
    with pytest.raises(BadParameter, match=r"'all\.f', no feature of BEER 2\.0"):
        metric_named(f"beer(model={path})").statistics([("a",)])(("a",))
    path = tmp_path / "synonyms.tsv"
    path.write_text("setting\tvariant\t2014\nsetting\tmodules\texact+synonym\nall.f\t1\t0\t1\n")
    with pytest.raises(BadParameter, match="modules` has synonym"):
        metric_named(f"beer(model={path})").statistics([("a",)])
    with pytest.raises(BadParameter, match=r"beer\(model=FILE\)"):
        metric_named("beer").statistics([("a",)])


def _lines(archive, name):
    with tarfile.open(archive) as packed:
        content = io.TextIOWrapper(packed.extractfile(name), "utf-8", newline="\n").read()
    return content.rstrip("\n").split("\n")


def test_real_preferences(shared_data, tmp_path):
    """WMT13 Czech to English: learnt on 300 segments, better than sentBLEU on 300 others."""
    folder, systems = shared_data / "newstest2013", ("cu-zeman.2710", "JHU.2903", "online-B")
    names = [f"newstest2013.cs-en.{system}" for system in systems]
    reference = _lines(folder / "references.tar.xz", "references/newstest2013-ref.en")[:600]
    outputs = {name: _lines(folder / "cs-en.tar.xz", f"cs-en/{name}")[:600] for name in names}
    human = str(shared_data / "metaeval/history/wmt13/preferences.tsv.gz")
    cut = {name: lines[:300] for name, lines in outputs.items()}
    trained = door.train_beer(door.from_texts(cut, [reference[:300]], pair="cs-en"), human)
    trained[0].save(str(tmp_path / "beer.tsv"))
    texts = door.from_texts(outputs, [reference], pair="cs-en")
    table = door.read(human).select(pair="cs-en").table
    from adjudge.data.comparisons import compare
    from adjudge.metrics.combination import preferred

    line, better, worse = preferred(compare(table), texts.systems, len(texts))
    unseen = line >= 300
    taus = {}
    for signature in (f"beer(model={tmp_path}/beer.tsv)", "sentbleu"):
        scores = texts.segment_scores(signature)[0].measured.segment_scores()
        signs = np.sign(scores[line, better] - scores[line, worse])
        taus[signature.split("(")[0]] = signs[unseen].mean()
    assert taus["beer"] > taus["sentbleu"] + 0.02
