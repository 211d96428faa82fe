"""Tell numbers in text cells from names that only look like numbers, such as `007` or the versions 1.9 and 1.10."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from sampleval import _checks
from sampleval.pool.columns import Told, strings
from sampleval.pool.naming import MARGINS, SCORES, column_role

CellKind = Literal["amount", "class", "other"]
# Pairs of a thousands separator and a decimal mark, as patterns.
GROUPED = (
    *((r"\.", ","), (",", r"\.")),
    *((apart, point) for apart in ("[ \u00a0\u202f]", "['’]") for point in (",", r"\.")),
)
BOTH = r"^\s*[+-]?[1-9]\d{0,2}([., \x{a0}\x{202f}'’]\d{3})+[.,]\d+\s*$"


def cell_kinds(names: Sequence[str], told: Told) -> dict[str, CellKind]:
    """What the cells of each column stand for: "amount", "class", or "other" if only the cells can tell.

    >>> cell_kinds(["score_1.1", "label", "age"], Told())
    {'score_1.1': 'amount', 'label': 'class', 'age': 'other'}
    """
    roles = _played(names, told)
    scored = any(role in SCORES for role in roles.values())
    output: CellKind = "class" if told.kind or told.names or scored else "other"
    if told.kind == "regression":
        output = "amount"
    kinds: dict[str, CellKind] = dict.fromkeys((*SCORES, *MARGINS, "error"), "amount")
    kinds |= {"pred": output, "label": output}
    return {name: kinds.get(role, "other") for name, role in roles.items()}


def _played(names: Sequence[str], told: Told) -> dict[str, str]:
    """Column → the role that the caller gives to it, or otherwise the one that its name suggests."""
    outputs, scores, errors = map(strings, ([told.pred, told.label], told.score, [told.error]))
    found = {name: "score" if name.startswith(tuple(scores)) else column_role(name)[0] for name in names}
    found |= dict.fromkeys(errors.intersection(names), "error")
    return found | dict.fromkeys(outputs.intersection(names), "pred")


def spelt_classes(names: Sequence[str], told: Told) -> set[str]:
    """Classes as the columns and the caller spell them. A cell such as 2.0 or 1E1 is a name if a class is called so.

    >>> spelt_classes(["p_2.0", "text"], Told()), spelt_classes(["s2.0"], Told(score="s"))
    ({'2.0'}, {'2.0'})
    """
    spelt = {column_role(name)[1] for name in names}
    spelt |= {
        name.removeprefix(start) for start in strings(told.score) for name in names if name.startswith(start)
    }
    spelt |= set(told.score) if isinstance(told.score, Mapping) else set()
    return (spelt | strings(told.names)) - {""}


def typed(column: pa.ChunkedArray, kind: CellKind, classes: Collection[str]) -> pa.ChunkedArray:
    """A column of text as numbers, unless that would lose a digit: `007` and 20 digits stay text.

    A minus sign may be the one that is set in print, as this project's own numbers are.

    Fractions among classes are names, such as versions. Trailing zeros may show that other fractions are names too, unless they
    are amounts.
    """
    missing = _missing(column)
    cells = pc.if_else(missing, None, column) if pc.any(missing).as_py() else column
    if cells.null_count == len(cells):
        return column
    for form in _forms(cells):
        try:
            whole = form.cast(pa.int64())
        except pa.ArrowInvalid:
            pass
        else:
            if whole.cast(pa.large_string()).equals(form):
                return whole
        try:
            numbers = form.cast(pa.float64())
        except pa.ArrowInvalid:
            continue
        return column if _names(form, kind, classes) else numbers
    return column


def _forms(cells: pa.ChunkedArray) -> Iterator[pa.ChunkedArray]:
    """The cells as they are, trimmed, and with the minus sign of print replaced; each is made only if it is looked at."""
    yield cells
    trimmed = pc.utf8_trim_whitespace(cells)
    yield trimmed
    yield pc.replace_substring(trimmed, "−", "-")


def _missing(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Which cells hold a word for a missing value."""
    return pc.is_in(column, value_set=pa.array(_checks.MISSING, pa.large_string()))


