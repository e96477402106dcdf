"""Tools for authors of descriptions: the canonical layout, an outline and a diagram."""
