"""Typed text, resolved to the one legal move that it can mean.

Knows no game, only the choices and the deck's legend. Besides the canonical text of a move it
takes cards in other spellings (`q♠`, `♠q`, `10h`, `TH`, `queen of spades`), a move without its
verb, a verb without its cards while only one legal move fits, and the position of a move among the
choices, counted from 1. What fits literally goes before what is shortened, and both before a
position. Where moves say numbers there are no positions: with bids, `3` is the bid of three or
nothing.

A word that stands for a move by itself is never cut: `q` is no queen, `d` no diamond and `cl` not
`close`, though only one legal move fits, because a slip must not play a card. Only before cards and
numbers a verb may be cut: `p 9d`.

>>> resolve("nil", Choices(("bid 0", "bid 1")), FRENCH)
'bid 0'
>>> resolve("♠q", Choices(("play TH", "play QS@5")), FRENCH)
'play QS@5'
>>> resolve("pass 10h 2c", Choices(picks=(Pick("pass", ("2C", "3D", "TH"), 2, 2),)), FRENCH)
'pass 2C TH'
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Literal

from engine.cards import FRENCH, LegendCard, Token
from engine.choices import Action, Choices, Pick
from protocol.errors import Ambiguous, TypedError, TypedProblem, UnknownMove
from protocol.texts import with_labels

__all__ = [
    "FRENCH",
    "Ambiguous",
    "Choices",
    "Pick",
    "TypedError",
    "UnknownMove",
    "attempted",
    "is_amount",
    "names_a_move",
    "resolve",
]

_LITERAL, _SHORTENED, _PARTLY, _NOT_AT_ALL = 3, 2, 1, 0
"""How well words fit a move; what fits partly is told, but never played."""
_TOLD = 8
"""How many legal moves an error names."""
_TOLD_LENGTH = 40
_CARD = re.compile(r"(?<![^ ])[^ ,@]+")
"""A card within a move, before its place and before the comma of a move of several parts."""
_NOUGHT = frozenset({"nil", "null", "zero"})
"""Words for the number 0 where moves say numbers, as bids do."""
_SPELLINGS = str.maketrans("♤♡♢♧,;", "♠♥♦♣  ", "\ufe0e\ufe0f")


def resolve(typed: str, choices: Choices, legend: Sequence[LegendCard]) -> Action:
    """The legal move that `typed` means; `UnknownMove` or `Ambiguous` if it is not just one."""
    words = _words(typed, choices)
    spelling = _spelling(tuple(legend))
    quoted = repr(typed[:_TOLD_LENGTH])
    # A nil that is bid blind is bid in full.
    possible = () if words == ["nil"] else choices.actions
    for fit in (_LITERAL, _SHORTENED):
        fitting = [a for a in possible if words and _fit(words, a, spelling) == fit]
        fitting += [action for p in choices.picks if (action := _picked(words, p, spelling, fit))]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            told = [_labelled(action, legend) for action in fitting]
            why = TypedProblem("moves", typed[:_TOLD_LENGTH], tuple(fitting))
            raise Ambiguous(f"{quoted} could be {_listed(told)}", why)
    if partly := [a for a in choices.actions if words and _fit(words, a, spelling) == _PARTLY]:
        told = [_labelled(action, legend) for action in partly]
        why = TypedProblem("part", typed[:_TOLD_LENGTH], tuple(partly))
        raise Ambiguous(f"{quoted} could be {_listed(told)}; type it in full", why)
    # Where bids are asked for, 2 is never the second of them.
    bids = any(map(says_amount, choices.actions, told_texts(choices)))
    counted = () if bids else choices.actions
    position = _position(words[0]) if len(words) == 1 else None
    if position is not None and 0 <= position < len(counted):
        return counted[position]
    if not choices.actions and len(choices.picks) == 1 and words:
        raise UnknownMove(*_why_not(words, choices.picks[0], spelling, legend))
    if not choices:
        raise UnknownMove("it is not your turn", TypedProblem("turn"))
    you_may = _listed([*_named(choices, legend)])
    why = TypedProblem("none", typed[:_TOLD_LENGTH], choices.actions, choices.picks)
    raise UnknownMove(f"{quoted} is not possible now; you may: {you_may}", why)


def _words(typed: str, choices: Choices) -> list[str]:
    words = with_labels(typed).translate(_SPELLINGS).casefold().split()
    if words and words[-1] in _NOUGHT and any(map(is_amount, choices.actions)):
        words[-1] = "0"
    return words


def names_a_move(typed: str, choices: Choices, legend: Sequence[LegendCard]) -> bool:
    """Whether `typed` looks like a move, allowed or not: a verb of `choices`, a number, or cards.

    Cards after any first word do too: ``play QS``. A sentence does not, though it begins with a
    word that may mean a card.

    >>> [names_a_move(typed, Choices(), FRENCH) for typed in ("lay q♠", "3", "QS@5", "as you like")]
    [True, True, True, False]
    """
    words = _words(typed, choices)
    if not words:
        return False
    spelling = _spelling(tuple(legend))
    verbs = {move.split(" ")[0].casefold() for move in choices.actions}
    verbs |= {pick.verb.casefold() for pick in choices.picks}
    cards = [word.partition("@")[0] in spelling.full for word in words]
    begun = any(verb.startswith(words[0]) for verb in verbs)
    if len(words) == 1:
        short = bool(choices) and words[0] in spelling.short
        return begun or cards[0] or short or words[0].isdecimal()
    meant = [card or word.isdecimal() for card, word in zip(cards, words, strict=True)]
    return words[0] in verbs or all(meant[1:]) or (begun and any(meant))


def attempted(typed: str, choices: Choices, legend: Sequence[LegendCard]) -> Action | None:
    """The move that `typed` would be if it were legal, so that the rules can say why it is not.

    None if the text does not give cards or a number in full, or if cards are to be picked. Without
    a verb the verb is that of the choices.

    >>> attempted("♠q", Choices(("play 2C", "play 3C")), FRENCH)
    'play QS'
    >>> attempted("9", Choices(("bid 0", "bid 1")), FRENCH)
    'bid 9'
    """
    words = _words(typed, choices)
    spelling = _spelling(tuple(legend))
    if choices.picks or not words:
        return None
    told = [_argument(word, spelling) for word in words]
    if told[0] is None:
        verbs = (action.split(" ")[0] for action in choices.actions)
        verb: str | None = next((v for v in verbs if v.casefold().startswith(words[0])), words[0])
        told = told[1:]
    else:
        verb = _verb_for(told[0], choices)
    known = [argument for argument in told if argument is not None]
    if verb is None or not known or len(known) < len(told):
        return None
    return " ".join((verb, *known))


def _verb_for(argument: str, choices: Choices) -> str | None:
    """The verb of the choices that takes a number, or a card."""
    number = argument.isdecimal()
    fitting = (a for a in choices.actions if " " in a and is_amount(a) == number)
    action = next(fitting, "" if number else "play ")
    return action.split(" ")[0] or None


def says_amount(action: Action, text: str = "") -> bool:
    """Whether an action with the text `text` gives a number and nothing else."""
    return is_amount(action) and (not text or text.endswith(f" {action.partition(' ')[2]}"))


def told_texts(choices: Choices) -> tuple[str, ...]:
    """The game's texts for the actions; empty if it has none."""
    complete = len(choices.texts) == len(choices.actions)
    return choices.texts if complete else ("",) * len(choices.actions)


