"""Players of Whist: by rules, by a policy, by max^n, and by a tree search (bots/whist/README.md).

`bits`, `plain`, `policy`, `knowledge`, `policy_player` and `rules_player` are plain Python; the
others have kernels.
"""
