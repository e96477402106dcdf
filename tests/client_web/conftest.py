"""The page that calls modules for all tests of them."""

from collections.abc import Iterator

import pytest

from tests.chromium import Chromium
from tests.client_web.modules import Modules


@pytest.fixture(scope="session")
def shared_modules(chromium: Chromium) -> Iterator[Modules]:
    """The page of all tests of this process; a test takes `modules`."""
    modules = Modules(chromium)
    yield modules
    modules.close()


@pytest.fixture
def modules(shared_modules: Modules) -> Modules:
    """All modules of the page, to be called from Python, at a page that holds nothing yet."""
    return shared_modules.empty()
