"""What idle motion does in every frame, compiled."""
