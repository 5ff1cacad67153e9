"""A member's own room: their memory in plain words, and all they can do about it."""
