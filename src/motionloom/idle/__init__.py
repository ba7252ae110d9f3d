"""Idle motion: a character that waits alive, as one person does, for ever."""
