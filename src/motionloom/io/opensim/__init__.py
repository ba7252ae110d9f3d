"""Joint angles for OpenSim: ``.mot`` files."""
