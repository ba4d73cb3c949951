"""Instructions in Markdown as HTML. HTML within them is shown as text."""

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def rendered(text: str) -> SafeString:
    """Safe to be put into a page."""
    return SafeString(_MARKDOWN.render(text))
