"""The page that calls modules for all tests of them."""

from collections.abc import Iterator

import pytest

from tests.chromium import Chromium
from tests.client_web.modules import Modules


@pytest.fixture(scope="session")
def modules(chromium: Chromium) -> Iterator[Modules]:
    """All modules of the page, to be called from Python."""
    modules = Modules(chromium)
    yield modules
    modules.close()
