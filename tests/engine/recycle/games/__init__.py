"""The games of our own in RECYCLE."""
