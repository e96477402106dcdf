"""What the searching bots share: worlds, draws, budgets, racing, posteriors, compiled kernels."""
