"""Files of lines beside the data of quality estimation: other translations, parts of speech."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.quality.reading import QualityData


@dataclass(frozen=True)
class Beside:
    """Files with a line for each translation: of other systems by their names; parts of speech."""

    pseudo_reference: Mapping[str, str] | None = None
    source_tags: str | None = None
    target_tags: str | None = None

    @property
    def named(self) -> list[str] | None:
        """What there is, for signatures; None where there is nothing."""
        others = [f"pseudo_reference:{name}" for name in self.pseudo_reference or {}]
        tags = [name for name in ("source_tags", "target_tags") if getattr(self, name) is not None]
        return [*others, *tags] or None

    def added_to(self, data: "QualityData") -> "QualityData":
        """The data with these files as columns, and the hash of all of them."""
        from adjudge.core.files.input_file import InputFile
        from adjudge.quality.features.inputs import beside
        from adjudge.quality.reading import QualityData
        from adjudge.text.reading import read_lines

        if self.named is None:
            return data
        others = {name: InputFile(path) for name, path in (self.pseudo_reference or {}).items()}
        tags = {
            name: InputFile(path)
            for name, path in (("source_tags", self.source_tags), ("target_tags", self.target_tags))
            if path is not None
        }
        table = beside(
            data.table,
            {name: read_lines(file) for name, file in others.items()},
            **{name: read_lines(file) for name, file in tags.items()},
        )
        hashes = [data.hash, *(file.sha256 for file in (*others.values(), *tags.values()))]
        return QualityData(table, hashlib.sha256("\n".join(hashes).encode()).hexdigest())
