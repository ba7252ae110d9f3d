"""glTF files in one piece, ``.glb``: read and written, of one or several characters."""

from motionloom.io._gltf.read import read_glb
from motionloom.io._gltf.write import write_glb

__all__ = ["read_glb", "write_glb"]
