"""Who is paid for what, and a judge's answers beside those of others."""

import csv

import pytest

pytestmark = pytest.mark.slow


def test_items_and_time_of_each_judge(campaign, olga, judged):
    address = f"/organise/{campaign.pk}/payment.csv"
    assert olga.get(address).status_code == 409
    judged(campaign, "Ada", 3, group="researchers", email="ada@example.org")
    judged(campaign, "Bob", 0)
    table = b"".join(olga.get(address).streaming_content).decode()
    ada, bob = csv.DictReader(table.splitlines())
    assert (ada["judge"], ada["email"], ada["items"]) == ("Ada", "ada@example.org", "3")
    assert float(ada["hours"]) == pytest.approx(3 * 10 / 3600, abs=1e-4)
    assert (bob["judge"], bob["items"], bob["hours"]) == ("Bob", "0", "0.0")


def test_answers_stand_beside_those_of_others(campaign, olga, judged):
    from adjudge.campaigns.results.side_by_side import answers_beside

    ada = judged(campaign, "Ada", 12).judge
    judged(campaign, "Bob", 12)
    answers, total = answers_beside(ada, 0, 100)
    assert (len(answers), total) == (12, 12)
    assert [answer.time for answer in answers] == sorted((a.time for a in answers), reverse=True)
    shared = [answer for answer in answers if answer.others == ("Bob",)]
    assert shared, "the common pool is common"
    assert all(len(answer.outputs) == 4 for answer in answers)
    assert all(output.others[0] in "124" for answer in shared for output in answer.outputs)
    page = olga.get(f"/organise/{campaign.pk}/judges/{ada.pk}/answers/").content.decode()
    assert page.count('<section class="card">') == 12
    assert "<th>Bob</th>" in page
    assert "<script>alert" not in page
