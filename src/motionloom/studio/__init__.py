"""The studio: one shot, edited in a browser on this machine, made again while it is edited."""
