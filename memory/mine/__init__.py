"""A member's own room: what is known of them in plain words, putting it right, forgetting, taking it along."""
