"""Where a table comes from: a demo, an upload, or a file on the server."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import streamlit as st

from sampleval._checks import InputError, shown
from sampleval.pool.columns import Told
from sampleval.pool.files import aside
from sampleval.pool.tables.reading import read_frame
from sampleval.pool.tables.sources import FORMATS, find_source
from sampleval.storage import data_folder
from sampleval.ui import address, shell, stores, words
from sampleval.ui.data.demos import DEMOS

CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file to read: what people call it, a short name for studies made from it, and class names, () for its own."""

    path: Path
    name: str
    stem: str
    classes: tuple[str, ...] = ()


def choose() -> DataFile | None:
    """Let the user choose a source. The result is `None` until there is one, and if the address names a stored pool."""
    at_hand = bool(stores.named_pool())
    titles = {key: title for key, (title, _) in KINDS.items() if at_hand or key != STORED}
    _, ask = KINDS[
        shell.choice("Where are your data?", titles, key="source", default=STORED if at_hand else None)
    ]
    return ask()


def _demo() -> DataFile:
    usable = {key: demo for key, demo in DEMOS.items() if (stores.demo_folder() / demo.file).is_file()}
    key = st.radio(
        "Demo set",
        list(usable),
        format_func=lambda key: usable[key].title,
        captions=[demo.about for demo in usable.values()],
        label_visibility="collapsed",
        **address.bound("demo", usable),
    )
    demo = usable[key]
    return DataFile(stores.demo_folder() / demo.file, demo.title, key, demo.classes)


def _upload() -> DataFile | None:
    turn = st.session_state.setdefault("_uploads", 0)
    file = st.file_uploader(
        f"A table with one row per item: {FORMATS}, also gzipped",
        key=f"upload_{turn}",
        help="It stays on this machine. Very large files: choose “File on the server”.",
    )
    if file is not None:
        # An open view would outlive an error, and the file.
        with shell.mistakes_in_words(), file.getbuffer() as data:
            address.remember("upload", f"{_to_disk(data, file.name)}-{file.name}")
        st.session_state["_uploads"] = turn + 1  # a fresh widget lets go of the file's copy in memory
        st.rerun()
    told = address.recall("upload")
    if not told:
        return None
    address.remember("upload", told)  # back from another page, the address has to be told again
    digest, _, name = told.partition("-")
    with shell.mistakes_in_words():
        path = _on_disk(digest, name)
    st.caption(f"Uploaded: {words.name(words.short(name))}")
    return DataFile(path, name, _stem(name))


def _to_disk(data: memoryview, name: str) -> str:
    """Keep a copy of the upload on disk and return its SHA-256, which names it, so that the same file is kept once."""
    digest = hashlib.sha256()
    for start in range(0, len(data), CHUNK):
        digest.update(data[start : start + CHUNK])
    path = _uploads() / f"{digest.hexdigest()}{_ending(name)}"
    if not path.exists():
        with aside(path) as part:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(data)
    return digest.hexdigest()


def _on_disk(digest: str, name: str) -> Path:
    """The copy whose SHA-256 the address contains. The name only distinguishes copies with different file endings."""
    if not stores.hexadecimal(digest):
        rule = "must begin with the 64 hexadecimal digits of an uploaded file"
        raise InputError(f"`upload` in the address {rule}; got {digest!r}; upload the file again")
    found = {path.name: path for path in _uploads().glob(f"{digest}*")}
    if not found:
        raise InputError(f"the uploaded file {name!r} is no longer on this machine; upload it again")
    return found.get(f"{digest}{_ending(name)}") or next(iter(found.values()))


def _uploads() -> Path:
    return data_folder() / "uploads"


def _ending(name: str) -> str:
    """The file ending that shows the format, e.g. ".csv.gz"."""
    return "".join(re.findall(r"\.\w{1,8}", name)[-2:]).lower()


def _on_server() -> DataFile | None:
    path = st.text_input(
        "Path of the file on the server",
        **address.typed("server_path"),
        placeholder="data/scored.parquet",
        help="Read where it lies, without a copy; ten million rows are fine.",
    ).strip()
    home = os.path.expanduser(path)  # noqa: PTH111 - leaves the home of nobody as it stands
    return DataFile(Path(home), path, _stem(path)) if path else None


def _stem(name: str) -> str:
    stem = unicodedata.normalize("NFC", Path(name).name.split(".")[0].lower())  # macOS takes ö apart
    return re.sub(r"[\W_]+", "-", stem).strip("-")[:40] or "study"


STORED = "stored"
# Key in the address → words, and what asks for the rest.
KINDS: Mapping[str, tuple[str, Callable[[], DataFile | None]]] = {
    "demo": ("Demo data", _demo),
    "upload": ("Upload a file", _upload),
    "server": ("File on the server", _on_server),
    STORED: ("At hand", lambda: None),
}


def table(source: DataFile) -> tuple[str, pd.DataFrame]:
    """The rows of the source, and a key that changes with the file. If it is unreadable, the page shows why and stops."""
    with shell.mistakes_in_words(), _called(source):
        stat = find_source(source.path).path.stat()  # says what is wrong with a path
        key = f"{source.path}|{stat.st_size}|{stat.st_mtime_ns}"
        return key, _table(key, source.path)


@contextmanager
def _called(source: DataFile) -> Iterator[None]:
    """Name the file as people do in errors raised while this is open."""
    on_disk = source.path.name
    known = on_disk in ("", Path(source.name).name)  # a path ends in the name already
    called = on_disk if known else source.name
    try:
        yield
    except ValueError as error:  # a long name stands there cut short
        said = str(error).replace(shown(on_disk), shown(called)).replace(on_disk, called)
        raise InputError(said.replace("`path`", "the file")) from None


@st.cache_resource(show_spinner="Reading the file …", max_entries=1)
def _table(key: str, _path: Path) -> pd.DataFrame:
    return read_frame(_path, Told())
