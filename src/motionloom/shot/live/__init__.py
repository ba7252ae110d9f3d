"""A shot while it is edited: previews at once, searches behind, alternatives to choose from."""
