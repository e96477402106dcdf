"""Players of Whist: by rules, by judgement, by max^n, and by a tree search (docs/bots/whist.md).

`bits`, `policy`, `knowledge`, `judge` and `rules_player` are plain Python; the others have kernels.
"""
