"""Reviews of matches, stored once they are made."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Bring the schema to this version."""
    op.create_table(
        "reviews",
        sa.Column("table_code", sa.String, nullable=False),
        sa.Column("match", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("made", sa.Double, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_code"],
            ["tables.code"],
            name="fk_reviews_table_code_tables",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_code", "match", "seat", "player", name="pk_reviews"),
        sqlite_with_rowid=False,
    )
