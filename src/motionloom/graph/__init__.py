"""Motion graphs: clips woven into new motions that meet constraints."""
