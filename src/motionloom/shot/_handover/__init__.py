"""How a span goes on from the state that the one before it leaves behind."""
