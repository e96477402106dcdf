"""Games as the lobby shows them."""

from bots import strengths
from engine import AnyGame
from engine.phrases import Phrase
from protocol.to_client import GameCard, OptionInfo
from protocol.wire_form import WireForm, wire_form
from server.games.descriptions import Described


def game_card(game: AnyGame, described: Described | None, whole: bool) -> WireForm:
    """A game with its options; `whole`: with its rules, its deck and its description as well."""
    info = game.info
    rules = described.rules if described else info.rules
    card = GameCard(
        id=info.id,
        version=info.version,
        title=info.title,
        seats=info.seats,
        usual_seats=info.usual_seats,
        options=tuple(
            OptionInfo(
                name=option.name,
                title=option.title,
                default=option.default,
                low=option.low,
                high=option.high,
                words=option.words,
                phrase=Phrase(f"{'described' if described else info.id}_{option.name}"),
            )
            for option in game.options(info.usual_seats)
        ),
        strengths=strengths(info.id),
        rules=rules if whole else None,
        legend=info.legend if whole else None,
        described=described is not None,
        description=described.source.text if described and whole else None,
    )
    message: WireForm = wire_form(card)
    return message
