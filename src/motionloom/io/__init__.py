"""Motion files in and out."""
