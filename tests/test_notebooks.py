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


def test_notebooks_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one kernel, which forgets all names between two notebooks: its start takes longer than most of them."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    cells = {path.name: read(path).cells for path in NOTEBOOKS}
    whole, forget = read(NOTEBOOKS[0]), nbformat.v4.new_code_cell
    whole.cells = [cell for own in cells.values() for cell in (forget("%reset -f"), *own)]  # type: ignore[no-untyped-call]
    with TemporaryDirectory() as sockets:
        NotebookClient(
            whole, timeout=120, resources={"metadata": {"path": str(ROOT)}}, config=kernels(sockets)
        ).execute()
    for name, own in cells.items():
        outputs = [output for cell in own if cell.cell_type == "code" for output in cell.outputs]
        assert any("application/vnd.plotly.v1+json" in output.get("data", {}) for output in outputs), name
        assert not [output for output in outputs if output.output_type == "stream"], name
