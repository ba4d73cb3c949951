"""Phrases of sentences and what systems made of them: read, merged, credited, found again."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import InputError
from adjudge.text.phrases import Sentence
from adjudge.text.segments import read_phrases
from adjudge.text.testset import PartOutput, TestSet

SOURCE = "the old mill , at the river , burned down"
REFERENCE = "die alte Mühle am Fluss brannte ab"


def line(indices: str, candidate: str, sentence: str = "1", source: str = SOURCE) -> str:
    words = source.split(" ")
    phrase = " ".join(words[int(index)] for index in indices.split(" "))
    return "\t".join((sentence, source, REFERENCE, phrase, candidate, indices)) + "\n"


OLD = "two dogs sleep"
LINES = [
    line("8 9", "brannte ab"),
    line("8 9", "abgebrannt"),
    line("0 1 2", "die alte Mühle"),
    line("0 1 2", "die alte Mühle"),  # of another system: the same candidate
    line("0 1 2", "das alte Mahlwerk ,"),
    line("0 1", "zwei Hunde", "2", OLD),
    line("0 1", "2 Hunde", "2", OLD),
]
ALPHA = ["„Die“ – nein, die alte Mühle, am Fluss, brannte gestern ab.", "Es schlafen zwei Hunde."]
BETA = ["Abgebrannt ist das alte Mahlwerk, abgebrannt!", "2 Hunde schlafen"]

Write = Callable[[str, str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return write


@pytest.fixture
def systems(write: Write) -> dict[str, str]:
    return {
        "alpha": write("alpha.txt", "\n".join(ALPHA) + "\n"),
        "beta": write("beta.txt", "\n".join(BETA) + "\n"),
    }


def test_six_columns_become_sentences_with_phrases(write: Write) -> None:
    texts = read_phrases(write("six.tsv", "".join(LINES)), languages=("en", "de"))
    assert texts.source == (SOURCE, OLD)
    assert texts.reference == (REFERENCE, REFERENCE)
    assert texts.names == ("1", "2")
    assert (texts.source_language, texts.target_language) == ("en", "de")
    assert texts.systems == {}
    first, second = texts.parts
    assert [(part.words, part.text) for part in first] == [
        ((0, 1, 2), "the old mill"),
        ((8, 9), "burned down"),
    ]
    assert first[0].outputs == (PartOutput("die alte Mühle"), PartOutput("das alte Mahlwerk ,"))
    assert [len(part.outputs) for part in (*first, *second)] == [2, 2, 2]


def test_outputs_tell_whose_a_candidate_is_and_where_it_stands(
    write: Write, systems: dict[str, str]
) -> None:
    texts = read_phrases(write("six.tsv", "".join(LINES)), systems)
    mill, burned = texts.parts[0]
    # Quotation marks, dashes and commas are where each system put them, or not.
    assert mill.outputs[0] == PartOutput(
        "die alte Mühle", ("alpha",), ALPHA[0], ALPHA[0].index("die")
    )
    assert mill.outputs[1] == PartOutput(
        "das alte Mahlwerk ,", ("beta",), BETA[0], BETA[0].index("das")
    )
    # A word in between is left out; letters that differ in case are other letters.
    assert burned.outputs[0] == PartOutput(
        "brannte ab", ("alpha",), ALPHA[0], ALPHA[0].index("brannte")
    )
    assert burned.outputs[1] == PartOutput("abgebrannt", ("beta",), BETA[0], BETA[0].index("abge"))
    assert texts.systems == {"alpha": tuple(ALPHA), "beta": tuple(BETA)}


def test_of_several_candidates_the_tightest_then_the_longest_is_the_systems(write: Write) -> None:
    lines = [line("0 1 2", one) for one in ("Mühle", "die Mühle", "die alte Mühle", "Korn")]
    path = write("six.tsv", "".join(lines))
    outputs = {"alpha": write("a.txt", "die Mühle , die alte Mühle\n")}
    texts = read_phrases(path, outputs)
    credited = {one.text: one.systems for one in texts.parts[0][0].outputs}
    assert credited == {
        "Mühle": (),
        "die Mühle": (),
        "die alte Mühle": ("alpha",),
        "Korn": (),
    }


def test_sentences_are_lines_by_number_or_in_order(write: Write, systems: dict[str, str]) -> None:
    swapped = write("swapped.tsv", "".join(LINES[5:] + LINES[:5]))
    assert read_phrases(swapped, systems).names == ("1", "2")
    named = "".join(LINES).replace("1\tthe", "a\tthe").replace("2\ttwo", "b\ttwo")
    texts = read_phrases(write("named.tsv", named), systems)
    assert texts.names == ("a", "b")
    assert texts.parts[1][0].outputs[0].systems == ("alpha",)
    only_second = write("second.tsv", "".join(LINES[5:]))
    assert read_phrases(only_second, systems).systems["beta"] == (BETA[1],)
    documents = write("documents.tsv", "mill\ndogs\n")
    assert read_phrases(only_second, systems, documents).documents == ("dogs",)


def test_the_table_of_the_database_names_the_systems(write: Write, systems: dict[str, str]) -> None:
    heading = "segment sentence source_segment source_word_indices candidate candidate_segment"
    rows = [
        "9\t1\tthe old mill\t0 1 2\t0\tdie alte Mühle\tbeta gamma",
        "9\t1\tthe old mill\t0 1 2\t1\tdas alte Mahlwerk ,\t",
        "12\t1\tthe old mill\t0 1 2\t0\tdie alte Mühle\talpha",
    ]
    segments = "\n".join(["\t".join([*heading.split(), "systems"]), *rows]) + "\n"
    sentences = f"sentence\tsource\treference\n1\t{SOURCE}\t{REFERENCE}\n"
    write("sentences.tsv", sentences)
    texts = read_phrases(write("segments.tsv", segments), systems)
    (part,) = texts.parts[0]
    # The segment is there twice, with the same candidate: one, of all its systems.
    assert part.outputs == (
        PartOutput("die alte Mühle", ("alpha", "beta", "gamma"), ALPHA[0], ALPHA[0].index("die")),
        PartOutput("das alte Mahlwerk ,"),
    )
    write("sentences.tsv", sentences.replace("\n1\t", "\n7\t"))
    with pytest.raises(InputError, match=r"segments\.tsv: line 2: sentence '1' is not in sent"):
        read_phrases(write("segments.tsv", segments))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["1\ta b\tr\tb\tc\n"], "line 1: has 5 fields instead of 6"),
        ([LINES[0], line("8 9", "x").replace("8 9", "8 3")], "line 2: .*not what its indices"),
        ([LINES[0], line("8 9", "x").replace("8 9", "seven")], "line 2: .*no indices of words"),
        ([LINES[0], line("8 9", "")], "line 2: has no candidate"),
        ([LINES[0], "\n", LINES[5].replace("2\t", "1\t")], "line 3: .*another source further up"),
        ([LINES[0], LINES[1].replace("die", "eine")], "line 2: .*another reference further up"),
    ],
)
def test_a_bad_file_is_refused_at_its_line(write: Write, lines: list[str], message: str) -> None:
    with pytest.raises(InputError, match=rf"six\.tsv: {message}"):
        read_phrases(write("six.tsv", "".join(lines)))


def test_outputs_that_do_not_fit_are_refused(write: Write) -> None:
    path = write("six.tsv", "".join(LINES))
    with pytest.raises(InputError, match=r"a\.txt: has 1 lines for the 2 sentences of"):
        read_phrases(path, {"a": write("a.txt", "only one\n")})
    both = {"a": write("a.txt", "1\n2\n"), "b": write("b.txt", "1\n2\n3\n")}
    assert read_phrases(path, both).systems["b"] == ("1", "2")


pieces = st.lists(st.sampled_from(["Haus", "am", "See", "am", ",", "“", "1,5", "ž"]), min_size=1)


@given(st.lists(st.text("ab.", max_size=3)), pieces, st.lists(st.text("cd!", max_size=3)))
def test_a_phrase_is_found_however_it_is_spaced(
    before: list[str], phrase: list[str], after: list[str]
) -> None:
    written = " ".join([*before, *phrase, *after]).replace(" ,", ",")
    found = Sentence(written).find(" ".join(phrase).replace("“", '"'))
    assert found is not None
    assert found.skipped == 0
    start, end = found.spans[0][0], found.spans[-1][1]
    assert written[start:end].replace(" ", "") == "".join(phrase)


def test_a_phrase_that_is_not_there_is_not_found() -> None:
    assert Sentence("am See ein Haus").find("Haus am See") is None
    assert Sentence("Seehaus").find("See") is None
    assert Sentence("").find("See") is None
    assert Sentence("See").find("…") is None


def test_the_real_segments_are_credited_as_the_shared_table_says(
    shared_data: Path, write: Write
) -> None:
    folder = shared_data / "segranks"
    known = read_phrases(str(folder / "segments.tsv.gz"))
    assert (len(known.source), sum(map(len, known.parts))) == (2990, 8482)

    def made(texts: TestSet) -> dict[tuple[str, tuple[int, ...], str], set[str]]:
        found = defaultdict(set)
        for name, parts in zip(texts.names, texts.parts, strict=True):
            for part in parts:
                for one in part.outputs:
                    for system in one.systems:
                        found[name, part.words, system].add(one.text)
        return found

    some = range(0, len(known.source), 10)
    assert known.reference is not None
    six = write(
        "six.tsv",
        "".join(
            f"{known.names[at]}\t{known.source[at]}\t{known.reference[at]}\t{part.text}\t"
            f"{one.text}\t{' '.join(map(str, part.words))}\n"
            for at in some
            for part in known.parts[at]
            for one in part.outputs
        ),
    )
    systems = {path.name[:-7]: str(path) for path in sorted((folder / "systems").iterdir())}
    found = made(read_phrases(six, systems))
    names = {known.names[at] for at in some}
    told = {where: text for where, text in made(known).items() if where[0] in names}
    assert len(told) > 7000
    same = sum(found[where] == text for where, text in told.items())
    assert same / len(told) > 0.99
