"""MQM: kinds of errors, and the score that marked errors make (Freitag et al. 2021).

    mqm = −Σ weight of each error

A major error weighs 5, a minor one 1, but a minor one of punctuation 0.1, and a major
non-translation 25; a neutral remark weighs nothing. So WMT has scored its MQM annotations since
2021. Other campaigns also have critical errors, which weigh 10, as in WMT's tasks of quality
estimation. Higher is better, 0 is an output without errors.
"""

import polars as pl

from adjudge.core.errors import InputError

MQM = "mqm"  # the scale
SEVERITIES = ("minor", "major")  # that judges may choose
OMISSION = "omission"

# A small hierarchy: our name of a category, and MQM's as the files of WMT write it.
CATEGORIES = {
    "mistranslation": "Accuracy/Mistranslation",
    OMISSION: "Accuracy/Omission",
    "addition": "Accuracy/Addition",
    "untranslated": "Accuracy/Untranslated text",
    "grammar": "Fluency/Grammar",
    "spelling": "Fluency/Spelling",
    "punctuation": "Fluency/Punctuation",
    "register": "Fluency/Register",
    "terminology": "Terminology/Inappropriate for context",
    "style": "Style/Awkward",
    "locale": "Locale convention",
    "other": "Other",
    "non-translation": "Non-translation!",
}

# The names that files use, in lower case; Appraise follows MQM 2.0, which renamed fluency.
KNOWN_CATEGORIES = {name.lower(): short for short, name in CATEGORIES.items()} | {
    "accuracy/untranslated": "untranslated",
    "linguistic conventions/grammar": "grammar",
    "linguistic conventions/punctuation": "punctuation",
    "linguistic conventions/spelling": "spelling",
    "style/awkward style": "style",
    "terminology/wrong term": "terminology",
    "non-translation": "non-translation",
}

WEIGHTING = "weights of WMT21–WMT25: 25 / 5 / 1 / 0.1"
WEIGHTS = {"neutral": 0.0, "minor": 1.0, "major": 5.0, "critical": 10.0}
SPECIAL_WEIGHTS = {
    ("minor", "punctuation"): 0.1,
    ("major", "non-translation"): 25.0,
    ("critical", "non-translation"): 25.0,
}


def with_mqm(table: pl.DataFrame) -> pl.DataFrame:
    """The scores, and for every output whose errors are marked a row on the scale `mqm`."""
    scales = table["scale"].cast(pl.String)
    marked = table.filter(pl.col("spans").is_not_null() & (scales != MQM))
    if not len(marked) or (scales == MQM).any():
        return table
    return pl.concat([table, mqm_scores(marked)]).sort("item", maintain_order=True)


def mqm_scores(marked: pl.DataFrame) -> pl.DataFrame:
    """Rows with spans, their score that of MQM instead of the judge's."""
    severity, category = (pl.element().struct.field(name) for name in ("severity", "category"))
    severities = marked["spans"].list.eval(severity).explode(empty_as_null=False).unique()
    unknown = [name for name in severities.to_list() if name not in WEIGHTS]
    if unknown:
        raise InputError(
            f"severity {unknown[0]!r} has no weight in MQM; there are: {', '.join(WEIGHTS)}"
        )
    weight = severity.replace_strict(WEIGHTS, return_dtype=pl.Float64)
    for (bad, kind), special in SPECIAL_WEIGHTS.items():
        is_special = (severity == bad) & (category == kind).fill_null(False)
        weight = pl.when(is_special).then(special).otherwise(weight)
    return marked.with_columns(
        pl.lit(MQM).cast(marked.schema["scale"]).alias("scale"),
        # Not −0.0 where there is no error.
        (0.0 - pl.col("spans").list.eval(weight).list.sum()).alias("score"),
    )
