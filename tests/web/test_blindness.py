"""Controls and repeats look like all other work: a classifier that sees what the browser receives.

It is trained on everything in the page's data and on the order in which it came, judge by judge,
and asked about judges it has not seen. What it must not find is *that* an item is a control or a
repeat. The texts of a repeat were shown before, or it would be none, so whoever remembers them
knows: for repeats the classifier is not told which texts came before, nor asked about items at the
beginning, where nothing can be a repeat; and it is asked for controls among all else, for no repeat
is one. In the same way, somebody who is told by others which sentences were controls knows them by
heart: the classifier is asked about documents it has not seen.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.text.testset import Part, PartOutput, TestSet

pytestmark = pytest.mark.slow

ITEMS, EACH = 2000, 80  # in all, and of a judge
TRUSTED = 8  # judges on whose agreement there are controls
SYSTEMS = ("A", "B", "C", "D", "E", "F")
SHARES = {"controls": 0.1, "repeats": 0.1}
GAP, RUN = 10, 3
FIRST_REPEAT = GAP + RUN
SURE = 0.99  # of the interval around what the classifier finds


def words(rng: Random, least: int, most: int) -> str:
    return " ".join(
        "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 9)))
        for _ in range(rng.randint(least, most))
    )


def texts(documents: int = 36) -> TestSet:
    """Documents and sentences of many lengths, with two phrases each."""
    rng = Random("blindness")
    belongs = [name for name in range(documents) for _ in range(rng.randint(5, 12))]
    source = [words(rng, 4, 30) for _ in belongs]

    def phrase(sentence: str, word: int) -> Part:
        outputs = tuple(PartOutput(words(rng, 1, 3), (s,), words(rng, 5, 25), 0) for s in SYSTEMS)
        return Part((word,), sentence.split()[word], outputs)

    return TestSet(
        source=tuple(source),
        reference=tuple(words(rng, 4, 30) for _ in source),
        documents=tuple(f"document{name}" for name in belongs),
        names=tuple(str(number) for number, _ in enumerate(source, 1)),
        systems={s: tuple(words(rng, 4, 30) for _ in source) for s in SYSTEMS},
        source_language="en",
        target_language="de",
        parts=tuple((phrase(one, 0), phrase(one, 2)) for one in source),
    )


@dataclass
class Received:
    """An item as a browser got it, and what it was."""

    item: dict[str, Any]
    fetch: int  # the how manieth request it came with,
    place: int  # and where among the items of that request
    progress: dict[str, Any]
    is_control: bool
    is_repeat: bool
    document: int = 0


Stream = list[Received]
areas_found: dict[str, list[float]] = {}  # by what was looked for, a protocol each


@pytest.fixture(scope="module")
def streams(
    new_store: Callable[[], Path], use_store: Callable[[str], None]
) -> Iterator[Callable[[str], list[Stream]]]:
    """What the judges of a protocol receive; one campaign has all protocols."""
    from django.db import connections, transaction

    from adjudge.campaigns.design import Design
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.setup.creation import create_campaign

    use_store(str(new_store()))
    names = sorted(PROTOCOLS)
    design = Design(
        common_judges=2, run=RUN, repeat_gap=GAP, long_words=None, reference="off", **SHARES
    )
    with pytest.MonkeyPatch.context() as patch:
        keys = Random("keys")  # the same on every run
        patch.setattr(
            "adjudge.campaigns.work.draw_hits.secrets.token_urlsafe",
            lambda length: "".join(keys.choices("abcdefghijklmnopqrstuvwxyz", k=22)),
        )
        with transaction.atomic():
            campaign = create_campaign(
                "blind", texts(), design, protocols=[f"{name}:5" for name in names], seed=1
            )
            made: dict[str, list[Stream]] = {}

            def of(name: str) -> list[Stream]:
                if name not in made:
                    if PROTOCOLS.named(name).follows:
                        of(PROTOCOLS.named(name).follows)
                    for number in range(TRUSTED):
                        other = invite(campaign, f"{name}-trusted{number}", protocols=[name])
                        given = received(other.judge, 40)
                        if all(len(one.item["candidates"]) == 1 for one in given):
                            break  # controls are pairs of outputs: there will be none
                    mark_controls(name)
                    made[name] = [
                        received(
                            invite(
                                campaign,
                                f"{name}-worker{number}",
                                group="crowd",
                                protocols=[name],
                                quota=EACH,
                            ).judge,
                            EACH,
                        )
                        for number in range(ITEMS // EACH)
                    ]
                return made[name]

            yield of
            transaction.set_rollback(True)
    connections["default"].close()


def mark_controls(protocol: str) -> None:
    """Agreement of trusted judges, on a pair of outputs of every other item of the pool."""
    from adjudge.campaigns.models import Item

    rng = Random(f"controls of {protocol}")
    pool = Item.objects.filter(hit__kind="common", hit__protocol=protocol).order_by("pk")
    for item in pool.select_related("segment").prefetch_related("outputs"):
        outputs = sorted(output.pk for output in item.outputs.all() if output.part_id is None)
        outputs = outputs or sorted(output.pk for output in item.outputs.all())
        if len(outputs) > 1 and rng.random() < 0.5:
            item.segment.controls = [rng.sample(outputs, 2), *(item.segment.controls or [])]
            item.segment.save(update_fields=["controls"])


def received(judge: Any, number: int) -> Stream:
    """All a browser gets while the judge answers so many items, one after another."""
    from django.utils import timezone

    from adjudge.campaigns.models import Answer, Assignment
    from adjudge.web.judging.state import work_of

    stream: Stream = []
    fetch = 0
    while len(stream) < number:
        known = {one.item["key"] for one in stream}
        work = work_of(judge, known)
        for place, item in enumerate(work["items"]):
            stream.append(Received(item, fetch, place, work["progress"], False, False))
        if not work["items"]:
            break
        fetch += 1
        # Answers are stored at once: this is about what is given out.
        now = timezone.now()
        keys = [one.item["key"] for one in stream]
        opened = judge.assignments.filter(state=Assignment.State.OPEN, key__in=keys)
        if judge.protocols == ["blind-edit"]:
            said = {"edit": "other words", "incomprehensible": False}
            Answer.objects.bulk_create(
                Answer(assignment=one, revision=1, key=one.key, payload=said, received=now)
                for one in opened
            )
        opened.update(state=Assignment.State.ANSWERED, finished=now)
    kinds = {
        one.key: (
            one.control and _shows_control(one),
            one.hit.kind == "repeat",
            one.item.segment.document_id,
        )
        for one in judge.assignments.select_related("hit", "item__segment")
    }
    for one in stream:
        one.is_control, one.is_repeat, one.document = kinds[one.item["key"]]
    return stream


def _shows_control(given: Any) -> bool:
    from adjudge.campaigns.work.control_items import shows_one

    return shows_one(given.item.segment.controls or (), given.shown)


def strings(value: Any) -> set[str]:
    """All texts in it."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        value = value.values()
    return (
        set().union(*map(strings, value))
        if isinstance(value, list | tuple | type({}.values()))
        else set()
    )


