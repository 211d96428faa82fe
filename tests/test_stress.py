"""Kills while labels are written: `pytest -m stress -n0` (SAMPLEVAL_KILLS=50 for a quick look)."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.study import Study

KILLS = int(os.environ.get("SAMPLEVAL_KILLS", "1000"))
KILLS_A_STUDY = 40  # a study is read anew after each kill, so a long one would only cost time
LONGEST_LIFE = 0.04  # seconds
BUDGET = 4000
HERE = Path(__file__).parent

pytestmark = pytest.mark.stress


class Labeller:
    """The process that forks the victims."""

    def __init__(self, url: str, pool: Path) -> None:
        path = os.pathsep.join(filter(None, [str(HERE.parent), os.environ.get("PYTHONPATH", "")]))
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "labeller.py"), url, str(pool)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": "0"},
            text=True,
        )

    def line(self) -> str:
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert said, "the labeller ended by itself"
        return said.strip()

    def killed_after(self, seconds: float, study: str, *, at_work: bool) -> list[tuple[str, str, int]]:
        """What a victim had been told was safe, (uuid, id, answer), when it was killed.

        Args:
            seconds: Its life, from birth or from its first label on.
            study: What it labels.
            at_work: Let it reach its first label.
        """
        assert self.process.stdin is not None
        self.process.stdin.write(f"{study}\n")
        self.process.stdin.flush()
        pid = int(self.line().removeprefix("born "))
        lines = [self.line()] if at_work else []
        time.sleep(seconds)
        os.kill(pid, signal.SIGKILL)
        lines += iter(self.line, "dead")
        told = [line.split()[1:] for line in lines]
        return [(uuid, item, int(answer)) for uuid, item, answer in told]


@pytest.fixture
def pool() -> sv.Pool:
    score = np.random.default_rng(1).beta(0.5, 2, BUDGET)
    return sv.Pool.from_frame(pd.DataFrame({"id": [f"i{k}" for k in range(BUDGET)], "score": score}))


@pytest.fixture
def labeller(tmp_path: Path, pool: sv.Pool) -> Iterator[Labeller]:
    running = Labeller(f"sqlite:///{tmp_path / 'studies.db'}", pool.to_parquet(tmp_path / "pool.parquet"))
    yield running
    running.process.kill()
    running.process.communicate()


def stored(database: Path) -> set[str]:
    with closing(sqlite3.connect(database, timeout=5)) as connection:
        assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
        return {uuid for (uuid,) in connection.execute("SELECT uuid FROM events WHERE kind = 'answered'")}


def test_every_acknowledged_label_outlives_a_kill(tmp_path: Path, pool: sv.Pool, labeller: Labeller) -> None:
    database, rng = tmp_path / "studies.db", np.random.default_rng(7)
    url, killed = f"sqlite:///{database}", 0
    while killed < KILLS:
        study = sv.create_study(pool, metric="f1", budget=BUDGET, storage=url, name=f"study-{killed}")
        told: list[tuple[str, str, int]] = []
        for _ in range(min(KILLS_A_STUDY, KILLS - killed)):
            # One in five dies wherever it happens to be, often while it opens the study; the others while they label.
            life, at_work = rng.uniform(0, LONGEST_LIFE), rng.random() < 0.8
            fresh = labeller.killed_after(life, study.name, at_work=at_work)
            told, killed = told + fresh, killed + 1
            assert {uuid for uuid, _, _ in fresh} <= stored(database)
        check(sv.load_study(study.name, url), told)


def check(study: Study, told: list[tuple[str, str, int]]) -> None:
    """Check that the reopened study holds every answer as given, and at most one further answer per kill."""
    standing = study.state.given.standing
    assert [(u, standing[u].what.id, standing[u].what.label) for u, _, _ in told] == told
    assert len(standing) <= len(told) + KILLS_A_STUDY
    assert study.state == Study.replay(study.pool, study.events()).state
    assert study.estimate().labels == study.state.given.run_length == study.labels
