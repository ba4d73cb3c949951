"""Rendering of instructions from Markdown to HTML; embedded HTML is escaped."""

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
_LOWEST = 6


def rendered(text: str, below: int = 1) -> SafeString:
    """Render safe HTML below a heading of level `below`, without skipping heading levels."""
    tokens = _MARKDOWN.parse(text)
    headings = [token for token in tokens if token.type.startswith("heading_")]
    levels = sorted({token.tag for token in headings})
    last = below
    for token in headings:
        if token.nesting == 1:
            last = min(below + 1 + levels.index(token.tag), last + 1, _LOWEST)
        token.tag = f"h{last}"
    return SafeString(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))
