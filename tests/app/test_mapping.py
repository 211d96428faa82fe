"""Choosing columns on the Data page where no guess succeeds."""

from __future__ import annotations

import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")
from streamlit.testing.v1 import AppTest


def chooses_columns() -> None:
    """The page's part that asks for the columns, of a table that allows no guess."""
    import pandas as pd

    from sampleval.ui.data.mapping import confirm

    frame = pd.DataFrame({"id": ["a", "b"], "score_0": [0.2, 0.6], "sure": [0.3, 0.7]})
    confirm(frame, key="t")


def test_columns_can_be_chosen_where_the_guess_fails() -> None:
    app = AppTest.from_function(chooses_columns, default_timeout=60).run()
    assert not app.error
    assert "must be the positive class's probability" in app.warning[0].value
    app.selectbox(key="score_t").select("sure").run()
    assert not app.exception
    assert not app.error
    assert not app.warning
