"""Names of segments that WMT25 and WMT26 use: `en-cs_CZ_#_news_#_document_#_3`."""

BETWEEN = "_#_"


def split_name(name: str) -> tuple[str | None, str | None, str]:
    """Language pair, document (with its domain) and segment; None where the name lacks it."""
    pair, _, rest = name.partition(BETWEEN)
    document, between, segment = rest.rpartition(BETWEEN)
    if not between or not pair or not document or not segment:
        return None, None, name
    return pair, document, segment


def join_name(pair: str, document: str | None, segment: str | None) -> str | None:
    """The name that `split_name` takes apart; a segment of no known document keeps its own."""
    return segment if document is None else BETWEEN.join((pair, document, segment or ""))
