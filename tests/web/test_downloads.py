"""Downloads: only what this campaign can be written in, and all of it can be read again."""

import re
from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

import pytest

from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.text.testset import Part, PartOutput


@pytest.fixture
def phrases(texts):
    """The texts with a phrase each, for protocols that need some."""
    systems = list(texts.systems)
    part = Part(
        (0,), "Source", (PartOutput("Quelle", (systems[0],)), PartOutput("Ursprung", (systems[1],)))
    )
    return replace(texts, parts=((part,),) * len(texts.source))


def offered(client, campaign):
    """Addresses of the downloads that the dashboard offers, by format."""
    page = client.get(f"/organise/{campaign.pk}/downloads/").content.decode()
    assert "None" not in page
    found = re.findall(rf'href="(/organise/{campaign.pk}/tables/[^"]+)"', page)
    return {address.split("/")[5]: address for address in found if "?" not in address}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_every_download_opens(olga, phrases, tmp_path, adjudge, name):
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.setup.creation import create_campaign

    protocol = PROTOCOLS.named(name)
    asked = [f"{protocol.follows}:2", f"{name}:2"] if protocol.follows else [name]
    campaign = create_campaign(
        "Every protocol", phrases, design_named("wmt13", block=4), protocols=asked, seed=1
    )
    assert offered(olga, campaign) == {}
    simulate_judges(campaign, lambda _, __, text: float(len(text) % 3), answers=30, judges=3)
    campaign.refresh_from_db()
    campaign.state = "closed"  # what organisers do shows at once
    campaign.save()
    addresses = offered(olga, campaign)
    assert any(chosen.endswith("jsonl") for chosen in addresses)
    assert ("segranks" in addresses) == protocol.needs_parts, "of phrases, and of nothing else"
    for chosen, address in addresses.items():
        answer = olga.get(address)
        assert answer.status_code == 200, chosen
        data = b"".join(answer.streaming_content)
        (file_name,) = re.findall(r'filename="(.*)"', answer.headers["Content-Disposition"])
        folder = tmp_path / chosen
        folder.mkdir()
        if file_name.endswith(".zip"):
            ZipFile(BytesIO(data)).extractall(folder)
            assert len(list(folder.iterdir())) == 3
            file = folder / "annotations.tsv"
        else:
            file = folder / file_name
            file.write_bytes(data)
        opened = adjudge("info", file)
        assert opened.code == 0, (chosen, opened.err)
