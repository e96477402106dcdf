"""The shared browser page that calls the page's modules for these tests."""

from collections.abc import Iterator

import pytest

from tests.chromium import Chromium
from tests.client_web.modules import Modules


@pytest.fixture(scope="session")
def shared_modules(chromium: Chromium) -> Iterator[Modules]:
    """The page of modules that all tests of this process share; a test uses `modules`."""
    modules = Modules(chromium)
    yield modules
    modules.close()


@pytest.fixture
def modules(shared_modules: Modules) -> Modules:
    """All modules of the page, called from Python, on an empty page."""
    return shared_modules.empty()
