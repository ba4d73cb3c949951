"""Segments of trees: properties on any tree, and files that do not fit each other."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as door
from adjudge.api.segment_extraction import extracted_phrases
from adjudge.segments.extraction import project
from adjudge.segments.segment_selection import constituents, is_consistent, source_segments
from adjudge.segments.trees import read_trees

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "parsed"


@st.composite
def bracketed(draw: st.DrawFn) -> str:
    """A random tree in brackets."""
    words = iter(range(10**6))

    def node(depth: int) -> str:
        if depth == 0 or draw(st.booleans()):
            tag = draw(st.sampled_from(["NN", "VBZ", "MD", "-LRB-"]))
            return f"({tag} w{next(words)})"
        parts = [node(depth - 1) for _ in range(draw(st.integers(1, 4)))]
        return f"(X {' '.join(parts)})"

    return f"(ROOT {node(draw(st.integers(0, 4)))})"


@st.composite
def depending(draw: st.DrawFn) -> str:
    """A random dependency tree, mostly not projective, as CoNLL-U."""
    number = draw(st.integers(1, 12))
    order = draw(st.permutations(range(1, number + 1)))
    heads = {order[0]: 0}
    for place, word in enumerate(order[1:], 1):
        heads[word] = order[draw(st.integers(0, place - 1))]
    tag = st.sampled_from(["NOUN", "VERB", "AUX"])
    rows = [f"{w}\tw\t_\t{draw(tag)}\t_\t_\t{heads[w]}\t_\t_\t_" for w in range(1, number + 1)]
    return "# text = …\n" + "\n".join(rows) + "\n"


@given(text=bracketed() | depending(), lengths=st.tuples(st.integers(1, 5), st.integers(0, 4)))
def test_segments_of_any_tree(tmp_path_factory, text, lengths):
    shortest, longest = lengths[0], sum(lengths)
    path = tmp_path_factory.getbasetemp() / "any.tree"
    path.write_text(text)
    (tree,) = read_trees(str(path))
    assert tree.root.words == tuple(range(tree.length))
    for predicates in (False, True):
        segments = source_segments(tree, shortest, longest, predicates)
        words = [word for segment in segments for word in segment]
        assert words == sorted(set(words))  # in order, no overlap
        for segment in segments:
            assert segment == tuple(range(segment[0], segment[-1] + 1))
            assert len(segment) <= longest
            assert predicates or len(segment) >= shortest
        if predicates:
            assert set(tree.predicates) <= set(words)
        elif shortest == 1:
            assert words == list(range(tree.length))


@pytest.mark.parametrize("language", ["en", "cs", "de"])
def test_segments_of_treebanks(shared_data, language):
    trees = read_trees(str(shared_data / "corpora" / "pud" / f"{language}.conllu.gz"))
    assert len(trees) == 1000
    number = 0
    for tree in trees:
        segments = source_segments(tree)
        words = [word for segment in segments for word in segment]
        assert words == sorted(set(words))
        assert all(segment[-1] - segment[0] == len(segment) - 1 for segment in segments)
        number += len(segments)
    assert number > 1000


def test_phrases_grow_around_their_heads(tmp_path):
    """Noun phrases with their prepositions, and a verb with its objects before its subject."""
    rows = [
        ("The", "DET", 3, "det"), ("old", "ADJ", 3, "amod"), ("cat", "NOUN", 8, "nsubj"),
        ("of", "ADP", 6, "case"), ("the", "DET", 6, "det"), ("house", "NOUN", 3, "nmod"),
        ("has", "AUX", 8, "aux"), ("slept", "VERB", 0, "root"), ("all", "DET", 10, "det"),
        ("day", "NOUN", 8, "obl:tmod"), (".", "PUNCT", 8, "punct"),
    ]  # fmt: skip
    text = "".join(
        f"{n}\t{word}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_\n"
        for n, (word, tag, head, relation) in enumerate(rows, 1)
    )
    path = tmp_path / "trees.conllu"
    path.write_text("1-2\tTheold" + "\t_" * 8 + "\n" + text)  # a range of words is no word
    (tree,) = read_trees(str(path))
    assert source_segments(tree, 2, 6) == [(0, 1, 2, 3, 4, 5), (6, 7, 8, 9)]
    assert source_segments(tree, 2, 5) == [(0, 1, 2), (3, 4, 5), (6, 7, 8, 9)]
    assert source_segments(tree, 2, 3) == [(0, 1, 2), (3, 4, 5), (7, 8, 9)]
    assert source_segments(tree, 2, 2) == [(4, 5), (8, 9)]
    assert tree.predicates == (7,)


def test_projection_with_and_without_gaps():
    links = {0: [4], 1: [1, 2], 3: [0]}
    assert project((0, 1), links) == [1, 2, 4]
    assert project((0, 1), links, contiguous=True) == [1, 2, 3, 4]
    assert project((2,), links, contiguous=True) == []


@pytest.fixture
def files(tmp_path):
    """The example's files, any of them replaced: `files(trees="…")`."""

    def files(**replaced: str) -> dict[str, object]:
        paths = {}
        for name in ("source.txt", "reference.txt", "trees.txt", "A.txt", "A.links"):
            paths[name] = tmp_path / name
            text = (EXAMPLES / name).read_text()
            paths[name].write_text(replaced.get(name.replace(".", "_"), text))
        return {
            "source": str(paths["source.txt"]),
            "reference": str(paths["reference.txt"]),
            "trees": str(paths["trees.txt"]),
            "system": {"A": str(paths["A.txt"])},
            "alignment": {"A": str(paths["A.links"])},
        }

    return files


