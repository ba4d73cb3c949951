"""An example of a neural metric for Adjudge: `metric` by entry point, `elsewhere` as files."""
