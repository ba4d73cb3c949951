"""Small resources, and tables of translations made in a line."""

import polars as pl
import pytest
from plain_resources import SOURCE, TARGET

from adjudge.quality.translations import translation_table
from adjudge.text.resources.bundle import Recipe, Resources, train


@pytest.fixture(scope="session")
def resources() -> Resources:
    """Five lines."""
    texts = [[line.split() for line in lines] for lines in (SOURCE, TARGET)]
    return train(texts[0], texts[1], Recipe("0" * 64, "1" * 64, "none", lowercase=True))


@pytest.fixture(scope="session")
def table_of():
    """`table_of(source=[…], target=[…], …)` is a table of translations."""

    def make(**columns: list) -> pl.DataFrame:
        rows = len(columns["source"])
        numbered = {"segment": [str(row + 1) for row in range(rows)]}
        return translation_table(pl.DataFrame(numbered | columns))

    return make
