"""What is made of the tables of a simulation: the summary, the plots, the report, Parquet."""

import json

from bots.lab.folder import REPORT, Folder, refusals, replace_file
from bots.lab.games import game_of
from bots.lab.plots import plots
from bots.lab.report import page, picture
from bots.lab.rows import read_runs
from bots.lab.summary import Summary, summarise
from bots.lab.tell import as_json


def conclude(folder: Folder) -> Summary:
    """What the games in the folder say."""
    info = game_of(folder.plan.source).info
    return summarise(folder.plan, info, read_runs(folder.path), folder.done.stopped)


def keep(folder: Folder, summary: Summary, parquet: bool) -> None:
    """Write the summary, the plots and the report into the folder."""
    with refusals(folder.path):
        _write(folder, "summary.json", json.dumps(as_json(summary), indent=1))
        if parquet:
            from bots.lab.parquet import write_parquet

            write_parquet(folder.path, folder.plan.seats)
        if summary.parts:
            drawn = plots(summary)
            (folder.path / "plots").mkdir(exist_ok=True)
            for plot in drawn:
                _write(folder, f"plots/{plot.name}.svg", picture(plot))
            _write(folder, REPORT, page(summary, drawn))


def _write(folder: Folder, name: str, text: str) -> None:
    replace_file(folder.path / name, text.encode())
