"""Reviews of matches that are over: each decision of a seat, judged by what it knew then.

A review is made while somebody asks for it, one decision of one review at a time, after all moves
and hints of live tables. A whole review is kept in the store.
"""
