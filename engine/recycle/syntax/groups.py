"""The expressions and bodies by what they can stand for: names for the types of fields."""

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from engine.recycle.syntax.actions import (
        ChangeInt,
        Cycle,
        Forget,
        Interleave,
        Move,
        Pass,
        Remember,
        Repeat,
        RepeatAll,
        SetInt,
        SetPoints,
        SetString,
        Shuffle,
        SwapCards,
        SwapPiles,
    )
    from engine.recycle.syntax.cards import (
        CardAt,
        Each,
        ExtremeCard,
        Filter,
        Indexed,
        Location,
        Partition,
        PileAt,
        Runs,
        RunSlice,
        SetOperation,
        Slice,
        Sorted,
        Subsets,
        Tuples,
    )
    from engine.recycle.syntax.collections import Members, Names, Others, Players, Range, Teams
    from engine.recycle.syntax.conditions import Compare, Logic, Not, Quantified, Same
    from engine.recycle.syntax.node import Variable
    from engine.recycle.syntax.owners import (
        CyclePlayer,
        CycleTeam,
        NumberedPlayer,
        NumberedTeam,
        OwnerOf,
        Table,
        TeamOf,
    )
    from engine.recycle.syntax.setup import CreateDeck, CreateTeams
    from engine.recycle.syntax.stages import Choice, Do, ForEach, Let, When
    from engine.recycle.syntax.values import (
        Arithmetic,
        CardAttribute,
        ExtremeScore,
        Fibonacci,
        Integer,
        IntStorage,
        Name,
        PlayerNumber,
        Random,
        Score,
        Size,
        StringStorage,
        Sum,
        TeamNumber,
        Total,
        Triangular,
    )

Number: TypeAlias = (
    "Integer | IntStorage | Size | Sum | Score | ExtremeScore | Arithmetic | Triangular | "
    "Fibonacci | Random | Total | PlayerNumber | TeamNumber | Variable"
)
String: TypeAlias = "Name | StringStorage | CardAttribute | Variable"
Condition: TypeAlias = "Logic | Not | Compare | Same | Quantified | Variable"
Card: TypeAlias = "CardAt | ExtremeCard | Variable"
Player: TypeAlias = "CyclePlayer | NumberedPlayer | OwnerOf | Variable"
Team: TypeAlias = "CycleTeam | NumberedTeam | TeamOf | Variable"
Owner: TypeAlias = "Table | Player | Team"
Cards: TypeAlias = (
    "Location | Filter | SetOperation | Sorted | Slice | RunSlice | PileAt | Variable"
)
"""Expressions that give a list of cards (a `Filter` of `kind` CARDS)."""
Piles: TypeAlias = "Partition | Subsets | Runs | Tuples | Indexed | Each | Filter | Variable"
"""Expressions that give a list of card lists (a `Filter` of `kind` PILES)."""
Collection: TypeAlias = "Cards | Piles | Players | Teams | Others | Members | Range | Names"
"""What `any`, `all`, `filter` and `size` go over; a `Variable` of any list's kind too."""
Expression: TypeAlias = "Number | String | Condition | Card | Player | Team | Collection"
"""What `let` and `declare` can name."""
Body: TypeAlias = "Choice | Do | ForEach | Let | When | Action"
"""What can be done; a `Choice` in the wrong place is for the checker to find."""
Action: TypeAlias = (
    "Move | SwapCards | SwapPiles | Remember | Forget | Shuffle | Interleave | SetInt | "
    "ChangeInt | SetString | SetPoints | Cycle | Pass | Repeat | RepeatAll | CreateTeams | "
    "CreateDeck"
)
