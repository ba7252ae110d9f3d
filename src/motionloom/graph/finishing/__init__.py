"""From a path through the graph to a finished motion."""
