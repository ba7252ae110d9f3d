"""A motion as what people look at: a static HTML page and a contact sheet."""

from motionloom.view.sheet import write_contact_sheet

__all__ = ["write_contact_sheet"]
