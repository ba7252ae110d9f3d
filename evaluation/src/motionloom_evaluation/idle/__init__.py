"""How idle motion compares with recordings, beside plain noise and a loop."""
