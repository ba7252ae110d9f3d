"""What a motion is like: contacts of the feet and quality in numbers."""

from motionloom.analysis.contacts import ContactOptions, FootContacts, detect_contacts
from motionloom.analysis.quality import Quality, compute_pooled_quality, compute_quality
from motionloom.analysis.soles import Soles, fit_soles

__all__ = [
    "ContactOptions",
    "FootContacts",
    "Quality",
    "Soles",
    "compute_pooled_quality",
    "compute_quality",
    "detect_contacts",
    "fit_soles",
]
