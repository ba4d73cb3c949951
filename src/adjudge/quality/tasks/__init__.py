"""Tasks of WMT13 §6 as data, one module per task: translations and gold values."""