def _names(numbers: pa.ChunkedArray, kind: CellKind, classes: Collection[str]) -> bool:
    """Whether some of these numbers are names: `007`, 20 digits, `12E3`, `+4915112345678`, or the classes 1.10 and 2.0."""
    code = r"^[+-]?(0[0-9]|[0-9]{16,}$)"
    if kind != "amount":  # software writes 1e+16, or a decimal point before the e
        code += r"|^[0-9]+[eE][0-9]+$|^\+[0-9]{7,}$"
    if _some(numbers, code):
        return True
    if kind == "class":
        broken = pc.match_substring_regex(numbers, r"\.[0-9]*[1-9]")  # 1.0 is a 1 that was stored as a float
        known = pc.is_in(numbers, value_set=pa.array(classes, pa.large_string()))
        return bool(pc.any(pc.or_(broken, known)).as_py())
    return kind == "other" and _are_versions(numbers)


def _are_versions(numbers: pa.ChunkedArray) -> bool:
    """Whether trailing zeros belong to names, as in the versions 1.9 and 1.10, because decimals differ in number."""
    ending = numbers.filter(pc.ends_with(numbers, "0"))
    if not _some(ending, r"\.[0-9]+0$"):
        return False
    broken = numbers.filter(pc.match_substring(numbers, "."))  # a price of 3 beside 2.50 is a number as well
    decimals = pc.subtract(pc.binary_length(broken), pc.find_substring(broken, "."))
    return pc.count_distinct(decimals).as_py() > 1


def decimal_commas(column: pa.ChunkedArray) -> bool:
    """Whether commas are decimal marks: all cells are numbers, and one of them cannot be read as a thousand like `1,234`."""
    number = r"^\s*[+-]?((0|[1-9]\d{0,14})(,\d+)?([eE][+-]?\d+)?\s*%?|inf)\s*$"
    return _all(column, number) and _some(column, ",", unless=r"^\s*[+-]?[1-9]\d{0,2},\d{3}\s*$")


def in_names(column: pa.ChunkedArray, classes: Collection[str]) -> bool:
    """Whether commas belong to names of classes, as in `2,5%`, or separate the labels of a set, as in `1,2`."""
    known = pa.array(classes, pa.large_string())
    others = column.filter(pc.invert(pc.is_in(column, value_set=known)))
    parts = pc.utf8_trim_whitespace(pc.list_flatten(pc.split_pattern(others, ",")))
    named = pc.or_(pc.is_in(parts, value_set=known), _missing(parts))
    return bool(pc.all(named, min_count=0).as_py())


def grouped(column: pa.ChunkedArray) -> tuple[str, str] | None:
    r"""The thousands separator and the decimal mark, as patterns; `None` where they are not certain.

    They are certain if all cells are numbers in one such form and one of them holds both signs, as `1.234,50` does.

    >>> read = lambda *cells: grouped(pa.chunked_array([pa.array(cells, pa.large_string())]))
    >>> read("1.234,50", "0,5", "2.000"), read("1,234.50", "$1"), read("1.234", "0,5")
    (('\\.', ','), None, None)
    """
    if not _some(column, BOTH):
        return None
    for apart, point in GROUPED:
        number = rf"^\s*[+-]?(0|[1-9]\d{{0,2}}({apart}\d{{3}})+|[1-9]\d{{0,14}})({point}\d+)?\s*$"
        if _all(column, number) and _some(column, rf"\d{apart}\d{{3}}{point}\d"):
            return apart, point
    return None


def pointed(column: pa.ChunkedArray) -> bool:
    """Whether some cell is a number whose point can only be a decimal mark, unlike that in `1.234`."""
    number = r"^\s*[+-]?\d*\.\d+([eE][+-]?\d+)?\s*%?\s*$"
    return _some(column, number, unless=r"^\s*[+-]?[1-9]\d{0,2}\.\d{3}\s*$")


def thousands(column: pa.ChunkedArray, *, mixed: bool) -> bool:
    """Whether points may separate thousands: all cells are whole numbers, and those with a point look like `1.234`.

    If `mixed`, some cells must be numbers without a point, of which a column of numbers with three decimals has none.
    """
    apart, below = r"^\s*[+-]?[1-9]\d{0,2}(\.\d{3})+\s*$", r"^\s*[+-]?\d{1,3}\s*$"
    every = _all(column, f"{apart}|{below}") and _some(column, apart)
    return every and (not mixed or _some(column, below))


def _all(column: pa.ChunkedArray, pattern: str) -> bool:
    """Whether all cells that are not missing match a pattern."""
    return bool(pc.all(pc.or_(pc.match_substring_regex(column, pattern), _missing(column))).as_py())


def _some(column: pa.ChunkedArray, pattern: str, *, unless: str = "") -> bool:
    """Whether some cell matches a pattern, and does not match another one."""
    found = pc.match_substring_regex(column, pattern)
    if unless:
        found = pc.and_not(found, pc.match_substring_regex(column, unless))
    return bool(pc.any(found).as_py())
