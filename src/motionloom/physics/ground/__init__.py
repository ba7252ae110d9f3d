"""The ground: contacts, support, zero moment point, forces at the feet."""

from motionloom.physics.ground._balance import Balance, analyse_balance, balanced_share
from motionloom.physics.ground._contacts import GroundContacts, find_ground_contacts
from motionloom.physics.ground._sharing import GroundForces, share_forces

__all__ = ["Balance", "GroundContacts", "GroundForces", "analyse_balance", "balanced_share"]
__all__ += ["find_ground_contacts", "share_forces"]