def context(item: dict[str, Any]) -> set[str]:
    return strings([item["before"], item["after"], item["details"]])


def texts_of(item: dict[str, Any]) -> set[str]:
    return strings([item["source"], *(one["text"] for one in item["candidates"])])


def features(stream: Stream, seen_before: bool) -> list[list[float]]:
    """All that can be said of each item from what was received up to the end."""
    runs = [0]  # the run each item is in: one that belongs to the item before goes on with its run
    for one, after in pairwise(stream):
        joined = (
            texts_of(one.item) & context(after.item)
            or one.item["source"] == after.item["source"] is not None
        )
        runs.append(runs[-1] + (not joined))
    length = [runs.count(run) for run in range(runs[-1] + 1)]
    seen: set[str] = set()
    rows = []
    for place, (one, run) in enumerate(zip(stream, runs, strict=True)):
        item, in_run = one.item, place - runs.index(run)
        lengths = [len(candidate["text"]) for candidate in item["candidates"]]
        sentences = [len(candidate["sentence"]) for candidate in item["candidates"]]
        row = [
            place,
            place % 10,
            one.fetch,
            one.place,
            one.progress["done"],
            one.progress["quota"] or 0,
            in_run,
            length[run] - in_run,
            length[run],
            length[run - 1] if run else 0,
            length[run + 1] if run + 1 < len(length) else 0,
            run,
            len(item["source"] or ""),
            len(item["reference"] or ""),
            *(-1 if item[name] is None else len(item[name]) for name in ("before", "after")),
            len(context(item)),
            sum(map(len, context(item))),
            len(lengths),
            max(lengths),
            min(lengths),
            sum(lengths),
            max(sentences),
            len(item["parts"]),
            len(str(item["details"])),
            len(str(item)),
            len(item),
            len(str(item["scale"])),
            item["given"] is not None,
            len(item["key"]),
            *(ord(letter) for letter in item["key"][:2]),
            *(ord(letter) for letter in item["candidates"][0]["key"][:2]),
        ]
        if seen_before:
            row += [
                len(context(item) & seen),
                item["before"] in seen,
                item["after"] in seen,
                len(texts_of(item) & seen),
            ]
        seen |= strings([item["source"], item["before"], item["after"]])
        rows.append([float(value) for value in row])
    return rows


