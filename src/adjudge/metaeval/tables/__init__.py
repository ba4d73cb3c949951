"""Tables of metrics compared with human judgements."""

# The modules here that show results of a module of the subject; "" stands for all others.
TABLES = {
    "evaluation": ("metaeval",),
    "human_comparison": ("human_comparison",),
    "assisted.result": ("assisted",),
    "task.validation": ("submissions",),
    "task_table": ("task_table",),
}
