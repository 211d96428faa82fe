"""A stored study, and its pages in new sessions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.study import Study

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest


@pytest.fixture
def storage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    url = f"sqlite:///{tmp_path / 'sampleval.db'}"
    monkeypatch.setenv("SAMPLEVAL_STORAGE", url)
    monkeypatch.setenv("SAMPLEVAL_DATA", str(tmp_path))
    return url


@pytest.fixture
def study(storage: str) -> Study:
    from tests.app.steps import EVIL

    rng = np.random.default_rng(5)
    score = rng.beta(0.6, 1.4, 300)
    frame = pd.DataFrame({"id": [f"i{k}" for k in range(300)], "score": score, "text": EVIL, "n": range(300)})
    pool = sv.Pool.from_frame(frame, fields=["text", "n"])
    known = sv.Labels.from_frame(
        frame.assign(label=rng.random(300) < score).astype({"label": int}), pool, "label"
    )
    sv.Storage.at(storage).save_labels(known)
    return sv.create_study(
        pool, metric="f1", budget=40, preset="queue", seed=3, storage=storage, name="toxic & <b>new</b>"
    )


@pytest.fixture
def known(storage: str, study: Study) -> sv.Labels:
    """The labels of its pool."""
    found = sv.Storage.at(storage).load_labels(study.pool)
    assert found is not None
    return found


@pytest.fixture
def opened(study: Study) -> Callable[..., AppTest]:
    from tests.apps import start

    return partial(start, study=study.name)
