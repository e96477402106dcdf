"""What is made of the tables of a simulation: the summary, the plots, the report, Parquet."""

import json

from bots.lab.folder import Folder, refusals, replace_file
from bots.lab.games import game_of
from bots.lab.rows import read_runs
from bots.lab.summary import summarise
from bots.lab.tell import as_json, as_text


def conclude(folder: Folder, plain: bool, keep: bool, parquet: bool) -> str:
    """The summary to print, of at least one game; with `keep` all files are written as well."""
    info = game_of(folder.plan.source).info
    summary = summarise(folder.plan, info, read_runs(folder.path))
    values = as_json(summary)
    if keep:
        with refusals(folder.path):
            replace_file(folder.path / "summary.json", json.dumps(values, indent=1).encode())
    return json.dumps(values) if plain else as_text(summary)
