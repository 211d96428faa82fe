"""`sampleval app`: the server starts where it is told and stops when told."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
import tomllib
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import pytest

from sampleval import cli
from tests.cli.commands import command, environment
from tests.places import ROOT


@pytest.mark.skipif(
    shutil.which("streamlit") is None and find_spec("streamlit") is None, reason="needs the extra [app]"
)
def test_the_app_starts_where_it_is_told_and_stops_when_told(folder: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"sqlite:///{folder / 'kept' / 's.db'}"
    words = ["app", "--port", str(port), "--headless", "--storage", url, "--data", str(folder / "kept")]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [*command(), *words], cwd=folder, env=environment(), stdout=log, stderr=subprocess.STDOUT
        )
    try:
        for _ in range(300):
            assert server.poll() is None, (folder / "log").read_text()
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2) as answer:
                    assert answer.read() == b"ok"
                    break
            except OSError:
                time.sleep(0.2)
        else:
            pytest.fail((folder / "log").read_text())
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)
    assert f"http://127.0.0.1:{port}" in (folder / "log").read_text()
    with socket.socket() as probe:  # the server was this very process, so nothing is left behind
        assert probe.connect_ex(("127.0.0.1", port)) != 0


def test_a_port_where_another_server_listens_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The app said where it is, and then that the port is not available."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert cli.main(["app", "--port", str(port), "--headless"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    why = f"no server can listen at 127.0.0.1:{port} (address already in use)"
    assert f"{why}; choose another `--port`, for instance {port + 1 if port < 65535 else 1}" in said.err


def test_streamlits_welcome_message_is_hidden() -> None:
    """Streamlit's welcome brings a notice for programmers on every page of an app that opens a browser."""
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["logger"]["hideWelcomeMessage"]


def test_no_page_ends_with_a_search_for_garbage() -> None:
    """Streamlit looked through all objects after each run: twice as long as a warm page took, with all others waiting."""
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert not config["runner"]["postScriptGC"]
