"""Reviews: each decision of a seat beside what a strong bot would have done, knowing the same.

    memory = SeatMemory(game, options, seat)
    memory.see(facts)                       # of each step, as the seat was shown them
    moment = memory.moment(state, action)   # before each move of the seat
    judgements = [judge(bot, moment, budget, aim, at) for at, moment in enumerate(moments)]
    summary = summarize(judgements)

A bot judges a moment from its `Position` alone, which holds what the seat knew then. So a review
tells nothing of the cards that the seat did not see, not even by its chance: the seed of each
question is made of the moment's number. Only where everybody may see all hands does a moment hold
these, too, and a judgement two columns: what one could know, and how the cards lay.
"""

from bots.review.columns import Places, Shares
from bots.review.judging import Judgement, Worth, judge, judging_bot, judging_budget
from bots.review.moments import DecisionPoint, SeatMemory
from bots.review.summary import Summary, Swing, summarize

__all__ = [
    "DecisionPoint",
    "Judgement",
    "Places",
    "SeatMemory",
    "Shares",
    "Summary",
    "Swing",
    "Worth",
    "judge",
    "judging_bot",
    "judging_budget",
    "summarize",
]
