"""How far a bot is ahead of another for certain: what every test of strength looks at."""

from bots import Budget, parse_spec
from bots.arena import arrange, play_deal, summarise


def sure_lead(
    game: str,
    weak: str,
    strong: str,
    *,
    samples: int | None = None,
    milliseconds: float | None = None,
    deals: int,
    seats: int | None = None,
    numbers: tuple[int, ...] | None = None,
) -> float:
    """The lower end of the 95 % interval of the second bot's lead, with such a budget a move."""
    contest = arrange(
        game,
        (parse_spec(weak), parse_spec(strong)),
        seed=7,
        seats=seats,
        budgets=(Budget(), Budget(milliseconds, samples)),
        numbers=numbers,
    )
    lead = summarise(contest, [play_deal(contest, deal) for deal in range(deals)]).lead
    assert lead.low is not None
    return lead.low
