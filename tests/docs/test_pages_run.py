"""Every block of code and every command in README, CONTRIBUTING and docs runs and shows what it
says (tools/docs_pages.py has the rules)."""

from pathlib import Path

import pytest

from docs_pages import (
    ROOT,
    Block,
    BlockFailed,
    blocks,
    commands,
    listed,
    marked_blocks,
    pages,
    run_page,
    same,
)

PAGES = [str(page.relative_to(ROOT)) for page in pages()]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_all_blocks_of(page: str, tmp_path: Path) -> None:
    differences = run_page(ROOT / page, tmp_path).differences
    assert not differences, "\n\n".join(map(str, differences))


def test_what_is_not_run_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(listed())
    marked = [block for _, block in marked_blocks()]
    assert marked
    assert all(len(block.why.split()) > 2 for block in marked)


def page_of(folder: Path, text: str) -> Path:
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    return page


def test_a_block_that_shows_another_number_is_found(tmp_path: Path) -> None:
    page = page_of(tmp_path, "```python\nx = 2\nx + 2\n```\n\n```text\n5\n```\n")
    (difference,) = run_page(page, tmp_path).differences
    assert (difference.block.line, difference.came) == (6, "4\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("```python\nimport adjudge\nadjudge.no_such_thing\n```\n", "no_such_thing"),
        ("```sh\nadjudge rank --no-such-option\n```\n", "no-such-option"),
        ("```sh\nmake no-such-target\n```\n", "no-such-target"),
        ("```sh\nfalse\n```\n", "ended with code 1"),
        ("```json\n{]\n```\n", "no JSON"),
        ("```\nls\n```\n", "without a language"),
        ("```ruby\nputs\n```\n", "cannot be run"),
    ],
)
def test_a_block_that_does_not_run_is_found(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BlockFailed, match=message):
        run_page(page_of(tmp_path, text), tmp_path)


def test_marked_blocks(tmp_path: Path) -> None:
    text = "<!-- not run: it installs things -->\n```sh\nfalse\n```\n"
    text += "<!-- fails: that is the point -->\n```sh\nfalse\n```\n"
    page = page_of(tmp_path, text)
    assert [(block.mark, block.why) for block in blocks(page)] == [
        ("not run", "it installs things"),
        ("fails", "that is the point"),
    ]
    assert run_page(page, tmp_path).ran == 1
    page_of(tmp_path, text.replace("false", "true"))
    with pytest.raises(BlockFailed, match="ended with code 0"):
        run_page(page, tmp_path)


def test_commands_are_lines_without_comments() -> None:
    block = Block(1, "sh", "# first\nadjudge rank a \\\n    --seed 2  # why\n\nadjudge info a")
    assert commands(block) == ["adjudge rank a --seed 2", "adjudge info a"]


def test_an_ellipsis_stands_for_anything() -> None:
    assert same("a\n…\nd", "a\nb\nc\nd")
    assert same("sha256-0f… x", "sha256-0fab x  ")
    assert not same("a\n…\nd", "a\nb")
    assert not same("a", "b")
