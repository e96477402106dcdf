"""The results made from the tables of a simulation: summary, plots, report, Parquet files."""

import json
from pathlib import Path
from typing import Any

from bots.lab.folder import REPORT, Folder, refusals, replace_file
from bots.lab.games import game_of
from bots.lab.plots import plots
from bots.lab.report import page, picture
from bots.lab.runs import columns, read_runs
from bots.lab.summary import Summary, summarise
from bots.lab.summary_text import as_json

_TEXTS = frozenset(("bot", "chosen"))
_SHARES = frozenset(("worst", "best"))


def conclude(folder: Folder) -> Summary:
    """The summary of the games in the folder."""
    info = game_of(folder.plan.source).info
    return summarise(folder.plan, info, read_runs(folder.path), folder.done.stopped)


def keep(folder: Folder, summary: Summary, parquet: bool) -> None:
    """Write the summary, the plots and the report into the folder."""
    with refusals(folder.path):
        _write(folder, "summary.json", json.dumps(as_json(summary), indent=1))
        if parquet:
            write_parquet(folder.path, folder.plan.seats)
        if summary.parts:
            drawn = plots(summary)
            (folder.path / "plots").mkdir(exist_ok=True)
            for plot in drawn:
                _write(folder, f"plots/{plot.name}.svg", picture(plot))
            _write(folder, REPORT, page(summary, drawn))


def _write(folder: Folder, name: str, text: str) -> None:
    replace_file(folder.path / name, text.encode())


def write_parquet(folder: Path, seats: int) -> None:
    """Write a Parquet file beside each CSV table of `folder`; empty cells become null."""
    import pyarrow as pa
    import pyarrow.csv as csv
    import pyarrow.parquet as parquet

    def kind(name: str) -> Any:  # pyarrow ships no types
        if name in _TEXTS:
            return pa.string()
        return pa.float64() if name in _SHARES or name.startswith("lead_") else pa.int64()

    for table, names in columns(seats).items():
        options = csv.ConvertOptions(
            column_types={name: kind(name) for name in names}, strings_can_be_null=False
        )
        beside = folder / f".{table}.parquet.new"
        with (
            csv.open_csv(folder / f"{table}.csv", convert_options=options) as rows,
            parquet.ParquetWriter(beside, rows.schema) as writer,
        ):
            for batch in rows:
                writer.write_batch(batch)
        beside.replace(folder / f"{table}.parquet")
