"""Tables of simulated and planned campaigns."""

# The modules here that show results of a module of the subject; "" stands for all others.
TABLES = {
    "": ("planning", "simulated"),
    "coverage": ("coverage",),
}
