"""The person on other bodies: larger, seated, of another skeleton, or in the middle of a motion."""
