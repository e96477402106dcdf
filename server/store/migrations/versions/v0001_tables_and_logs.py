"""The first schema: players, tables with their logs, answers and results."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema to this version."""
    op.create_table(
        "players",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("token_hash", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
    )
    op.create_index("ix_players_token_hash", "players", ["token_hash"], unique=True)

    op.create_table(
        "tables",
        sa.Column("code", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("private", sa.Boolean, nullable=False),
        sa.Column("phase", sa.String, nullable=False),
        sa.Column("due", sa.Double),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_tables"),
    )
    op.create_index("ix_tables_phase", "tables", ["phase"])

    op.create_table(
        "entries",
        sa.Column("table_code", sa.String, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("player", sa.String),
        sa.Column("client", sa.String),
        sa.Column("command", sa.BigInteger),
        sa.PrimaryKeyConstraint("table_code", "seq", name="pk_entries"),
        sa.ForeignKeyConstraint(
            ["table_code"], ["tables.code"], name="fk_entries_table_code", ondelete="CASCADE"
        ),
    )
    op.create_index(
        "ix_entries_player_client_command",
        "entries",
        ["player", "client", "command"],
        unique=True,
        sqlite_where=sa.text("command IS NOT NULL"),
        postgresql_where=sa.text("command IS NOT NULL"),
    )

    op.create_table(
        "answers",
        sa.Column("player", sa.String, nullable=False),
        sa.Column("client", sa.String, nullable=False),
        sa.Column("command", sa.BigInteger, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("player", "client", "command", name="pk_answers"),
        sqlite_with_rowid=False,
    )

    op.create_table(
        "results",
        sa.Column("table_code", sa.String, nullable=False),
        sa.Column("match", sa.Integer, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("finished", sa.Double, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_code", "match", name="pk_results"),
        sa.ForeignKeyConstraint(
            ["table_code"], ["tables.code"], name="fk_results_table_code", ondelete="CASCADE"
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_results_finished", "results", ["finished"])
