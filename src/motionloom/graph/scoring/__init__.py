"""What a walk through the graph is scored by, and how far a motion is from what was asked."""
