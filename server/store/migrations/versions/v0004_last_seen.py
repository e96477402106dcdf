"""When players were last seen, which commands are too old to answer, and the database's id."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Bring the schema to this version."""
    op.add_column("players", sa.Column("seen", sa.Double, nullable=False, server_default="0"))
    op.add_column("players", sa.Column("sat", sa.Boolean, nullable=False, server_default=sa.true()))
    # When they were here last is not known; nobody is to be forgotten for that.
    op.execute(sa.text("UPDATE players SET seen = :now").bindparams(now=time.time()))
    op.execute(
        sa.text(
            "UPDATE players SET sat = false WHERE NOT EXISTS (SELECT 1 FROM entries"
            " WHERE player = players.id AND command IS NOT NULL AND kind <> 'act')"
        )
    )

    op.create_table(
        "forgotten_commands",
        sa.Column("player", sa.String, nullable=False),
        sa.Column("client", sa.String, nullable=False),
        sa.Column("command", sa.BigInteger, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("player", "client", name="pk_forgotten_commands"),
        sqlite_with_rowid=False,
    )

    op.create_table(
        "database_info",
        sa.Column("identity", sa.String, nullable=False),
        sa.Column("commits", sa.BigInteger, nullable=False),
        sa.Column("deleted", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("identity", name="pk_database_info"),
    )
