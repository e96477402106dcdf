"""Worlds that agree with what a viewer knows: the hidden cards are dealt at random each time.

`sampler` deals; `visible` lays out what the viewer sees, `known_cards` says which hidden cards they
have seen, `inference` which cards other players' moves rule out.
"""

from engine.recycle.sampling.sampler import Sampler

__all__ = ["Sampler"]
