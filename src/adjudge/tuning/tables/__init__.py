"""Tables of tuning."""

# The modules here that show results of a module of the subject; "" stands for all others.
TABLES = {
    "": ("tuning",),
    "run_spread": ("variance",),
    "loop": ("decoder_loop",),
}
