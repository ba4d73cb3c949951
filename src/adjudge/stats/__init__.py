"""The one place for uncertainty: units, drawing, replicates, intervals, ranks and clusters."""
