"""Databases written by every release, kept for ever, and what has to come of them."""
