"""Tables of agreement."""

# The modules here that show results of a module of the subject; "" stands for all others.
TABLES = {
    "": ("agreement", "labels", "choices"),
}
