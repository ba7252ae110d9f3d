"""Motion graphs on disk, and on a cluster."""
