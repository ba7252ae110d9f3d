"""Walking and running at any speed: cycles, gait spaces, paths, gaps filled along a path."""