def found(streams: Sequence[Stream], what: str) -> tuple[float, float]:
    """The area under the curve of a classifier, and the lower end of its interval."""
    from sklearn.ensemble import ExtraTreesClassifier

    asked = [one for stream in streams for one in stream]
    kept = np.array(
        [
            place >= FIRST_REPEAT if what == "is_repeat" else not one.is_repeat
            for stream in streams
            for place, one in enumerate(stream)
        ]
    )
    rows = np.array([row for one in streams for row in features(one, what == "is_control")])[kept]
    judge = np.repeat(range(len(streams)), list(map(len, streams)))[kept]
    document = np.array([one.document for one in asked])[kept]
    truth = np.array([getattr(one, what) for one in asked])[kept]
    guess = np.zeros(len(truth))
    for fold in range(5):
        for half in range(2):
            ours, theirs = judge % 5 == fold, document % 2 == half
            forest = ExtraTreesClassifier(50, min_samples_leaf=5, random_state=1)
            forest.fit(rows[~ours & ~theirs], truth[~ours & ~theirs])
            guess[ours & theirs] = forest.predict_proba(rows[ours & theirs])[:, 1]
    cell = 2 * (judge % 5) + document % 2  # with a classifier of its own
    rng = np.random.default_rng(1)
    areas = []
    for _ in range(300):  # other judges and, as judges have texts in common, other documents
        weight = drawn(rng, judge) * drawn(rng, document)
        areas.append(area(truth, guess, cell, weight))
    whole = area(truth, guess, cell, np.ones(len(truth)))
    return whole, float(np.quantile(areas, (1 - SURE) / 2))


def drawn(rng: np.random.Generator, unit: np.ndarray) -> np.ndarray:
    """How often the unit of each item is drawn."""
    names, place = np.unique(unit, return_inverse=True)
    return np.bincount(rng.integers(len(names), size=len(names)), minlength=len(names))[place]


def area(truth: np.ndarray, guess: np.ndarray, cell: np.ndarray, weight: np.ndarray) -> float:
    """How often one of these is put above something else that the same classifier looked at."""
    above, pairs = 0.0, 0.0
    for one in np.unique(cell):
        here = cell == one
        _, value = np.unique(guess[here], return_inverse=True)
        ones = np.bincount(value, weight[here] * truth[here])
        others = np.bincount(value, weight[here] * ~truth[here])
        above += float(ones @ (np.cumsum(others) - others / 2))
        pairs += float(ones.sum() * others.sum())
    return above / pairs


def broken_apart(stream: Stream, what: str) -> Stream:
    """The same items, each of these in the middle of another run: where they once were put."""
    rest = [one for one in stream if not getattr(one, what)]
    rng = Random("old placement")
    for one in stream:
        if getattr(one, what):
            rest.insert(rng.randrange(1, len(rest)), one)
    return rest


def kinds_in(streams: Sequence[Stream]) -> dict[str, float]:
    """What there is to recognise, and its share of all items."""
    received = [one for stream in streams for one in stream]
    number = {
        what: sum(getattr(one, what) for one in received) for what in ("is_control", "is_repeat")
    }
    return {what: times / len(received) for what, times in number.items() if times}


@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_no_item_is_recognised_as_a_control_or_a_repeat(
    name: str, streams: Callable[[str], list[Stream]]
) -> None:
    given = streams(name)
    assert sum(map(len, given)) >= ITEMS
    kinds = kinds_in(given)
    # Pairs of outputs are controls, so a screen with one output is none.
    several = any(len(one.item["candidates"]) > 1 for stream in given for one in stream)
    assert set(kinds) == ({"is_control", "is_repeat"} if several else {"is_repeat"})
    for what, share in kinds.items():
        # HITs are given whole: where one has six items, the share of 25 judges has an SD of 0.007.
        assert share == pytest.approx(0.1, abs=0.025), what
        auc, low = found(given, what)
        areas_found.setdefault(what, []).append(auc)
        assert low <= 0.5, f"{what}: the classifier has {auc:.3f}, at least {low:.3f}"


def test_nor_by_a_little_in_all_protocols_together() -> None:
    """What chance does to one protocol is wide; what all have in common would show in the mean."""
    if len(areas_found.get("is_repeat", ())) < len(PROTOCOLS):
        pytest.skip("needs the tests of every protocol before it")
    for what, areas in areas_found.items():
        chance = 2.6 * np.std(areas, ddof=1) / np.sqrt(len(areas))
        print(what, [round(one, 3) for one in areas], np.mean(areas), chance)
        assert np.mean(areas) - chance <= 0.5, f"{what}: {np.mean(areas):.3f} ± {chance:.3f}"


@pytest.mark.parametrize("name", ["ranking", "direct-assessment"])
def test_the_classifier_recognises_what_breaks_a_run(
    name: str, streams: Callable[[str], list[Stream]]
) -> None:
    given = streams(name)
    for what in kinds_in(given):
        auc, low = found([broken_apart(stream, what) for stream in given], what)
        assert low > 0.6, f"{what}: only {auc:.3f}"