def is_amount(action: Action) -> bool:
    """Whether an action gives a number and nothing else, as ``bid 3`` does."""
    _, _, argument = action.partition(" ")
    return argument.isdecimal()


@dataclass(frozen=True, slots=True)
class _Spelling:
    """The spellings of each card: full ones, and parts of its name such as suit or rank."""

    full: dict[str, frozenset[Token]]
    short: dict[str, frozenset[Token]]

    def fit(self, word: str, card: Token) -> int:
        if word == card.casefold() or card in self.full.get(word, ()):
            return _LITERAL
        return _PARTLY if card in self.short.get(word, ()) else _NOT_AT_ALL


@lru_cache(maxsize=32)
def _spelling(legend: tuple[LegendCard, ...]) -> _Spelling:
    full: dict[str, set[Token]] = {}
    short: dict[str, set[Token]] = {}
    for card in legend:
        token, label, group = (text.casefold() for text in (card.token, card.label, card.group))
        letter = _letter([other.token for other in legend if other.group == card.group])
        ranks = {rank for rank in (token.removesuffix(letter), label.replace(group, "")) if rank}
        suits = {suit for suit in (group, letter) if suit}
        orders = {form for rank in ranks for suit in suits for form in (rank + suit, suit + rank)}
        for form in {token, label} | orders:
            full.setdefault(form, set()).add(card.token)
        for form in ranks | suits:
            # A number alone is a position or an argument, never the rank of a card.
            if not form.isdecimal():
                short.setdefault(form, set()).add(card.token)
    return _Spelling(_frozen(full), _frozen(short))


def _argument(word: str, spelling: _Spelling) -> str | None:
    """A card with its place, or a number, as moves are written; None if `word` is neither."""
    if word.isdecimal():
        return word
    name, at, slot = word.partition("@")
    fitting = spelling.full.get(name, frozenset())
    return f"{next(iter(fitting))}{at}{slot}" if len(fitting) == 1 else None


def _frozen(forms: dict[str, set[Token]]) -> dict[str, frozenset[Token]]:
    return {form: frozenset(tokens) for form, tokens in forms.items()}


def _letter(tokens: list[Token]) -> str:
    """The last character of a suit's tokens; empty for a suit of one card."""
    if len(tokens) == 1:
        return ""
    endings = zip(*(token.casefold()[::-1] for token in tokens), strict=False)
    shared = takewhile(lambda letters: len(set(letters)) == 1, endings)
    return "".join(letters[0] for letters in shared)[::-1]


