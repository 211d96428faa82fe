"""Controls that several pages have: for a number of labels, for the level of intervals, and for a file to send."""

from __future__ import annotations

import re
from collections.abc import Callable

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from sampleval.intervals import LEVEL
from sampleval.ui import address, words

LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99)
STEPS = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)


def budgets(size: int) -> list[int]:
    """Round numbers of labels to choose from, between a few and the whole pool."""
    steps = [*range(1, 10), *(step * 10**power for power in range(8) for step in STEPS)]
    return [*(step for step in steps if step < size), size]


def budget(
    question: str, size: int, usual: int, *, held: int = 0, key: str = "labels", help: str | None = None
) -> int:
    """Ask for a number of labels: a round one, at first that nearest to the usual one, or the one in the address.

    Of a pool of this size the items held beforehand are not asked; more in the address than are left mean all of these.
    """
    options = budgets(left := size - held)
    usual = min(options, key=lambda n: abs(n - usual))
    if re.fullmatch("[1-9][0-9]{0,9}", told := address.recall(key)) and int(told) <= size:
        address.remember(key, str(wanted := min(int(told), left)))
        options = sorted({*options, wanted})
    return st.select_slider(
        question, options, format_func=words.count, help=help, **address.bound(key, options, usual)
    )


def level(question: str, key: str, *, help: str | None = None) -> float:
    """Ask for the level of intervals; the key is also in the address."""
    looks = address.bound(key, LEVELS, LEVEL)
    return st.select_slider(question, LEVELS, format_func=words.sure, help=help, **looks)


def submitted(
    label: str, file: UploadedFile | None, *, first: Callable[[], None] | None = None
) -> UploadedFile | None:
    """The file of a form, once its button is pressed, which first calls `first`; without a file a press shows a message."""
    if not st.form_submit_button(label, icon=":material/upload:", on_click=first):
        return None
    if file is None:
        st.warning("First choose a file above.", icon=":material/help:")
    return file
