"""The oldest schema that a stored database may have; a new one is made without any migration."""

revision = "0003"
down_revision = None


def upgrade() -> None:
    """Do nothing, as no database is at an earlier version."""
