"""The words of the judges' pages: gathered, listed where a translation is missing, compiled.

`make messages`, after a change of words. New words are put at the end of every
`locale/*/LC_MESSAGES/django.po`, words that no page says any more are taken out, all others stay
as and where they are. What has no translation is listed; judges read it in English.

The words are those in `{% translate "…" %}` of templates and in `_("…")` of Python. Organisers'
pages are in English only: their words are not gathered.
"""

import ast
import re
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "adjudge"
_SAID = ("web", "campaigns/protocols", "campaigns/protocol_kit")
_TRANSLATE = re.compile(r"""\{% translate (["'])(.*?)\1""")
_ENTRY = re.compile(r'^msgid ((?:".*"\n?)+)^msgstr ((?:".*"\n?)+)', re.MULTILINE)


def said(source: Path, organisers: bool = False) -> list[str]:
    """What judges' pages (and those of organisers too) say, in the order of the files."""
    words: dict[str, None] = {}
    for folder in _SAID:
        for file in sorted((source / folder).rglob("*")):
            if organisers or "organiser" not in file.parts:
                words |= dict.fromkeys(_words_in(file))
    return list(words)


def _words_in(file: Path) -> Iterator[str]:
    if file.suffix == ".html":
        text = file.read_text(encoding="utf-8")
        if "{% blocktrans" in text and "organiser" not in file.parts:
            sys.exit(f"{file}: blocktranslate is not gathered; use translate")
        # Django doubles the percent signs of templates before it looks a word up.
        yield from (tag[2].replace("%", "%%") for tag in _TRANSLATE.finditer(text))
    elif file.suffix == ".py":
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_":
                yield ast.literal_eval(node.args[0])


def entries(text: str) -> dict[str, tuple[str, str]]:
    """Every word of a .po file with its translation and the entry as it is written."""
    found = {}
    for block in re.split(r"\n{2,}", text.strip()):
        entry = _ENTRY.search(block + "\n")
        if entry is None:
            sys.exit(f"no entry of a .po file: {block!r}; correct it")
        word, translation = (_unquoted(lines) for lines in entry.groups())
        found[word] = (translation, block)
    return found


def _unquoted(lines: str) -> str:
    return "".join(ast.literal_eval(line) for line in lines.splitlines())


def _quoted(word: str) -> str:
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def compiled(translations: Iterable[tuple[str, str]]) -> bytes:
    """A .mo file (GNU gettext manual, "The Format of GNU MO Files"), without a hash table."""
    pairs = sorted((word.encode(), text.encode()) for word, text in translations if text)
    start = 28 + 16 * len(pairs)  # after the heading and two tables of lengths and offsets
    tables, strings = [], b""
    for column in (0, 1):
        for pair in pairs:
            tables.append(struct.pack("<2I", len(pair[column]), start + len(strings)))
            strings += pair[column] + b"\0"
    heading = struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, start)
    return heading + b"".join(tables) + strings


def update(source: Path) -> None:
    """Bring every language up to date, and list what it lacks."""
    judges, everything = said(source), said(source, organisers=True)
    for file in sorted((source / "web" / "locale").glob("*/LC_MESSAGES/django.po")):
        known = entries(file.read_text(encoding="utf-8"))
        kept = {word: known[word] for word in known if not word or word in everything}
        new = {word: ("", f'msgid {_quoted(word)}\nmsgstr ""') for word in judges}
        now = kept | {word: entry for word, entry in new.items() if word not in kept}
        file.write_text("\n\n".join(block for _, block in now.values()) + "\n", encoding="utf-8")
        translations = [(word, translation) for word, (translation, _) in now.items()]
        file.with_suffix(".mo").write_bytes(compiled(translations))
        missing = [word for word, translation in translations if not translation]
        language = file.parents[1].name
        print(f"{language}: {len(now) - 1 - len(missing)} of {len(now) - 1} translated")
        for word in missing:
            print(f"{language}: not translated: {word}")


if __name__ == "__main__":
    update(Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE)
