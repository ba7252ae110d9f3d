"""Measures motionloom: published methods, protocols, critics and tables."""
