"""Words for the outcome of a comparison, the same in files and in memory.

Case, spaces, underscores, hyphens and parentheses do not count: `Model A`, `model_a` and
`MODEL-A` are one word. The winner may also be given by its name.
"""

import polars as pl

from adjudge.data.judgement_table import BOTH

BOTH_FINE, BOTH_WRONG = BOTH
BOTH_BAD = "both bad"  # what arenas say

_WORDS = {
    1: "left a 1 1.0 modela model1 systema system1 assistanta assistant1 outputa output1 "
    "translationa translation1 optiona option1 responsea response1 first a>b a>>b 1>2",
    -1: "right b 2 2.0 -1 -1.0 modelb model2 systemb system2 assistantb assistant2 outputb output2 "
    "translationb translation2 optionb option2 responseb response2 second b>a b>>a a<b a<<b 2>1",
    0: "tie tied draw equal same neither both 0 0.0 a=b 1=2 = nopreference nodifference "
    "bothfine bothgood bothwrong bothbad tiebothbad",
}
# What each word says: 1 if left is better, −1 if right is, 0 for a tie.
SIDES = {word: side for side, words in _WORDS.items() for word in words.split()}
LABELS = {
    "bothfine": BOTH_FINE,
    "bothgood": BOTH_FINE,
    "bothwrong": BOTH_WRONG,
    "bothbad": BOTH_BAD,
    "tiebothbad": BOTH_BAD,
}
# Words too short to stand for a side where systems are called so.
SHORT = frozenset({"a", "b", "1", "1.0", "2", "2.0"})
EXPECTED = "left, right, tie or both bad (also model_a, A, 1, …), or the name of the winner"

_IGNORED = r"[\s_()]|\b-"


def simplified(words: pl.Expr) -> pl.Expr:
    """Words without what does not count in them."""
    return words.str.to_lowercase().str.replace_all(_IGNORED, "")


def side_of(words: pl.Expr) -> pl.Expr:
    """1 if left is better, −1 if right is, 0 for a tie, null for any other word."""
    return simplified(words).replace_strict(SIDES, default=None, return_dtype=pl.Int8)


def label_of(words: pl.Expr) -> pl.Expr:
    """The kind of tie; null where the word tells none."""
    return simplified(words).replace_strict(LABELS, default=None, return_dtype=pl.String)


def winning_side(outcome: str, left: str, right: str) -> pl.Expr:
    """`side_of` the column `outcome`, which may also hold the name of the winner."""
    given = pl.col(outcome)
    return (
        pl.when(given == pl.col(left))
        .then(1)
        .when(given == pl.col(right))
        .then(-1)
        .otherwise(side_of(given))
        .cast(pl.Int8)
    )
