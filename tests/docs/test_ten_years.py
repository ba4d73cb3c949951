"""docs/ten-years-of-wmt.md says what its script finds, as far as a few seconds can tell."""

from pathlib import Path

from ten_years import CAMPAIGNS, PAGE, tasks


def test_the_combinations_of_wmt11_come_out_again(shared_data: Path) -> None:
    (campaign,) = (each for each in CAMPAIGNS if each.name == "WMT11, system combinations")
    rows = list(tasks(campaign, shared_data))
    assert len(rows) == 8
    page = PAGE.read_text(encoding="utf-8").splitlines()
    assert [row.line for row in rows if row.line not in page] == []
