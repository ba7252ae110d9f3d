"""Changes that no clip shows, filled by another generator, as short clips of the graph's own."""
