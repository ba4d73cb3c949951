"""What the server does beside requests."""

from threading import enumerate as threads

import pytest

from adjudge.campaigns.design import Design


@pytest.mark.slow
def test_the_needs_of_an_adaptive_campaign_are_worked_out_after_an_answer(
    store, texts, visitor, monkeypatch
):
    from adjudge.campaigns.people import simulated
    from adjudge.campaigns.setup.creation import create_campaign

    design = Design(balance="adaptive", block=4, repeats=0.0, common=0.0)
    campaign = create_campaign("Animals", texts, design)
    monkeypatch.setattr(simulated, "refresh_needs", lambda key: False)
    simulated.simulate_judges(campaign, lambda *_: 0.0, answers=50, judges=2)
    ada = visitor(campaign).enter()
    campaign.refresh_from_db()
    assert campaign.needs_at == 0, "asking for work does not fit"
    assert ada.answer(ada.state["items"][0], [1, 2, 2, 4]).status_code == 200
    for thread in threads():
        if thread.name.startswith("needs-"):
            thread.join(60)
    campaign.refresh_from_db()
    assert campaign.needs_at == 51
    assert len(campaign.needs) == 6  # pairs of four systems
    assert ada.reload().page.status_code == 200


def test_other_campaigns_start_no_thread(campaign, visitor):
    ada = visitor(campaign).enter()
    assert ada.answer(ada.state["items"][0], [1, 2, 2, 4]).status_code == 200
    assert not [thread for thread in threads() if thread.name.startswith("needs-")]
