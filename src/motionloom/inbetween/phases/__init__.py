"""Motion through spaces of captured poses and speeds (Ferrydiansyah 2011)."""
