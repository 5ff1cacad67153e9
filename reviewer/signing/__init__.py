"""Signing in: what allauth and axes need to know of Assay's logins."""
