"""From plain texts to a campaign: a pipeline of spaCy parses, and the alignment is learnt."""

from pathlib import Path

import pytest

import adjudge as door

spacy = pytest.importorskip("spacy")
pytestmark = pytest.mark.slow

# Words with their heads (counted from 0; a root is its own) and tags.
SENTENCES = [
    ("The old captain has mended the red boat .", [2, 2, 4, 4, 4, 7, 7, 4, 4], "DANXVDANP"),
    ("A storm closed the harbour .", [1, 2, 2, 4, 2, 2], "DNVDNP"),
    ("The red boat closed the old harbour .", [2, 2, 3, 3, 6, 6, 3, 3], "DANVDANP"),
    ("A captain has closed the boat .", [1, 3, 3, 3, 5, 3, 3], "DNXVDNP"),
]
TAGS = {"D": "DET", "A": "ADJ", "N": "NOUN", "X": "AUX", "V": "VERB", "P": "PUNCT"}
RELATIONS = {"D": "det", "A": "amod", "N": "obj", "X": "aux", "P": "punct"}
PLAIN = {
    "source.txt": "The old captain has mended the red boat.\nA storm closed the harbour.\n",
    "reference.txt": "Der Kapitän hat das rote Boot repariert.\nEin Sturm sperrte den Hafen.\n",
    "A.txt": "Der alte Kapitän hat das rote Boot repariert.\nEin Sturm schloss den Hafen.\n",
    "B.txt": "Der alte Kapitän flickte rotes Boot.\nEin Sturm hat den Hafen geschlossen.\n",
}


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory) -> str:
    """The folder of a small pipeline that has learnt these sentences by heart."""
    from spacy.tokens import Doc
    from spacy.training import Example

    nlp = spacy.blank("en")
    nlp.add_pipe("parser", config={"min_action_freq": 1})
    nlp.add_pipe("morphologizer")
    examples = []
    for text, heads, tags in SENTENCES:
        words = text.split()
        kinds = [
            "ROOT" if head == place else "nsubj" if tag == "N" and place < head else RELATIONS[tag]
            for place, (head, tag) in enumerate(zip(heads, tags, strict=True))
        ]
        gold = Doc(nlp.vocab, words=words, heads=heads, deps=kinds, pos=[TAGS[tag] for tag in tags])
        examples.append(Example(Doc(nlp.vocab, words=words), gold))
    spacy.util.fix_random_seed(1)
    nlp.initialize(lambda: examples)
    for _ in range(40):
        nlp.update(examples)
    folder = tmp_path_factory.mktemp("pipelines") / "small"
    nlp.to_disk(folder)
    return str(folder)


@pytest.fixture
def files(tmp_path) -> dict[str, object]:
    for name, text in PLAIN.items():
        (tmp_path / name).write_text(text)
    path = {name.removesuffix(".txt"): str(tmp_path / name) for name in PLAIN}
    return {
        "source": path["source"],
        "reference": path["reference"],
        "system": {"A": path["A"], "B": path["B"]},
    }


def test_plain_texts_are_split_parsed_and_aligned(pipeline, files):
    extraction = door.extract_segments(**files, parser=pipeline, longest=4)
    segments = extraction.merged["source_segment"].unique(maintain_order=True).to_list()
    assert segments == ["The old captain", "mended the red boat", "closed the harbour"]
    assert extraction.merged["source"][0] == "The old captain has mended the red boat ."
    assert extraction.merged["reference"][0] == PLAIN["reference.txt"].split("\n")[0]
    assert extraction.to_frame()["predicates"].item() == 2
    assert "trees:en_pipeline" in str(extraction.signature)
    split = door.extract_segments(**files, parser=pipeline, tokenize="none", longest=4)
    assert split.merged["source"][0] == "The old captain has mended the red boat."


def test_pipelines_that_are_not_there(files, tmp_path):
    with pytest.raises(door.BadParameter, match="`parser` cannot be 'nowhere': spaCy has no such"):
        door.extract_segments(**files, parser="nowhere")
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(door.BadParameter, match=r"the pipeline en_pipeline .* does not parse"):
        door.extract_segments(**files, parser=str(tmp_path / "blank"))


@pytest.mark.skipif(bool(spacy.util.get_installed_models()), reason="a pipeline is installed")
def test_no_pipeline_at_all(adjudge, files):
    system = [f"--system={name}={path}" for name, path in files["system"].items()]
    done = adjudge(
        "segments",
        "extract",
        "--source",
        files["source"],
        "--reference",
        files["reference"],
        *system,
    )
    assert done.code == 2
    assert (
        "the source has no trees, and spaCy has no pipeline: give --trees, or install" in done.err
    )


def test_a_line_without_words(pipeline, files):
    Path(files["source"]).write_text("The old captain.\n\n")
    with pytest.raises(door.InputError, match=r"source.txt: line 2: is empty and has no tree"):
        door.extract_segments(**files, parser=pipeline)


@pytest.mark.parametrize("protocol", ["segments", "constituent"])
def test_straight_into_a_campaign(adjudge_process, files, tmp_path, protocol):
    """One command from texts and trees; judges see phrases."""
    trees = Path(__file__).parents[2] / "docs" / "examples" / "parsed" / "trees.txt"
    for path in (files["source"], *files["system"].values(), files["reference"]):
        Path(path).write_text(Path(path).read_text().replace(".", " ."))
    words = ["--source", files["source"], "--reference", files["reference"], "--pair", "en-de"]
    words += [f"--system={name}={path}" for name, path in files["system"].items()]
    made = adjudge_process(
        "campaign", "create", "phrases", "--protocol", protocol, *words, "--trees", trees,
        folder=tmp_path,
    )  # fmt: skip
    assert made.code == 0, made.err
    assert "2 systems" in made.out
    assert "phrases of them to judge" in made.out


def test_trees_without_phrases_to_ask_about(adjudge_process, files, tmp_path):
    words = ["--source", files["source"], "--reference", files["reference"]]
    words += [f"--system={name}={path}" for name, path in files["system"].items()]
    done = adjudge_process(
        "campaign", "create", "whole", *words, "--trees", files["source"], folder=tmp_path
    )
    assert done.code == 2
    assert "--trees is for --source and a protocol that asks about phrases" in done.err
