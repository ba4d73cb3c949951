"""Quality estimation: prediction of translation quality without references (WMT13 §6)."""
