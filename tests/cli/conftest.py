"""The folder in which each test of the console command runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pools import scored


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with scores.csv, without its labels."""
    monkeypatch.chdir(tmp_path)
    scored(60).drop(columns="label").to_csv("scores.csv", index=False)
    return tmp_path
