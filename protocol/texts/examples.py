"""One fact of each verb, as tables and games make them; the written reference tells them."""

from collections.abc import Mapping

from engine.facts import Seat, Value

NAMES = ("Ann", "Bob", "Cid")
YOU: Seat = 0

EXAMPLES: Mapping[str, Mapping[str, Value]] = {
    "table_opened": {},
    "player_seated": {"seat": 1, "name": "Bob"},
    "player_moved": {"seat": 1, "to": 2, "name": "Bob"},
    "player_left": {"seat": 1, "name": "Bob"},
    "player_kicked": {"seat": 1, "name": "Bob"},
    "player_ready": {"seat": 1, "ready": True},
    "bot_added": {"seat": 2, "strength": 1, "name": "Cid"},
    "bot_removed": {"seat": 2, "name": "Cid"},
    "configured": {},
    "host_changed": {"seat": 1},
    "match_started": {"match": 1},
    "taken_over": {"seat": 1, "strength": 1},
    "handed_back": {"seat": 1},
    "timed_out": {"seat": 1},
    "paused": {},
    "resumed": {},
    "rematch_opened": {},
    "table_closed": {"reason": "expired"},
    "deal_started": {"deal": 1},
    "deal_laid": {"leader": 1},
    "hand_dealt": {"seat": 0, "count": 9},
    "columns_dealt": {"seat": 0, "count": 8},
    "card_played": {"seat": 1, "card": "QS"},
    "trick_taken": {"seat": 1, "points": -13},
    "card_flipped": {"seat": 0, "card": "TH"},
    "deal_opened": {"seat": 1, "cards": 7},
    "card_turned": {"card": "4D"},
    "bid_made": {"seat": 1, "bid": 2},
    "bidding_ended": {"leader": 1, "bids": 8, "cards": 7},
    "trick_won": {"seat": 1, "tricks": 1, "bid": 2},
    "card_drawn": {"seat": 0, "card": "TH"},
    "back_drawn": {"seat": 1},
    "trump_drawn": {"seat": 1, "card": "QS"},
    "exchanged": {"seat": 1, "card": "AS"},
    "talon_closed": {"seat": 1},
    "marriage_announced": {"seat": 1, "cards": "QS KS", "points": 40},
    "claim_made": {"seat": 1},
    "deal_won": {"seat": 1, "points": 67, "against": 31, "score": 2},
    "last_trick_won": {"seat": 1, "points": 60, "score": 1},
    "closing_failed": {"seat": 1, "points": 58, "score": 2},
    "claim_failed": {"seat": 1, "points": 64, "score": 2},
    "deal_scored": {"deal": 1, "scores": (5, -13, 10), "totals": (5, -13, 10)},
    "match_ended": {"totals": (21, -13, 30), "ranks": (2, 3, 1)},
}
