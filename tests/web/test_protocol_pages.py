"""Every protocol can be shown to judges: its template, its script, its words. No browser needed."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.text.testset import Part, PartOutput

DOCS = Path(__file__).parents[2] / "docs" / "protocols.md"


@pytest.fixture
def phrases(texts: Any) -> Any:
    """The texts with a phrase each, for protocols that need some."""
    part = Part((0,), "Source", (PartOutput("Quelle", ()), PartOutput("Ursprung", ())))
    return replace(texts, parts=((part,),) * len(texts.source))


@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_a_protocol_has_its_template_and_script(store: Any, phrases: Any, visitor: Any, name: str):
    from django.template.loader import get_template

    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.web.judging.screens import check_pages, template_of

    check_pages([name])
    follows = PROTOCOLS.named(name).follows
    asked = [f"{follows}:2", f"{name}:2"] if follows else [name]
    campaign = create_campaign(name, phrases, design_named("wmt13"), protocols=asked)
    ada = visitor(campaign).enter()
    page = ada.page.content.decode()
    script = re.search(rf'<template data-screen="{name}" data-script="([^"]+)"', page)
    assert script is not None
    served = ada.client.get(script[1])
    code = b"".join(served.streaming_content).decode()
    assert "export default class" in code
    how_to = get_template(template_of(name)).render({"how_to": True}).strip()
    assert "<li>" in how_to
    assert how_to in page


def test_the_documentation_has_a_section_for_every_protocol_and_no_other() -> None:
    text = DOCS.read_text()
    assert sorted(re.findall(r"^## `([a-z-]+)`$", text, re.MULTILINE)) == sorted(PROTOCOLS)
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| ([^|]+) \|", text, re.MULTILINE))
    assert sorted(rows) == sorted(PROTOCOLS)
    assert rows == {name: one.paper for name, one in PROTOCOLS.items()}


MODULE = '''
"""A protocol from another package: like `pairwise`, called by another name."""
from dataclasses import replace

from adjudge.campaigns.protocols import pairwise

PROTOCOL = replace(pairwise.PROTOCOL, name="thumbs", summary="thumbs up or down", batch=7)
'''
TEMPLATE = """{% load static %}{% if how_to %}<p>Thumbs up.</p>{% else %}
<template data-screen="thumbs" data-script="{% static 'web/screens/thumbs.js' %}"></template>
{% endif %}"""
SCRIPT = "export default class {}"
LOOK = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "adjudge.web.settings"
from adjudge.campaigns.store.opening import open_store
open_store("campaign.sqlite3")
from django.test import Client
from adjudge.campaigns.models import Campaign
from adjudge.campaigns.people.invitation import invite
client = Client(SERVER_NAME="localhost")
page = client.get(f"/j/{invite(Campaign.objects.get(), 'Ada').token}/", follow=True)
print(page.content.decode())
print(b"".join(client.get("/static/web/screens/thumbs.js").streaming_content).decode())
"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder with an installed package that brings a protocol, and texts for a campaign."""
    package = tmp_path / "installed" / "more_protocols"
    screens = package / "templates" / "web" / "judging" / "screens"
    scripts = package / "static" / "web" / "screens"
    for folder in (screens, scripts):
        folder.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "thumbs.py").write_text(MODULE)
    (screens / "thumbs.html").write_text(TEMPLATE)
    (scripts / "thumbs.js").write_text(SCRIPT)
    metadata = tmp_path / "installed" / "more_protocols-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: more-protocols\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(
        "[adjudge.protocols]\nthumbs = more_protocols.thumbs\n"
    )
    for name in ("source", "a", "b"):
        (tmp_path / f"{name}.txt").write_text(f"first of {name}\nsecond of {name}\n")
    return tmp_path


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    path = [str(folder / "installed"), os.environ.get("PYTHONPATH", "")]
    ours = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    environment = kept | {"PYTHONPATH": os.pathsep.join(path)}
    return subprocess.run(
        [sys.executable, "-c", *command],
        capture_output=True, text=True, check=False, env=environment, cwd=folder,
    )  # fmt: skip


def create(folder: Path, protocol: str = "thumbs") -> subprocess.CompletedProcess[str]:
    texts = ["--source", "source.txt", "--system", "A=a.txt", "--system", "B=b.txt"]
    told = ["--set", "reference=off", "--protocol", protocol, "--database", "campaign.sqlite3"]
    main = "from adjudge.cli import main; main()"
    return run(folder, main, "campaign", "create", "test", *texts, *told)


@pytest.mark.slow
def test_a_protocol_of_another_package_brings_its_page(elsewhere: Path) -> None:
    made = create(elsewhere)
    assert (made.returncode, made.stderr) == (0, "")
    looked = run(elsewhere, LOOK)
    assert "<p>Thumbs up.</p>" in looked.stdout, looked.stderr
    assert SCRIPT in looked.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lacking", "message"),
    [
        ("templates/web/judging/screens/thumbs.html", "there is no template web/judging/screens/"),
        ("static/web/screens/thumbs.js", "there is no static file web/screens/thumbs.js"),
    ],
)
def test_a_protocol_without_its_page_is_refused(elsewhere: Path, lacking: str, message: str):
    (elsewhere / "installed" / "more_protocols" / lacking).unlink()
    refused = create(elsewhere)
    assert refused.returncode == 2
    assert "protocol thumbs cannot be shown to judges" in refused.stderr
    assert message in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.slow
def test_a_template_that_names_no_script_is_refused(elsewhere: Path) -> None:
    template = elsewhere / "installed/more_protocols/templates/web/judging/screens/thumbs.html"
    template.write_text("<p>nothing here</p>")
    assert 'has no <template data-screen="thumbs"' in create(elsewhere).stderr
    template.write_text("{% if %}")
    assert "thumbs.html is wrong" in create(elsewhere).stderr
