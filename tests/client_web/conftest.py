"""The browser of all tests of the page, and the page that calls its modules."""

from collections.abc import Iterator

import pytest

from tests.chromium import Chromium
from tests.client_web.modules import Modules


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """Started by the first test that needs it; ended with the run."""
    browser = Chromium()
    yield browser
    browser.end()


@pytest.fixture(scope="session")
def modules(chromium: Chromium) -> Iterator[Modules]:
    """All modules of the page, to be called from Python."""
    modules = Modules(chromium)
    yield modules
    modules.close()
