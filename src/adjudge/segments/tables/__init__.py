"""Tables of short segments."""

# The modules here that show results of a module of the subject; "" stands for all others.
TABLES = {
    "": ("segments",),
    "prediction.evaluation": ("new_system",),
}
