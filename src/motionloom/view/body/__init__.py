"""The body that page and studio draw around a skeleton: a smooth mesh carried by its joints."""

from motionloom.view.body.skin import Skin, build_skin

__all__ = ["Skin", "build_skin"]
