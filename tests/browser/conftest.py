"""A visit of the app, for one test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.conftest import AppServer

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

    from tests.browser.visits import Visit


@pytest.fixture
def visit(app_server: AppServer, page: Page) -> Visit:
    from tests.browser.visits import Visit  # needs Playwright

    return Visit(page, app_server.url)


@pytest.fixture
def fingers(page: Page) -> Iterator[CDPSession]:
    """The tab on a telephone, where nothing hovers; what its screen is told."""
    screen = page.context.new_cdp_session(page)
    screen.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    yield screen
    screen.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    screen.detach()
