"""Nodes that share a database, and the node that owns each table."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Bring the schema to this version."""
    op.create_table(
        "nodes",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
        sa.Column("commits", sa.BigInteger, nullable=False),
        sa.Column("has_tables", sa.Boolean, nullable=False),
        sa.Column("address", sa.String, nullable=False),
        sa.Column("started", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_nodes"),
    )
    op.add_column("tables", sa.Column("owner", sa.String))
    op.add_column("tables", sa.Column("owner_epoch", sa.BigInteger))
