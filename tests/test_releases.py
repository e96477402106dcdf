"""The list of releases is ordered, and their source is available in the history."""

from pathlib import Path

import pytest

from tests import releases as listing
from tests.recordings.stored import FOLDER
from tests.releases import HEAD, Release, releases, source_of

COMMIT = "0123456789abcdef0123456789abcdef01234567"
LINE = f'[[release]]\nversion = "0.1.0"\ncommit = "{COMMIT}"\nrecordings = "before-0.1.0"\n'


def test_every_release_has_its_recordings() -> None:
    """Every release has recordings, and all recordings belong to a release."""
    recorded = {path.parent.name for path in FOLDER.glob("*/scenes.json.xz")}
    before = {"before-0.1.0", "before-0.3.0"}
    assert recorded == before | {release.recordings for release in releases()}


def test_the_list_has_each_version_once_and_in_order() -> None:
    """The versions are unique and ordered by number, so that 0.10.0 follows 0.9.0."""
    numbers = [tuple(map(int, release.version.split("."))) for release in releases()]
    assert numbers == sorted(set(numbers))


def test_a_line_says_all_of_a_release() -> None:
    """A line of the list has all fields of a release."""
    assert releases(LINE) == (Release("0.1.0", COMMIT, "before-0.1.0"),)
    assert releases("# nothing yet") == ()


@pytest.mark.parametrize(
    "line",
    [LINE.replace(COMMIT, COMMIT[:12]), LINE.replace("recordings", "folder"), "[[release]]\n"],
    ids=["a short hash", "another word", "nothing"],
)
def test_a_line_that_does_not_is_refused(line: str) -> None:
    """An incomplete line is refused, such as one with a short hash."""
    with pytest.raises(ValueError, match=r"hash|has a version"):
        releases(line)


def test_a_copy_without_the_commit_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the commit, as in a shallow clone, the test is skipped with a reason."""
    with pytest.raises(pytest.skip.Exception, match=f"NOT RUN: commit {COMMIT} of 9.9.9"):
        source_of(Release("9.9.9", COMMIT), tmp_path)
    monkeypatch.setattr(listing, "ROOT", tmp_path)
    listing._has.cache_clear()
    with pytest.raises(pytest.skip.Exception, match="NOT RUN: commit HEAD"):
        source_of(HEAD, tmp_path)
    listing._has.cache_clear()


def test_the_source_of_a_commit_is_whole(tmp_path: Path) -> None:
    """The source of a commit has everything that is imported, and the recording tests."""
    source = source_of(HEAD, tmp_path)
    for name in ("blackqueen/main.py", "server/serve.py", "tests/recordings/record.py"):
        assert (source / name).is_file()
