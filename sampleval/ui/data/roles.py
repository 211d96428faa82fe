"""The roles of a table's columns, guessed or chosen, remembered between runs of the page."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from sampleval._checks import InputError
from sampleval.pool import Columns
from sampleval.pool.columns import Told
from sampleval.pool.guessing.roles import resolve
from sampleval.ui import shell


def resolved(df: pd.DataFrame, told: Told, key: str) -> Columns:
    """The roles that follow from the choices. If there are none, the page shows the reason and stops."""
    with shell.mistakes_in_words():
        return _resolve(f"{key}|{told}", df, told)


def guessed(df: pd.DataFrame, told: Told, key: str) -> Columns:
    """The guessed roles. If the table allows no guess, there are no roles but a reason, so that the user can choose them."""
    try:
        return _resolve(f"{key}|{told}", df, told)
    except InputError as error:
        return Columns(told.kind or "binary", explanation=str(error))


@st.cache_resource(show_spinner=False, max_entries=16)
def _resolve(key: str, _df: pd.DataFrame, _told: Told) -> Columns:
    return resolve(_df, _told)
