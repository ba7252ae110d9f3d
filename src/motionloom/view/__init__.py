"""A motion as what people look at: a static HTML page and a contact sheet."""

from motionloom.view._overlay import Overlay
from motionloom.view.page import write_page
from motionloom.view.sheet import write_contact_sheet, write_side_by_side

__all__ = ["Overlay", "write_contact_sheet", "write_page", "write_side_by_side"]
