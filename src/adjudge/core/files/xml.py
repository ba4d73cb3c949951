"""XML files as trees: no entities, no elements within elements without end.

Walking a tree takes longer the deeper it is (an element is met once for every element of the same
name around it), so depth is limited; with the limit, time grows with the size of the file alone.
"""

from typing import Any
from xml.etree.ElementTree import ParseError, TreeBuilder

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile

DEEPEST = 100  # elements within each other; test sets and exports have ten at most


class _TooDeep(Exception):
    pass


class _ShallowTree(TreeBuilder):
    """A tree that is given up when it is too deep."""

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
    """The root element; refused in words where it is broken, dangerous or too deep."""
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
            line, f"has more than {DEEPEST} elements within each other; no sound file has, mend it"
        ) from None
    except ParseError as error:
        raise file.bad_line(
            error.position[0], f"is not well-formed XML ({error.msg}); mend it, or give plain text"
        ) from None
    except DefusedXmlException:
        raise InputError(
            "declares XML entities, which is refused; remove them", file=file.name
        ) from None
