"""The estimate beside the labelling follows every answer, or says why there is none."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.study import Study, likely_more, prospect

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1 import AppTest

from sampleval.ui import words
from tests.apps import start, unbroken


def test_the_live_chart_includes_every_answer_of_a_sample_smaller_than_the_budget(storage: str) -> None:
    """Otherwise the last answers of a sample of random size would never show, and the goal would ask for them again."""
    frame = pd.DataFrame({"score": np.linspace(0, 1, 200), "label": [0, 1] * 100})
    pool = sv.Pool.from_frame(frame)
    study = sv.create_study(
        pool, metric="accuracy", budget=40, preset="yilmaz-bs", storage=storage, name="random", seed=3
    )
    while items := study.ask(20):
        study.tell_all((item, int(item.id) % 2) for item in items)
    assert study.labels < study.budget
    assert study.labels % 5
    study.aim(0.05)
    app = start("Label", study="random")
    assert app.metric[0].label == f"Accuracy after {study.labels} answers"
    more = likely_more(prospect(study, study.estimate(), 0.05))
    assert app.button(key="allow_goal").label == f"Allow {more} more labels"


def test_the_page_is_one_fragment(
    study: Study, opened: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rerun that was asked for while the page loads took the containers of a fragment within away: "Bad delta path"."""
    written, enqueue = set(), ForwardMsgQueue.enqueue

    def seen(queue: ForwardMsgQueue, message: ForwardMsg) -> None:
        written.add(message.delta.fragment_id)
        enqueue(queue, message)

    monkeypatch.setattr(ForwardMsgQueue, "enqueue", seen)
    study.tell_all((item, 1) for item in study.ask(10))
    assert "live_csv" in [button.key for button in opened("Label").get("download_button")]
    assert len(written - {""}) == 1


@pytest.mark.parametrize("given", [40, 33], ids=["at the end", "before it"])
def test_the_live_estimate_follows_corrections(
    study: Study, opened: Callable[..., AppTest], given: int
) -> None:
    """A correction does not change the number of answers. The chart uses the first 40 of 40 answers, or 30 of 33."""
    items = study.ask(given)
    study.tell_all((item, int(int(item.id[1:]) % 3 == 0)) for item in items)
    app, drawn = opened("Label"), given - given % 5
    assert "The estimate so far" in app.get("plotly_chart")[0].proto.spec
    assert "live_csv" in [button.key for button in app.get("download_button")]
    before = app.metric[0].value
    assert before == words.number(study.estimate(labels=drawn).value)
    study.tell_all((item, int(int(item.id[1:]) % 3 != 0)) for item in items[:8])
    after = words.number(study.estimate(labels=drawn).value)
    assert after != before
    assert unbroken(app.run()).metric[0].value == after


def test_the_live_estimate_says_why_there_is_none(storage: str) -> None:
    """A "–" alone above an empty chart looked like a malfunction."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [k / 40 for k in range(40)]}))
    study = sv.create_study(pool, metric="f1", budget=20, storage=storage, name="none")
    study.tell_all((item, 0) for item in study.ask(5))
    at = start("Label", study="none")
    assert at.metric[0].value == "–"
    assert any("no positive is among the labels yet" in c.value for c in at.caption)
