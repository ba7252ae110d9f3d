"""Which frames may be joined: costs, thresholds, splices, what they connect, and the hierarchy over them."""
