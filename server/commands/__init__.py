"""Commands: each goes to its handler and gets one answer."""
