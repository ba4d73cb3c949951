"""Tables of quality estimation."""

# The modules here that show results of a module of the subject; "" stands for all others.
TABLES = {
    "evaluation.system_ranking": ("evaluation",),
    "features.summary": ("features",),
    "models.train": ("models",),
    "studies.system_selection": ("studies",),
    "studies.selective_editing": ("studies",),
}
