"""The players of each open table, and the transaction that changed a table last."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Bring the schema to this version."""
    seats = op.create_table(
        "seats",
        sa.Column("table_code", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("table_code", "player", name="pk_seats"),
        sa.ForeignKeyConstraint(
            ["table_code"], ["tables.code"], name="fk_seats_table_code", ondelete="CASCADE"
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seats_player", "seats", ["player"])
    op.add_column("tables", sa.Column("changed", sa.BigInteger, nullable=False, server_default="0"))
    op.create_index("ix_tables_changed", "tables", ["changed"])
    open_tables = sa.text("SELECT code, summary FROM tables WHERE phase <> 'closed'")
    rows = [
        {"table_code": code, "player": player}
        for code, summary in op.get_bind().execute(open_tables).all()
        for player in _players(summary)
    ]
    if rows:
        op.bulk_insert(seats, rows)


def _players(summary: str) -> list[str]:
    """Return the players in a table's summary, each once; none if it is damaged."""
    try:
        players = json.loads(summary)["players"]
        return [player for player in dict.fromkeys(players) if isinstance(player, str)]
    except (ValueError, KeyError, TypeError):
        return []
