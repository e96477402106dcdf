"""Sampled worlds that agree with what a viewer knows, with the hidden cards dealt at random.

`sampler` deals; `visible` lays out what the viewer sees, `known_cards` says which hidden cards they
have seen, `inference` which cards other players' moves rule out.
"""

from engine.recycle.sampling.sampler import Sampler

__all__ = ["Sampler"]
