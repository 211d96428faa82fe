"""A visit of the app, for one test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conftest import AppServer

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.visits import Visit


@pytest.fixture
def visit(app_server: AppServer, page: Page) -> Visit:
    from tests.browser.visits import Visit  # needs Playwright

    return Visit(page, app_server.url)
