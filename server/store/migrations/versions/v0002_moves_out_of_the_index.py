"""Moves leave the index of commands: updating it was an eighth of a move's cost."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

INDEX = "ix_entries_player_client_command"


def upgrade() -> None:
    """Bring the schema to this version."""
    named = sa.text("command IS NOT NULL AND kind <> 'act'")
    op.drop_index(INDEX, "entries")
    op.create_index(
        INDEX,
        "entries",
        ["player", "client", "command"],
        unique=True,
        sqlite_where=named,
        postgresql_where=named,
    )
