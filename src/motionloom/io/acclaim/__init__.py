"""Skeletons and motions of Acclaim: ASF and AMC files."""
