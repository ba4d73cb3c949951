"""The four tasks of WMT13 §6 as data, one module a task: translations and what is true of them."""
