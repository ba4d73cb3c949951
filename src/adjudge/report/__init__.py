"""Tables, figures and reports of results; nothing is computed here."""
