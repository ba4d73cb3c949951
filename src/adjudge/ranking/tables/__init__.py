"""Tables of rankings and of comparisons between systems."""

# The modules here that show results of a module of the subject; "" stands for all others.
TABLES = {
    "": ("ranking",),
    "method_comparison": ("methods",),
    "head_to_head": ("head_to_head",),
}
