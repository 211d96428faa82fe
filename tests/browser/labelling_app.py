"""Smallest possible caller of the labelling component: stores in SQLite, one study per URL.

Query parameters: ``task`` (a key of `TASKS`), ``study``, ``who``; ``plain=1`` leaves out `received`, ``fragment=1``
mounts in a fragment, ``turned=1`` turns the queue round after the first answer, ``picky=1`` refuses the first one;
``items`` says how many there are.
With ``LATER`` in the environment the component's text differs, as that of another version of sampleval does.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import streamlit as st

from sampleval.pool import Task
from sampleval.ui import browser
from sampleval.ui import labelling as component
from sampleval.ui.labelling import Card, Field, Message, buttons, labelling, received
from sampleval.ui.labelling.pictures import grey_png, uri

ITEMS = 200
HOSTILE = '<img src=x onerror="document.title=\'hacked\'"><b>bold</b> & "quotes"'
TITLES = ("apple airport extreme base station", "canon pixma mx700 printer", "sony bravia 40 inch lcd tv")


TASKS = {
    "binary": Task("binary", ("not an 8", "an 8")),
    "pairs": Task("binary", ("different things", "the same thing")),
    "text": Task("binary", ("harmless", "toxic")),
    "scan": Task("binary", ("typed", "written by hand")),
    "unnamed": Task("binary", ("no", "yes")),
    "signed": Task("binary", ("-1", "1")),
    "unbroken": Task("binary", ("no", "yes" * 200)),
    "multiclass": Task("multiclass", tuple(f"digit {n}" for n in range(10))),
    "digits": Task("multiclass", tuple("0123456789")),
    "many": Task("multiclass", tuple(f"{letter}{n} class" for letter in "abcd" for n in range(10))),
    "lettered": Task("multiclass", (*(f"topic {n}" for n in range(12)), "B", "S")),
    "letters": Task("multiclass", tuple("abcdefghijkl")),
    "wordy": Task(
        "multiclass", tuple(f"customers who complain about {n} broken or late parcels" for n in range(12))
    ),
    "multilabel": Task("multilabel", ("anger", "joy", "fear", "surprise")),
    "tags": Task("multilabel", (*(f"tag {letter}" for letter in "abcdefghij"), "Ärger")),
    "named": Task(
        "multilabel", ("sport", "politics", "economy", "culture", "returns_and_refunds", "local news")
    ),
    "arabic": Task("binary", ("سلبي.", "إيجابي!")),
    "regression": Task("regression", ()),
}


@contextmanager
def database() -> Iterator[sqlite3.Connection]:
    """Open a connection for one piece of work: several sessions write at once."""
    path = Path(os.environ["SAMPLEVAL_DATA"]) / "answers.sqlite"
    with closing(sqlite3.connect(path, timeout=5)) as connection, connection:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS answers (seq INTEGER PRIMARY KEY, study, uuid UNIQUE, kind, id, value, seconds)"
        )
        yield connection


def store(study: str, answers: Iterable[Message]) -> None:
    """Store answers; a repeated uuid is success."""
    with database() as connection:
        for a in answers:
            row = (study, a.uuid, a.kind, a.id, json.dumps(a.value), a.seconds)
            connection.execute(
                "INSERT OR IGNORE INTO answers (study, uuid, kind, id, value, seconds) VALUES (?, ?, ?, ?, ?, ?)",
                row,
            )


def stored_uuids(study: str) -> set[str]:
    """Return the uuids of all stored events."""
    with database() as connection:
        return {uuid for (uuid,) in connection.execute("SELECT uuid FROM answers WHERE study = ?", (study,))}


def answered(study: str) -> list[str]:
    """Return the ids of the answers that stand, oldest first."""
    stack: list[str] = []
    with database() as connection:
        rows = connection.execute(
            "SELECT kind, id FROM answers WHERE study = ? ORDER BY seq", (study,)
        ).fetchall()
    for kind, item in rows:
        if kind == "undo":
            del stack[-1:]
        elif kind != "note":
            stack.append(item)
    return stack


def picture(number: int) -> str:
    """Return an 8 × 8 grey-scale PNG as a data URI."""
    grey = [255 * ((x * y + number) % 5 == 0 or x == number % 8) for y in range(8) for x in range(8)]
    return uri("image/png", grey_png(bytes(grey), 8))


def card(task: str, number: int) -> Card:
    """Return the card of one item."""
    caption = Field("item", "text", f"item {number}")
    if task == "pairs":
        left, right = TITLES[number % 3], TITLES[number % 2]
        fields = (
            Field("left_title", "text", left),
            Field("right_title", "text", right),
            Field("left_brand", "text", left.split()[0]),
            Field("right_brand", "text", right.split()[0]),
            Field("left_price", "number", "179.00"),
            Field("right_price", "number", "179.00" if number % 2 else ""),
            Field("left_description", "text", "wireless, 802.11n, white, up to 50 users"),
            Field("right_description", "text", "wireless 802.11n"),
            caption,
        )
        return Card(str(number), fields, note="model score 0.31")
    if task == "text":
        comment = Field("comment", "text", HOSTILE + "\n" + "a long comment " * 150)
        return Card(
            str(number),
            (caption, comment, Field("reply", "text", " \n"), Field("code", "text", "if x:\n    y\n<b>")),
        )
    if task == "arabic":
        return Card(str(number), (caption, Field("النص:", "text", "مرحبا بالعالم!\nand iPhone (128 GB)!")))
    if task == "scan":  # three times as high as wide
        scan = uri("image/png", grey_png(bytes(range(256)) * 1_000 + bytes(14_000), 300))
        return Card(str(number), (Field("page", "image", scan), caption))
    if task == "binary":
        return Card(str(number), (Field("picture", "image", picture(number)), caption))
    return Card(str(number), (caption, Field("comment", "text", f"comment number {number} " * 5)))


def main() -> None:
    """Run the page."""
    task, study = st.query_params.get("task", "binary"), st.query_params.get("study", "demo")
    who = st.query_params.get("who", "ann")
    refused: dict[str, str] = st.session_state.setdefault("refused", {})
    if "plain" not in st.query_params:
        answers = received(study=study, annotator=who, key="label")
        if "picky" in st.query_params and not refused:
            refused.update((answer.uuid, "too early") for answer in answers[:1])
        store(study, (answer for answer in answers if answer.uuid not in refused))
    done = stored_uuids(study) | refused.keys()
    items = int(st.query_params.get("items", ITEMS))
    standing = answered(study)
    st.caption(f"{len(standing)} answered")
    waiting = [number for number in range(items) if str(number) not in standing]
    cards = [card(task, number) for number in waiting[:20]]
    if "turned" in st.query_params and standing:
        cards.reverse()
    late = labelling(
        cards,
        task=TASKS[task],
        acknowledged=done,
        refused=refused,
        usual=(-10, 2000),
        study=study,
        annotator=who,
        key="label",
    )
    store(study, late)
    if late:
        st.rerun()


if "LATER" in os.environ:
    ledger, cards, *others = component._SCRIPTS
    vars(component)["_SCRIPTS"] = (cards, ledger, *others)

if __name__ == "__main__":
    browser.style(presenting=False)
    if not st.checkbox("hide"):
        (st.fragment(main) if "fragment" in st.query_params else main)()
    if st.query_params.get("task") == "arabic":
        buttons.show(card("arabic", 0), "plain")
    st.text_input("elsewhere")
    if st.button("cover"):
        st.dialog("A dialog")(lambda: st.write("covers the item"))()
