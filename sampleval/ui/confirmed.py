"""What was confirmed about a file's columns, kept in the address: a reload finds it, and so does the way back from a page."""

from __future__ import annotations

import binascii
import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import get_args

import pandas as pd
import streamlit as st

from sampleval.pool import Columns, Kind
from sampleval.pool.building import Transform
from sampleval.pool.files import columns_of
from sampleval.ui import shell

LONGEST = 2000  # characters in an address that every browser takes
LEAST: dict[Kind, int] = {"binary": 2, "multiclass": 2, "multilabel": 1, "regression": 0}  # classes
MOST = 100_000  # characters that they may stand for


@dataclass(frozen=True, slots=True)
class Mapping:
    """What the user confirmed: the columns' roles, and how scores become decisions."""

    columns: Columns
    threshold: float = 0.5
    transform: Transform | None = None


def usual(df: pd.DataFrame, key: str, guess: Callable[[], Columns], *, asked: bool) -> Mapping:
    """What the controls begin with: what was confirmed of this file, or a guess; the same as long as they are there.

    Args:
        df: The table.
        key: Tells one file from another.
        guess: Guesses the roles.
        asked: Whether the controls are there already.
    """
    held = st.session_state.get("_usual")
    if not (asked and isinstance(held, tuple) and held[0] == key):
        told = read(shell.recall("columns"), df, key)
        held = st.session_state["_usual"] = key, Mapping(guess()) if told is None else told
    mapping: Mapping = held[1]
    return mapping


def keep(mapping: Mapping, guess: Columns, key: str) -> None:
    """Put what was confirmed into the address, unless it is the guess."""
    text = "" if mapping == Mapping(guess) else written(mapping, key)
    shell.remember("columns", text)
    if len(text) > LONGEST:  # known in this session all the same
        st.query_params.pop("columns", None)


def written(mapping: Mapping, key: str) -> str:
    """A mapping as a word of letters and digits."""
    said = json.dumps({"file": _mark(key), **asdict(mapping)}, separators=(",", ":"))
    return urlsafe_b64encode(zlib.compress(said.encode(), 9)).decode()


def read(text: str, df: pd.DataFrame, key: str) -> Mapping | None:
    """The mapping that `written` made of this file; `None` of any other text."""
    try:
        said = json.loads(zlib.decompressobj().decompress(urlsafe_b64decode(text), MOST))
        columns = columns_of(said["columns"])
        mapping = Mapping(columns, float(said["threshold"]), said["transform"])
        names = {*columns.fields, *columns.hidden, *(name for _, name in columns.roles)}
        texts = (
            *columns.classes,
            columns.explanation,
            columns.question,
            *(own.name for own in columns.systems),
        )
        words = all(isinstance(text, str) for text in texts) and len(columns.classes) >= LEAST[columns.kind]
        known = columns.kind in get_args(Kind) and said["transform"] in (None, *get_args(Transform))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error, binascii.Error):
        return None
    fits = said["file"] == _mark(key) and names <= set(map(str, df.columns)) and 0 <= mapping.threshold <= 1
    return mapping if fits and words and known else None


def _mark(key: str) -> str:
    return blake2b(key.encode(), digest_size=6).hexdigest()
