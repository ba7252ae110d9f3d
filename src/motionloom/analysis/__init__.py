"""What a motion is like: contacts of the feet and quality in numbers."""
