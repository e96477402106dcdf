"""Small files of the state directory."""

from pathlib import Path

from client_cli.remembered import RememberedFile


def test_what_is_kept_is_read_at_the_next_visit(tmp_path: Path) -> None:
    """A stored value is read at the next visit; a missing folder is made."""
    folder = tmp_path / "state"
    assert RememberedFile(folder, "a.json").read() is None
    RememberedFile(folder, "a.json").keep({"game": "whist"})
    assert RememberedFile(folder, "a.json").read() == {"game": "whist"}
    nowhere = RememberedFile(None, "a.json")
    nowhere.keep(1)
    assert nowhere.read() is None


def test_what_cannot_be_read_or_written_does_no_harm(tmp_path: Path) -> None:
    """A damaged file, or a file in place of the folder, causes no error."""
    (tmp_path / "a.json").write_text("[")
    assert RememberedFile(tmp_path, "a.json").read() is None
    below = RememberedFile(tmp_path / "a.json", "b.json")
    below.keep(1)
    assert below.read() is None
