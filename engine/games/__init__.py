"""The games that ship with the program, a folder each; `engine.catalogue` lists them.

A folder has the rules as a package whose `GAME` is the game, the rules page `rules.md`, and
`texts.toml`, what is said of the facts that this game alone has.
"""
