"""The tables of a simulation as Parquet files beside the CSV ones."""

from pathlib import Path

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as parquet

from bots.lab.rows import columns

_TEXTS = frozenset(("bot", "chosen"))
_SHARES = frozenset(("worst", "best"))


def write_parquet(folder: Path, seats: int) -> None:
    """A file for each table; what a CSV file leaves empty is null."""
    for table, names in columns(seats).items():
        options = csv.ConvertOptions(
            column_types={name: _kind(name) for name in names}, strings_can_be_null=False
        )
        beside = folder / f".{table}.parquet.new"
        with (
            csv.open_csv(folder / f"{table}.csv", convert_options=options) as rows,
            parquet.ParquetWriter(beside, rows.schema) as writer,
        ):
            for batch in rows:
                writer.write_batch(batch)
        beside.replace(folder / f"{table}.parquet")


def _kind(name: str) -> pa.DataType:
    if name in _TEXTS:
        return pa.string()
    return pa.float64() if name in _SHARES or name.startswith("lead_") else pa.int64()
