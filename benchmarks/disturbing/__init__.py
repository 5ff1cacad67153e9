"""What `chaos` disturbs work with, and how it looks whether anything came of it: a module a trial."""
