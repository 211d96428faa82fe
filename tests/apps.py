"""Sessions of the app without a browser, for tests of its pages.

Import this after `pytest.importorskip("streamlit")`, and give each test the fixture `folder`: the app keeps its
data where the environment says.
"""

from __future__ import annotations

from functools import cache

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from sampleval.ui.pages import PAGES
from tests.places import ROOT

# Each session reads the metadata of all that is installed, for components; that does not change, and took .13 s each time.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def session(timeout: float = 60, /, **query: str) -> AppTest:
    """A new session that has not run yet. Its address is `query`, and a run may take `timeout` seconds."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=timeout)
    for key, value in query.items():
        at.query_params[key] = value
    return at


def start(page: str, timeout: float = 60, /, **query: str) -> AppTest:
    """A new session on this page, as after a link. It does not check for errors: only the test knows if one is due."""
    return unbroken(session(timeout, **query).switch_page(PAGES[page].file).run())


def unbroken(at: AppTest) -> AppTest:
    """The same session, whose last run raised no exception."""
    assert [(e.message, e.stack_trace) for e in at.exception] == []
    return at


def fine(at: AppTest) -> AppTest:
    """The same session, whose last run raised no exception and shows no error."""
    assert [e.value for e in unbroken(at).error] == []
    return at


def told(at: AppTest, key: str) -> str:
    """The value of a key in the address."""
    value = at.query_params[key]
    return value if isinstance(value, str) else value[0]
