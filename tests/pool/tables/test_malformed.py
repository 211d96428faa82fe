"""Damaged, misnamed and mixed-up files: Pool.read gives a pool or one clear sentence, nothing else."""

from __future__ import annotations

import gzip
import io
import json
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from sampleval._checks import InputError
from sampleval.pool import Kind, Labels, Pool

Random = np.random.Generator
PLAIN = "nan inf -1 1e999 1.7 é [1,2] {} null true yes NaT 2024-01-01 0x1f =1+1 <b> id score 1_0"
WORDS = [*PLAIN.split(), "", "\0", '"', ",", ";", "\t", "\n", "\r\n", "\ufeff", "9" * 40]


def rows(rng: Random) -> pd.DataFrame:
    """A small sound pool: binary, multiclass, multilabel or regression."""
    n = int(rng.integers(1, 12))
    frame = pd.DataFrame({"id": [f"a{k}" for k in range(n)], "text": [f"text {k}, plain" for k in range(n)]})
    kind = rng.integers(4)
    block = rng.random((n, 3)).round(3)
    if kind == 0:
        frame["score"], frame["label"] = block[:, 0], rng.integers(2, size=n)
    elif kind == 1:
        for k, name in enumerate(("cat", "dog", "cow")):
            frame[f"score_{name}"] = block[:, k] / block.sum(axis=1)
        frame["label"] = rng.choice(["cat", "dog", "cow"], size=n)
    elif kind == 2:
        for k, name in enumerate(("red", "green")):
            frame[f"score_{name}"], frame[f"pred_{name}"] = block[:, k], (block[:, k] > 0.5).astype(int)
    else:
        frame["pred"], frame["pred_sd"], frame["label"] = block[:, 0] * 9, block[:, 1], block[:, 2] * 9
    return frame


def strange(frame: pd.DataFrame, rng: Random) -> pd.DataFrame:
    """The frame with a strange cell, column or name."""
    frame = frame.astype(object)
    cells: list[Any] = [
        None,
        float("nan"),
        float("inf"),
        -0.1,
        1e300,
        10**30,
        "x",
        "",
        "a\0b",
        True,
        [1, 2],
        {"k": 1},
    ]
    cells += [pd.Timestamp("2024-01-01"), b"\xff", "a0", "\ud800"]
    column = int(rng.integers(frame.shape[1]))
    act = rng.integers(5)
    if act == 0:
        same = list(frame.iloc[:, column])
        same[int(rng.integers(len(frame)))] = cells[int(rng.integers(len(cells)))]
        frame[frame.columns[column]] = pd.Series(same, dtype=object)
    elif act == 1:
        same = [cells[int(rng.integers(len(cells)))]] * len(frame)
        frame[frame.columns[column]] = pd.Series(same, dtype=object)
    elif act == 2:
        names = [*WORDS, "system", "pred", "label", "a.score", "score_"]
        frame = frame.rename(columns={frame.columns[column]: names[int(rng.integers(len(names)))]})
    elif act == 3:
        frame = frame.iloc[:, list(rng.permutation(frame.shape[1])[:-1])]
    else:
        frame = pd.concat([frame, frame.iloc[: int(rng.integers(2))]])
    return frame


def as_csv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode("utf-8", "surrogatepass")


def as_tsv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False, sep="\t").encode("utf-8", "surrogatepass")


def as_json_lines(frame: pd.DataFrame) -> bytes:
    names = [json.dumps(str(name)) for name in frame.columns]  # repeated names stay repeated
    cells = (
        [json.dumps(cell, default=str) for cell in row] for row in frame.itertuples(index=False, name=None)
    )
    lines = (", ".join(f"{name}: {cell}" for name, cell in zip(names, row, strict=True)) for row in cells)
    return "\n".join(f"{{{line}}}" for line in lines).encode()


