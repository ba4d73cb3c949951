"""`segments` and `constituent`: campaigns of phrases, from the six-column file to the analysis."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.data.comparisons import compare
from adjudge.data.table_files import read, write
from adjudge.data.win_counts import count
from adjudge.text.testset import Part, PartOutput, TestSet

DESIGN = Design(run=1, repeats=0.0, common=0.0)
SYSTEMS = ("A", "B", "C")

Ask = Callable[..., tuple[Any, Any, Any]]
Answer = Callable[..., None]


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


def by_text(screen: Any, wanted: dict[str, int]) -> list[list[int]]:
    """Ranks in the order shown, a list a phrase."""
    ranks: list[list[int]] = [[] for _ in screen.parts]
    for one in screen.candidates:
        ranks[one.part].append(wanted[one.text])
    return ranks


@pytest.mark.usefixtures("store")
class TestSegments:
    def test_a_screen_has_all_phrases_with_their_candidates_together(self, next_of: Ask) -> None:
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

    def test_nobody_judges_their_own_phrase(self, next_of: Ask) -> None:
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
    def test_a_bad_answer_is_refused_and_nothing_stored(
        self, next_of: Ask, answer: Answer, ranks: object, code: str
    ) -> None:
        from adjudge.campaigns.models import Answer

        judge, item, _ = next_of(made(TWO_PHRASES, "segments"))
        with pytest.raises(Refused) as refused:
            answer(judge, item, ranks)
        assert refused.value.code == code
        assert not Answer.objects.exists()

    def test_every_phrase_is_a_ranking_of_its_own(self, next_of: Ask, answer: Answer) -> None:
        from adjudge.campaigns.results.tables import judgements_of

        wanted = {"eins": 2, "zwei": 1, "drei": 4, "rot": 1, "grün": 1}
        campaign = made(TWO_PHRASES, "segments")
        judge, item, screen = next_of(campaign)
        answer(judge, item, by_text(screen, wanted))
        table = judgements_of(campaign)
        assert table["ranking"].to_list() == [1, 1, 1, 2, 2]
        assert table["position"].to_list() == [1, 2, 3, 1, 2]
        assert table["segment"].to_list() == ["s1:0"] * 3 + ["s1:2"] * 2
        assert dict(table.select("text", "rank").iter_rows()) == wanted
        assert dict(table.select("text", "label").iter_rows())["drei"] == "garbage"
        assert table["label"].null_count() == 4
        assert dict(table.select("text", "output").iter_rows())["drei"] == "C"
        assert table["seconds"].unique().to_list() == [4.0]  # of 8 for both
        assert table["protocol"].unique().to_list() == ["segments"]

    def test_controls_are_pairs_of_one_phrase(self, next_of: Ask, answer: Answer) -> None:
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
    @pytest.fixture
    def campaign(self, sqlite: str, answer: Answer) -> Any:
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

    @pytest.fixture
    def exported(self, campaign: Any) -> pl.DataFrame:
        from adjudge.campaigns.results.tables import judgements_of

        table = judgements_of(campaign)
        assert table["output"].null_count() == 1  # what was skipped
        assert len(table) == 6
        return table

    def test_segranks_json(self, tmp_path: Path, exported: pl.DataFrame) -> None:
        path = tmp_path / "export.json"
        write(exported, str(path))
        assert json.loads(path.read_text()) == {
            "s1,w0": [{"eins": 2, "zwei": 1, "drei": 4}],
            "s1,w2": [{"rot": 1, "grün": 3}],
        }
        table = read(str(path))
        garbage = table.filter(pl.col("label") == "garbage")["text"].to_list()
        assert sorted(garbage) == ["drei", "grün"]

    def test_the_three_tables_of_the_database(self, tmp_path: Path, exported: pl.DataFrame) -> None:
        table = exported
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

    def test_the_file_it_was_made_from(self, tmp_path: Path, exported: pl.DataFrame) -> None:
        from adjudge.text.segments import read_phrases

        path = str(tmp_path / "six.tsv")
        write(exported, path)
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

    def test_ranks_beyond_the_number_of_phrases_are_no_garbage(
        self, tmp_path: Path, next_of: Ask, answer: Answer
    ) -> None:
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
