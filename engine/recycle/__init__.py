"""RECYCLE: card games described in a file.

``load(text, name)`` makes a description an ordinary `Game`, or raises `BadDescription` with
everything that is wrong. `Description.world` and `Description.sampler` are the fast ways into it.
"""

from engine.recycle.description import Description, load
from engine.recycle.errors import BadDescription
from engine.recycle.running.world import World
from engine.recycle.sampling.sampler import Sampler

__all__ = ["BadDescription", "Description", "Sampler", "World", "load"]
