"""What a gait space holds, as a report and as pictures."""
