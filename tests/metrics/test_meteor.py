"""METEOR with resources of our own making, packed as its jar is."""

import gzip
import zipfile

import numpy as np
import pytest

from adjudge.core.errors import BadParameter, InputError
from adjudge.metrics.meteor_resources import normalise, paraphrases, read_prefixes
from adjudge.metrics.metric import metric_named


@pytest.fixture
def jar(tmp_path):
    path = tmp_path / "meteor.jar"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("function/english.words", "the\nof\n")
        packed.writestr("nonbreaking/english.prefixes", "# a comment\nMr\nNo #NUMERIC_ONLY#\n")
        packed.writestr("synonym/english.synsets", "big\n1 2\nlarge\n2\nbee\n3\nbe\n4\n")
        packed.writestr("synonym/english.exceptions", "be\nis was\n")
    return path


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "paraphrase.gz"
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        stream.write("0.5\nas well as\nand also\n")
    return path


def scored(jar, output, reference, **options):
    inside = ",".join(f"{key}={value}" for key, value in options.items())
    metric = metric_named(f"meteor(resources={jar},normalize=no{',' * bool(inside)}{inside})")
    counts = metric.statistics([(reference,)])((output,))
    return counts[0], metric.segment_values(counts)[0]


def test_a_worked_example(jar):
    """h: the dog ran far; r: the dog did run far: three matches, two chunks."""
    counts, score = scored(jar, "the dog ran far", "the dog did run far", modules="exact")
    assert counts[:4].tolist() == [3, 1, 4, 1]
    assert counts[4:8].tolist() == [2, 1, 2, 1]
    assert counts[-3:].tolist() == [2, 3, 3]
    precision, recall = (0.75 * 2 + 0.25) / (0.75 * 3 + 0.25), (0.75 * 2 + 0.25) / (0.75 * 4 + 0.25)
    mean = precision * recall / (0.85 * precision + 0.15 * recall)
    assert score == pytest.approx(mean * (1 - 0.6 * (2 / 3) ** 0.2))


def test_a_copy_is_perfect(jar):
    assert scored(jar, "the dog", "the dog", modules="exact")[1] == 1


def test_synonyms_by_form_and_base_form(jar):
    modules = "exact+synonym"
    assert scored(jar, "a big dog", "a large dog", modules=modules)[0][12:16].tolist() == [
        1,
        0,
        1,
        0,
    ]
    assert scored(jar, "it is so", "it was so", modules=modules)[0][12] == 1
    # The first base form that is known counts: being is of bee, not of be.
    assert scored(jar, "it being so", "it was so", modules=modules)[0][12] == 0


@pytest.fixture
def own_wordnet(tmp_path, monkeypatch):
    """Files as WordNet's are, with a few words."""
    for part in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"index.{part}").write_text("  1 a licence\n")
        (tmp_path / f"{part}.exc").write_text("")
    adjectives = "big a 2 1 & 2 1 00000001 00000002  \nlarge a 1 1 & 1 1 00000002  \n"
    (tmp_path / "index.adj").write_text(adjectives)
    # Another part of speech: the same place, another synset.
    (tmp_path / "index.verb").write_text("see v 1 0 1 1 00000002  \n")
    (tmp_path / "verb.exc").write_text("saw see\n")
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path))


@pytest.mark.usefixtures("own_wordnet")
def test_synonyms_of_wordnet_without_a_jar():
    metric = metric_named("meteor(words=none,synonyms=wordnet)")
    counts = metric.statistics([("a large dog", "big", "see")])(("a big dog", "see", "saw"))
    assert counts[:, 12].tolist() == [1, 0, 1]
    assert counts[0, :4].tolist() == [3, 0, 3, 0]


@pytest.mark.usefixtures("own_wordnet")
@pytest.mark.parametrize(
    ("version", "alpha", "beta", "gamma"), [("wmt07", 0.81, 0.83, 0.28), ("2005", 0.9, 3, 0.5)]
)
def test_earlier_versions(version, alpha, beta, gamma):
    """Three of four words match, in two chunks: by synonym, by Porter's stem, exact."""
    metric = metric_named(f"meteor(version={version},alignment=published,synonyms=wordnet)")
    counts = metric.statistics([("large dogs they bark",)])(("big dog bark",))
    mean = 0.75 / (alpha + (1 - alpha) * 0.75)
    assert metric.segment_values(counts)[0] == pytest.approx(mean * (1 - gamma * (2 / 3) ** beta))


def test_where_wordnet_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="wordnet-base"):
        metric_named("meteor(words=none,synonyms=wordnet)").statistics([("a",)])
    (tmp_path / "index.noun").write_text("no index\n")
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path))
    with pytest.raises(InputError, match="no readable files of WordNet"):
        metric_named("meteor(words=none,synonyms=wordnet)").statistics([("a",)])


def test_paraphrases(jar, table):
    modules = "exact+paraphrase"
    counts, _ = scored(
        jar, "cats and also dogs", "cats as well as dogs", modules=modules, paraphrases=table
    )
    assert counts[16:20].tolist() == [2, 0, 3, 0]
    assert counts[-3:].tolist() == [0, 4, 5]  # one chunk, all of it


