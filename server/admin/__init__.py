"""Administration of a running server over a Unix socket in its data folder."""
