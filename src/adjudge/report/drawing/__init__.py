"""What figures are drawn with: canvas, scales, placing of labels, colours, files."""