@pytest.mark.parametrize(
    ("replaced", "said"),
    [
        (
            {"trees_txt": "(S (X a))\n(S (X b))\n"},
            r"trees.txt: line 1: the tree has 1 words, line 1 of .* has 9; token 1 is 'a' in",
        ),
        ({"trees_txt": "(S (X a)\n(S (X b))\n"}, r"trees.txt: line 1: a bracket is not closed"),
        ({"trees_txt": "(S (X a)))\n(S)\n"}, r"line 1: unmatched closing bracket"),
        ({"trees_txt": "(S (X a))\n\n"}, r"trees.txt: has 1 sentences, .*source.txt has 2"),
        ({"trees_txt": "(())\n(S (X b))\n"}, r"line 1: the sentence has no tree"),
        ({"trees_txt": "1\ta\tb\n"}, r"line 1: has 3 columns; CoNLL-U has ten"),
        ({"trees_txt": "1\ta" + "\t_" * 4 + "\t7" + "\t_" * 3}, r"the head '7' is not a word"),
        ({"trees_txt": "1\ta" + "\t_" * 4 + "\t1" + "\t_" * 3}, r"heads .* form a cycle"),
        ({"trees_txt": "# nothing\n"}, r"there is no tree here"),
        ({"A_links": "0-0\n9-0\n"}, r"A.links: line 2: the link 9-0 is out of range"),
        ({"A_links": "0:0\n\n"}, r"A.links: line 1: '0:0' is not a link like 3-4"),
        ({"A_links": "0-0\n"}, r"A.links: has 1 sentences, the source has 2"),
        ({"A_txt": "ein Satz\n"}, r"A.txt: has 1 sentences"),
        ({"reference_txt": "ein Satz\n"}, r"reference.txt: has 1 sentences"),
    ],
)
def test_files_that_do_not_fit(files, replaced, said):
    with pytest.raises(door.InputError, match=said):
        door.extract_segments(**files(**replaced))


def test_other_refusals(files):
    given_files = files()
    with pytest.raises(door.BadParameter, match="`shortest` is 7, more than `longest`"):
        door.extract_segments(**given_files, shortest=7)
    more = {**given_files, "system": given_files["system"] | {"B": given_files["source"]}}
    with pytest.raises(door.AdjudgeError, match="the outputs of B have no alignment"):
        door.extract_segments(**more)
    with pytest.raises(door.AdjudgeError, match="`alignment` has C, of which there are no outputs"):
        door.extract_segments(**given_files | {"alignment": given_files["alignment"] | {"C": "x"}})
    with pytest.raises(door.BadParameter, match="`corpus` is to align with"):
        door.extract_segments(**given_files, corpus=("x", "y"))
    with pytest.raises(door.BadParameter, match="`parser` is to make trees"):
        door.extract_segments(**given_files, parser="en_core_web_sm")
    with pytest.raises(door.BadParameter, match="`aligner` cannot be 'giza'"):
        door.extract_segments(**given_files, aligner="giza")
    with pytest.raises(door.BadParameter, match="`tokenize` cannot be 'moses'"):
        door.extract_segments(**given_files, tokenize="moses")
    with pytest.raises(door.BadParameter, match="`predicates` adds segments to Algorithm 1"):
        door.extract_segments(**given_files, constituents=True, predicates=True)
    with pytest.raises(door.AdjudgeError, match="there are no outputs"):
        door.extract_segments(**given_files | {"system": {}})
    nothing = door.extract_segments(**given_files, shortest=40, longest=50)
    with pytest.raises(door.AdjudgeError, match="there is no segment to write"):
        nothing.write_segments("nowhere.tsv")


def test_a_corpus_must_be_parallel(files, tmp_path):
    (tmp_path / "one").write_text("a\nb\n")
    (tmp_path / "two").write_text("a\n")
    corpus = (str(tmp_path / "one"), str(tmp_path / "two"))
    with pytest.raises(door.InputError, match=r"two: has 1 sentences, .*one has 2"):
        door.extract_segments(**files() | {"alignment": None}, corpus=corpus)


