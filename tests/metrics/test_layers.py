"""Word order from alignments, dependencies from parses, kernels of trees, LAYERED of them."""

import gzip
from itertools import combinations

import numpy as np
import pytest

import adjudge as door
from adjudge.core.errors import AdjudgeError, BadParameter
from adjudge.metrics.bracketed_trees import read_tree
from adjudge.metrics.metric import metric_named
from adjudge.metrics.word_orders import first_targets, permutation


def score(signature, output, reference):
    metric = metric_named(signature)
    return metric.segment_values(metric.statistics([(reference,)])((output,)))[0]


def test_a_permutation_of_source_words():
    # Word 1 has no target and follows word 0; word 2 has several, of which the first counts.
    assert permutation(first_targets("0-3 2-5 2-1 3-0"), 4).tolist() == [2, 3, 1, 0]
    assert permutation(first_targets("1-0"), 2).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("output", "hamming", "ktd", "spearman"),
    [
        ("0-0 1-1 2-2 3-3", 1, 1, 1),
        ("0-1 1-0 2-2 3-3", 1 / 2, 1 - (1 / 6) ** 0.5, 1 - 6 * 2 / 60),
        ("0-3 1-2 2-1 3-0", 0, 0, -1),
        ("0-7 1-8 2-9 3-11", 1, 1, 1),  # only the order counts
        ("", 0, 0, 0),
    ],
)
def test_order_of_words(output, hamming, ktd, spearman):
    reference = "0-0 1-1 2-2 3-3"
    assert score("hamming", output, reference) == pytest.approx(hamming)
    assert score("ktd", output, reference) == pytest.approx(ktd)
    assert score("spearman", output, reference) == pytest.approx(spearman)


def test_dependencies_in_common():
    reference = "the|2|det cat|3|nsubj sat|0|root"
    assert score("dependencies", reference, reference) == 1
    # Only the article still has its head: another verb changes two dependencies of three.
    assert score("dependencies", "The|2|det cat|3|nsubj ran|0|root", reference) == (
        pytest.approx(1 / 3)
    )
    other = "cat|2|obj sat|0|root"
    assert score("dependencies", other, reference) == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert score("dependencies(labels=no)", other, reference) == pytest.approx((1 + 2 / 3) / 2)


CONLLU = """\
# text = Cats don't sleep
1\tCats\tcat\tNOUN\t_\t_\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\t_\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\t_\t_\t4\tadvmod\t_\t_
4\tsleep\tsleep\tVERB\t_\t_\t0\troot\t_\t_

1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_
"""


def test_files_in_conllu(adjudge, tmp_path):
    (tmp_path / "ref.conllu").write_text(CONLLU)
    (tmp_path / "A.conllu").write_text(CONLLU.replace("sleep", "eat"))
    texts = door.read_texts({"A": f"{tmp_path}/A.conllu"}, f"{tmp_path}/ref.conllu")
    assert texts.material.references[0] == (
        "Cats|4|nsubj do|4|aux n't|4|advmod sleep|0|root",
        "Yes|0|root",
    )
    # No dependency is left where the verb is another: every one has it as a head, or is it.
    assert texts.segment_scores("dependencies").to_frame()["score"].to_list() == [0, 1]
    (tmp_path / "bad.conllu").write_text(CONLLU.replace("\t4\taux", "\t_\taux"))
    refused = adjudge(
        "metrics", "--reference", "ref.conllu", "--system", "A=bad.conllu", folder=tmp_path
    )
    assert refused.code == 2
    assert "bad.conllu: line 4: is not a CoNLL-U word with a head" in refused.err


def test_a_real_treebank(shared_data, tmp_path):
    """A thousand sentences of English, each beside itself and beside the next."""
    path = shared_data / "corpora/pud/en.conllu.gz"
    copy = tmp_path / "next.conllu"
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        blocks = stream.read().strip().split("\n\n")
    copy.write_text("\n\n".join([*blocks[1:], blocks[0]]) + "\n\n", encoding="utf-8")
    texts = door.read_texts({"same": str(path), "next": str(copy)}, str(path))
    same, other = texts.segment_scores("dependencies")[0].measured.segment_scores().T
    assert len(texts) == 1000
    assert (same == 1).all()
    assert other.mean() < 0.05


def subtrees(tree):
    """All subtrees, as text with what was cut off as a bare label: the slow way."""

    def rooted(node):
        ways = [[]]
        kept = iter(node.children)
        for part in node.below:
            if part.startswith("("):
                below = [part + ")", *rooted(next(kept))]
                ways = [[*way, cut] for way in ways for cut in below]
            else:
                ways = [[*way, part] for way in ways]
        return [f"({node.label} {' '.join(way)})" for way in ways]

    found, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        found += rooted(node)
        waiting += node.children
    return found


