"""Motions kept by what they were made of, from one run to the next."""

from motionloom.shot.keeping.joined import load_joined, rounded, save_joined
from motionloom.shot.keeping.keys import key_of, key_of_join, key_of_joined, key_of_layer
from motionloom.shot.keeping.pieces import (
    FolderKeeper,
    Keeper,
    MemoryKeeper,
    as_loaded,
    like_clips,
    load_piece,
    save_piece,
)
from motionloom.shot.keeping.stretches import KeptFrames

__all__ = [
    "FolderKeeper",
    "Keeper",
    "KeptFrames",
    "MemoryKeeper",
    "as_loaded",
    "key_of",
    "key_of_join",
    "key_of_joined",
    "key_of_layer",
    "like_clips",
    "load_joined",
    "load_piece",
    "rounded",
    "save_joined",
    "save_piece",
]
