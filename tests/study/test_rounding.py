"""The last digit of a score decides nothing: no label asked for, no estimate, no limit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sampleval import Labels, Pool, create_study, frames
from sampleval.presets import PRESETS, unwatchable
from tests.pools import scored


def told(df: pd.DataFrame, preset: str) -> tuple[list[str], list[float]]:
    """The items asked for, and estimates with their limits of both families."""
    pool = Pool.from_frame(df, id="id", score="score", label="label", fields=[], classes=("ham", "spam"))
    study = create_study(pool, metric="f1", budget=60, preset=preset, seed=1)
    study.answer(Labels.from_frame(df, pool, "label"), 60)
    found = [study.estimate(name) for name in ("f1", "accuracy", "recall", "auc", "log_loss")]
    if not unwatchable(study.method):
        found += [study.estimate(name, interval="anytime") for name in ("f1", "accuracy", "precision")]
    asked = frames.labels(study)["id"].tolist()
    return asked, [number for e in found for number in (e.value, e.interval.low, e.interval.high)]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_last_digit_of_a_score_decides_nothing(preset: str) -> None:
    df = scored(400, seed=4)
    nudged = df.assign(score=np.nextafter(df["score"], np.where(df.index % 2, 0.0, 1.0)))
    (asked, numbers), (again, same) = told(df, preset), told(nudged, preset)
    assert asked == again
    assert numbers == pytest.approx(same, rel=1e-9, nan_ok=True)
