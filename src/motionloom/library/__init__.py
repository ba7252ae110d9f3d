"""A catalogue of clips on disk: read once, ready for use, opened without reading everything."""
