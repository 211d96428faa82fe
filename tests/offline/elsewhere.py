"""Studies to label elsewhere."""

from __future__ import annotations

from typing import Any

import pandas as pd

import sampleval as sv
from sampleval.study import Study
from tests.pools import binary

POOL, LABELS = binary()


def begun(pool: sv.Pool = POOL, **options: Any) -> Study:
    usual: dict[str, Any] = {"metric": "f1", "budget": 10, "seed": 7}
    return sv.create_study(pool, **(usual | options))


def classed(*classes: str) -> Study:
    frame = pd.DataFrame({"pred": [*classes, *classes] * 5})
    return begun(sv.Pool.from_frame(frame, pred="pred", classes=classes), metric="accuracy")
