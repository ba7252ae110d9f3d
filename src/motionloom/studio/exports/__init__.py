"""Files of a shot to take away: made in a process of their own, and fetched once."""
