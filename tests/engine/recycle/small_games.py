"""Small described games: with one choice, and with annotations of every kind."""

from engine import Setup
from engine.facts import AddressedFact
from engine.game import Step, complete_options
from engine.recycle import Description, load
from engine.recycle.state import State
from engine.shuffle import Shuffler, seed_from_int
from tests.engine.recycle.running.playing import SETUP

HAND = "((current player) iloc HAND)"
DEAL = "(all player 'P (repeat 2 (move (top (game vloc STOCK)) (top ('P iloc HAND)))))"
"""Seat 0 gets 4H 4C, seat 1 3H 3C, seat 2 2H 2C; AC AH stay."""
SCORING = "(scoring max ((current player) sto SCORE))"


def started(game: Description, seed: int = 1) -> Step[State]:
    options = complete_options(game, game.info.usual_seats, {})
    return game.start(Setup(game.info.usual_seats, options, Shuffler(seed_from_int(seed))))


def game(*children: str, before: str = "", setup: str = SETUP, above: str = "") -> Description:
    """A game in which every player has two cards; `above` are comments."""
    parts = (above, "(game", setup, f"(do ({DEAL} {before}))", *children, SCORING, ")")
    return load("\n".join(parts), "Small3")


def texts(*options: str, **parts: str) -> list[str]:
    """The words for the options of one choice of seat 0."""
    made = game(f"(choice ({' '.join(options)}))", **parts)
    state = started(made).state
    assert state.stop is None, state.stop
    choices = made.choices(state, 0)
    assert len(set(choices.texts)) == len(choices.actions)
    return list(choices.texts)


def each(of: str, action: str) -> str:
    return f"(any {of} 'C {action})"


ANNOTATED = """;; @pile CRIB the crib: it counts for the dealer
;; @value BID bid of tricks
;; @hide STEPS LEAD
(game
 (setup (create players 2)
  (create deck (game hloc STOCK) (deck (RANK (A, TWO, THREE, FOUR)) (SUIT (CLUBS, HEARTS)))))
 (do ((all player 'P (repeat 2 (move (top (game hloc STOCK)) (top ('P iloc HAND)))))
      (set (game sto LAST) (pid (1 player)))
      (move (top (game hloc STOCK)) (top (game vloc HAND)))
      (remember (top (game vloc HAND)) (top (game mem LEAD)))
      (remember (top (game vloc HAND)) (top (game mem BEST)))))
 ;; @stage The crib: everybody lays a card away.
 (stage player once
  (stage player once
   ;; @choice Lay away
   (choice ((any ((current player) iloc HAND) 'C
     (do ((move 'C (top (game hloc CRIB))) (inc (game sto STEPS))))))))
  (choice ((turn pass))))
 ;; @choice How many tricks? Say it!: the bids are added.
 (choice ((set (game sto BID) 1)))
 ;; @stage The end: nothing more.
 (stage player once (choice ((turn pass))))
 (choice ((turn pass)))
 (scoring max (+ (game sto BID) (size ('LAST iloc HAND)))))
""".replace("('LAST iloc HAND)", "(game mem BEST)")


def walked(made: Description, most: int = 100) -> list[tuple[State, tuple[AddressedFact, ...]]]:
    """Every state of a game in which every player takes their first option."""
    step = started(made)
    states = [(step.state, step.facts)]
    while step.state.outcome is None and len(states) < most:
        seat = step.state.asked[0]
        step = made.apply(step.state, seat, made.choices(step.state, seat).actions[0])
        states.append((step.state, step.facts))
    return states
