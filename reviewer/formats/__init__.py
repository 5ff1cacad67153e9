"""How dates are written, where we write them otherwise than Django does."""
