"""Which construct of the language each of our games uses, read from their trees.

A construct is named as one writes it, so that the table in the games' README reads as a list of
the language; what the tree has made equal (``inc`` without an amount) is one construct here.
"""

from collections.abc import Iterator

from engine.recycle import syntax
from engine.recycle.games import description, names
from engine.recycle.reading.parser import parse
from engine.recycle.syntax import Kind, Node

PLAIN: dict[type[Node], str] = {
    syntax.Declare: "`declare`",
    syntax.CreateTeams: "`create teams`",
    syntax.Table: "`game` as owner",
    syntax.NumberedPlayer: "`(N player)`",
    syntax.NumberedTeam: "`(N team)`",
    syntax.OwnerOf: "`owner`",
    syntax.TeamOf: "`(team 'P)`",
    syntax.Members: "a team as its players",
    syntax.IntStorage: "`sto`",
    syntax.StringStorage: "`str`",
    syntax.Size: "`size`",
    syntax.Sum: "`sum`",
    syntax.Score: "`score`",
    syntax.Triangular: "`tri`",
    syntax.Fibonacci: "`fib`",
    syntax.Random: "`random`",
    syntax.Total: "`all` as a sum",
    syntax.PlayerNumber: "`pid`",
    syntax.TeamNumber: "`tid`",
    syntax.CardAttribute: "`cardatt`",
    syntax.Not: "`not`",
    syntax.Sorted: "`sort`",
    syntax.PileAt: "a list out of lists",
    syntax.Partition: "`partition`",
    syntax.Tuples: "`tuples`",
    syntax.Indexed: "`indexed`",
    syntax.Each: "`all` as lists",
    syntax.Players: "`player`",
    syntax.Teams: "`team`",
    syntax.Range: "`range`",
    syntax.Names: "`(A, B)`",
    syntax.Move: "`move`",
    syntax.SwapCards: "`swap` cards",
    syntax.SwapPiles: "`swap` piles",
    syntax.Remember: "`remember`",
    syntax.Forget: "`forget`",
    syntax.Shuffle: "`shuffle`",
    syntax.Interleave: "`shuffle faro`",
    syntax.SetInt: "`set` a number",
    syntax.SetString: "`set` a string",
    syntax.Pass: "`turn pass`",
    syntax.Repeat: "`repeat N`",
    syntax.RepeatAll: "`repeat all`",
    syntax.CreateDeck: "`create deck`",
    syntax.When: "`(CONDITION ACTION)`",
    syntax.Do: "`do`",
    syntax.Let: "`let`",
    syntax.Choice: "`choice`",
}

FILTERED = {Kind.CARDS: "cards", Kind.PILES: "lists", Kind.PLAYERS: "players"}


def named(node: Node) -> str | None:
    """The name of the node's construct in the table; None for what every description contains."""
    match node:
        case syntax.CyclePlayer(which):
            return f"`{which} player`"
        case syntax.CycleTeam(which):
            return f"`{which} team`"
        case syntax.Others(kind):
            return "`other player`" if kind is Kind.PLAYERS else "`other team`"
        case syntax.Arithmetic(operator) | syntax.Compare(operator) | syntax.Logic(operator):
            return f"`{operator}`"
        case syntax.Same(negated=negated):
            return "`!=` of cards, names, players" if negated else "`==` of cards, names, players"
        case syntax.ExtremeScore(which):
            return f"`score{which}`"
        case syntax.ExtremeCard(which):
            return f"`{which}`"
        case syntax.Quantified(every) | syntax.ForEach(every):
            use = "a condition" if isinstance(node, syntax.Quantified) else "an action"
            return f"`{'all' if every else 'any'}` as {use}"
        case syntax.CardAt(place):
            return f"`{place}`" if isinstance(place, str) else "`(N cards)`"
        case syntax.Location(place=place):
            return f"`{place}`"
        case syntax.Filter(kind=over):
            return f"`filter` of {FILTERED[over]}"
        case syntax.SetOperation(operator):
            return f"`{operator}`"
        case syntax.Slice(end):
            return f"`{end} N`"
        case syntax.RunSlice(end):
            return f"`run {end}`"
        case syntax.Subsets(size=size):
            return "`subsets`" if size is None else "`subsets == N`"
        case syntax.Runs(which):
            return f"`runs {which}`"
        case syntax.SetPoints(update=update):
            return "`update` points" if update else "`set` points"
        case syntax.ChangeInt(sign=sign):
            return "`inc`" if sign > 0 else "`dec`"
        case syntax.Cycle(when):
            return f"`cycle {when}`"
        case syntax.Stage(cycle, mode):
            return f"`stage {cycle}`" if mode == "end" else f"`stage {cycle} {mode}`"
        case syntax.Scoring(best):
            return f"`scoring {best}`"
    return PLAIN.get(type(node))


def tree(name: str) -> syntax.Game:
    """The parsed tree of one of our games."""
    game = parse(description(name)).game
    assert game is not None
    return game


def constructs(name: str) -> frozenset[str]:
    """The constructs that the game uses."""
    return frozenset(found for node in syntax.walk(tree(name)) if (found := named(node)))


def in_the_middle(name: str) -> Iterator[str]:
    """The constructs that most games use in their setup and this one uses during play."""
    for child in tree(name).children:
        for node in syntax.walk(child):
            if isinstance(node, syntax.CreateDeck | syntax.CreateTeams):
                yield f"{PLAIN[type(node)]} during play"


def families() -> tuple[str, ...]:
    """The names of the games without their numbers of players, in order."""
    return tuple(sorted({family(name) for name in names()}))


def family(name: str) -> str:
    """The name of a game without its number of players: ``Agram`` for ``Agram3``."""
    return name.rstrip("0123456789")


def users() -> dict[str, tuple[str, ...]]:
    """Each construct with the families that use it, both in order of their names."""
    used: dict[str, set[str]] = {}
    for name in names():
        for construct in (*constructs(name), *in_the_middle(name)):
            used.setdefault(construct, set()).add(family(name))
    return {construct: tuple(sorted(used[construct])) for construct in sorted(used, key=_letters)}


def _letters(construct: str) -> str:
    return construct.replace("`", "").lower()


def table() -> str:
    """The rows of the README: a construct, and the games that use it."""
    return "\n".join(
        f"| {construct} | {'all' if games == families() else ', '.join(games)} |"
        for construct, games in users().items()
    )
