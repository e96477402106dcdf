"""Random descriptions that combine all forms of the language.

What stands where is right by the kinds, so most of them can be played for a while. They make no
sense, and that is the point: forms meet in them that meet in no real game.
"""

import re
from collections.abc import Mapping, Sequence
from random import Random

GRAMMAR: Mapping[str, Sequence[str]] = {
    "game": (
        """(game
            (setup (create players <players>) <deck> <deck>)
            (do ((shuffle (game hloc STOCK)) (set (game points WORTH) <awards>)
                 (all player 'WHO (repeat 3 (move (top (game hloc STOCK)) (top ('WHO iloc HAND)))))
                 (repeat 2 (move (top (game hloc STOCK)) (top (game vloc OPEN))))))
            <part> <part> <part>
            (scoring max <number>))""",
    ),
    "players": ("2", "3", "4"),
    "deck": (
        "(create deck (game hloc STOCK) (deck (RANK (A, B, C, D)) (SUIT (H, S))))",
        "(create deck (game hloc STOCK) (deck (RANK (A, B, A, D)) (SUIT (H, S))))",
        "(create deck BLUE (game hloc STOCK) (deck (RANK (A, B, C, D)) (SUIT (H, S))))",
        "(create deck (game hloc STOCK) (deck (RANK (A, B, C)) (HUE (RED (SUIT (H, D))) (GREY))))",
    ),
    "part": (
        "(choice ((turn pass) (inc (game sto N))))",
        "(do (<body> <body>))",
        "(choice (<option> <option>))",
        "(choice (<option> <option> (turn pass)))",
        "(choice (<option> <option> (turn pass)))",
        "(stage player (end <condition>) <part>)",
        "(stage player (end <condition>) <part> <part>)",
        "(stage player once <part> <part>)",
        "(stage player simultaneous (choice (<option> (turn pass))))",
        "(stage team (end <condition>) <part>)",
        "(stage team once <part>)",
    ),
    "option": (
        "(any ((current player) iloc HAND) 'MINE (move 'MINE (top (game vloc OPEN))))",
        "(any (range 1 .. 3) '<number> <body>)",
        "(any (H, S) '<string> <body>)",
        "(any (other player) '<player> <body>)",
        "(any <cards> '<card> (move <card> <target>))",
        "(any <cards> '<card> <body>)",
        "(any <lists> '<cards> <body>)",
        "(let <cards> '<cards> (any <cards> '<card> <option>))",
        "(do (<body> <option> <option>))",
        "(all player '<player> (any <cards> '<card> <body>))",
        "(<condition> <option>)",
        "<body>",
    ),
    "body": (
        "(turn pass)",
        "(inc (game sto N))",
        "(move (top (game hloc STOCK)) (top ((current player) iloc HAND)))",
        "<action>",
        "<action>",
        "<action>",
        "(<condition> <body>)",
        "(do (<body> <body>))",
        "(let <card> '<card> <body>)",
        "(let <cards> '<cards> <body>)",
        "(let <number> '<number> <body>)",
        "(let <player> '<player> <body>)",
        "(let <string> '<string> <body>)",
        "(let <lists> '<lists> <body>)",
        "(all (top 1 <pile>) '<card> (move <card> <target>))",
        "(all <cards> '<card> <body>)",
        "(all player '<player> <body>)",
        "(all team '<team> <body>)",
        "(any <lists> '<cards> <body>)",
        "(repeat <number> <action>)",
        "(repeat all (move (top <cards>) <target>))",
        "(repeat all (forget (top <mem>)))",
    ),
    "action": (
        "(turn pass)",
        "(shuffle (game hloc STOCK))",
        "(move <card> <target>)",
        "(move <card> <target>)",
        "(move <card> <target>)",
        "(swap <card> <card>)",
        "(swap <pile> <pile>)",
        "(remember <card> (top <mem>))",
        "(remember <card> (<number> <mem>))",
        "(forget (top <mem>))",
        "(forget <card>)",
        "(shuffle <pile>)",
        "(shuffle faro <pile> <pile>)",
        "(set (game sto N) <number>)",
        "(inc (<player> sto M) <number>)",
        "(dec (<team> sto T) <number>)",
        "(set (game sto <string>) <number>)",
        "(set (game str S) <string>)",
        "(set (<player> str W) <string>)",
        "(set (<team> str <string>) <string>)",
        "(set <points> <awards>)",
        "(update <points> <awards>)",
        "(cycle next <player>)",
        "(cycle current <player>)",
        "(create deck (game hloc STOCK) (deck (RANK (A, B))))",
        "(create deck BLUE <pile> (deck (RANK (A, E)) (SUIT (H))))",
        "(create teams (2, 1))",
    ),
    "awards": (
        "(((RANK : A) 1) ((RANK : B) 2) ((RANK : C) 3) ((SUIT : H) 1))",
        "(((RANK : <string>) <number>) ((SUIT : S) 1))",
    ),
    "target": (
        "(top (game vloc OPEN))",
        "(top <pile>)",
        "(top <pile>)",
        "(bottom <pile>)",
        "(<number> <pile>)",
    ),
    "pile": (
        "(game hloc STOCK)",
        "(game vloc OPEN)",
        "((current player) iloc HAND)",
        "(game iloc HEAP)",
        "(game oloc HEAP)",
        "(<player> iloc HAND)",
        "(<player> vloc ROW)",
        "(<player> hloc BACK)",
        "(<player> oloc HEAD)",
        "(<player> iloc HAND <number>)",
        "(game vloc OPEN <number>)",
        "(game hloc <string>)",
        "(<player> iloc <string>)",
    ),
    "mem": ("(game mem NOTE)", "(<player> mem NOTE)", "(game mem <string>)"),
    "points": ("(game points WORTH)", "(<player> points TASTE)", "(game points <string>)"),
    "player": (
        "(current player)",
        "(next player)",
        "(previous player)",
        "(1 player)",
        "(<number> player)",
        "(owner <card>)",
    ),
    "team": (
        "(current team)",
        "(next team)",
        "(previous team)",
        "(1 team)",
        "(<number> team)",
        "(team <player>)",
    ),
    "number": (
        "1",
        "2",
        "(game sto N)",
        "(size (game hloc STOCK))",
        "(<player> sto M)",
        "(<team> sto T)",
        "(game sto <string>)",
        "(size <collection>)",
        "(sum <cards> using <points>)",
        "(score <card> using <points>)",
        "(scoremax <cards> using <points>)",
        "(scoremin <cards> using <points>)",
        "(+ <number> <number> <number>)",
        "(* <number> <number>)",
        "(- <number> <number>)",
        "(// <number> <number>)",
        "(% <number> 3)",
        "(^ <number> 2)",
        "(tri <number>)",
        "(fib <number>)",
        "(random 2)",
        "(random <number> .. <number>)",
        "(all player '<player> <number>)",
        "(all <cards> '<card> <number>)",
        "(pid <player>)",
        "(tid <team>)",
    ),
    "condition": (
        "(== (game sto N) 1)",
        "(> (size (game vloc OPEN)) 2)",
        "(== <number> <number>)",
        "(!= <number> <number>)",
        "(< <number> <number>)",
        "(<= <number> <number>)",
        "(> <number> <number>)",
        "(>= <number> <number>)",
        "(== <string> <string>)",
        "(!= <card> <card>)",
        "(== <player> <player>)",
        "(!= <team> <team>)",
        "(and <condition> <condition>)",
        "(or <condition> <condition>)",
        "(not <condition>)",
        "(any <cards> '<card> <condition>)",
        "(all player '<player> <condition>)",
    ),
    "string": (
        "A",
        "H",
        "(game str S)",
        "(<player> str W)",
        "(<team> str <string>)",
        "(cardatt RANK <card>)",
        "(cardatt SUIT <card>)",
        "(cardatt <string> <card>)",
    ),
    "card": (
        "(top (game hloc STOCK))",
        "(top (game vloc OPEN))",
        "(bottom ((current player) iloc HAND))",
        "(top (game mem NOTE))",
        "(top <cards>)",
        "(bottom <cards>)",
        "(<number> <cards>)",
        "(max <cards> using <points>)",
        "(min <cards> using <points>)",
    ),
    "cards": (
        "(game vloc OPEN)",
        "((current player) iloc HAND)",
        "(game mem NOTE)",
        "<pile>",
        "<pile>",
        "<mem>",
        "(filter <cards> '<card> <condition>)",
        "(union <cards> <cards>)",
        "(union (all player '<player> <pile>))",
        "(intersect <cards> <cards>)",
        "(disjunction <cards> <cards>)",
        "(sort <cards> using <points>)",
        "(top <number> <cards>)",
        "(bottom 2 <cards>)",
        "(run top 1 <cards> using <points>)",
        "(run bottom <number> <cards> using <points>)",
        "(top <lists>)",
        "(<number> <lists>)",
    ),
    "lists": (
        "(partition SUIT (game vloc OPEN))",
        "(subsets ((current player) iloc HAND) == 2)",
        "(partition <string> <cards> (all player '<player> <cards>))",
        "(subsets (top 4 <cards>))",
        "(subsets (top 4 <cards>) <= <number>)",
        "(runs largest 2 <cards> using <points>)",
        "(runs all <number> <cards> using <points>)",
        "(tuples 2 <cards> using <points>)",
        "(indexed game vloc OPEN)",
        "(indexed <player> iloc <string>)",
        "(all player '<player> <cards>)",
        "(filter <lists> '<cards> <condition>)",
    ),
    "collection": (
        "player",
        "team",
        "(other player)",
        "(range 1 .. 3)",
        "(H, S)",
        "<cards>",
        "<lists>",
        "<team>",
        "(filter player '<player> <condition>)",
    ),
}
"""What each sort of form may be: ``<card>`` stands for any card, ``'<card>`` names one for all that
follows in the form. Where it is time to stop, one without such parts is taken.
"""
DEPTH = 8
_PART = re.compile(r"('?)<(\w+)>")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def invented(rng: Random) -> str:
    """A whole random description."""
    return _Author(rng).write("game", DEPTH, {})


class _Author:
    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._names = 0

    def write(self, sort: str, depth: int, known: Mapping[str, Sequence[str]]) -> str:
        """A random form of a sort; `known` are the variables of each sort."""
        rng = self._rng
        if known.get(sort) and rng.random() < 0.6:
            return rng.choice(known[sort])
        forms = GRAMMAR[sort]
        small = [form for form in forms if not _PART.search(form)] or forms
        form = rng.choice(small if depth <= 0 or rng.random() < 0.25 else forms)
        here = dict(known)

        def fill(part: re.Match[str]) -> str:
            binds, inner = part.groups()
            if not binds:
                return self.write(inner, depth - 1, here)
            self._names += 1
            name = f"'{_LETTERS[self._names // 26 % 26]}{_LETTERS[self._names % 26]}"
            here[inner] = (*here.get(inner, ()), name)
            return name

        return _PART.sub(fill, form)
