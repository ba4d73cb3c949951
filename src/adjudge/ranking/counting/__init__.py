"""What counting methods count: comparisons and blocks as events in cells, and shares of them."""
