"""Studies by name, beside their pools and known labels."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import sampleval as sv
from sampleval.storage import Storage, data_url, pools_folder, tables
from tests.pools import binary
from tests.storage.events import FINGERPRINT, begun
from tests.studies import LABELS, POOL

pytestmark = pytest.mark.xdist_group("storage")  # one database server for all of these


def test_studies_are_found_renamed_and_deleted(storage: Storage) -> None:
    first = sv.create_study(POOL, metric="f1", budget=3, storage=storage, name="first")
    sv.create_study(POOL, metric="f1", budget=3, storage=storage, name="second")
    assert {record.name for record in storage.studies()} == {"first", "second"}
    (item,) = first.ask(1)
    storage.rename("first", "erste")
    first.tell(item, "spam")  # the open handle goes on: a rename changes no log
    assert sv.load_study("erste", storage).known_labels() == {item.id: "spam"}
    for old, new in (
        ("erste", "second"),
        ("nobody", "x"),
        ("erste", ""),
        ("erste", "x" * 201),
        ("erste", "a\nb"),
    ):
        with pytest.raises(sv.InputError, match="`name`"):
            storage.rename(old, new)
    storage.delete("erste")
    assert [record.name for record in storage.studies()] == ["second"]
    with pytest.raises(sv.InputError, match="there is 'second'"):
        sv.load_study("erste", storage)
    with pytest.raises(sv.InputError, match="`name`"):
        storage.delete("erste")
    with pytest.raises(sv.InputError, match="deleted"):
        first.tell(item, "ham")
    assert len(sv.load_study("second", storage).ask(5)) == 3


def test_a_name_is_taken_once_even_in_a_race(storage: Storage) -> None:
    def make(_: int) -> str:
        try:
            return storage.add("s", FINGERPRINT, begun()).id
        except sv.InputError as error:
            return str(error)

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(make, range(6)))
    assert sum("must be new" in text for text in found) == 5
    (record,) = storage.studies()
    assert len(storage.log(record.id).since(0)) == 1


def test_an_empty_database_may_be_opened_by_several_at_once(storage: Storage) -> None:
    """All but the first had been refused: the tables that they were about to create existed by then."""
    tables.METADATA.drop_all(storage.engine)
    quicker = sa.create_engine(storage.url, poolclass=sa.NullPool)

    @sa.event.listens_for(storage.engine, "before_cursor_execute")
    def _overtaken(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.strip().startswith("CREATE TABLE"):
            tables.METADATA.create_all(quicker)

    tables.lay_out(storage.engine)
    sa.event.remove(storage.engine, "before_cursor_execute", _overtaken)
    assert [storage.add("s", FINGERPRINT, begun())] == storage.studies()


def test_a_database_of_a_newer_format_is_refused_unchanged(storage: Storage) -> None:
    """Without a number it would be read by tables whose meaning has changed since, or be called another program's."""
    storage.add("s", FINGERPRINT, begun())
    with storage.engine.begin() as connection:
        connection.execute(tables.FORMATS.insert().values(format=tables.FORMAT + 1))
        connection.execute(sa.text("ALTER TABLE events RENAME COLUMN annotator TO person"))
    said = "must be a database of format 1, which this version reads; got 2; .* update sampleval$"
    with pytest.raises(sv.InputError, match=said):
        Storage.at(storage.url, storage.folder)
    with storage.engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE events RENAME COLUMN person TO annotator"))
        connection.execute(tables.FORMATS.delete().where(tables.FORMATS.c.format > tables.FORMAT))
        assert connection.scalars(sa.select(tables.FORMATS.c.format)).all() == [tables.FORMAT]
    assert len(Storage.at(storage.url, storage.folder).studies()) == 1


def test_a_database_from_before_formats_is_read_as_it_is(storage: Storage) -> None:
    """It may be read-only, so nothing is added to it."""
    record = storage.add("s", FINGERPRINT, begun())
    tables.FORMATS.drop(storage.engine)
    assert Storage.at(storage.url, storage.folder).studies() == [record]
    assert not sa.inspect(storage.engine).has_table(tables.FORMATS.name)


def test_a_study_reopens_from_its_own_pool_file(storage: Storage) -> None:
    study = sv.create_study(POOL, metric="recall", budget=6, preset="yilmaz-is", storage=storage, name="s")
    study.answer(LABELS, 4)
    again = sv.load_study("s", storage)
    assert again.pool is not POOL
    assert again.state == study.state
    assert again.estimates() == study.estimates()
    assert [item.fields["text"] for item in again.ask(2)] == [item.fields["text"] for item in study.ask(2)]


