"""Tables of scores and edits."""

# The modules here that show results of a module of the subject; "" stands for all others.
TABLES = {
    "": ("scores", "spans"),
    "method": ("official",),
    "edits": ("edits", "edit_summary"),
}
