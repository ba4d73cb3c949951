"""Uploaded texts: limited in size, text only, then read by the code of the command line."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from adjudge.core.errors import AdjudgeError, InputError, in_plain_words
from adjudge.core.files.archive import is_archive, unpack
from adjudge.core.files.input_file import InputFile
from adjudge.text.reading import system_name
from adjudge.web.middleware import length_of
from adjudge.web.pages import notice

LARGEST_FILE = 20 * 1024**2
LARGEST_UPLOAD = 200 * 1024**2  # all files of a campaign, unpacked
LONGEST_SYSTEM = 200  # characters of a name, as stored
UNPACKED = "unpacked"  # the folder beside an archive


def limited(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Wrap a view to refuse too large uploads before reading them."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
        if length_of(request) > LARGEST_UPLOAD:
            said = _("All files together may have %d MB.") % (LARGEST_UPLOAD // 1024**2)
            return notice(request, _("Too much at once"), said, status=413)
        return view(request, *args, **named)

    return wrapped


class UploadFolder:
    """Uploads on disk, in the layout that the readers expect: `folder/FIELD/NAME`."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)

    def store(self, field: str, upload: "UploadedFile[bytes]", *, packed: bool = False) -> str:
        """Store an upload and return its path; refuse too large files, and files other than text or
        `packed` ones.
        """
        path = self.folder / field / (Path(upload.name or "").name or "file")
        if path.exists():
            raise InputError("is given twice; leave one out", file=path)
        largest = LARGEST_UPLOAD if packed else LARGEST_FILE
        if (upload.size or 0) > largest:
            raise InputError(f"has more than {largest // 1024**2} MB", file=path)
        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as stream:
            for chunk in upload.chunks():
                stream.write(chunk)
        if not packed and (InputFile(str(path)).compression or b"\0" in path.read_bytes()):
            raise InputError("is not text; upload plain text in UTF-8, or XML", file=path)
        return str(path)

    def is_packed(self, path: str) -> bool:
        """Test for an archive."""
        return is_archive(InputFile(path))

    def systems(self, field: str, uploads: "Iterable[UploadedFile[bytes]]") -> dict[str, str]:
        """Files of systems by name."""
        files: dict[str, str] = {}
        for upload in uploads:
            path = self.store(field, upload)
            name = system_name(path)
            if len(name) > LONGEST_SYSTEM:
                raise InputError("its name is too long for a system; rename it", file=path)
            if name in files:
                raise InputError(f"is the second file of a system {name}; rename it", file=path)
            files[name] = path
        return files

    def unpacked(self, field: str, path: str) -> str:
        """Folder into which an archive was unpacked."""
        folder = self.folder / field / UNPACKED
        unpack(path, folder, LARGEST_UPLOAD)
        return str(folder)

    def field_of(self, error: AdjudgeError) -> str | None:
        """Field of the file that an error is about."""
        file = getattr(error, "file", None)
        if file is None or not Path(file).is_relative_to(self.folder):
            return None
        return Path(file).relative_to(self.folder).parts[0]

    def words_of(self, error: AdjudgeError) -> str:
        """Error message without the folder, which is meaningless to the user."""
        ours = rf"{re.escape(str(self.folder))}/\w+/({UNPACKED}/)?"
        return re.sub(ours, "", in_plain_words(str(error)))


@contextmanager
def upload_folder() -> Iterator[UploadFolder]:
    """Temporary folder for uploads."""
    with TemporaryDirectory(prefix="adjudge-upload-") as folder:
        yield UploadFolder(folder)
