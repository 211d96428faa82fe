"""Steps that tests of several pages take: to an upload, to its plan, and what a page says then.

Import this, as `tests.apps`, after `pytest.importorskip("streamlit")`.
"""

from __future__ import annotations

from base64 import b64decode
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

import sampleval as sv
from sampleval.ui import stores
from sampleval.ui.data.demos import DEMOS
from sampleval.ui.pages import PAGES
from tests.apps import start, told, unbroken
from tests.places import ROOT

EVIL = '<img src=x onerror="alert(1)"> [link](javascript:alert(1)) =1+1'


def button(app: AppTest, key: str) -> AppTest:
    """The same session after a press on this button."""
    return unbroken(app.button(key=key).click().run())


def said(at: AppTest) -> str:
    """All words, numbers and charts on the page."""
    parts = [e.value for e in [*at.markdown, *at.caption, *at.error, *at.warning, *at.info]]
    parts += [f"{m.label} {m.value}" for m in at.metric]
    return "\n".join([*parts, *pictures(at)])


@cache
def _digits() -> tuple[sv.Pool, sv.Labels]:
    demo = DEMOS["digits"]
    frame = pd.read_parquet(ROOT / "demo_data" / demo.file)
    pool = sv.Pool.from_frame(frame, classes=demo.classes)
    return pool, sv.Labels.from_frame(frame, pool)


def stored(pool: sv.Pool, known: sv.Labels | None = None) -> str:
    """The name of a pool, stored with the labels that are known as the Data page does it."""
    stores.storage().save_pool(pool)
    if known is not None:
        stores.storage().save_labels(known)
    return pool.fingerprint


def stored_study(pool: sv.Pool, metric: str, budget: int, preset: str = "queue") -> sv.Study:
    """A new study of this pool, stored as "s"."""
    return sv.create_study(
        pool, metric=metric, budget=budget, preset=preset, storage=stores.storage(), name="s"
    )


def digits() -> str:
    """The name of the first demo's pool, stored with its labels."""
    return stored(*_digits())


def planned(at: AppTest) -> AppTest:
    """The Plan page for the data that this Data page has chosen."""
    return unbroken(at.switch_page(PAGES["Plan"].file).run())


def pictures(at: AppTest) -> list[str]:
    """The charts on the page."""
    return [chart.proto.spec for chart in at.get("plotly_chart")]


def coordinates(drawn: list[float] | dict[str, str]) -> list[float]:
    """The numbers of a trace in a chart, which Plotly packs where they are many."""
    if isinstance(drawn, list):
        return drawn
    return list(np.frombuffer(b64decode(drawn["bdata"]), drawn["dtype"]).tolist())


def begun(at: AppTest, button: str) -> sv.study.Study:
    """The study that a press on this button makes."""
    unbroken(at.button(key=button).click().run())
    assert not at.error
    return sv.load_study(told(at, "study"), stores.storage())


GOOD = "id,score,label,text\n" + "\n".join(f"{k},{k / 20},{k % 2},item {k}" for k in range(20))


def upload(name: str, content: bytes) -> AppTest:
    at = start("Data", source="upload")
    at.file_uploader[0].set_value((name, content, "text/csv"))
    return unbroken(at.run())


def box(at: AppTest, begins: str) -> Selectbox[Any]:
    """The select box whose label begins so."""
    return next(box for box in at.selectbox if box.label.startswith(begins))


def fields(at: AppTest) -> list[str]:
    """What is shown while labelling."""
    return list(next(box for box in at.multiselect if box.label.startswith("Shown")).value)
