"""What a judgement, a score, an edit is: the tables and every file format."""

from adjudge.judgements.files import read, write
from adjudge.judgements.judgement_table import SCHEMA, judgement_table
from adjudge.judgements.selection import Selection, select, with_source

__all__ = ["SCHEMA", "Selection", "judgement_table", "read", "select", "with_source", "write"]
