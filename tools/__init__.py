"""Tools for working on this repository; nothing here is installed."""
