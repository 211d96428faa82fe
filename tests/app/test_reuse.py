"""Labels of a study whose pool had other scores or columns, taken over by the same items."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest

import sampleval as sv
from sampleval.ui import stores
from tests.app.steps import begun, button, said, stored, upload
from tests.apps import fine, start, told, unbroken

pytestmark = pytest.mark.usefixtures("folder")

N = 80
TEXTS = [f"review {chr(97 + k % 26)}{k * 37 % 101}" for k in range(N)]
UNIQUE = [f"r{k:03}-{k * 7919 % 9973:x}f" for k in range(N)]


def table(version: int = 1, **columns: Any) -> pd.DataFrame:
    """The same reviews, as a version of the model scores them."""
    scores = np.random.default_rng(version).random(N).round(4)
    return pd.DataFrame({"score": scores, "text": TEXTS}).assign(**columns)


def pool(frame: pd.DataFrame, **told: Any) -> sv.Pool:
    return sv.Pool.from_frame(frame, score="score", **told)


def labelled(frame: pd.DataFrame, name: str = "before", n: int = 12, **told: Any) -> sv.study.Study:
    """A stored study of these items with n labels."""
    study = sv.create_study(pool(frame, **told), metric="f1", budget=20, storage=stores.storage(), name=name)
    while study.labels < n:
        for item in study.ask(n - study.labels):
            study.tell(item, item.place % 2)
    return study


def plan(frame: pd.DataFrame, **told: Any) -> AppTest:
    """The Plan page of these items."""
    return start("Plan", pool=stored(pool(frame, **told)))


def offered(at: AppTest) -> list[str]:
    return list(at.selectbox(key="held").options[1:])


def test_labels_given_under_an_earlier_models_scores_can_be_taken_over() -> None:
    earlier = labelled(table(1))
    at = plan(table(2))
    assert at.selectbox(key="held").value == ""
    assert offered(at) == ["before · 12 of 12 labels, of another table"]
    assert "recognised" not in said(at)
    unbroken(at.selectbox(key="held").set_value("before").run())
    assert "12 of its 12 labels are for items of this pool, which had other scores or columns there" in said(
        at
    )
    assert "recognised by their ids and by what is shown of them" in said(at)
    assert "Equal in both for all 12 labelled items\\: “text”" in said(at)
    assert "each counts for its own item alone" in said(at)
    study = begun(at, "create")
    assert study.known_labels() == earlier.known_labels()
    assert not study.settings.held_random
    assert not {item.id for item in study.ask(5)} & earlier.known_labels().keys()


def test_labels_of_a_table_with_another_column_also_teach() -> None:
    labelled(table(1))
    at = unbroken(plan(table(1, language="en")).selectbox(key="held").set_value("before").run())
    assert "The scores are the same, so that these labels also teach" in said(at)
    assert begun(at, "create").settings.held_random


def test_row_numbers_alone_make_no_items_the_same() -> None:
    labelled(table(1, text=TEXTS[::-1]))
    other = plan(table(2))
    assert (offered(other), "is not in the list" in said(other)) == ([], False)
    labelled(table(1)[["score"]], "bare")
    bare = plan(table(2)[["score"]])
    assert offered(bare) == []
    assert "“bare” is not in the list\\: ids such as '0' may be mere row numbers" in said(bare)
    held = fine(start("Plan", pool=pool(table(2)).fingerprint, held="before"))
    assert "held = before, which cannot be chosen here" in held.warning[0].value.replace("\\", "")


def test_a_field_that_differs_is_named_where_ids_may_be_row_numbers() -> None:
    labelled(table(1, reason=[f"because {k}" for k in range(N)]))
    at = plan(table(2, reason="none"))
    assert offered(at) == []
    assert "'reason' differs for 64 of 64 items that were compared" in said(at)


def test_ids_that_are_no_numbers_are_enough_and_what_differs_is_said() -> None:
    earlier = labelled(table(1, id=UNIQUE))
    frame = table(2, id=UNIQUE, text=[text.upper() for text in TEXTS]).iloc[20:]
    here = {id for id in earlier.known_labels() if id in UNIQUE[20:]}
    at = plan(frame)
    assert offered(at) == [f"before · {len(here)} of 12 labels, of another table"]
    unbroken(at.selectbox(key="held").set_value("before").run())
    assert f"Not equal\\: “text” for {len(here)} of {len(here)} labelled items" in said(at)
    assert begun(at, "create").known_labels().keys() == here


def test_items_that_only_begin_alike_are_refused_when_all_are_compared() -> None:
    frame = pd.concat([table(1)] * 2, ignore_index=True).assign(
        text=[f"t{k * 7919 % 9973:x}" for k in range(2 * N)]
    )
    labelled(frame, n=20)
    changed = frame.assign(
        score=frame["score"][::-1].to_numpy(), text=[*frame["text"][:64], *"x" * (2 * N - 64)]
    )
    at = unbroken(plan(changed).selectbox(key="held").set_value("before").run())
    assert (
        "cannot be taken over\\: ids here may be mere row numbers, and 'text' differs for"
        in at.error[0].value
    )
    assert "create" not in [each.key for each in at.button]


@pytest.mark.parametrize(
    ("classes", "why"),
    [(("ham", "spam"), "and here of two classes, 'ham'"), (("1", "0"), "")],
)
def test_labels_of_other_classes_are_refused_and_the_same_in_another_order_are_not(
    classes: tuple[str, str], why: str
) -> None:
    earlier = labelled(table(1))
    at = plan(table(2), classes=classes)
    assert bool(offered(at)) is not bool(why)
    assert why in said(at).replace("\\", "")
    if not why:
        unbroken(at.selectbox(key="held").set_value("before").run())
        assert begun(at, "create").known_labels() == earlier.known_labels()


def test_data_tells_of_labels_that_there_are_and_leads_to_them() -> None:
    earlier = labelled(table(1))
    labelled(table(1), "second", n=3)
    at = upload("new.csv", table(2).to_csv(index=False).encode())
    assert (
        "12 of these items were labelled in “before” (with other scores or columns), and some in 1 other study."
        in said(at)
    )
    assert "resume" not in [each.key for each in at.button]
    at = button(at, "reuse")
    assert at.selectbox(key="held").value == "before"
    again = start("Plan", pool=told(at, "pool"), held=told(at, "held"))
    assert begun(again, "create").known_labels() == earlier.known_labels()
    nothing = upload("other.csv", table(3, text=TEXTS[::-1]).to_csv(index=False).encode())
    assert "reuse" not in [each.key for each in nothing.button]


def test_data_leads_back_to_a_study_of_the_same_scores() -> None:
    earlier = labelled(table(1))
    at = upload("old.csv", table(1).to_csv(index=False).encode())
    assert "12 of these items were labelled in “before”." in said(at)
    at = button(at, "resume")
    assert (told(at, "study"), told(at, "pool")) == ("before", earlier.pool.fingerprint)


def test_labels_given_or_taken_back_since_are_counted() -> None:
    earlier = labelled(table(1), n=5)
    fingerprint = stored(pool(table(2)))
    assert "5 of 5 labels" in offered(start("Plan", pool=fingerprint))[0]
    earlier.undo()
    assert "4 of 4 labels" in offered(start("Plan", pool=fingerprint))[0]
    stores.storage().rename("before", "renamed")
    assert offered(start("Plan", pool=fingerprint))[0].startswith("renamed · ")
    (stores.storage().folder / f"{earlier.pool.fingerprint}.parquet").unlink()
    assert told(at := start("Plan", pool=fingerprint), "pool") == fingerprint
    assert fine(at)
