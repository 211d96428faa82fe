"""Tests that keep the map in CONTRIBUTING.md true."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import sampleval
from sampleval.designs import DESIGNS
from sampleval.estimators import ESTIMATORS
from sampleval.surrogates import SURROGATES
from tests.places import ROOT

MODULES = sorted((ROOT / "sampleval").rglob("*.py"))
APP = sorted([*ROOT.glob("app.py"), *(ROOT / "pages").glob("*.py")])
LONG_FILES: set[str] = set()  # files allowed over 300 lines, each with its reason


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> Iterator[str]:
    """Dotted names that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def tracked_files() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for path in map(ROOT.joinpath, listed.stdout.split("\0")[:-1]) if path.is_file()]


@pytest.mark.parametrize("registry", [SURROGATES, DESIGNS, ESTIMATORS])
def test_each_part_of_a_method_has_a_module_of_its_name(registry: Mapping[str, type]) -> None:
    modules = {key: part.__module__.split(".")[2] for key, part in registry.items()}
    assert {key: file for key, file in modules.items() if not key.replace("-", "_").startswith(file)} == {}


def test_imports_keep_to_the_contract() -> None:
    command = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    run = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_importing_does_nothing_but_import() -> None:
    command = """
import random, sys, warnings
import numpy as np
before = list(warnings.filters), repr(np.random.get_state()), random.getstate()
import sampleval
assert before == (list(warnings.filters), repr(np.random.get_state()), random.getstate())
heavy = {"streamlit", "plotly", "anywidget"} & set(sys.modules)
assert not heavy, f"importing sampleval imports {heavy}"
"""
    # SciPy, scikit-learn and pandas may add warning filters of their own: import them before looking.
    command = "import joblib, pandas, pyarrow, scipy.stats, sklearn, sqlalchemy\n" + command
    run = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_modules_that_the_readme_names_are_there_at_once_and_what_takes_long_to_import_waits() -> None:
    """`sv.report.html(study)` and `sv.frames` had been an AttributeError; `scipy.stats` took a third of the start."""
    command = """
import sys
import sampleval as sv
sv.frames.estimates, sv.frames.labels, sv.metrics.METRICS
print({"scipy.stats", "sklearn"} & set(sys.modules))
sv.report.html
"""
    run = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (run.stdout, run.stderr) == ("set()\n", "")


def test_completion_offers_the_public_face_alone() -> None:
    """It was full of `numerals`, `partition` and other modules."""
    assert dir(sampleval) == sorted(sampleval.__all__)
    assert all(hasattr(sampleval, name) for name in sampleval.__all__)


def test_no_file_outgrows_a_reader() -> None:
    lengths = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {file for file, lines in lengths.items() if lines > 300} <= LONG_FILES


def test_modules_name_what_they_use() -> None:
    """`from sampleval import Pool` inside the package would reach around the import contract."""
    below = [path for path in MODULES if path.relative_to(ROOT).parts[1] not in {"__init__.py", "cli", "ui"}]
    modules = {path.relative_to(ROOT).parts[1].removesuffix(".py") for path in MODULES}
    offenders = [
        f"{name(path)}:{node.lineno}"
        for path in below
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Import) and any(alias.name == "sampleval" for alias in node.names))
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "sampleval"
            and not {alias.name for alias in node.names} <= modules
        )
    ]
    assert offenders == []


def test_public_functions_list_their_arguments() -> None:
    offenders = [
        f"{name(path)}:{node.lineno} {node.name}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.args.kwarg and not node.name.startswith("_")
    ]
    assert offenders == []


def test_pages_hold_no_numerics() -> None:
    numeric = {"numpy", "scipy", "sklearn", "pandas"}
    offenders = {name(path): numeric & {module.split(".")[0] for module in imports(path)} for path in APP}
    assert {file: found for file, found in offenders.items() if found} == {}


def test_the_app_takes_its_numbers_in_writing_from_one_module() -> None:
    inside = [path for path in MODULES if path.relative_to(ROOT).parts[1] == "ui"]
    users = {name(path) for path in (*inside, *APP) if "sampleval.numerals" in imports(path)}
    assert users == set()  # `words` has them by `from sampleval import numerals`


def test_pages_wait_for_the_whole_package() -> None:
    """A page that imports a part first could meet it half imported by another session (see the test below)."""
    whole = {"sampleval", "sampleval.ui"}
    first = {name(path): next(m for m in imports(path) if m.startswith("sampleval")) for path in APP}
    assert {file: module for file, module in first.items() if module not in whole} == {}


def test_sessions_may_import_at_once_on_a_fresh_server() -> None:
    command = """
import importlib, sys, threading, time
errors = []
def visit(moment):
    while moment not in sys.modules:
        time.sleep(0)
    try:
        importlib.import_module("sampleval.ui")
        importlib.import_module("sampleval.ui.labelling.desk")
    except ImportError as error:
        errors.append(error)
moments = ("sampleval", "sampleval._checks", "sampleval.pool", "sampleval.metrics", "sampleval.designs")
threads = [threading.Thread(target=visit, args=(moment,)) for moment in moments]
[thread.start() for thread in threads]
import sampleval
[thread.join() for thread in threads]
assert not errors, errors
"""
    pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")
    run = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr


def test_nothing_names_one_machine() -> None:
    places = [re.escape(place) for place in ("/work" + "/", "/root" + "/", "/farm" + "/", "../" + "shared")]
    pattern = re.compile("|".join([*places, "/tmp" + "/[a-z]"]).encode())
    offenders = [name(path) for path in tracked_files() if pattern.search(path.read_bytes())]
    assert offenders == []


def test_constraints_are_plain_pins() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pin = r'[\w.-]+==[\w.]+(; python_version (<|>=) "3\.\d+")?'  # a new Python needs wheels that an old one lacks
    assert [line for line in lines if not re.fullmatch(pin, line)] == []


def test_readme_stays_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120
