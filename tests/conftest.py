"""Fixtures that several test files share: randomness, a browser, a running app."""

from __future__ import annotations

import gc
import logging
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import numpy as np
import pytest

from tests.places import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

PATIENCE = 90.0  # seconds for which a browser test waits: a busy machine loads a page's parts one by one
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)

# Workers share two cores, so a deadline per example would measure the neighbour.
hypothesis.settings.register_profile("steady", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("steady")

# Of a helper too, a failed assertion shall show its values: they say where the app broke.
pytest.register_assert_rewrite("tests.apps", "tests.app.steps", "tests.browser.visits")


def pytest_configure() -> None:
    """Let worker processes compute on one thread each: on two cores, second threads would only wait for each other.

    Python searches memory for cycles a hundred times less often, which takes a third of the collection of tests otherwise.
    """
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    gc.set_threshold(100_000, 50, 100)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that need a browser or a server, and keep each of their files on one worker, which starts it once."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if "chromium" in fixtures:
            item.add_marker(pytest.mark.browser)
        if fixtures & {"chromium", "app_server"}:
            item.add_marker(pytest.mark.xdist_group(item.path.relative_to(ROOT).as_posix()))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave scripts and helpers beside the tests out of the collection: the search for doctests would run them."""
    helper = collection_path.suffix == ".py" and not collection_path.name.startswith(("test_", "conftest"))
    return True if helper and collection_path.is_relative_to(ROOT / "tests") else None


@pytest.fixture(autouse=True)
def main() -> Iterator[None]:
    """Restore the main module, which an app in this process replaces, since new processes would run that first."""
    own = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = own


@pytest.fixture
def rng() -> np.random.Generator:
    """A generator that starts at the same place in every test."""
    return np.random.default_rng(20210607)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which an app in this process keeps its data, including its studies."""
    monkeypatch.setenv("SAMPLEVAL_DATA", str(tmp_path))
    monkeypatch.delenv("SAMPLEVAL_STORAGE", raising=False)
    return tmp_path


class AppServer:
    """The app, or another script, on a free local port. Its storage is in a folder that outlives a restart."""

    def __init__(self, folder: Path, script: Path = ROOT / "app.py") -> None:
        self.folder, self.script = folder, script
        self.storage = f"sqlite:///{folder / 'sampleval.db'}"
        self._log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self, *, timeout: float = 60) -> None:
        """Start the app, again if it runs but is too busy to answer, and return as soon as it answers."""
        self.kill()
        options = {"server.headless": "true", "server.address": "127.0.0.1", "server.port": str(self.port)}
        # As the app's own settings have it; another script has none, and would watch each module for each session.
        own = ("browser.gatherUsageStats", "runner.postScriptGC")
        options |= dict.fromkeys(own, "false") | {"server.fileWatcherType": "none"}
        command = [sys.executable, "-m", "streamlit", "run", str(self.script)]
        command += [f"--{key}={value}" for key, value in options.items()]
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
        places = {"SAMPLEVAL_STORAGE": self.storage, "SAMPLEVAL_DATA": str(self.folder), "PYTHONPATH": path}
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=self.folder, env=os.environ | places, stdout=log, stderr=subprocess.STDOUT
            )
        deadline = time.monotonic() + timeout
        while not self.healthy():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                pytest.fail(f"the app did not start; its log:\n{self._log.read_text()}")
            time.sleep(0.1)

    def healthy(self) -> bool:
        """Whether the app answers."""
        try:
            with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def kill(self) -> None:
        """End the app at once, as a crash would (SIGKILL); its folder stays."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@pytest.fixture(scope="session")
def app_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    """The running app, which all tests share. A test that kills it must start it again."""
    server = AppServer(tmp_path_factory.mktemp("app"))
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of an installed Chromium. Without one the test is skipped, or fails if CI requires a browser."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        reason = f"no Chromium on this machine (looked for {', '.join(BROWSERS)})"
        if os.environ.get("SAMPLEVAL_REQUIRE_BROWSER") == "1":
            pytest.fail(f"{reason}, and SAMPLEVAL_REQUIRE_BROWSER=1 forbids skipping")
        pytest.skip(reason)
    return found


@pytest.fixture(scope="session")
def profile(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """One headless browser for all tests, with a profile on disk that keeps the frontend's scripts compiled."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        profile = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"), executable_path=chromium, args=list(CHROMIUM_FLAGS)
        )
        profile.set_default_timeout(1000 * PATIENCE)
        yield profile
        profile.close()


@contextmanager
def tab(profile: BrowserContext) -> Iterator[Page]:
    """A tab without history, cookies or localStorage. Further tabs can be opened from its context.

    All tests have the same one, whose process keeps the frontend's scripts ready: each in a new tab takes twice as long.
    """
    page = profile.pages[0]
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(media="null", color_scheme="light", forced_colors="none")
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    # Of a test that failed pytest shows what was logged.
    logging.getLogger(__name__).warning("\n".join([page.url, *said]))
    first, *others = profile.pages
    for other in others:
        other.close()
    forget(first)


@pytest.fixture
def page(profile: BrowserContext) -> Iterator[Page]:
    """The tab, for one test."""
    with tab(profile) as page:
        yield page


def forget(page: Page) -> None:
    """Leave what a tab shows, and delete its history and all cookies, localStorage and databases of its profile."""
    page.goto("about:blank")
    session = page.context.new_cdp_session(page)
    session.send("Page.resetNavigationHistory")
    session.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    session.detach()
