"""`python -m protocol.reference [--check]`: the written reference, made from the code.

Writes docs/asyncapi.yaml, and in docs/protocol.md the parts between marks such as
`<!-- made by protocol.reference: errors -->` and `<!-- end -->`. With `--check` nothing is
written, and a difference is an error. Needs the development dependencies.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from inspect import cleandoc
from pathlib import Path
from typing import get_args

import yaml

from engine.cards import FRENCH
from engine.facts import Change, Fact, Seat
from engine.phrases import Phrase
from protocol.asyncapi import (
    MESSAGES,
    Document,
    Model,
    answers,
    asyncapi,
    summary,
    type_of,
)
from protocol.errors import ERROR_CODES
from protocol.features import FEATURES, ON_REQUEST
from protocol.safe_text import say
from protocol.table_settings import TableSettings
from protocol.texts import advice, sentence, worded
from protocol.texts.catalogue import english
from protocol.to_server import COMMANDS

DOCS = Path(__file__).parents[1] / "docs"
NAMES = ("Ann", "Bob", "Cid")
YOU: Seat = 0
"""Who the examples of facts are told to, at a table of `NAMES`."""

_PART = re.compile(r"(<!-- made by protocol\.reference: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def main(argv: Sequence[str] | None = None) -> int:
    """Write what is generated in `docs`, or with ``--check`` compare it; the exit code."""
    return command("protocol.reference", reference, argv)


def command(
    module: str, made: Callable[[Path], Mapping[Path, str]], argv: Sequence[str] | None
) -> int:
    """The command ``python -m MODULE``; `made` gives the text of each file below a folder."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}")
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    parser.add_argument("--docs", type=Path, default=DOCS, help="where the reference lies")
    arguments = parser.parse_args(argv)
    return write(made(arguments.docs), arguments.check, module)


def write(files: Mapping[Path, str], check: bool, module: str) -> int:
    """Write `files`, which `module` has made, or compare them with `check`; the exit code."""
    stale = [path for path, text in files.items() if read(path) != text]
    for path in stale:
        if check:
            say(f"{path} is not what the code says; run: python -m {module}")
        else:
            path.write_text(files[path], encoding="utf-8")
            say(f"wrote {path}")
    return 1 if stale and check else 0


def reference(docs: Path) -> Mapping[Path, str]:
    """The generated text of each file."""
    guide = docs / "protocol.md"
    document = yaml_text(asyncapi(), "protocol.reference")
    return {docs / "asyncapi.yaml": document, guide: _PART.sub(_made, read(guide))}


def read(path: Path) -> str:
    """The text of a file; empty if the file does not exist."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _made(part: re.Match[str]) -> str:
    return f"{part[1]}{_PARTS[part[2]]()}\n{part[3]}"


class _Dumper(yaml.SafeDumper):
    """A YAML dumper without aliases, which writes text of several lines as a block."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def yaml_text(document: Document, module: str) -> str:
    """A document as YAML, headed by the module that generates it."""
    head = f"# Made by `python -m {module}` from the models; do not edit.\n"
    body: str = yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return head + body


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _signature(model: Model) -> str:
    """The fields of a message beside `type` and `id`; a question mark after optional ones."""
    names = [
        f"{name}{'' if field.is_required() else '?'}"
        for name, field in model.model_fields.items()
        if name not in ("type", "id")
    ]
    return f"`{' '.join(names)}`" if names else ""


def _commands() -> str:
    rows = [
        (
            f"`{type_of(command)}`",
            _signature(command),
            ", ".join(f"`{type_of(answer)}`" for answer in answers(command)),
            summary(command),
        )
        for command in COMMANDS
    ]
    return table(("type", "fields", "answer", "meaning"), rows)


def _prices() -> str:
    rows = [
        (str(price), ", ".join(f"`{type_of(each)}`" for each in COMMANDS if each.price == price))
        for price in sorted({each.price for each in COMMANDS})
    ]
    return table(("price", "commands"), rows)


def _settings() -> str:
    rows = [
        (f"`{name}`", _values(schema), _value(schema["default"]), schema["description"])
        for name, schema in TableSettings.model_json_schema()["properties"].items()
    ]
    return table(("setting", "values", "default", "meaning"), rows)


def _values(schema: Document) -> str:
    """The values that a schema permits: words, or a number within bounds."""
    if "anyOf" in schema:
        return ", ".join(_values(each) for each in schema["anyOf"])
    if "minimum" in schema:
        kind = "a whole number" if schema["type"] == "integer" else "a number"
        return f"{kind} from {schema['minimum']} to {schema['maximum']}"
    words = schema.get("enum") or {"boolean": (False, True), "null": (None,)}[schema["type"]]
    return ", ".join(map(_value, words))


def _value(value: object) -> str:
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


def _messages() -> str:
    rows = [(f"`{type_of(m)}`", _signature(m), summary(m)) for m in MESSAGES]
    return table(("type", "fields", "meaning"), rows)


def _changes() -> str:
    rows = []
    for kind in get_args(Change):
        *named, do = fields(kind)
        meaning = " ".join(cleandoc(kind.__doc__ or "").split()).replace("None", "null")
        rows.append((f"`{do.default}`", f"`{' '.join(f.name for f in named)}`", meaning))
    return table(("do", "fields", "meaning"), rows)


def _facts() -> str:
    rows = []
    for verb, entry in english().facts.items():
        args = entry.example
        said = sentence(Fact(verb, args), NAMES, FRENCH, YOU)
        rows.append((f"`{verb}`", f"`{' '.join(args)}`" if args else "", said or ""))
    return table(("verb", "arguments", "for example"), rows)


def _phrases() -> str:
    rows = []
    for code, entry in english().phrases.items():
        said = worded(Phrase(code, entry.example), FRENCH, NAMES, YOU)
        args = f"`{' '.join(entry.example)}`" if entry.example else ""
        rows.append((f"`{code}`", args, said or ""))
    return table(("code", "arguments", "for example"), rows)


def _errors() -> str:
    return table(("code", "what to do"), [(f"`{code}`", advice(code)) for code in ERROR_CODES])


def _features() -> str:
    return " ".join(f"`{feature}`" for feature in FEATURES)


def _on_request() -> str:
    return " ".join(f"`{feature}`" for feature in FEATURES if feature in ON_REQUEST)


_PARTS: Mapping[str, Callable[[], str]] = {
    "commands": _commands,
    "prices": _prices,
    "settings": _settings,
    "messages": _messages,
    "changes": _changes,
    "facts": _facts,
    "phrases": _phrases,
    "errors": _errors,
    "features": _features,
    "on_request": _on_request,
}

if __name__ == "__main__":
    sys.exit(main())
