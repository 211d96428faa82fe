"""The roles of a table's columns as guessed and as told, remembered from run to run of the page."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from sampleval.pool import Columns, InputError
from sampleval.pool.columns import Told
from sampleval.pool.guessing import resolve
from sampleval.ui import shell


def resolved(df: pd.DataFrame, told: Told, key: str) -> Columns:
    """The roles that follow from what is told; the page stops with words if none do."""
    with shell.mistakes_in_words():
        return _resolve(f"{key}|{told}", df, told)


def guessed(df: pd.DataFrame, told: Told, key: str) -> Columns:
    """The roles as guessed; where the table allows no guess, none but the reason, so that they can be chosen."""
    try:
        return _resolve(f"{key}|{told}", df, told)
    except InputError as error:
        kind = told.task if isinstance(told.task, str) else "binary"
        return Columns(kind, explanation=str(error))


@st.cache_resource(show_spinner=False, max_entries=16)
def _resolve(key: str, _df: pd.DataFrame, _told: Told) -> Columns:
    return resolve(_df, _told)