def test_alignments_are_learnt_where_none_are_given(files, tmp_path):
    """Two sentences teach little; a corpus of the same words in other orders teaches the rest."""
    english = ["the boat", "the old boat", "red captain", "the red harbour", "old harbour ."]
    german = ["das Boot", "das alte Boot", "rote Kapitän", "das rote Hafen", "alte Hafen ."]
    for name, lines in (("en", english), ("de", german)):
        (tmp_path / name).write_text("\n".join(lines * 5) + "\n")
    corpus = (str(tmp_path / "en"), str(tmp_path / "de"))
    extraction = door.extract_segments(**files() | {"alignment": None}, corpus=corpus)
    candidates = extraction.merged["candidate"].to_list()
    assert candidates[0] == "Der alte Kapitän"
    assert "das rote Boot" in candidates[1]
    assert "alignment:diagonal" in str(extraction.signature)
    again = door.extract_segments(**files() | {"alignment": None}, corpus=corpus)
    assert again.merged.equals(extraction.merged)


@given(text=bracketed() | depending())
def test_constituents_of_any_tree(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "any.tree"
    path.write_text(text)
    (tree,) = read_trees(str(path))
    stretches = constituents(tree, 2, 5)
    assert stretches == sorted(set(stretches))
    for stretch in stretches:
        assert stretch == tuple(range(stretch[0], stretch[-1] + 1))
        assert 2 <= len(stretch) <= 5
        assert len(stretch) < tree.length


def test_consistent_phrases():
    links = {0: [0], 1: [2], 2: [1], 4: [3]}
    assert is_consistent((1, 2), links)
    assert is_consistent((2, 3), links)  # a word without links does no harm
    assert not is_consistent((0, 1), links)  # 1 stands between, and belongs to 2
    assert not is_consistent((3,), links)


def test_constituents_as_wmt07_chose_them(files):
    """Not the whole sentence, more than three words, the alignment consistent everywhere."""
    extraction = door.extract_segments(**files(), constituents=True)
    assert extraction.merged.select("indices", "candidate").rows() == [
        ("3 4 5 6 7", "hat das rote Boot repariert"),
        ("4 5 6 7", "das rote Boot repariert"),
    ]
    crossed = files(A_links="0-6 3-3 4-7 5-4\n0-0\n")  # 6 stands between 4 and 7
    assert not len(door.extract_segments(**crossed, constituents=True).merged)


@pytest.mark.parametrize("name", ["segments.tsv", "six.tsv"])
def test_straight_into_a_campaign(adjudge, adjudge_process, tmp_path, name):
    """What is written is what a campaign of segments takes."""
    words = [f"--{part}={EXAMPLES / part}.txt" for part in ("source", "reference", "trees")]
    for system in ("A", "B"):
        words += [f"--system={system}={EXAMPLES / system}.txt"]
        words += [f"--alignment={system}={EXAMPLES / system}.links"]
    done = adjudge("segments", "extract", *words, "--write", tmp_path / name)
    assert done.code == 0, done.err
    rows = [line.split("\t") for line in (tmp_path / name).read_text().splitlines()]
    (captain,) = [row for row in rows if "Der alte Kapitän" in row]
    if name == "six.tsv":
        sentence = "The old captain has mended the red boat ."
        reference = "Der alte Kapitän hat das rote Boot repariert ."
        phrases = ["The old captain", "Der alte Kapitän", "0 1 2"]
        assert captain == ["1", sentence, reference, *phrases]
    else:
        assert captain[5:] == ["Der alte Kapitän", "A B"]
    made = adjudge_process(
        "campaign", "create", "phrases", "--pair", "en-de", "--segments", name, folder=tmp_path
    )
    assert made.code == 0, made.err
    assert f"{0 if name == 'six.tsv' else 2} systems" in made.out


def test_constituents_are_found_in_the_outputs(files):
    """Judges see the phrase marked in the source and in the sentence that each system wrote."""
    paths = files()
    given_files = {name: paths[name] for name in ("source", "reference", "system", "trees")}
    texts = extracted_phrases(**given_files, constituents=True, languages=("en", "de"))
    assert (texts.source_language, texts.target_language) == ("en", "de")
    parts = [part for own in texts.parts for part in own]
    assert parts
    for part in parts:
        source = texts.source[next(k for k, own in enumerate(texts.parts) if part in own)]
        assert " ".join(source.split(" ")[word] for word in part.words) == part.text
        (output,) = part.outputs
        assert output.systems == ("A",)
        assert output.sentence[output.start :].startswith(output.text)
    with pytest.raises(door.AdjudgeError, match="phrases are judged beside a reference"):
        extracted_phrases(**given_files | {"reference": None})
