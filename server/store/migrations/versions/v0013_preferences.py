"""The preferences that clients keep for their players."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Bring the schema to this version."""
    op.create_table(
        "preferences",
        sa.Column("player", sa.String, nullable=False),
        sa.Column("kept", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_preferences"),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name="fk_preferences_player", ondelete="CASCADE"
        ),
        sqlite_with_rowid=False,
    )
