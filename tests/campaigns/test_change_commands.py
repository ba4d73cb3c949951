"""`adjudge campaign change`, `add`, `archive` and `delete`, as an organiser types them."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def campaign(sqlite, made_texts):
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.setup.creation import create_campaign

    made = create_campaign(
        "Spring", made_texts(segments=6, systems=3), design_named("wmt13", block=2), seed=3
    )
    simulate_judges(made, lambda *_: 0.0, answers=4, judges=2)
    return made


@pytest.fixture
def run(campaign, sqlite, adjudge):
    """Runs a command on the campaign's database."""

    def call(*arguments, **more):
        return adjudge("campaign", *arguments, "--database", sqlite, **more)

    return call


def test_change(campaign, run, tmp_path):
    instructions = tmp_path / "instructions.md"
    instructions.write_text("Be **fair**.")
    told = ("--instructions", instructions, "--set", "target=50", "--ends", "2030-01-02T03:04")
    done = run("change", "Spring", "--name", "Summer", *told)
    assert (done.code, done.out) == (0, "Changed: ends, instructions, name, target.\n"), done.err
    campaign.refresh_from_db()
    assert (campaign.name, campaign.instructions, campaign.version) == ("Summer", "Be **fair**.", 2)
    assert f"{campaign.ends:%Y-%m-%d %H:%M %Z}" == "2030-01-02 03:04 UTC"
    assert "Nothing is another" in run("change", "Summer", "--set", "target=50").out
    (entry,) = json.loads(run("log", "Summer", "--format", "json").out)[-1:]
    assert (entry["what"], "target: 50" in entry["details"]) == ("changed the campaign", True)
    for wrong, said in (
        (("--set", "block=9"), "choose from 2 to 6"),
        (("--set", "run=2"), "cannot be changed"),
        (("--set", "colour=red"), "no design value"),
        (("--opens", "2031-01-01"), "before it begins"),
        (("--instructions", tmp_path / "none.md"), "no such file"),
    ):
        refused = run("change", "Summer", *wrong)
        assert (refused.code, said in refused.err) == (2, True), refused.err
        assert refused.err.count("\n") == 1
    campaign.refresh_from_db()
    assert campaign.version == 2


def test_add(campaign, run, tmp_path):
    (tmp_path / "late.txt").write_text("".join(f"late {n}\n" for n in range(6)))
    (tmp_path / "short.txt").write_text("one\n")
    done = run("add", "Spring", "--system", f"late={tmp_path / 'late.txt'}")
    assert (done.code, done.out) == (0, "Added to Spring: late.\n"), done.err
    assert campaign.systems.filter(name="late").exists()
    folder = tmp_path / "more"
    (folder / "systems").mkdir(parents=True)
    (folder / "source.txt").write_text("One more.\nAnd one.\n")
    (folder / "documents.tsv").write_text("extra\nextra\n")
    for name in campaign.systems.values_list("name", flat=True):
        (folder / "systems" / f"{name}.txt").write_text(f"Noch {name}.\nUnd {name}.\n")
    done = run("add", "Spring", "--texts", folder)
    assert (done.code, done.out) == (0, "2 segments added to Spring.\n"), done.err
    assert campaign.segments.count() == 8
    for wrong, said in (
        ((), "give --system files, or one folder of --texts"),
        (("--system", f"short={tmp_path / 'short.txt'}"), "has 1 segments, the campaign 8"),
        (("--system", "nameless"), "NAME=FILE"),
        (("--texts", folder), "a document 'extra' already"),
        (("--texts", tmp_path / "none"), "not a folder with a source.txt"),
        (("--texts", tmp_path), "not a folder with a source.txt"),
    ):
        refused = run("add", "Spring", *wrong)
        assert (refused.code, said in refused.err) == (2, True), refused.err
    assert campaign.segments.count() == 8


def test_empty_outputs_are_refused_unless_allowed(campaign, run, tmp_path):
    (tmp_path / "late.txt").write_text("late\n \n" + "late\n" * 4)
    late = ("add", "Spring", "--system", f"late={tmp_path / 'late.txt'}")
    folder = tmp_path / "more"
    (folder / "systems").mkdir(parents=True)
    (folder / "source.txt").write_text("One more.\nAnd one.\n")
    names = campaign.systems.values_list("name", flat=True)
    for name in names:
        (folder / "systems" / f"{name}.txt").write_text("Noch eins.\n\t\n")
    more = ("add", "Spring", "--texts", folder)
    for wrong, said in ((late, "late 1 (line 2);"), (more, f"{names[0]} 1 (line 2);")):
        refused = run(*wrong)
        assert (refused.code, said in refused.err) == (2, True), refused.err
        assert "--allow-empty" in refused.err
    assert (campaign.systems.count(), campaign.segments.count()) == (3, 6)
    assert run(*more, "--allow-empty").code == 0
    (tmp_path / "late.txt").write_text("late\n \n" + "late\n" * 6)
    assert run(*late, "--allow-empty").code == 0
    assert (campaign.systems.count(), campaign.segments.count()) == (4, 8)


def test_archive_and_delete(campaign, run):
    from adjudge.campaigns.models import AuditEntry, Campaign

    assert run("archive", "Spring").out == "Campaign Spring is archived.\n"
    campaign.refresh_from_db()
    assert (campaign.state, campaign.archived is None) == ("closed", False)
    assert run("archive", "Spring", "--back").out == "Campaign Spring is back.\n"
    goes = "3 systems, 6 segments, 2 judges, 4 answers"
    for confirmed in ("spring", ""):
        refused = run("delete", "Spring", "--confirm", confirmed)
        assert (refused.code, "nothing is gone" in refused.err) == (2, True)
    asked = run("delete", "Spring", stdin=b"Summer\n")
    assert asked.code == 2
    assert f"{goes} will be gone. Write the campaign's name to confirm" in asked.out
    assert Campaign.objects.exists()
    done = run("delete", "Spring", stdin=b"Spring\n")
    assert f"Campaign Spring is deleted: {goes}." in done.out
    assert not Campaign.objects.exists()
    assert AuditEntry.objects.filter(what="deleted the campaign").exists()
    assert run("delete", "Spring", "--confirm", "Spring").code == 2


def test_exports_are_for_their_owner_only(campaign, run, tmp_path):
    for name in ("judgements.jsonl", "judgements.parquet", "judgements.csv.gz"):
        path = Path(tmp_path, name)
        path.touch(0o644)
        done = run("export", "Spring", "-o", path)
        assert done.code == 0, done.err
        assert oct(path.stat().st_mode)[-3:] == "600", name
