"""What the pages say of files, commands and packages is so."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import command_line

import adjudge
import architecture_picture
from adjudge.cli.commands import COMMANDS
from docs_pages import ROOT, pages

pytestmark = pytest.mark.slow

GROUPS = {"", *(name for name, entry in COMMANDS.items() if entry.below)}
REPOSITORY = "https://github.com/adjudge/adjudge/"
PAGES = [str(page.relative_to(ROOT)) for page in pages()]
_FENCES = re.compile(r"^ *```.*?^ *```$", flags=re.M | re.S)
_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"(?:src|tests|docs|tools|benchmarks)/[\w./*-]+")


def prose(page: str) -> str:
    """A page without its fenced blocks."""
    return _FENCES.sub("", (ROOT / page).read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES)
def test_files_named_exist(page: str) -> None:
    named = {path for code in _CODE.findall(prose(page)) for path in _PATH.findall(code)}
    missing = {
        path
        for path in named
        if not re.search(r"NAME|…", path) and not list(ROOT.glob(path.rstrip("/.")))
    }
    assert not missing


@pytest.mark.parametrize("page", PAGES)
def test_commands_named_exist(page: str) -> None:
    """Of commands in a sentence: the command is there and has these options."""
    wrong = []
    for code in _CODE.findall(prose(page)):
        if not re.match(r"adjudge [a-z]", code):
            continue
        words = shlex.split(code.replace("…", "", 1) if code.endswith("…") else code)
        named = max(
            (n for n in range(1, len(words) + 1) if " ".join(words[1:n]) in command_line()),
        )
        command, rest = " ".join(words[1:named]), words[named:]
        if command in GROUPS:
            if rest and re.fullmatch(r"[a-z-]+", rest[0]):
                wrong.append(f"{code}: there is no {rest[0]}")
            continue
        options = command_line()[command]["options"]
        known = {also for option in options.values() for also in option.get("also", ())}
        known |= {off for option in options.values() for off in option.get("off", ())}
        known |= {"-h", *options}
        asked = {word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
        wrong += [f"{code}: there is no {option}" for option in sorted(asked - known)]
    assert not wrong


def test_the_table_of_commands_is_whole() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `adjudge ([a-z-]+)", readme, flags=re.M)
    assert sorted(listed) == sorted(COMMANDS)


def test_links_of_the_readme_work_on_pypi() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", readme)
    assert links
    for link in links:
        assert link.startswith(REPOSITORY), f"{link}: not absolute"
        path = re.sub(r"^(?:blob|tree|raw)/main/|#.*$", "", link.removeprefix(REPOSITORY))
        assert (ROOT / path).exists(), f"{link}: there is no such file"


def test_the_table_of_packages_is_whole() -> None:
    source = ROOT / "src" / "adjudge"
    there = {path.parent.name for path in source.glob("*/__init__.py")}
    there |= {path.stem for path in source.glob("*.py")} - {"__init__", "__main__"}
    page = architecture_picture.PAGE.read_text(encoding="utf-8")
    assert sorted(architecture_picture.jobs(page)) == sorted(there)


def test_the_fence_has_every_package() -> None:
    page = architecture_picture.PAGE.read_text(encoding="utf-8")
    assert list(architecture_picture.jobs(page)) == architecture_picture.layers()


def test_the_picture_shows_the_house_as_it_is() -> None:
    drawn = architecture_picture.draw()
    assert drawn == architecture_picture.PICTURE.read_text(encoding="utf-8"), (
        "draw it anew: tools/architecture_picture.py"
    )


def test_the_reference_shows_all_that_is_public() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"(?:\.\. auto\w+:: |`)adjudge\.(\w+)", page))
    assert set(adjudge.__all__) <= shown


@pytest.mark.slow
def test_the_site_is_whole_and_needs_no_network(tmp_path: Path) -> None:
    """Strictly: a broken link, a page in no list, a bad docstring ends the build."""
    pytest.importorskip("sphinx", reason="no Sphinx: pip install adjudge[docs]")
    places = [str(ROOT / "docs"), str(tmp_path / "site"), "-d", str(tmp_path / "trees")]
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", *places]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    loaded = re.compile(
        r"""<(?:script|img|iframe)[^>]*\ssrc=["']?(?:https?:)?//"""
        r"""|<link[^>]*rel=["']?(?:stylesheet|preload|preconnect)["']?[^>]*href=["']?(?:https?:)?//"""
        r"""|@import\s+(?:url\()?["']?(?:https?:)?//|url\(["']?(?:https?:)?//"""
    )
    for path in (tmp_path / "site").rglob("*"):
        if path.suffix in {".html", ".css", ".js"}:
            found = loaded.search(path.read_text(encoding="utf-8"))
            assert found is None, f"{path.name} loads {found and found[0]}"


def test_probable_is_said_of_probabilities_only():
    """`How probable it is` comes before a number. Whatever else is thought to be so only may be."""
    folders = [ROOT / "src", ROOT / "docs"]
    written = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    texts = [path for path in written if path.suffix in (".py", ".html", ".js", ".md", ".toml")]
    said = [
        f"{path.relative_to(ROOT)}: {sentence[0]}"
        for path in (*texts, ROOT / "README.md")
        for sentence in re.finditer(
            r"\S*\s*(?<!how\s)\bprobabl[ey]\b.*", path.read_text(encoding="utf-8"), re.I
        )
    ]
    assert len(texts) > 300
    assert not said
