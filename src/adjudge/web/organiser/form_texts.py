"""Parsing of uploaded texts for a new campaign, with all errors reported at once."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.input_file import InputFile
from adjudge.text.reading import read_column, read_dataset, read_documents, read_pairs
from adjudge.text.segments import read_phrases
from adjudge.text.testset import Column, TestSet, assemble
from adjudge.web.organiser.uploads import UploadFolder

Blame = Callable[[str | None, AdjudgeError], None]
Pairs = dict[str, TestSet]
T = TypeVar("T")


class FormTexts:
    """Reader of uploads; an error is reported beside its field, and reading continues.

    `blame` receives the field and the error.
    """

    def __init__(self, given: Mapping[str, Any], folder: UploadFolder, blame: Blame) -> None:
        self.given, self.folder, self._tell = given, folder, blame
        self.languages = (given.get("source_language", ""), given.get("target_language", ""))
        self.wrong = False

    def read(self) -> Pairs:
        """Test sets by language pair, or by None if there is only one."""
        ways = {"files": self._files, "archive": self._archive, "phrases": self._phrases}
        pairs = ways[self.given["texts_from"]]()
        return {} if self.wrong else pairs

    def _blame(self, field: str | None, error: AdjudgeError) -> None:
        self.wrong = True
        self._tell(self.folder.field_of(error) or field, error)

    def _tried(self, field: str, read: Callable[[], T]) -> T | None:
        try:
            return read()
        except AdjudgeError as error:
            self._blame(field, error)
            return None

    def _stored(self, field: str) -> str | None:
        upload = self.given.get(field)
        return self._tried(field, lambda: self.folder.store(field, upload)) if upload else None

    def _systems(self) -> dict[str, str]:
        """Files of systems by name."""
        files: dict[str, str] = {}
        for upload in self.given.get("systems") or ():
            store = partial(self.folder.systems, "systems", [upload])
            added = self._tried("systems", store)
            for name, path in (added or {}).items():
                if name in files:
                    twice = f"is the second file of a system {name}; rename it"
                    self._blame("systems", InputError(twice, file=path))
                files[name] = path
        return files

    def _files(self) -> Pairs:
        if not self.given.get("source"):
            self._blame("source", AdjudgeError(_("Choose the file with the source.")))
        if not self.given.get("systems"):
            self._blame("systems", AdjudgeError(_("Choose a file for each system.")))
        source = self._column("source", self._stored("source"))
        if source is not None and self._fits("source", source) is None:
            source = None
        reference = self._column("reference_text", self._stored("reference_text"))
        systems = {name: self._column("systems", path) for name, path in self._systems().items()}
        documents = self._documents(self._stored("documents"))
        if source is None:
            return {}
        if reference is not None:
            self._fits("reference_text", source, reference)
        read = {name: column for name, column in systems.items() if column is not None}
        for name, column in read.items():
            self._fits("systems", source, None, {name: column})
        if documents is not None:
            self._fits("documents", source, documents=documents)
        if self.wrong:
            return {}
        return {"": assemble(source, reference, read, documents, self.languages)}

    def _column(self, field: str, path: str | None) -> Column | None:
        return None if path is None else self._tried(field, lambda: read_column(path))

    def _documents(self, path: str | None) -> tuple[str, ...] | None:
        if path is None:
            return None
        return self._tried("documents", lambda: read_documents(InputFile(path)))

    def _fits(
        self,
        field: str,
        source: Column,
        reference: Column | None = None,
        systems: Mapping[str, Column] | None = None,
        documents: tuple[str, ...] | None = None,
    ) -> TestSet | None:
        """Test set of the source and other files, or None after an error."""
        return self._tried(field, lambda: assemble(source, reference, systems or {}, documents))

    def _archive(self) -> Pairs:
        upload = self.given.get("archive")
        if not upload:
            self._blame("archive", AdjudgeError(_("Choose the file with all texts.")))
            return {}
        return self._tried("archive", lambda: self._unpacked(upload)) or {}

    def _unpacked(self, upload: Any) -> Pairs:
        path = self.folder.store("archive", upload, packed=True)
        if not self.folder.is_packed(path):
            return {"": read_dataset(InputFile(path))}
        return read_pairs(self.folder.unpacked("archive", path))

    def _phrases(self) -> Pairs:
        if not self.given.get("segments"):
            self._blame("segments", AdjudgeError(_("Choose the file with the phrases.")))
        phrases, documents = self._stored("segments"), self._stored("documents")
        systems = self._systems()
        if phrases is None or self.wrong:
            return {}
        texts = self._tried(
            "segments", lambda: read_phrases(phrases, systems, documents, self.languages)
        )
        return {} if texts is None else {"": texts}
