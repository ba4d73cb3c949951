"""A notebook shows every result once, as HTML."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "judgements.xml.gz"
CELLS = (
    f"import adjudge\njudgements = adjudge.read({str(EXAMPLE)!r})",
    "judgements",
    "judgements.select(pair='fre-eng').rank()",
)


@pytest.mark.slow
def test_a_notebook_shows_each_table_once() -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    NotebookClient(notebook, timeout=None, kernel_name="python3").execute()
    first, *shown = [cell.outputs for cell in notebook.cells]
    assert first == []
    for outputs in shown:
        assert [output.output_type for output in outputs] == ["execute_result"]
        assert outputs[0].data["text/html"].count("<table") == 1
        assert "text/plain" in outputs[0].data
