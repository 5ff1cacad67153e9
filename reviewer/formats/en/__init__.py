"""English as Europe writes it: one way on all pages."""