def as_parquet(frame: pd.DataFrame) -> bytes:
    arrays = [arrow([*frame.iloc[:, k]]) for k in range(frame.shape[1])]  # names may repeat
    file = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, names=[str(name) for name in frame.columns]), file)
    return file.getvalue()


def arrow(cells: list[object]) -> pa.Array:
    """The cells as Arrow infers them, or as text where their types do not mix."""
    try:
        return pa.array(cells)
    except (pa.ArrowException, UnicodeError, OverflowError):
        return pa.array([ascii(cell) for cell in cells])


def as_xlsx(frame: pd.DataFrame) -> bytes:
    book = Workbook()
    for row in [tuple(frame.columns), *frame.itertuples(index=False, name=None)]:
        book.active.append([cell if type(cell) in (int, float, bool) else printable(cell) for cell in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def printable(cell: object) -> str | None:
    """The cell as text that a workbook can hold."""
    return (
        None
        if cell is None
        else ILLEGAL_CHARACTERS_RE.sub("?", str(cell).encode("utf-8", "replace").decode())
    )


def as_json_list(frame: pd.DataFrame) -> bytes:
    return b"[" + b",\n".join(as_json_lines(frame).splitlines()) + b"]"


WRITERS: dict[str, Callable[[pd.DataFrame], bytes]] = {
    ".csv": as_csv,
    ".tsv": as_tsv,
    ".json": as_json_list,
    ".jsonl": as_json_lines,
    ".parquet": as_parquet,
    ".xlsx": as_xlsx,
}


def damaged(data: bytes, rng: Random) -> bytes:
    """The bytes with one to three local injuries."""
    broken = bytearray(data)
    for _ in range(int(rng.integers(1, 4))):
        at = int(rng.integers(len(broken) + 1))
        to = at + int(rng.integers(1, 20))
        act = rng.integers(6)
        if act == 0 and at < len(broken):
            broken[at] = int(rng.integers(256))
        elif act == 1:
            del broken[at:to]
        elif act == 2:
            broken[at:at] = WORDS[int(rng.integers(len(WORDS)))].encode()
        elif act == 3:
            broken[at:at] = rng.bytes(int(rng.integers(1, 9)))
        elif act == 4:
            broken[at:at] = broken[at:to] * 2
        elif rng.random() < 0.3:
            del broken[at:]
    return bytes(broken)


def damaged_within(archive: bytes, rng: Random) -> bytes:
    """A sound archive one of whose parts is damaged: of the whole only the checksums are ever read."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w") as new:
        names = old.namelist()
        unlucky = str(rng.choice([*names, *[name for name in names if "sheet1" in name] * len(names)]))
        for name in names:
            part = old.read(name)
            new.writestr(name, damaged(part, rng) if name == unlucky else part)
    return out.getvalue()


def malformed(rng: Random, folder: Path) -> Path:
    """One file with some fault: in a cell, in its bytes, in its name or in its compression."""
    frame = rows(rng)
    if rng.random() < 0.6:
        frame = strange(frame, rng)
    written = str(rng.choice(list(WRITERS)))
    named = written if rng.random() < 0.93 else str(rng.choice([*WRITERS, ".txt", ""]))
    try:
        data = WRITERS[written](frame)
    except UnicodeEncodeError:
        data = b"\xed\xa0\x80"
    if written == ".xlsx" and rng.random() < 0.5:
        data = damaged_within(data, rng)
    elif rng.random() < 0.7:
        data = damaged(data, rng)
    if rng.random() < 0.05:
        data = gzip.compress(data)
        data = damaged(data, rng) if rng.random() < 0.5 else data
        named += ".gz"
    path = folder / f"pool{named}"
    path.write_bytes(data)
    return path


def check(path: Path) -> str:
    """Read the file; a pool must be valid, a refusal must be helpful."""
    try:
        pool = Pool.read(path)
    except InputError as error:
        helpful(str(error))
        return "refused"
    valid(pool)
    return "read"


def helpful(message: str) -> None:
    """Check that a message is one line of plain words, without the reader's own names."""
    assert 20 < len(message) < 1000, message
    assert "\n" not in message, message
    assert not any(word in message for word in ("Traceback", "pyarrow", "DataFrame.", "object at 0x")), (
        message
    )


def valid(pool: Pool) -> None:
    """Check what every pool promises."""
    assert pool.size == len(pool.ids) == len(pool.fields) >= 1
    assert len(set(pool.ids)) == pool.size
    assert all(isinstance(item, str) and item for item in pool.ids)
    assert pool.report
    assert len(pool.fingerprint) == 64
    for system in pool.systems:
        assert len(system.score) == len(system.pred) == pool.size
        assert np.isfinite(system.score).all()
        assert ((system.score >= 0) & (system.score <= 1)).all()
        assert np.isfinite(system.pred).all()
        if pool.task.kind == "multiclass":
            assert set(np.unique(system.pred)) <= set(range(pool.task.width))
        elif pool.task.kind != "regression":
            assert set(np.unique(system.pred)) <= {0, 1}
    again = pool.position(pool.ids[-1])
    assert again == pool.size - 1


def many(count: int, seed: int, folder: Path) -> Counter[str]:
    """Read that many malformed files; name the seed of the first that misbehaves."""
    met: Counter[str] = Counter()
    for k in range(count):
        path = malformed(np.random.default_rng([seed, k]), folder)
        try:
            met[check(path)] += 1
        except Exception as error:  # noqa: BLE001 - any other type is what is looked for
            pytest.fail(
                f"seed [{seed}, {k}], {path.name}: {type(error).__name__}: {error}\n{path.read_bytes()[:600]!r}"
            )
        path.unlink()
    return met


def test_some_malformed_files(tmp_path: Path) -> None:
    met = many(150, 1, tmp_path)
    assert met["refused"] > 30
    assert met["read"] > 15


@pytest.mark.slow
def test_ten_thousand_malformed_files(tmp_path: Path) -> None:
    met = many(10_000, 2, tmp_path)
    assert met["refused"] > 2_000
    assert met["read"] > 1_000


STRANGE: dict[str, Any] = {
    "small": np.array([0, 1, 0, 1], "i1"),
    "unsigned": np.array([2**64 - 1] * 4, "u8"),
    "half": np.array([0.1, 0.2, 0.3, 0.4], "f2"),
    "long": np.array([0.1, 0.2, 0.3, 0.4], np.longdouble),
    "complex": np.array([1j] * 4),
    "nullable whole": pd.array([0, 1, None, 1], dtype="Int64"),
    "nullable real": pd.array([0.1, 0.2, 0.3, 0.4], dtype="Float32"),
    "nullable truth": pd.array([True, None, False, True], dtype="boolean"),
    "period": pd.period_range("2024", periods=4, freq="M"),
    "interval": pd.interval_range(0, 4),
    "sparse": pd.arrays.SparseArray([0.0, 0.5, 0.0, 1.0]),
    "duration": pd.timedelta_range("1D", periods=4),
    "zoned": pd.date_range("2024", periods=4, tz="Asia/Tokyo"),
    "category": pd.Categorical(["a", "b", "a", None]),
    "category of numbers": pd.Categorical([0, 1, 0, 1]),
    "category of numbers, one missing": pd.Categorical([0, 1, None, 1]),
    "decimal": pd.Series([Decimal("0.5")] * 4, dtype=object),
    "mixed": pd.Series([1, "a", None, 2.5], dtype=object),
    "lists": pd.Series([[1], [2, 3], [], None], dtype=object),
    "arrays": pd.Series([np.arange(2.0)] * 4, dtype=object),
    "records": pd.Series([{"a": 1}] * 4, dtype=object),
    "sets": pd.Series([{1}] * 4, dtype=object),
    "bytes": pd.Series([b"a", b"\xff", b"", None], dtype=object),
    "huge": pd.Series([10**400] * 4, dtype=object),
    "missing": pd.Series([None, pd.NA, pd.NaT, np.nan], dtype=object),
    "arrow real": pd.Series([0.1, 0.2, 0.3, None], dtype=pd.ArrowDtype(pa.float64())),
    "arrow list": pd.Series([[1.0, 2.0]] * 4, dtype=pd.ArrowDtype(pa.list_(pa.float64()))),
    "arrow record": pd.Series([{"a": 1}] * 4, dtype=pd.ArrowDtype(pa.struct([("a", pa.int64())]))),
    "surrogate": pd.Series(["\ud800"] * 4, dtype=object),
    "objects": pd.Series([Pool, object(), len, 3], dtype=object),
}


ROLES = ["id", "score", "pred", "label", "text", "model", "a.score"]
TASKS: list[Kind] = ["binary", "multiclass", "multilabel", "regression"]


@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize("role", ROLES)
def test_columns_of_strange_types(role: str, kind: str) -> None:
    """With the task guessed, and with one that is told: each of them for each role and for each type."""
    frame = pd.DataFrame({"id": list("wxyz"), "score": [0.1, 0.2, 0.6, 0.9], "label": [0, 1, 0, 1]})
    frame[role] = STRANGE[kind]
    told = TASKS[(ROLES.index(role) + list(STRANGE).index(kind)) % len(TASKS)]
    for task in (None, told):
        try:
            pool = Pool.from_frame(frame, task=task)
            Labels.from_frame(frame, pool)
        except InputError as error:
            helpful(str(error))
        else:
            valid(pool)


WRONG: list[Any] = [5, "x", {}, {"a": {}}, {"a": 5}, b"x", 3.5, np.array(["score"]), pd.Series(["score"])]
WRONG += [[["score"]], object(), float("nan"), True, [None], {1: 2}]
ARGUMENTS = (
    "id",
    "score",
    "pred",
    "threshold",
    "label",
    "fields",
    "task",
    "transform",
    "classes",
    "system",
    "error",
)


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_arguments_of_strange_types(argument: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": list("wxyz"), "score": [0.1, 0.2, 0.6, 0.9], "label": [0, 1, 0, 1]})
    path = tmp_path / "pool.csv"
    frame.to_csv(path, index=False)
    for value in WRONG:
        read_with(frame, {argument: value})
        read_with(path, {argument: value})


def read_with(source: pd.DataFrame | Path, told: dict[str, Any]) -> None:
    try:
        pool = Pool.read(source, **told) if isinstance(source, Path) else Pool.from_frame(source, **told)
    except InputError as error:
        helpful(str(error))
    else:
        valid(pool)


@pytest.mark.parametrize(
    ("cells", "options"),
    [
        ([np.array(0.5), np.array(0.7)], {}),
        ([np.array([0.1, 0.9]), np.array(0.5)], {"task": "multilabel", "classes": ["a", "b"]}),
    ],
)
def test_scores_in_arrays_without_a_dimension_are_refused(
    cells: list[object], options: dict[str, Any]
) -> None:
    """Such arrays have no length, and asking for it had raised a TypeError."""
    with pytest.raises(InputError, match=r"`score` must .* got array\(0\.5\)"):
        Pool.from_frame(pd.DataFrame({"score": cells}), score="score", **options)


@pytest.mark.parametrize("last", ["", "x"])
def test_labels_of_very_many_zeros_do_not_hold_up_the_server(last: str) -> None:
    """Looking for zeros before a number had taken the square of their number, in which no other page was answered."""
    pool = Pool.from_frame(pd.DataFrame({"score": [0.2, 0.8]}))
    start = time.process_time()
    with pytest.raises(InputError, match="must be"):
        Labels.from_frame(pd.DataFrame({"label": [f"{'0' * 30_000}{last}a", "no"]}), pool, label="label")
    assert time.process_time() - start < 1
