"""XML files as trees, without entities and with limited depth.

The time to walk a tree grows with its depth (an element is visited once for every enclosing element
of the same name), so depth is limited; the time then grows with the size of the file alone.
"""

from typing import Any
from xml.etree.ElementTree import ParseError, TreeBuilder

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile

DEEPEST = 100  # elements within each other; test sets and exports have ten at most


class _TooDeep(Exception):
    pass


class _ShallowTree(TreeBuilder):
    """Tree builder that stops when the tree is too deep."""

    depth = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> Any:
        self.depth += 1
        if self.depth > DEEPEST:
            raise _TooDeep
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Any:
        self.depth -= 1
        return super().end(tag)


def parse_xml(file: InputFile) -> Any:
    """Parse the file and return the root element; refuse broken, dangerous or too deep XML."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    file.check_lines()
    parser = DefusedXMLParser(target=_ShallowTree())
    try:
        parser.feed(file.data)
        return parser.close()
    except _TooDeep:
        line = parser.parser.CurrentLineNumber
        raise file.bad_line(
            line, f"has more than {DEEPEST} nested elements; check that the file is intact"
        ) from None
    except ParseError as error:
        raise file.bad_line(
            error.position[0],
            f"is not well-formed XML ({error.msg}); correct it, or give plain text",
        ) from None
    except DefusedXmlException:
        raise InputError(
            "declares XML entities, which is refused; remove them", file=file.name
        ) from None
