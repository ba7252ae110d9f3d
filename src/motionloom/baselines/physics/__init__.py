"""Physics measured: against force plates, another implementation, and motions damaged on purpose."""
