"""In-betweening: natural motion over a gap between known frames, or from key pose to key pose."""
