"""Codes and names of languages, to notice one language pair that is written in two ways."""

import polars as pl

from adjudge.core.files.checked_table import refuse

# ISO 639-1: ISO 639-2 and -3 codes, and English names.
_LANGUAGES = {
    "ar": "ara arabic",
    "bg": "bul bulgarian",
    "bho": "bhojpuri",
    "bn": "ben bengali",
    "ca": "cat catalan",
    "cs": "ces cze czech",
    "cy": "cym wel welsh",
    "da": "dan danish",
    "de": "deu ger german",
    "el": "ell gre greek",
    "en": "eng english",
    "es": "spa spanish",
    "et": "est estonian",
    "eu": "eus baq basque",
    "fa": "fas per persian farsi",
    "fi": "fin finnish",
    "fr": "fra fre french",
    "ga": "gle irish",
    "gu": "guj gujarati",
    "ha": "hau hausa",
    "he": "heb hebrew",
    "hi": "hin hindi",
    "hr": "hrv croatian",
    "hu": "hun hungarian",
    "id": "ind indonesian",
    "is": "isl ice icelandic",
    "it": "ita italian",
    "ja": "jpn japanese",
    "kk": "kaz kazakh",
    "ko": "kor korean",
    "lt": "lit lithuanian",
    "lv": "lav latvian",
    "mas": "maasai",
    "mr": "mar marathi",
    "nl": "nld dut dutch",
    "no": "nor norwegian",
    "pl": "pol polish",
    "ps": "pus pashto",
    "pt": "por portuguese",
    "ro": "ron rum romanian",
    "ru": "rus russian",
    "sk": "slk slo slovak",
    "sl": "slv slovene slovenian",
    "sr": "srp serbian",
    "sv": "swe swedish",
    "sw": "swa swahili",
    "ta": "tam tamil",
    "th": "tha thai",
    "tr": "tur turkish",
    "uk": "ukr ukrainian",
    "ur": "urd urdu",
    "vi": "vie vietnamese",
    "xh": "xho xhosa",
    "zh": "zho chi chinese",
    "zu": "zul zulu",
}
_CODES = {word: code for code, words in _LANGUAGES.items() for word in (code, *words.split())}


def same_pair(pair: str) -> str:
    """A language pair in two-letter codes as far as they are known."""
    parts = pair.casefold().replace("_", "-").replace("→", "-").replace(" ", "").split("-")
    return "-".join(_CODES.get(part, part) for part in parts)


def refuse_mixed_codes(frame: pl.DataFrame) -> None:
    """Refuse a table that writes one language pair in two ways, such as en-de and eng-deu."""
    first: dict[str, str] = {}
    for pair in frame["pair"].unique(maintain_order=True).drop_nulls():
        known = first.setdefault(same_pair(pair), pair)
        if known != pair:
            refuse(
                frame,
                pl.col("pair") == pair,
                f"language pair {{}} is called {known!r} in other rows; use one name",
                "pair",
            )
