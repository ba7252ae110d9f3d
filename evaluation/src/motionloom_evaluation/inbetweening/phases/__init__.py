"""Phase spaces: motion between two poses through captured poses and speeds."""
