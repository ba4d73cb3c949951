"""ZIP archives of text files: unpacked into a folder, no more than a sound archive holds."""

import zlib
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from adjudge.errors import InputError
from adjudge.files.input_file import InputFile
from adjudge.files.limits import most_unpacked, too_large

MOST_FILES = 10_000
_CHUNK = 1 << 20
# What Python's reader raises where an archive is damaged, encrypted or packed in a rare way.
_BROKEN = (BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError, EOFError, zlib.error)


def is_archive(file: InputFile) -> bool:
    """Is it a ZIP archive?"""
    return bytes(file.head[:4]) in (b"PK\x03\x04", b"PK\x05\x06")


def unpack(path: str, folder: Path, largest: int | None = None) -> None:
    """Put the files of a ZIP archive into an empty folder; none goes anywhere else.

    `largest` is how many bytes they may have together, where that is not what `limits` says.
    """
    stored = Path(path).stat().st_size
    left = most = most_unpacked(stored) if largest is None else largest
    try:
        with ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if len(entries) > MOST_FILES:
                raise InputError(f"holds more than {MOST_FILES:,} files", file=path)
            for entry in entries:
                place = (folder / entry.filename).resolve()
                if not place.is_relative_to(folder.resolve()) or place.exists():
                    raise InputError(f"{entry.filename!r} has no place of its own", file=path)
                place.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(entry) as packed, place.open("wb") as unpacked:
                    while chunk := packed.read(min(_CHUNK, left + 1)):
                        left -= len(chunk)
                        if left < 0:
                            raise _too_large(path, stored, most, largest)
                        unpacked.write(chunk)
    except _BROKEN as error:
        raise InputError(f"is no ZIP archive we can open ({error}); mend it", file=path) from None


def _too_large(path: str, stored: int, most: int, largest: int | None) -> InputError:
    if largest is None:
        return too_large(path, stored, most)
    return InputError(f"unpacks to more than {most // 1024**2} MB; leave some out", file=path)
