"""What a motion is like: contacts of the feet and quality in numbers."""

from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.quality import compute_quality

__all__ = ["compute_quality", "detect_contacts"]
