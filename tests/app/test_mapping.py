"""Choosing columns on the Data page where no guess succeeds."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest

from sampleval.pool import Columns, guess_columns
from sampleval.ui.data import mapping
from tests.app.steps import box, upload
from tests.apps import unbroken


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


def test_a_question_of_the_library_is_asked_without_its_way_in_python() -> None:
    names = pd.DataFrame({"score": [0.1, 0.9], "label": ["ham", "spam"]})

    def asked(frame: pd.DataFrame) -> str:
        guess = guess_columns(frame)
        return mapping.question(guess, guess)

    assert asked(names) == "`label` holds 'ham' and 'spam': which class is positive? Choose it here"
    guess = guess_columns(names)  # a column of another name is taken for the label by hand
    odd = replace(guess, question=guess.question.replace("`label`", "`label?`").replace("'ham'", "'h? m'"))
    told = "`label?` holds 'h? m' and 'spam': which class is positive? Choose it here"
    assert mapping.question(odd, odd) == told
    assert asked(pd.DataFrame({"text": ["a", "b"]})).endswith("choose it here")
    alone = asked(
        pd.DataFrame({"mail_id": ["a", "b"], "label": ["ham", "spam"]})
    )  # whoever begins with labels
    assert (
        "choose it here; if `label` holds labels known already, they go into the table with the scores"
        in alone
    )
    shares = pd.DataFrame({"p0": [0.2, 0.7], "p1": [0.8, 0.3], "label": ["a", "b"]})
    assert asked(shares).startswith(
        "`p0`, `p1` sum to 1 in each row: if they are the scores of the classes, rename"
    )
    assert asked(pd.DataFrame({"pred": [[], []]})) == "which classes are there? Choose them here"
    lists = pd.DataFrame({"probs": [[0.2, 0.8]] * 2, "label": ["ham", "spam"]})
    assert asked(lists).endswith("names 'ham', 'spam': give each class a column")
    twice = asked(pd.DataFrame({"pred": ["Cat", "cat", "dog"]}))  # only the file can tell
    assert twice == "are 'Cat' and 'cat' one class? Spell it in one way"
    assert not asked(names[["score"]])
    undone = mapping.question(Columns("binary"), guess_columns(names[["score"]]))
    assert undone == "no column is taken for the model's score or prediction: choose it here"


@pytest.mark.usefixtures("folder")
def test_a_column_that_is_chosen_to_be_no_identifier_names_no_labels() -> None:
    """The labels were looked up by it all the same, and the page stopped: rows are numbered, and none is called "a-0"."""
    rows = "\n".join(f"a-{k},{k / 20},{k % 2}" for k in range(20))
    at = upload("named.csv", f"id,score,label\n{rows}".encode())
    assert box(at, "Identifier").value == "id"
    unbroken(box(at, "Identifier").select_index(0).run())
    assert not at.error
    assert {metric.label: metric.value for metric in at.metric}["Known labels"] == "20"
