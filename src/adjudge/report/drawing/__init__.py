"""Drawing tools of figures: canvas, scales, label placement, colours, files."""
