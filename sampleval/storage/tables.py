"""The database's tables."""

from __future__ import annotations

from contextlib import suppress

import sqlalchemy as sa

from sampleval._checks import fail

FORMAT = 1  # raise it with every change of the tables that older versions would misread
METADATA = sa.MetaData()
STUDIES = sa.Table(
    "studies",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(200), nullable=False, unique=True),
    sa.Column("pool", sa.String(64), nullable=False),
    sa.Column("created", sa.String(40), nullable=False),
)
# Each study numbers its own events 1, 2, …, under a lock on its row above. A database's own sequence would not do: it
# gives out numbers before commit, so that a reader could see 8, go on from there, and never see a 7 committed later.
EVENTS = sa.Table(
    "events",
    METADATA,
    sa.Column("study", sa.String(32), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("uuid", sa.String(64), nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("annotator", sa.String(200), nullable=False),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("payload", sa.JSON, nullable=False),
    sa.UniqueConstraint("study", "uuid"),  # a copy of a study keeps its events' uuids
)
# The formats that a database has had. One without this table is of format 1, and stays as it is: it may be read-only.
FORMATS = sa.Table(
    "sampleval", METADATA, sa.Column("format", sa.Integer, primary_key=True, autoincrement=False)
)


def lay_out(engine: sa.Engine) -> None:
    """Create the tables of a new database, or those that are missing.

    A database of a newer format, or with other tables of the same names, is refused unchanged.
    """
    there = sa.inspect(engine)
    for table in (FORMATS, STUDIES, EVENTS):
        if there.has_table(table.name):
            found = {column["name"] for column in there.get_columns(table.name)}
            if not {column.name for column in table.columns} <= found:
                rule = f"must be a database of this program; its table {table.name!r} is another's"
                fail("storage", rule, remedy="name another file or database")
            if table is FORMATS:  # before the other tables, which may differ in a newer one
                _refuse_newer(engine)
    if not there.has_table(STUDIES.name):
        _create(engine, FORMATS)
        insert = FORMATS.insert().values(format=FORMAT)
        # Where another process has just told it, there is nothing left to do.
        with suppress(sa.exc.IntegrityError), engine.begin() as connection:
            connection.execute(insert)
    for table in (STUDIES, EVENTS):
        _create(engine, table)


def _refuse_newer(engine: sa.Engine) -> None:
    with engine.connect() as connection:
        found = connection.scalar(sa.select(sa.func.max(FORMATS.c.format)))
    if (found or FORMAT) > FORMAT:
        rule = f"must be a database of format {FORMAT}, which this version reads"
        fail("storage", rule, found, remedy="a newer version of sampleval made it: update sampleval")


def _create(engine: sa.Engine, table: sa.Table) -> None:
    try:
        table.create(engine, checkfirst=True)
    except sa.exc.DBAPIError:
        if not sa.inspect(engine).has_table(table.name):  # else another process has just created it
            raise
