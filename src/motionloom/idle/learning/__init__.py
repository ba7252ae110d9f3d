"""From recordings to what is learned: postures, rests, shifts, and files that correct them."""
