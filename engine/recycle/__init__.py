"""RECYCLE: card games described in a file.

``load(text, name)`` makes a description an ordinary `Game`, or raises `BadDescription` with
everything that is wrong. `Description.world` and `Description.sampler` are the fast ways into it.
"""

from engine.recycle.faults import BadDescription
from engine.recycle.game import Description
from engine.recycle.loading import load
from engine.recycle.sampling import Sampler
from engine.recycle.world import World

__all__ = ["BadDescription", "Description", "Sampler", "World", "load"]
