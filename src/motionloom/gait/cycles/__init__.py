"""What is found in clips: strikes, offs, and the cycles between them."""