def test_a_missing_or_damaged_pool_is_said_so(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 's.db'}"
    sv.create_study(POOL, metric="f1", budget=3, storage=url, name="s")
    (path,) = (tmp_path / "pools").glob("*.parquet")
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(sv.InputError):
        sv.load_study("s", url)
    path.unlink()
    with pytest.raises(sv.InputError, match="missing"):
        sv.load_study("s", url)


@pytest.mark.parametrize("name", ["\ud800", "a\0b", "", "x" * 201])
def test_no_study_has_an_impossible_name(name: str, storage: Storage) -> None:
    assert storage.find(name) is None


def test_known_labels_lie_beside_their_pool(storage: Storage) -> None:
    storage.save_pool(POOL)
    assert storage.load_labels(POOL) is None
    storage.save_labels(LABELS)
    found = storage.load_labels(POOL)
    assert found is not None
    assert (found.values == LABELS.values).all()
    path = storage.folder / f"{POOL.fingerprint}.labels.parquet"
    binary(n=41)[1].to_parquet(path)
    with pytest.raises(sv.InputError, match="must hold the labels of this pool; these are of another"):
        storage.load_labels(POOL)


@pytest.mark.parametrize("name", ["the team’s 👩\u200d💻", "می\u200cخواهم", "क्\u200dष"])
def test_a_name_may_hold_joined_signs(name: str, tmp_path: Path) -> None:
    """The joiner in a picture of several, or in a Persian or Hindi word, was refused as unprintable."""
    url = f"sqlite:///{tmp_path / 's.db'}"
    sv.create_study(POOL, metric="f1", budget=10, storage=url, name=name)
    assert sv.load_study(name, url).name == name


@pytest.mark.parametrize(
    "name", [5, None, float("nan"), ["x"], 10**400, "", "a\nb", "\u200d", "a\u202eb"], ids=range(9)
)
def test_what_is_no_name_is_refused(name: Any, tmp_path: Path) -> None:
    storage = Storage.at(f"sqlite:///{tmp_path / 's.db'}")
    for use in (partial(sv.load_study, storage=storage), storage.delete, partial(storage.rename, new="b")):
        with pytest.raises(sv.InputError, match="`name` must be 1 to 200 printable characters"):
            use(name)


def test_pools_lie_beside_a_file_and_else_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = "postgresql+psycopg://me@127.0.0.1:1/none"
    monkeypatch.delenv("SAMPLEVAL_DATA", raising=False)
    assert pools_folder(server) == Path("pools")
    monkeypatch.setenv("SAMPLEVAL_DATA", str(tmp_path / "data"))
    assert pools_folder(server) == tmp_path / "data" / "pools"
    assert pools_folder(f"sqlite:///{tmp_path / 'there' / 's.db'}") == tmp_path / "there" / "pools"
    monkeypatch.setenv("SAMPLEVAL_DATA", "~/data")
    assert pools_folder(server) == Path.home() / "data" / "pools"


@pytest.mark.parametrize(
    "name",
    [
        "50%25 ä #1",
        pytest.param(
            "why?",
            marks=pytest.mark.skipif(
                sa.__version__ < "2.1",
                reason="a URL of SQLAlchemy 2.0 cannot have a question mark in its path",
            ),
        ),
    ],
)
def test_the_database_lies_in_the_data_folder_whatever_its_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAMPLEVAL_DATA", str(tmp_path / name))
    Storage.at(data_url(), pools_folder(data_url()))
    assert {path.name for path in (tmp_path / name).iterdir()} >= {"sampleval.db", "pools"}
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (lambda s: s.save_pool(None), "`pool` must be a Pool; got 'NoneType'"),
        (lambda s: s.save_labels(None), "`labels` must be a Labels; got 'NoneType'"),
        (lambda s: s.load_labels(None), "`pool` must be a Pool; got 'NoneType'"),
        (lambda s: s.at(s.url, folder=5), "`folder` must be a path; got 5"),
    ],
    ids=range(4),
)
def test_what_cannot_be_stored_is_refused_in_words(
    use: Callable[[Any], Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(sv.InputError, match=said):
        use(Storage.at(f"sqlite:///{tmp_path / 's.db'}"))
