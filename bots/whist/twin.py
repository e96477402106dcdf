"""Compiled twins of plain functions: one source for the rule player and for the kernels."""

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import TypeVar, cast

from bots.search.compiled import kernel

Function = TypeVar("Function", bound=Callable[..., object])

_PACKAGE = __package__ or ""


def compiled(function: Function) -> Function:
    """`function` of this folder as a kernel, and as kernels the functions of it that it calls.

    The plain one stays as it is, for those who have no Numba or have no need of it.
    """
    return cast(Function, _twin(cast(FunctionType, function)))


@cache
def _twin(function: FunctionType) -> Callable[..., object]:
    scope = dict(function.__globals__)
    for name in function.__code__.co_names:
        called = scope.get(name)
        if isinstance(called, FunctionType) and called.__module__.startswith(_PACKAGE):
            scope[name] = _twin(called)
    twin = FunctionType(function.__code__, scope, function.__name__)
    twin.__qualname__ = function.__qualname__
    return kernel(twin)