def _fit(words: list[str], action: Action, spelling: _Spelling) -> int:
    verb, *arguments = action.split(" ")
    fits = [_fit_all(words, arguments, spelling)]
    if verb.casefold().startswith(words[0]):
        whole = verb.casefold() == words[0]
        if len(words) > 1:
            as_verb = _LITERAL if whole else _SHORTENED
            fits.append(min(as_verb, _fit_all(words[1:], arguments, spelling)))
        elif whole:
            fits.append(_SHORTENED if arguments else _LITERAL)
        else:
            fits.append(_PARTLY)
    return max(fits)


def _fit_all(words: list[str], arguments: list[str], spelling: _Spelling) -> int:
    if len(words) != len(arguments):
        return _NOT_AT_ALL
    pairs = zip(words, arguments, strict=True)
    return min(_fit_argument(word, argument, spelling) for word, argument in pairs)


def _fit_argument(word: str, argument: str, spelling: _Spelling) -> int:
    card, at, slot = argument.partition("@")
    typed, typed_at, typed_slot = word.partition("@")
    if typed_at and typed_slot != slot:
        return _NOT_AT_ALL
    # Where a card lies need not be said, but a card in the hand goes before one that has a place.
    as_place = _LITERAL if typed_at == at else _SHORTENED
    return min(as_place, spelling.fit(typed, card) if typed else _SHORTENED)


def _picked(words: list[str], pick: Pick, spelling: _Spelling, fit: int) -> Action | None:
    """The pick's action with the cards that `words` name, in its order; None if they do not."""
    verb = pick.verb.casefold()
    if words and _has_verb(words, pick) and (verb == words[0] or fit == _SHORTENED):
        words = words[1:]
    elif not words:
        return None
    chosen: list[int] = []
    for word in words:
        at = _place(word, pick, chosen, spelling, fit)
        if at is None:
            return None
        chosen.append(at)
    if not pick.least <= len(chosen) <= pick.most:
        return None
    return " ".join([pick.verb, *(pick.cards[at] for at in sorted(chosen))])


def _has_verb(words: list[str], pick: Pick) -> bool:
    """Whether the first word is the verb, in full or, before cards, shortened."""
    verb = pick.verb.casefold()
    return words[0] == verb or (len(words) > 1 and verb.startswith(words[0]))


def _place(word: str, pick: Pick, chosen: list[int], spelling: _Spelling, fit: int) -> int | None:
    """The index of the pick's card that a word names: by position, or as the only possible card."""
    free = [at for at in range(len(pick.cards)) if at not in chosen]
    position = _position(word)
    if position is not None:
        return position if position in free else None
    fitting = [at for at in free if spelling.fit(word, pick.cards[at]) >= fit]
    return fitting[0] if len({pick.cards[at] for at in fitting}) == 1 else None


def _why_not(
    words: list[str], pick: Pick, spelling: _Spelling, legend: Sequence[LegendCard]
) -> tuple[str, TypedProblem]:
    """Why words do not name cards as the pick requires, and what would."""
    called = _called(pick, legend)
    cards = words[1:] if _has_verb(words, pick) else words
    for word in cards:
        if _place(word, pick, [], spelling, _SHORTENED) is None:
            fitting = dict.fromkeys(card for card in pick.cards if spelling.fit(word, card))
            meant = [_labelled(card, legend) for card in fitting]
            why = f"could be {' or '.join(meant)}" if meant else "is none of the cards"
            kind: Literal["cards", "card"] = "cards" if meant else "card"
            read = TypedProblem(kind, word[:_TOLD_LENGTH], picks=(pick,), cards=tuple(fitting))
            return f"{word[:_TOLD_LENGTH]!r} {why}; {called}", read
    if pick.least <= len(cards) <= pick.most:
        return f"the same card is named twice; {called}", TypedProblem("twice", picks=(pick,))
    number = "1 card is" if len(cards) == 1 else f"{len(cards) or 'no'} cards are"
    return f"{number} named; {called}", TypedProblem("count", picks=(pick,), count=len(cards))


def _position(word: str) -> int | None:
    """The position from 0 that a number from 1 names; at most four digits are read."""
    return int(word) - 1 if word.isdecimal() and len(word) <= 4 else None


def _named(choices: Choices, legend: Sequence[LegendCard]) -> Iterator[str]:
    for action in choices.actions:
        yield _labelled(action, legend)
    for pick in choices.picks:
        yield _called(pick, legend)


def _called(pick: Pick, legend: Sequence[LegendCard]) -> str:
    count = str(pick.least) if pick.least == pick.most else f"{pick.least} to {pick.most}"
    return f"{pick.verb} {count} of {_labelled(' '.join(pick.cards), legend)}"


def _labelled(action: Action, legend: Sequence[LegendCard]) -> str:
    """`action` with its cards by the legend's labels: as the table shows them, and typeable."""
    labels = {card.token: card.label for card in legend}
    return _CARD.sub(lambda word: labels.get(word[0], word[0]), action)


def _listed(moves: Sequence[str]) -> str:
    more = len(moves) - _TOLD
    told = ", ".join(moves[:_TOLD])
    return f"{told} and {more} more" if more > 0 else told
