"""From a walk through the graph to one continuous motion."""
