"""ZIP archives of text files, unpacked into a folder within size limits."""

from pathlib import Path

from adjudge.core.errors import InputError
from adjudge.core.files.decompression import BROKEN_ARCHIVE, open_archive
from adjudge.core.files.input_file import InputFile


def is_archive(file: InputFile) -> bool:
    """Test for a ZIP archive."""
    return bytes(file.head[:4]) in (b"PK\x03\x04", b"PK\x05\x06")


def unpack(path: str, folder: Path, largest: int | None = None) -> None:
    """Extract a ZIP archive into an empty folder; refuse members that point outside it.

    `largest` limits the total unpacked size in bytes; the default is the limit in `decompression`.
    """
    try:
        with open_archive(path, largest) as archive:
            for entry in archive.entries:
                place = (folder / entry.filename).resolve()
                if not place.is_relative_to(folder.resolve()) or place.exists():
                    raise InputError(f"{entry.filename!r} has no place of its own", file=path)
                place.parent.mkdir(parents=True, exist_ok=True)
                with place.open("wb") as unpacked:
                    for chunk in archive.chunks(entry):
                        unpacked.write(chunk)
    except BROKEN_ARCHIVE as error:
        raise InputError(
            f"is not a readable ZIP archive ({error}); copy it again", file=path
        ) from None
