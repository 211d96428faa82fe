"""Where studies and pools lie: databases' URLs, and folders beside them."""

from __future__ import annotations

import os
from pathlib import Path

import sqlalchemy as sa

from sampleval._checks import fail


def data_folder() -> Path:
    """The folder for data outside of databases: $SAMPLEVAL_DATA, or the working directory."""
    return Path(os.environ.get("SAMPLEVAL_DATA") or ".").expanduser()


def data_url() -> str:
    """The URL of the database in the data folder, written by SQLAlchemy: whether % has to be escaped depends on its version."""
    return sa.URL.create("sqlite", database=str(data_folder() / "sampleval.db")).render_as_string()


def pools_folder(url: str) -> Path:
    """The folder of the pools of a database's studies: beside an SQLite file, or in the data folder for a server.

    Args:
        url: SQLAlchemy URL.
    """
    file = _file(parsed(url))
    return (data_folder() if file is None else file.parent) / "pools"


def _file(url: sa.URL) -> Path | None:
    """The file of an SQLite database; `None` for a database on a server."""
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def there(url: sa.URL, *, new: bool, bare: bool) -> None:
    """Refuse an SQLite file that does not exist, if it may not be `new`, or if `bare` whose folder does not exist."""
    file = _file(url)
    if file is None or str(file).startswith("file:"):
        return
    if not new and not file.exists():
        fail("storage", "does not exist", str(url), remedy="is the place right?")
    if bare and not file.parent.is_dir():
        remedy = "check the spelling, or create the folder first"
        fail("storage", "must lie in a folder that exists", str(url), remedy=remedy)


def parsed(url: object) -> sa.URL:
    """The URL's parts. One that is not of a database on a server or in a file is refused."""
    try:
        found = sa.make_url(url)  # type: ignore[arg-type]
    except (sa.exc.ArgumentError, ValueError):
        remedy = "for a file write 'sqlite:///sampleval.db'"
        fail("storage", "must be a database URL", url, remedy=remedy)
    if found.get_backend_name() != "sqlite":
        return found
    if found.host:
        path = "/".join(part for part in (found.host, found.database) if part)
        remedy = f"write 'sqlite:///{path}', or with four slashes a path from the root"
        fail("storage", "must have three slashes before a file", url, remedy=remedy)
    if found.database in (None, "", ":memory:"):
        fail("storage", "must name a file", url, remedy="leave it out to keep a study in memory")
    if "\0" in str(found.database):
        fail("storage", "must name a file; a path holds no NUL", url)
    return found
