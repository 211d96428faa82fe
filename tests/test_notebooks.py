"""Every lesson's notebook runs from top to bottom, is stored without outputs, and shows its pictures."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
import pytest

pytest.importorskip("plotly", reason="needs Plotly: install the extra [notebook]")

from nbclient import NotebookClient
from traitlets.config import Config

from sampleval.ui.lessons import LESSONS
from tests.places import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def kernels(folder: str) -> Config:
    """How a kernel is reached: by sockets in a folder of its own, for of two kernels begun at once one may find its port taken.

    Windows has no such sockets; a longer path than a temporary folder's would not do elsewhere.
    """
    if os.name == "nt":
        return Config()
    return Config(KernelManager={"transport": "ipc", "ip": f"{folder}/kernel"})


def test_every_lesson_has_its_notebook() -> None:
    assert [path.name for path in NOTEBOOKS] == [lesson.notebook for lesson in LESSONS.values()]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_outputs(path: Path) -> None:
    cells = [cell for cell in read(path).cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    notebook = read(path)
    with TemporaryDirectory() as sockets:
        NotebookClient(
            notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}}, config=kernels(sockets)
        ).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("application/vnd.plotly.v1+json" in output.get("data", {}) for output in outputs)
    assert not [output for output in outputs if output.output_type == "stream"]
