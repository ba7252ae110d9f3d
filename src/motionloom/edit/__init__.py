"""Motion in, motion out: corrections and changes that need no model."""
