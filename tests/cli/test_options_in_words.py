"""Values that an option cannot have are refused in words of ours."""

import pytest


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--seed", "abc", "give a whole number"),
        ("--replicates", "1.5", "give a whole number"),
        ("--replicates", "0", "give 1 or more"),
        ("--level", "x", "give a number"),
        ("--since", "soon", "give a time like 2026-01-31"),
        ("--format", "pdf", "cannot be 'pdf'; there are: table, json"),
        ("--shortest", "-3", "give 0 or more"),
    ],
)
def test_values(adjudge, option: str, value: str, words: str) -> None:
    done = adjudge("rank", "-", option, value)
    assert done.code == 2
    assert words in done.err.splitlines()[-1]
    assert "Input should" not in done.err
    assert "Value error" not in done.err
