"""Clips of one skeleton made ready: rate, roles, contacts, labels, origins, and what they cover."""
