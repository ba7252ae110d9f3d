"""What a synthesis and a graph say about themselves: reports, reasons, coverage, pictures."""
