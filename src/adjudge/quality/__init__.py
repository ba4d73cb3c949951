"""Quality estimation: how good a translation is, without a reference (WMT13 §6)."""
