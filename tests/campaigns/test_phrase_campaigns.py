"""`segments` and `constituent`: campaigns of phrases, from the six-column file to the analysis."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.comparisons import compare, count
from adjudge.judgements import read, write
from adjudge.texts import Part, PartOutput, TestSet

DESIGN = Design(run=1, repeats=0.0, common=0.0)
SYSTEMS = ("A", "B", "C")


def phrase(word: int, *texts: str, systems: bool = True) -> Part:
    """A phrase of one word with these translations, of one system each."""
    outputs = tuple(
        PartOutput(text, (SYSTEMS[at],) if systems else (), f"Satz {text} Ende", 5)
        for at, text in enumerate(texts)
    )
    return Part((word,), f"w{word}", outputs)


def of_sentences(*sentences: tuple[Part, ...]) -> TestSet:
    number = len(sentences)
    return TestSet(
        source=tuple(f"w0 w1 w2 {n}" for n in range(number)),
        reference=tuple(f"Referenz {n}" for n in range(number)),
        documents=("document",) * number,
        names=tuple(f"s{n + 1}" for n in range(number)),
        systems={name: tuple(f"Satz {n} von {name}" for n in range(number)) for name in SYSTEMS},
        source_language="en",
        target_language="de",
        parts=tuple(sentences),
    )


TWO_PHRASES = of_sentences((phrase(0, "eins", "zwei", "drei"), phrase(2, "rot", "grün")))


def made(texts: TestSet, *protocols: str, design: Design = DESIGN) -> Any:
    from adjudge.campaigns.setup.creation import create_campaign

    return create_campaign("phrases", texts, design, protocols=protocols)


def next_of(campaign: Any, name: str = "Ada", **details: Any) -> tuple[Any, Any, Any]:
    """A new judge, their first item and its screen."""
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.work.assignment import next_item
    from adjudge.campaigns.work.screen import screen_of

    judge = invite(campaign, name, **details).judge
    item = next_item(judge)
    return judge, item, screen_of(item)


def answer(judge: Any, item: Any, ranks: object, seconds: float = 8.0) -> None:
    from adjudge.campaigns.work.answers import Times, submit
    from adjudge.campaigns.work.screen import candidate_keys

    said = {"candidates": candidate_keys(item), "ranks": ranks}
    submit(judge, item.key, f"key-{item.key}", said, Times(seconds, seconds))


def by_text(screen: Any, wanted: dict[str, int]) -> list[list[int]]:
    """Ranks in the order shown, a list a phrase."""
    ranks: list[list[int]] = [[] for _ in screen.parts]
    for one in screen.candidates:
        ranks[one.part].append(wanted[one.text])
    return ranks


def finished(texts: TestSet, wanted: dict[str, int]) -> Any:
    campaign = made(texts, "segments")
    judge, item, screen = next_of(campaign)
    answer(judge, item, by_text(screen, wanted))
    return campaign


@pytest.mark.usefixtures("store")
class TestSegments:
    def test_a_screen_has_all_phrases_with_their_candidates_together(self) -> None:
        texts = of_sentences(
            (phrase(0, "eins", "zwei", "drei"), phrase(1, "so"), phrase(2, "a", "b"))
        )
        _, _, screen = next_of(made(texts, "segments"))
        assert [(part.text, part.words) for part in screen.parts] == [
            ("w0", (0,)),
            ("w1", (1,)),
            ("w2", (2,)),
        ]
        assert [one.part for one in screen.candidates] == [0, 0, 0, 1, 2, 2]
        assert {one.text for one in screen.candidates[:3]} == {"eins", "zwei", "drei"}

    def test_nobody_judges_their_own_phrase(self) -> None:
        campaign = made(TWO_PHRASES, "segments")
        _, _, screen = next_of(campaign, own_systems=["A"])
        assert {one.text for one in screen.candidates} == {"zwei", "drei", "grün"}

    @pytest.mark.parametrize(
        ("ranks", "code"),
        [
            ("1", "form"),
            ([], "phrase"),
            ([[1, 2, 3]], "phrase"),  # a phrase is missing
            ([[1, 2, 3], [1, 2], [1]], "phrase"),
            ([[1, 2], [1, 2]], "phrase"),  # a candidate is missing
            ([[1, 2, 3], [1, 2, 2]], "phrase"),
            ([[1, 2, 3], 1], "phrase"),
            ([[1, 2, None], [1, 2]], "missing"),
            ([[1, 2, 5], [1, 2]], "rank"),  # garbage is 4
            ([[1, 2, 4], [1, 4]], "rank"),  # garbage is 3
            ([[0, 2, 3], [1, 2]], "rank"),
            ([[1, 2, True], [1, 2]], "rank"),
            ([[1, 2, 2.5], [1, 2]], "rank"),
            ([[1, 2, "garbage"], [1, 2]], "rank"),
        ],
    )
    def test_a_bad_answer_is_refused_and_nothing_stored(self, ranks: object, code: str) -> None:
        from adjudge.campaigns.models import Answer

        judge, item, _ = next_of(made(TWO_PHRASES, "segments"))
        with pytest.raises(Refused) as refused:
            answer(judge, item, ranks)
        assert refused.value.code == code
        assert not Answer.objects.exists()

    def test_every_phrase_is_a_ranking_of_its_own(self) -> None:
        from adjudge.campaigns.results.tables import judgements_of

        wanted = {"eins": 2, "zwei": 1, "drei": 4, "rot": 1, "grün": 1}
        table = judgements_of(finished(TWO_PHRASES, wanted))
        assert table["ranking"].to_list() == [1, 1, 1, 2, 2]
        assert table["position"].to_list() == [1, 2, 3, 1, 2]
        assert table["segment"].to_list() == ["s1:0"] * 3 + ["s1:2"] * 2
        assert dict(table.select("text", "rank").iter_rows()) == wanted
        assert dict(table.select("text", "label").iter_rows())["drei"] == "garbage"
        assert table["label"].null_count() == 4
        assert dict(table.select("text", "output").iter_rows())["drei"] == "C"
        assert table["seconds"].unique().to_list() == [4.0]  # of 8 for both
        assert table["protocol"].unique().to_list() == ["segments"]

    def test_controls_are_pairs_of_one_phrase(self) -> None:
        from adjudge.campaigns.models import Output
        from adjudge.campaigns.results.controls import agreed_pairs

        campaign = made(TWO_PHRASES, "segments", design=Design(common=1.0, repeats=0.0))
        ranks = {"eins": 1, "zwei": 2, "drei": 3, "rot": 1, "grün": 2}
        for number in range(7):
            judge, item, screen = next_of(campaign, f"judge{number}", group="researchers")
            answer(judge, item, by_text(screen, ranks))
        texts = dict(Output.objects.values_list("pk", "text"))
        (pairs,) = agreed_pairs(campaign).values()
        assert {(texts[better], texts[worse]) for better, worse in pairs} == {
            ("eins", "zwei"),
            ("eins", "drei"),
            ("zwei", "drei"),
            ("rot", "grün"),
        }


@pytest.mark.usefixtures("sqlite")
class TestExports:
    def campaign(self) -> Any:
        """One sentence judged, one skipped."""
        from adjudge.campaigns.people.invitation import invite
        from adjudge.campaigns.work.answers import skip
        from adjudge.campaigns.work.assignment import next_item
        from adjudge.campaigns.work.screen import screen_of

        texts = of_sentences(
            (phrase(0, "eins", "zwei", "drei"), phrase(2, "rot", "grün", systems=False)),
            (phrase(1, "eins", "zwei"),),
        )
        campaign = made(texts, "segments")
        judge = invite(campaign, "Ada").judge
        ranks = {"eins": 2, "zwei": 1, "drei": 4, "rot": 1, "grün": 3}
        for _ in range(2):
            item = next_item(judge)
            screen = screen_of(item)
            if len(screen.parts) == 1:
                skip(judge, item.key, "skipped-it", "cannot decide")
            else:
                answer(judge, item, by_text(screen, ranks))
        return campaign

    def exported(self) -> pl.DataFrame:
        from adjudge.campaigns.results.tables import judgements_of

        table = judgements_of(self.campaign())
        assert table["output"].null_count() == 1  # what was skipped
        assert len(table) == 6
        return table

    def test_segranks_json(self, tmp_path: Path) -> None:
        path = tmp_path / "export.json"
        write(self.exported(), str(path))
        assert json.loads(path.read_text()) == {
            "s1,w0": [{"eins": 2, "zwei": 1, "drei": 4}],
            "s1,w2": [{"rot": 1, "grün": 3}],
        }
        table = read(str(path))
        garbage = table.filter(pl.col("label") == "garbage")["text"].to_list()
        assert sorted(garbage) == ["drei", "grün"]

    def test_the_three_tables_of_the_database(self, tmp_path: Path) -> None:
        table = self.exported()
        path = tmp_path / "annotations.tsv"
        write(table, str(path))
        lines = (tmp_path / "segments.tsv").read_text().splitlines()
        assert lines[1:] == [
            "1\ts1\tw0\t0\t0\tdrei\tC",
            "1\ts1\tw0\t0\t1\teins\tA",
            "1\ts1\tw0\t0\t2\tzwei\tB",
            "2\ts1\tw2\t2\t0\tgrün\t",
            "2\ts1\tw2\t2\t1\trot\t",
        ]
        sentences = (tmp_path / "sentences.tsv").read_text().splitlines()
        assert sentences == ["sentence\tsource\treference", "s1\tw0 w1 w2 0\tReferenz 0"]
        again = read(str(path))
        kept = ["judge", "output", "rank", "label", "seconds", "time", "source", "text"]

        def said(frame: pl.DataFrame) -> pl.DataFrame:
            plain = frame.drop_nulls("output").with_columns(pl.col(pl.Categorical).cast(pl.String))
            return plain.sort("ranking", "text").select("ranking", *kept)

        assert said(again).equals(said(table))
        wins = count(compare(table)).wins
        assert (count(compare(again)).wins == wins).all()
        assert wins.sum() > 0
        with pytest.raises(Exception, match=r"segments\.tsv: is there already"):
            write(table, str(path))

    def test_the_file_it_was_made_from(self, tmp_path: Path) -> None:
        from adjudge.texts.segments import read_phrases

        path = str(tmp_path / "six.tsv")
        write(self.exported(), path)
        texts = read_phrases(path)
        assert texts.names == ("s1",)
        assert [part.words for part in texts.parts[0]] == [(0,), (2,)]


@pytest.mark.usefixtures("sqlite")
class TestConstituent:
    def test_a_screen_is_a_phrase_with_two_known_translations_or_more(self) -> None:
        from adjudge.campaigns.people.invitation import invite
        from adjudge.campaigns.work.assignment import next_items
        from adjudge.campaigns.work.screen import screen_of

        nobody = PartOutput("niemands")
        first = phrase(2, "rot", "grün")
        texts = of_sentences(
            (phrase(0, "eins", "zwei", "drei"), phrase(1, "so")),
            (Part(first.words, first.text, (*first.outputs, nobody)),),
        )
        campaign = made(texts, "constituent", design=Design(run=2, block=2, common=0.0))
        judge = invite(campaign, "Ada").judge
        screens = [screen_of(item) for item in next_items(judge, 9)]
        assert [[part.text for part in screen.parts] for screen in screens] == [["w0"], ["w2"]]
        assert [len(screen.candidates) for screen in screens] == [2, 2]
        assert {one.text for one in screens[1].candidates} == {"rot", "grün"}
        for one in screens[1].candidates:
            assert one.sentence[one.start :].startswith(one.text)
        assert screens[0].scale == {"ranks": [1, 2, 3, 4, 5]}

    def test_ranks_beyond_the_number_of_phrases_are_no_garbage(self, tmp_path: Path) -> None:
        from adjudge.campaigns.results.tables import judgements_of

        campaign = made(TWO_PHRASES, "constituent")
        judge, item, screen = next_of(campaign)
        assert len(screen.candidates) == 3
        answer(judge, item, [5, 2, 5])
        table = judgements_of(campaign)
        assert table["rank"].to_list() == [5, 2, 5]
        for path in (tmp_path / "export.json", tmp_path / "annotations.tsv"):
            write(table, str(path))
            again = read(str(path))
            assert again["label"].null_count() == 3
            assert (count(compare(again, outputs="collapsed")).wins.sum()) == 2

    @pytest.mark.slow
    def test_with_others_in_batches(self) -> None:
        from adjudge.campaigns.people.simulated import simulate_judges
        from adjudge.campaigns.results.tables import judgements_of

        texts = of_sentences(*[TWO_PHRASES.parts[0]] * 6)
        campaign = made(texts, "ranking:2", "constituent:4", "segments:2")
        assert simulate_judges(campaign, lambda _s, systems, _t: len(systems), judges=2) > 20
        table = judgements_of(campaign)
        segments = dict(table.group_by("protocol").agg(pl.col("segment").unique()).iter_rows())
        assert set(segments["ranking"]) == {f"s{n}" for n in range(1, 7)}
        phrases = {f"s{n}:{word}" for n in range(1, 7) for word in (0, 2)}
        assert set(segments["segments"]) == set(segments["constituent"]) == phrases


LINES = [
    "1\tthe old mill\tdie alte Mühle\tthe old\tdie alte\t0 1",
    "1\tthe old mill\tdie alte Mühle\tthe old\tdie älteste\t0 1",
    "2\ttwo dogs\tzwei Hunde\ttwo dogs\tzwei Hunde\t0 1",
    "2\ttwo dogs\tzwei Hunde\ttwo dogs\t2 Hunde\t0 1",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "six.tsv").write_text("\n".join(LINES) + "\n")
    (tmp_path / "alpha.txt").write_text("die alte Mühle\nzwei Hunde\n")
    (tmp_path / "beta.txt").write_text("die älteste Mühle\n2 Hunde\n")
    return tmp_path


@pytest.fixture
def run(adjudge_process):
    """Runs a command in a folder, in a process of its own."""

    def run(folder: Path, *words: str):
        return adjudge_process(*words, folder=folder)

    return run


CREATE = ("campaign", "create", "phrases", "--segments", "six.tsv", "--pair", "en-de")
OUTPUTS = ("--system", "alpha=alpha.txt", "--system", "beta=beta.txt")


def test_from_the_file_to_a_ranking_by_commands(
    folder: Path,
    switch: Callable[[str], None],
    run,
) -> None:
    from adjudge.campaigns.models import Campaign
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.work.assignment import next_item
    from adjudge.campaigns.work.screen import screen_of

    created = run(folder, *CREATE, *OUTPUTS, "--set", "run=1", "--set", "repeats=0")
    assert created.code == 0, created.err
    said = "2 systems, 2 segments in 1 documents, 2 phrases of them to judge"
    assert said in created.out
    switch(str(folder / "adjudge.sqlite3"))
    campaign = Campaign.objects.get()
    assert campaign.protocols == ("segments",)
    for name in ("Ann", "Bob"):
        judge = invite(campaign, name).judge
        for _ in range(2):
            item = next_item(judge)
            texts = screen_of(item).texts
            answer(judge, item, [[3 if text.startswith("2") else 1 for text in texts]])
    for path, rankings in (("out.json", 4), ("annotations.tsv", 4), ("out.parquet", 4)):
        done = run(folder, "campaign", "export", "phrases", "-o", path)
        assert done.code == 0, done.err
        assert f"{rankings} rankings" in done.err
    agreement = run(folder, "agreement", "out.parquet", "--format", "json")
    assert json.loads(agreement.out)[0]["agree"] == 2
    for path in ("annotations.tsv", "out.parquet"):
        ranked = run(folder, "rank", path, "--method", "win-ratio", "--format", "json")
        assert ranked.code == 0, ranked.err
        rows = json.loads(ranked.out)
        assert [(row["system"], row["score"]) for row in rows] == [("alpha", 1.0), ("beta", 0.0)]


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (("--protocol", "ranking"), "give at least two"),
        (("--source", "alpha.txt"), "or --segments"),
        (("--reference", "alpha.txt"), "leave --reference out"),
        (("--system", "ref=alpha.txt"), "would be taken for the reference"),
    ],
)
def test_what_does_not_fit_is_refused(
    folder: Path, told: tuple[str, ...], message: str, run
) -> None:
    done = run(folder, *CREATE, *told)
    assert (done.code, message in done.err) == (2, True), done.err
    assert run(folder, "campaign", "status", "phrases").code == 2


def test_a_protocol_of_phrases_needs_some(folder: Path, run) -> None:
    words = ("campaign", "create", "x", "--source", "alpha.txt", *OUTPUTS)
    done = run(folder, *words, "--protocol", "constituent")
    assert done.code == 2
    assert "give them with --segments" in done.err


def test_a_bad_file_is_refused_at_its_line_and_nothing_stored(folder: Path, run) -> None:
    (folder / "six.tsv").write_text("\n".join([*LINES, LINES[0].replace("0 1", "0 7")]) + "\n")
    done = run(folder, *CREATE)
    assert done.code == 2
    assert "six.tsv: line 5: the source segment 'the old' is not what its indices" in done.err
    assert not (folder / "adjudge.sqlite3").exists()


def test_the_whole_real_file_becomes_a_campaign(
    shared_data: Path,
    tmp_path: Path,
    switch: Callable[[str], None],
    run,
) -> None:
    from adjudge.campaigns.models import Campaign, Output
    from adjudge.campaigns.models import Part as StoredPart

    tables = {
        name: pl.read_csv(
            shared_data / "segranks" / f"{name}.tsv.gz",
            separator="\t",
            quote_char=None,
            infer_schema=False,
        )
        for name in ("segments", "sentences")
    }
    six = tables["segments"].join(tables["sentences"], on="sentence", maintain_order="left")
    columns = ("sentence", "source", "reference", "source_segment", "candidate_segment")
    six.select(*columns, "source_word_indices").write_csv(
        tmp_path / "six.tsv", separator="\t", include_header=False, quote_style="never"
    )
    created = run(tmp_path, *CREATE)
    assert created.code == 0, created.err
    assert "0 systems, 2,990 segments in 1 documents, 8,482 phrases" in created.out
    switch(str(tmp_path / "adjudge.sqlite3"))
    assert (StoredPart.objects.count(), Output.objects.count()) == (8482, 50011)
    judge, item, screen = next_of(Campaign.objects.get())
    size = len(screen.candidates)
    answer(
        judge,
        item,
        [[1] * sum(one.part == at for one in screen.candidates) for at in range(len(screen.parts))],
    )
    exported = run(tmp_path, "campaign", "export", "phrases", "-o", "all.jsonl")
    assert exported.code == 0, exported.err
    assert len(read(str(tmp_path / "all.jsonl"))) == size
