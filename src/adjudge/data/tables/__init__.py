"""Tables of what a file of judgements holds."""

# The modules here that show results of a module of the subject; "" stands for all others.
TABLES = {
    "summary": ("summary",),
    "item_times": ("summary",),
}
