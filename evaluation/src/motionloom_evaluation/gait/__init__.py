"""How well gait is found and made, on given clips: cycles, left-out speeds, people, frequency."""
