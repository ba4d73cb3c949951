"""Tables, plots and the report, made from results; nothing is computed here."""
