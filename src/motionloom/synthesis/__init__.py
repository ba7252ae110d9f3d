"""What every generator of motion shares: costs, errors, finishing, report."""