def test_of_a_table_only_what_occurs_is_read(tmp_path):
    """Both phrases of a pair must occur in a line; long ones are always read."""
    path, long = tmp_path / "paraphrase.gz", " ".join("abcdefghij")
    pairs = [("a b", "c"), ("c", "d"), ("a", "b c"), ("c", "ü a"), ("b", "nowhere"), (long, "c")]
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        stream.writelines(f"0.1\n{phrase}\n{other}\n" for phrase, other in pairs)
    known = paraphrases(str(path), ([["a", "b"], ["c"]], [["ü", "a"], []]))
    assert known.table == {"a b": {"c": None}, "c": {"ü a": None}, long: {"c": None}}
    assert known.longest == 10


@pytest.mark.parametrize(
    "content",
    [b"no table", gzip.compress(b"0.5\na\n"), gzip.compress(b"0.5\na\nb\n")[:-9]],
    ids=["not compressed", "half a row", "cut off"],
)
def test_a_file_that_is_no_table(tmp_path, content):
    (tmp_path / "table.gz").write_bytes(content)
    with pytest.raises(InputError, match=r"is not a paraphrase table|break off"):
        paraphrases(str(tmp_path / "table.gz"), [[["a", "b"]]])


def test_the_best_reference_counts(jar):
    metric = metric_named(f"meteor(resources={jar},modules=exact,normalize=no)")
    counts = metric.statistics([("a b",), ("x y z",)])(("x y z",))
    assert metric.segment_values(counts).tolist() == [1]


def test_as_published_covers_more_words(jar):
    output, reference = "large cats see it", "it see big cats"
    modules = "exact+synonym"
    shipped, published = (
        scored(jar, output, reference, modules=modules, alignment=way)[0]
        for way in ("shipped", "published")
    )
    assert published[-1] == 4
    assert shipped[-1] <= published[-1]


@pytest.mark.parametrize(
    ("signature", "said"),
    [
        ("meteor", "meteor needs its lists of words"),
        ("meteor(language=cz,modules=exact+stem)", "cannot have 'stem'"),
        ("meteor(version=wmt07)", "needs alignment=published"),
        ("meteor(words=none)", "or `synonyms=wordnet`"),
        ("meteor(modules=exact+magic)", "modules cannot be 'magic'"),
        ("meteor(resources=JAR,modules=exact+paraphrase)", "give its table"),
    ],
)
def test_what_is_missing_is_said(jar, signature, said):
    with pytest.raises(BadParameter) as refused:
        metric_named(signature.replace("JAR", str(jar))).statistics([("a",)])
    assert said in str(refused.value)


def test_a_file_that_is_no_jar(tmp_path):
    (tmp_path / "x.jar").write_text("no jar")
    with pytest.raises(InputError, match=r"METEOR 1\.5"):
        metric_named(f"meteor(resources={tmp_path / 'x.jar'})").statistics([("a",)])
    with pytest.raises(InputError, match="no such file"):
        metric_named("meteor(resources=nowhere.jar)").statistics([("a",)])


def test_the_search_finds_the_alignment_of_a_slow_one(jar):
    """Against trying everything: as published, most words, then fewest chunks."""
    from itertools import product

    random = np.random.default_rng(2)
    metric = metric_named(f"meteor(resources={jar},modules=exact,normalize=no,alignment=published)")
    for _ in range(40):
        output, reference = (
            random.choice(list("abc"), random.integers(1, 6)).tolist() for _ in "xy"
        )
        choices = [[None, *(j for j, w in enumerate(output) if w == word)] for word in reference]
        best = min(
            (-sum(j is not None for j in way), _chunks(way))
            for way in product(*choices)
            if len({j for j in way if j is not None}) == sum(j is not None for j in way)
        )
        counts = metric.statistics([(" ".join(reference),)])((" ".join(output),))[0]
        chunks = 1 if output == reference else counts[-3]
        assert (-counts[-1], chunks) == best or (output == reference and best[0] == -counts[-1])


def _chunks(way):
    chunks, last = 0, None
    for place in way:
        if place is not None and (last is None or place != last + 1):
            chunks += 1
        last = place
    return chunks


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "Mr. Smith's dog – the U.S.-born one -- ran.",
            "Mr. Smith 's dog - the US born one - ran .",
        ),
        ("“No. 5” costs 1,500.50 $, not No. X…", '" No. 5 " costs 1,500.50 $ , not No . X …'),
        ("well-known, wait... etc. and so on", "well known , wait ... etc. and so on"),
        ("a\u00a0b", "a b"),
    ],
)
def test_normalisation(text, words):
    prefixes = read_prefixes(["# a comment", "Mr", "No #NUMERIC_ONLY#", ""])
    assert normalise([text], "english", prefixes) == [words.split()]


def test_texts_are_normalised_unless_told(jar):
    metric = metric_named(f"meteor(resources={jar},modules=exact)")
    assert metric.segment_values(metric.statistics([("A dog ran .",)])(("a dog ran.",))) == [1]
    with pytest.raises(BadParameter, match="cannot normalise 'fi'"):
        metric_named(f"meteor(resources={jar},language=fi,modules=exact)").statistics([("a",)])


def test_letters_that_are_neither_latin_nor_cyrillic_stand_alone():
    """As in the jar, which takes a Greek β in a German word for a mark."""
    lines = normalise(("genieβen größte Москва",), "english", {})
    assert lines == [["genie", "β", "en", "größte", "Москва"]]
