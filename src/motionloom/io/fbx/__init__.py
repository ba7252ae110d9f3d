"""FBX files: our own writer of binary FBX 7.4, and a guarded reader."""

from motionloom.io.fbx.read import read_fbx
from motionloom.io.fbx.write import write_fbx

__all__ = ["read_fbx", "write_fbx"]
