"""Test sets from plain text, WMT XML and mt-metrics-eval's folders."""

import gzip
from pathlib import Path

import pytest

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile
from adjudge.text.reading import read_column, read_dataset, read_documents, read_files, read_folder

OLD = """<?xml version="1.0" encoding="UTF-8"?>
<{root} setid="newstest" srclang="any" trglang="cs">
<doc docid="first" sysid="{system}"><p><seg id="1">{text} one &amp; two</seg></p>
<hl><seg id="2"> {text}
  three</seg></hl></doc>
<doc docid="second"><seg id="1">{text} four</seg></doc>
</{root}>
"""
NEW = """<dataset id="wmttest"><collection id="general">
<doc origlang="en" id="first">
  <src lang="en"><p><seg id="1">One</seg><seg id="2">Two</seg></p></src>
  <ref lang="de" translator="A"><p><seg id="1">Eins</seg><seg id="2">Zwei</seg></p></ref>
  <ref lang="de" translator="B"><p><seg id="1">eins</seg><seg id="2">zwei</seg></p></ref>
  <hyp system="good" language="de"><p><seg id="1">Eins!</seg><seg id="2">Zwei!</seg></p></hyp>
  <hyp system="bad" language="de"><p><seg id="1">Ein</seg><seg id="2">Zwo</seg></p></hyp>
</doc></collection></dataset>
"""


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    def write(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_plain_text_is_a_segment_a_line(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    column = read_column(write("a.txt", "one\r\n  two \n\nfour\u2028still four"))
    assert column.texts == ("one", "two", "", "four\u2028still four")
    packed = tmp_path / "a.txt.gz"
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbfone\ntwo\n"))
    assert read_column(str(packed)).texts == ("one", "two")


def test_files_make_a_test_set(write) -> None:  # type: ignore[no-untyped-def]
    texts = read_files(
        write("source.txt", "one\ntwo\nthree\n"),
        write("reference.txt", "eins\nzwei\ndrei\n"),
        {"A": write("a.txt", "Eins\nZwei\n\n"), "B": write("b.txt", "1\n2\n3\n")},
        write("documents.tsv", "news\td1\nnews\td1\ntalk\td2\n"),
        ("en", "de"),
    )
    assert texts.source == ("one", "two", "three")
    assert texts.reference == ("eins", "zwei", "drei")
    assert texts.documents == ("d1", "d1", "d2")
    assert texts.names == ("1", "2", "3")
    assert texts.systems == {"A": ("Eins", "Zwei", ""), "B": ("1", "2", "3")}


def test_documents_as_ranges(write) -> None:  # type: ignore[no-untyped-def]
    path = write("d.tsv", "document\tfirst_line\tlast_line\nweather\t1\t2\nrecipe\t3\t3\n")
    assert read_documents(InputFile(path)) == ("weather", "weather", "recipe")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d1\nd2\nd1\n", "line 3: document 'd1' begins a second time"),
        ("d1\n\n", "line 2: names no document"),
        ("document\tfirst_line\tlast_line\nd1\t1\t2\nd2\t4\t5\n", "line 3: .*begins at 3"),
        ("document\tfirst_line\tlast_line\nd1\t1\tx\n", "line 2: is not document"),
        ("document\tfirst_line\tlast_line\nd1\t1\t2\nd1\t3\t4\n", "line 3: .*named once"),
    ],
)
def test_bad_documents(write, text: str, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=message):
        read_documents(InputFile(write("d.tsv", text)))


def test_old_wmt_xml(write) -> None:  # type: ignore[no-untyped-def]
    def file(root: str, text: str) -> str:
        return write(f"{text}.xml", OLD.format(root=root, system=text, text=text))

    texts = read_files(file("srcset", "source"), file("refset", "ref"), {"A": file("tstset", "a")})
    assert texts.source == ("source one & two", "source three", "source four")
    assert texts.documents == ("first", "first", "second")
    assert texts.names == ("1", "2", "1")
    assert texts.systems["A"] == ("a one & two", "a three", "a four")
    # A plain system beside an XML source is fine: lines have no names to disagree on.
    plain = read_files(file("srcset", "source"), None, {"B": write("b.txt", "1\n2\n3\n")})
    assert plain.systems["B"] == ("1", "2", "3")


def test_new_wmt_xml(write) -> None:  # type: ignore[no-untyped-def]
    texts = read_dataset(InputFile(write("set.xml", NEW)))
    assert texts.source == ("One", "Two")
    assert texts.reference == ("Eins", "Zwei")
    assert texts.systems == {"good": ("Eins!", "Zwei!"), "bad": ("Ein", "Zwo")}
    assert (texts.source_language, texts.target_language) == ("en", "de")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("short.txt", "1\n2\n", "short.txt: has 2 segments, .*source.xml has 3"),
        ("cut.xml", "<tstset><doc docid='first'><seg id='1'>", "cut.xml: line 1: .*well-formed"),
        ("none.xml", "<tstset></tstset>", "none.xml: has no <seg>"),
        (
            "bomb.xml",
            '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aa">]><tstset>&a;</tstset>',
            "bomb.xml: declares XML entities",
        ),
        (
            "mixed.xml",
            OLD.format(root="tstset", system="m", text="m").replace("second", "other"),
            "mixed.xml: segment 3 is 'other' where .*source.xml has 'second'",
        ),
    ],
)
def test_bad_systems(write, name: str, text: str, message: str) -> None:  # type: ignore[no-untyped-def]
    source = write("source.xml", OLD.format(root="srcset", system="", text="source"))
    with pytest.raises(InputError, match=message):
        read_files(source, None, {"A": write(name, text)})


def test_bad_sources(write) -> None:  # type: ignore[no-untyped-def]
    system = {"A": write("a.txt", "1\n2\n3\n")}
    with pytest.raises(InputError, match=r"source.txt: line 2: an empty source"):
        read_files(write("source.txt", "one\n\nthree\n"), None, system)
    with pytest.raises(InputError, match="no such file"):
        read_files("nowhere.txt", None, system)
    source = write("good.txt", "one\ntwo\nthree\n")
    with pytest.raises(InputError, match=r"documents of 2 segments"):
        read_files(source, None, system, write("d.tsv", "a\nb\n"))
    with pytest.raises(InputError, match="not a name for a system"):
        read_files(source, None, {" A": system["A"]})


def test_wmt23_in_the_layout_of_mt_metrics_eval(shared_data: Path) -> None:
    texts = read_folder(str(shared_data / "wmt23"))
    assert len(texts.source) == 557
    assert len(texts.systems) == 12
    assert "refA" not in texts.systems
    assert len(set(texts.documents)) == 192
    assert (texts.source_language, texts.target_language) == ("en", "de")
    with pytest.raises(InputError, match="holds en-de; choose one with `pair`"):
        read_folder(str(shared_data / "wmt23"), "en-cs")


def test_a_folder_of_something_else(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="mt-metrics-eval"):
        read_folder(str(tmp_path))


@pytest.mark.parametrize("tag", ["doc", "seg", "x"])
def test_elements_within_elements_have_an_end(write, tag: str) -> None:  # type: ignore[no-untyped-def]
    """Two hundred thousand: walking them would take minutes."""
    many = 200_000
    deep = f"<srcset>{f'<{tag}>' * many}<seg>x</seg>{f'</{tag}>' * many}</srcset>"
    with pytest.raises(InputError, match="line 1: has more than 100 nested elements"):
        read_column(write("deep.xml", deep))
    fine = f"<srcset>{'<doc>' * 90}<seg>x</seg>{'</doc>' * 90}</srcset>"
    assert "x" in read_column(write("fine.xml", fine)).texts