TREES = [
    "(S (NP (D the) (N cat)) (V sat))",
    "(S (NP (D the) (N dog)) (V sat))",
    "(S (NP (N dog)) (VP (V saw) (NP (D the) (N cat))))",
    "(S (NP (D the) (N cat)) (VP (V saw) (NP (D the) (N cat))))",
]


@pytest.mark.parametrize(("first", "second"), list(combinations(TREES, 2)))
def test_the_kernel_counts_common_subtrees(first, second):
    own, other = (subtrees(read_tree(line)) for line in (first, second))

    def common(left, right):
        return sum(a == b for a in left for b in right)

    expected = common(own, other) / (common(own, own) * common(other, other)) ** 0.5
    assert score("tree-kernel(decay=1)", first, second) == pytest.approx(expected)


def test_kernels_of_several_trees():
    one, other = TREES[:2]
    single = score("tree-kernel", one, other)
    assert 0 < single < 1
    assert score("tree-kernel", f"{one} ||| {one}", f"{one} ||| {other}") == (
        pytest.approx((1 + single) / 2)
    )
    assert score("tree-kernel", one, f"{one} ||| {other}") == pytest.approx(1 / 2)
    # Without words a cat is a dog.
    assert score("tree-kernel(words=no)", one, other) == pytest.approx(1)
    assert score("tree-kernel", f"( {one})", f"( {one})") == pytest.approx(1)  # as Penn writes it


@pytest.mark.parametrize(
    ("signature", "line", "said"),
    [
        ("hamming", "the cat", "an alignment is a line such as 0-0 1-2"),
        ("dependencies", "the cat", "a parse is a line such as cat|2|nsubj"),
        ("dependencies", "cat|7|nsubj", "a parse is a line such as"),
        ("tree-kernel", "the cat", "a tree is a line such as (S"),
        ("tree-kernel", "(S (N cat)", "a tree is a line such as (S"),
        ("tree-kernel", "(S (N cat)))", "a tree is a line such as (S"),
        ("tree-kernel(decay=2)", "", "decay is between 0.01 and 1"),
    ],
)
def test_lines_of_another_kind_are_refused(signature, line, said):
    with pytest.raises(BadParameter) as refused:
        score(signature, line, line)
    assert said in str(refused.value)
    assert isinstance(refused.value, AdjudgeError)


def test_layered_is_the_weighted_sum_of_its_layers():
    words = ("the cat sat on a mat", "a cat sat on the mat")
    orders = ("0-0 1-1 2-3 3-2", "0-0 1-1 2-2 3-3")
    parsed = ("the|2|det cat|3|nsubj sat|0|root", "a|2|det cat|3|nsubj sat|0|root")
    bleu = score("bleu(tokenize=none)", *words) / 100
    order = sum(
        weight * score(name, *orders)
        for name, weight in (("hamming", 0.13), ("ktd", 0.03), ("spearman", 0.04))
    )
    shallow = score("dependencies", *parsed)
    together = [" ||| ".join(layers) for layers in zip(words, orders, parsed, strict=True)]
    assert score("layered", *together) == pytest.approx(
        (0.26 * bleu + order + 0.28 * shallow) / (0.26 + 0.2 + 0.28)
    )
    assert score("layered", *words) == pytest.approx(bleu)  # no other layer is there
    deep = [f"{line} ||| {parse}" for line, parse in zip(together, parsed, strict=True)]
    assert score("layered", *deep) == pytest.approx(
        0.26 * bleu + order + 0.28 * shallow + 0.26 * shallow
    )


def test_layered_of_a_corpus_takes_bleu_of_all_of_it():
    references = ("a b c d e ||| 0-0 1-1", "f g h i j ||| 0-0 1-1")
    outputs = ("a b c d x ||| 0-1 1-0", "f g h i j ||| 0-0 1-1")
    metric = metric_named("layered")
    counts = metric.statistics([references])(outputs)
    words = [tuple(line.split(" ||| ")[0] for line in lines) for lines in (outputs, references)]
    bleu = metric_named("bleu(tokenize=none)")
    whole = bleu.values(bleu.statistics([words[1]])(words[0]).sum(axis=0)) / 100
    order = np.mean([0.04 * -1, 0.13 + 0.03 + 0.04])  # the first pair stands the other way round
    assert metric.values(counts.sum(axis=0)) == pytest.approx((0.26 * whole + order) / 0.46)
