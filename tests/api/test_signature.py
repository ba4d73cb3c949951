"""Signatures: a line that says all, and can be read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge
from adjudge.api.table_data import SELECTABLE
from adjudge.core.signature import Signature

VALUES = st.one_of(
    st.text(max_size=20),
    st.integers(-10, 10),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.lists(st.text(max_size=10), max_size=3),
)


@given(
    st.dictionaries(st.sampled_from(sorted(SELECTABLE)), VALUES, max_size=3),
    st.dictionaries(st.sampled_from(["method", "unit", "seed", "level"]), VALUES, max_size=4),
)
def test_a_signature_is_read_back_as_it_was(selection, parameters):
    signature = Signature("rank", selection, parameters, "sha256-0f")
    line = str(signature)
    assert "\n" not in line
    assert Signature.parse(line, SELECTABLE) == signature


def test_a_signature_is_readable():
    signature = Signature("rank", {"pair": "fre-eng"}, {"unit": "judge", "seed": 1}, "sha256-0f")
    assert str(signature) == (
        f"adjudge:rank|pair:fre-eng|unit:judge|seed:1|input:sha256-0f|version:{adjudge.__version__}"
    )


@pytest.mark.parametrize("line", ["", "adjudge:rank", "rank|unit", "adjudge:rank|input:x|input:y"])
def test_what_is_no_signature_is_refused(line):
    with pytest.raises(adjudge.BadParameter, match="signature"):
        Signature.parse(line, SELECTABLE)
