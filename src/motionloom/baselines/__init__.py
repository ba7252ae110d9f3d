"""Published methods that ours are measured against."""
