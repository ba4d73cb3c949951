"""One module a metric, each with its `METRIC`."""
