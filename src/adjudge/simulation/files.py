"""A simulated campaign on disk: its judgements, and its truth beside them."""

import json

from adjudge.core.errors import AdjudgeError
from adjudge.core.files.output import open_output, uncompressed_name
from adjudge.data.table_files import format_for, write
from adjudge.simulation.campaign import Campaign


def truth_file(path: str, to: str | None = None) -> str:
    """Where the truth of the judgements in `path` goes: out.jsonl.gz has out.truth.json.

    A path that judgements cannot be written to, in the format `to`, is refused.
    """
    if path == "-":
        raise AdjudgeError("the truth is saved beside the judgements; name a file, not -")
    suffix = format_for(path, to).suffix
    return uncompressed_name(path).removesuffix(suffix) + ".truth.json"


def save(campaign: Campaign, path: str, to: str | None = None) -> None:
    """Write judgements and truth, both or neither."""
    with open_output(truth_file(path, to)) as stream:
        text = json.dumps(campaign.truth.to_json(), indent=1, ensure_ascii=False)
        stream.write(f"{text}\n".encode())
        write(campaign.judgements, path, to)
