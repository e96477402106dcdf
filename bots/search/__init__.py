"""Shared by the searching bots: worlds, draws, budgets, racing, posteriors, compiled kernels."""
