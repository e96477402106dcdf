"""Reviews of finished matches: each decision of a seat, judged by its knowledge then.

A review is made while a player requests it, one decision of one review at a time, after all moves
and hints of live tables. A complete review is stored.
"""
