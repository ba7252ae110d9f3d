"""The shot as a document: changes, undo, and how it is kept on disk."""
