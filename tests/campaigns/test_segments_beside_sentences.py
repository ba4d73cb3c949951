"""A campaign that asks about segments and about whole sentences: one export, both compared."""

import json
from pathlib import Path

import pytest

from adjudge.campaigns.design import Design
from adjudge.data.table_files import write
from adjudge.text.testset import Part, PartOutput, TestSet

SYSTEMS = "ABCD"
SENTENCES = 15

pytestmark = pytest.mark.slow


def mixed_texts() -> TestSet:
    """Two segments a sentence; on the second, C and D wrote the same."""

    def part(number: int, words: tuple[int, ...]) -> Part:
        makers = [(name,) for name in SYSTEMS] if words[0] == 0 else [("A",), ("B",), ("C", "D")]
        outputs = tuple(
            PartOutput(f"Teil {words[0]} von {''.join(names)}", names, f"Satz {number}", 5)
            for names in makers
        )
        return Part(words, " ".join(f"w{word}" for word in words), outputs)

    numbers = range(SENTENCES)
    return TestSet(
        source=tuple(f"w0 w1 w2 w3 w4 n{n}" for n in numbers),
        reference=tuple(f"Referenz {n}" for n in numbers),
        documents=tuple(f"document{n // 5}" for n in numbers),
        names=tuple(f"s{n + 1}" for n in numbers),
        systems={name: tuple(f"Satz {n} von {name}" for n in numbers) for name in SYSTEMS},
        source_language="en",
        target_language="de",
        parts=tuple((part(n, (0, 1, 2)), part(n, (3, 4))) for n in numbers),
    )


def earlier_is_better(segment: str, systems: tuple[str, ...], text: str) -> float:
    """A is the best, D the worst, on sentences and on segments."""
    return -sum(SYSTEMS.index(system) for system in systems) / len(systems)


def test_from_a_mixed_campaign_to_both_rankings(sqlite: str, tmp_path: Path, adjudge) -> None:
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.setup.creation import create_campaign

    design = Design(run=1, repeats=0.0, common=0.0)
    protocols = ("ranking:5", "segments:5")
    campaign = create_campaign("mixed", mixed_texts(), design, protocols=protocols)
    simulate_judges(campaign, earlier_is_better, answers=60, judges=4)
    export = tmp_path / "export.jsonl"
    write(judgements_of(campaign), export)

    info = adjudge("segments", "database", export, "--format", "json")
    assert info.code == 0, info.err
    (known,) = json.loads(info.out)
    assert (known["systems"], known["judges"]) == (4, 4)
    beside = adjudge("segments", "beside", export, "--replicates", "100", "--format", "json")
    assert beside.code == 0, beside.err
    rows = json.loads(beside.out)
    assert [row["system"] for row in rows] == list(SYSTEMS)
    assert [row["sentence_rank"] for row in rows] == [1, 2, 3, 4]
    assert rows[0]["tau_all"] > 0.5
    assert rows[0]["tau_all_low"] > 0
    shown = adjudge("segments", "beside", export, "--examples", "2", "--format", "json")
    assert {row["output"] for row in json.loads(shown.out)} <= {
        f"Satz {n} von {name}" for n in range(SENTENCES) for name in SYSTEMS
    }
    both = adjudge("segments", "rank", export, "--format", "json")
    assert [row["system"] for row in json.loads(both.out)] == list(SYSTEMS)
