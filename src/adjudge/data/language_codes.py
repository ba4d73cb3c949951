"""Language pairs as WMT names them: ISO 639-1 codes where a language has one."""

import polars as pl

# ISO 639-3 to ISO 639-1, for the languages of WMT's tasks since 2006.
TWO_LETTERS = {
    "amh": "am", "ara": "ar", "asm": "as", "bel": "be", "ben": "bn",
    "bul": "bg", "cat": "ca", "ces": "cs", "cmn": "zh", "cze": "cs", "dan": "da", "deu": "de",
    "ell": "el", "eng": "en", "est": "et", "eus": "eu", "fas": "fa", "fin": "fi", "fra": "fr",
    "fre": "fr", "ger": "de", "guj": "gu", "hau": "ha", "heb": "he", "hin": "hi", "hrv": "hr",
    "hun": "hu", "hye": "hy", "ind": "id", "isl": "is", "ita": "it", "jpn": "ja", "kan": "kn",
    "kat": "ka", "kaz": "kk", "khm": "km", "kor": "ko", "lav": "lv", "lit": "lt", "mal": "ml",
    "mar": "mr", "mkd": "mk", "mlt": "mt", "nep": "ne", "nld": "nl", "nob": "nb", "nor": "no",
    "pan": "pa", "pol": "pl", "por": "pt", "pus": "ps", "ron": "ro", "rus": "ru", "sin": "si",
    "slk": "sk", "slv": "sl", "sme": "se", "spa": "es", "srp": "sr", "swa": "sw", "swe": "sv",
    "tam": "ta", "tel": "te", "tha": "th", "tur": "tr", "ukr": "uk", "urd": "ur", "uzb": "uz",
    "vie": "vi", "xho": "xh", "zho": "zh", "zul": "zu",
}  # fmt: skip


def language_pair(source: str, target: str) -> pl.Expr:
    """The pair of two columns of language codes: `eng` and `ces` are `en-cs`."""
    short = (pl.col(name).replace(TWO_LETTERS) for name in (source, target))
    return pl.concat_str(*short, separator="-")
