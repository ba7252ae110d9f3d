"""Physics measured: against force plates, another implementation, on damaged motions."""
