"""Further devices of players, each with a token of its own."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Bring the schema to this version."""
    op.create_table(
        "devices",
        sa.Column("token_hash", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("device", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_devices"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_devices_player", "devices", ["player"])
