"""Signatures as sacrebleu prints them, for papers that cite its numbers."""

SACREBLEU = "2.6.0"  # the release whose numbers ours equal


def sacrebleu_signature(references: int, **fields: str) -> str:
    """`nrefs:1|case:mixed|…|version:2.6.0`."""
    asked = {"nrefs": str(references), **fields, "version": SACREBLEU}
    return "|".join(f"{name}:{value}" for name, value in asked.items())
