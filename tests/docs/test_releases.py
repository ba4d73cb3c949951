"""The table of public human evaluations in docs/formats.md: up to date, and true."""

from pathlib import Path

import pytest

from adjudge.data.formats import FORMATS
from adjudge.data.table_files import read_any
from releases import PAGE, Release, releases, with_table

TESTED = [release for release in releases() if release.is_tested]


def test_the_table_is_the_one_of_the_tool() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert with_table(page) == page
    assert page.count(releases()[0].row) == 1


def test_every_year_is_there_and_every_format_is_ours() -> None:
    known = releases()
    assert {release.year for release in known} == set(range(2007, 2027))
    assert [release.year for release in known] == sorted(release.year for release in known)
    assert {release.format for release in known if release.is_read} <= FORMATS.keys()
    assert len({release.release for release in known}) == len(known)


@pytest.mark.parametrize("release", TESTED, ids=lambda release: release.release)
def test_a_file_of_the_release_is_read(shared_data: Path, release: Release) -> None:
    (source,) = read_any(shared_data / release.evidence).sources
    assert source.format == release.format
