"""Which column plays which role: the guess that the user confirms, and the pool that results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import pandas as pd
import streamlit as st

from sampleval._checks import shown
from sampleval.pool import Columns, Kind, Labels, Pool
from sampleval.pool.columns import Told
from sampleval.pool.guessing.no_output import labels_alone
from sampleval.pool.tables.lines import in_lines
from sampleval.ui import shell, words
from sampleval.ui.data import confirmed, offers, roles, several, sources, two_classes
from sampleval.ui.data.confirmed import Confirmed
from sampleval.ui.data.sources import DataFile

KINDS: dict[Kind, str] = {
    "binary": "one of two classes",
    "multiclass": "one of several classes",
    "multilabel": "any of several labels",
    "regression": "a number",
}
# Up to the question mark that ends it: one in a quoted name, `Churn?`, does not.
_ASKED = re.compile(r"(?:`[^`]*`|'[^']*'|[^?])*\?")


def of(source: DataFile) -> tuple[Pool, Labels | None]:
    """The pool of a source, whose columns the page asks about, and its known labels, if it has some."""
    key, table = sources.table(source)
    return read(table, confirm(table, classes=source.classes, key=key), key)


def confirm(df: pd.DataFrame, *, classes: tuple[str, ...] = (), key: str) -> Confirmed:
    """Show the guessed roles for correction; the key separates the widgets of one file from those of another."""
    guessed = partial(roles.guessed, df, Told(classes=classes or None), key)
    names = frozenset(map(str, df.columns))
    usual = confirmed.usual(key, names, guessed, asked=f"kind_{key}" in st.session_state)
    guess = usual.columns
    opened = bool(guess.question or not guess.systems or st.session_state.get(f"asked_{key}"))
    note = st.container()
    with st.expander("**Columns**: is this right?", expanded=opened, icon=":material/view_column:"):
        head = st.container()
        usual = _of_kind(df, usual, classes, key)
        mapping = (
            two_classes.choose(df, usual, classes, key)
            if usual.columns.kind == "binary"
            else several.choose(df, usual, key)
        )
        with head:
            if asked := question(mapping.columns, usual.columns):
                st.warning(words.sentence(asked), icon=":material/help:")
            elif mapping.columns.explanation:
                st.caption(words.sentence(mapping.columns.explanation))
    confirmed.keep(mapping, key)  # what is chosen before all is answered, too
    if asked:
        if not opened:  # the question stands among the columns, where nobody would see it
            st.session_state[f"asked_{key}"] = True
            st.rerun()
        st.stop()
    if other := _forgotten(mapping, names):
        note.info(
            f"For the file before, {other}. Choices are not taken over: if they still hold, make them again among the columns.",
            icon=":material/history:",
        )
    offers.label(df, mapping.columns, key)
    return mapping


def _of_kind(df: pd.DataFrame, usual: Confirmed, classes: tuple[str, ...], key: str) -> Confirmed:
    """Ask what is predicted, and return what the other controls begin with: of another kind it is guessed anew."""
    was = usual.columns.kind
    kind = st.selectbox(
        "What is predicted?", [*KINDS], [*KINDS].index(was), format_func=KINDS.__getitem__, key=f"kind_{key}"
    )
    if kind == was:
        return usual
    return Confirmed(roles.guessed(df, Told(task=kind, classes=classes or None), key))


def question(columns: Columns, guess: Columns) -> str:
    """What the user still has to choose. The library's own question would explain how to say it in Python."""
    if not columns.systems:
        here = "no column is taken for the model's score or prediction: choose it here"
        return here if guess.systems else guess.explanation or here + labels_alone(columns)
    in_file, elsewhere, _ = columns.question.partition(", or name all with `classes`")
    asked = _ASKED.match(columns.question)
    if elsewhere or not asked:
        return in_file
    several = asked[0].startswith(("which columns ", "which classes "))
    return f"{asked[0]} Choose {'them' if several else 'it'} here"


def _forgotten(mapping: Confirmed, names: frozenset[str]) -> str:
    """What was chosen otherwise for the file before, if this one has the columns of its model too; "" if nothing was."""
    was, old_names = confirmed.before() or (mapping, names)
    if not was.columns.systems or not names.issuperset(was.columns.model):
        return ""
    told = [*_other_parts(was.columns, mapping.columns, old_names, names), *_other_meaning(was, mapping)]
    return words.coded(", ".join(told))


def _other_parts(
    old: Columns, new: Columns, old_names: frozenset[str], names: frozenset[str]
) -> Iterator[str]:
    """Which columns, there still, had another role, or were not shown."""
    now = {*new.roles}
    for role, name in old.roles:
        if name in names and (role, name) not in now:
            yield f"`{name}` was the {'decision' if role == 'pred' else role}"
    unseen = old_names - {*old.fields, *old.hidden, *old.used}
    yield from (f"`{name}` was not shown" for name in new.fields if name in unseen)


def _other_meaning(was: Confirmed, now: Confirmed) -> Iterator[str]:
    """What else was predicted, and how scores were read otherwise."""
    old, new = was.columns, now.columns
    if old.kind != new.kind:
        yield f"{KINDS[old.kind]} was predicted"
    elif old.kind == "binary" and old.classes == new.classes[::-1]:
        yield f"{shown(old.classes[-1])} was positive"
    if not (old.preds or new.preds) and was.threshold not in (0.5, now.threshold):
        yield f"the threshold was {was.threshold:g}"
    if was.transform not in (None, now.transform):
        yield f"the scores were {offers.SCALES[was.transform]}"


def read(df: pd.DataFrame, mapping: Confirmed, key: str) -> tuple[Pool, Labels | None]:
    """The pool and the known labels. If the table does not allow them, the page shows the reason and stops."""
    offer = partial(offers.scales, df, mapping.columns, key) if mapping.transform is None else None
    with shell.mistakes_in_words(offer=offer), in_lines(df):
        pool, known = _read(f"{key}|{mapping}", df, mapping)
        if mapping.transform is None:
            offers.confidence(pool, key)
        return pool, known


@st.cache_resource(show_spinner="Checking every row …", max_entries=2)
def _read(key: str, _df: pd.DataFrame, _mapping: Confirmed) -> tuple[Pool, Labels | None]:
    pool = Pool.from_columns(
        _df, _mapping.columns, threshold=_mapping.threshold, transform=_mapping.transform
    )
    columns, labels = _mapping.columns, _mapping.columns.label
    # Where rows are numbered, no other column counts as an identifier, whatever its name says.
    rows = _df if columns.id else _df[[*dict.fromkeys([*columns.model, *labels])]]
    return pool, Labels.from_frame(rows, pool) if labels else None
