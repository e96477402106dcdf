"""Hypothesis strategies for every message of both directions, made from the models themselves."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import reduce
from operator import or_
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from annotated_types import Ge, Le, Lt, MaxLen, MinLen
from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from protocol.to_client import ToClient
from protocol.to_server import MAX_ID, ToServer

T = TypeVar("T")
# Printable, so that the same texts do for names; no surrogates, which are no text at all.
TEXT = st.characters(categories=("L", "N", "P", "S"))


def members(union: Any) -> tuple[type[Any], ...]:
    """The classes of an annotated union."""
    return tuple(get_args(get_args(union)[0]))


COMMANDS = members(ToServer)
MESSAGES = members(ToClient)


def commands() -> st.SearchStrategy[ToServer]:
    return st.one_of([instances(kind) for kind in COMMANDS])


def messages() -> st.SearchStrategy[ToClient]:
    return st.one_of([instances(kind) for kind in MESSAGES])


def instances(kind: type[T]) -> st.SearchStrategy[T]:
    """Instances of a model or a dataclass, with each optional field given or left out."""
    if issubclass(kind, BaseModel):
        infos = kind.model_fields
        held = {n: _of(f.annotation, f.metadata) for n, f in infos.items()}
        optional = {n for n, f in infos.items() if not f.is_required()}
    else:
        assert is_dataclass(kind)
        hints = get_type_hints(kind, include_extras=True)
        held = {f.name: _of(hints[f.name], []) for f in fields(kind)}
        optional = {f.name for f in fields(kind) if _has_default(f)}
    needed = {name: form for name, form in held.items() if name not in optional}
    extra = {name: form for name, form in held.items() if name in optional}
    return st.fixed_dictionaries(needed, optional=extra).map(lambda given: kind(**given))


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _of(annotation: Any, metadata: list[Any]) -> st.SearchStrategy[Any]:
    """Values of an annotation within the bounds of its metadata."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        inner, *more = arguments
        flat = [b for m in more for b in (m.metadata if isinstance(m, FieldInfo) else [m])]
        return _of(inner, [*metadata, *flat])
    if origin in (Union, UnionType):
        return reduce(or_, (_of(argument, metadata) for argument in arguments))
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (tuple, list):
        fewest = _bound(metadata, MinLen, "min_length", 0)
        most = min(3, _bound(metadata, MaxLen, "max_length", 3))
        return st.lists(_of(arguments[0], []), min_size=fewest, max_size=most).map(origin)
    if origin in (dict, Mapping):
        return st.dictionaries(*(_of(argument, []) for argument in arguments), max_size=3)
    return _plain(annotation, metadata)


def _plain(annotation: Any, metadata: list[Any]) -> st.SearchStrategy[Any]:
    low = _bound(metadata, Ge, "ge", -MAX_ID)
    high = min(_bound(metadata, Le, "le", MAX_ID), _bound(metadata, Lt, "lt", MAX_ID + 1) - 1)
    if annotation is int:
        return st.integers(low, high)
    if annotation is float:
        return st.floats(low, high, allow_nan=False)
    if annotation is str:
        shortest = _bound(metadata, MinLen, "min_length", 0)
        longest = min(12, _bound(metadata, MaxLen, "max_length", 12))
        pattern = next((m.pattern for m in metadata if getattr(m, "pattern", None)), None)
        if pattern is not None:
            return st.from_regex(pattern, fullmatch=True).filter(lambda text: len(text) <= longest)
        return st.text(TEXT, min_size=shortest, max_size=longest)
    if annotation is bool:
        return st.booleans()
    if annotation is NoneType:
        return st.none()
    return instances(annotation)


def _bound(metadata: list[Any], kind: type[Any], name: str, default: int) -> int:
    return next((int(getattr(m, name)) for m in metadata if isinstance(m, kind)), default)
