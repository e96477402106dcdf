"""The games that ship with the program, one folder each; `engine.catalogue` lists them.

A folder is a package with the rules, whose `GAME` is the game, the rules page `rules.md`, and
`texts.toml` with the texts of the facts that only this game has.
"""
