"""Checks of single values: numbers, counts, names of options."""

from __future__ import annotations

import math
import numbers
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from sampleval._checks.errors import fail, nearest
from sampleval.numerals import as_written, many

CLOSE = 0.02  # how far from 1 sums of shares may be, however these are written
LARGEST = 1e70  # a variance adds fourth powers of errors over the whole pool, and these sums must be finite


def is_number(value: object) -> TypeGuard[numbers.Real]:
    """Whether a value is a real number of Python or NumPy. True and False are not.

    >>> is_number(1), is_number(np.float32(1)), is_number(True), is_number("1")
    (True, True, False, False)
    """
    return isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)


def as_array(given: Any) -> NDArray[Any]:
    """What a function of the caller gave as an array of any kind: of objects, where rows differ in length.

    >>> as_array([[1, 2]]).shape, as_array([[1], [1, 2]]).dtype.name
    ((1, 2), 'object')
    """
    try:
        return np.asarray(given)
    except ValueError:
        return np.full(len(given), None)


def holds_numbers(array: Any) -> bool:
    """Whether an array, dense or sparse, or a column is of numbers or truth values."""
    return array.dtype.kind in "biuf"


def real(value: object, name: str) -> float:
    """A finite number, as float.

    >>> real(np.float32(0.9), "level")
    0.9
    """
    if not is_number(value):
        fail(name, "must be a number", value)
    try:
        number = float(as_written(value))
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        fail(name, "must be a finite number", value)
    return number


def measured(value: object, name: str) -> float:
    """A number that may be predicted or be a label, as float: finite, and at most `LARGEST` either way."""
    number = real(value, name)
    if abs(number) > LARGEST:
        fail(name, rule_of(number), value)
    return number


def rule_of(number: float) -> str:
    """The rule that a number breaks which is missing, infinite or beyond `LARGEST`.

    >>> rule_of(math.inf), rule_of(-1e300)
    ('must be finite', 'must lie between -1e70 and 1e70, since errors are squared')
    """
    if math.isnan(number):
        return "must not be missing"
    limits = f"must lie between {-LARGEST:g} and {LARGEST:g}, since errors are squared"
    return limits.replace("e+", "e") if math.isfinite(number) else "must be finite"


def positive(value: object, name: str, *, remedy: str = "") -> float:
    """A finite number above 0."""
    number = real(value, name)
    if not number > 0:
        fail(name, "must be > 0", value, remedy=remedy)
    return number


def nonnegative(value: object, name: str, *, remedy: str = "") -> float:
    """A finite number of at least 0."""
    number = real(value, name)
    if number < 0:
        fail(name, "must be >= 0", value, remedy=remedy)
    return number


def unit(value: object, name: str, *, remedy: str = "") -> float:
    """A number in [0, 1], as float. The default remedy for larger numbers assumes a percentage.

    >>> unit(1, "threshold")
    1.0
    """
    number = real(value, name)
    if not 0.0 <= number <= 1.0:
        percent = f"{number:g}% is {number / 100:g}" if 1.0 < number <= 100.0 else ""
        fail(name, "must lie in [0, 1]", value, remedy=remedy or percent)
    return number


def sums_to_one(
    total: NDArray[np.float64], classes: int, shares: Callable[[NDArray[np.bool_]], NDArray[np.float64]]
) -> NDArray[np.bool_]:
    """Whether sums of C shares are 1, or as close to it as shares written with two digits leave them.

    Rounding adds a standard deviation of 0.01·√(C/12) to a sum, of which five are allowed. Shares with more digits have
    lost nothing: if they add up to 0.9, a class is missing, or each item may have several labels.

    Args:
        total: The sums, (n,).
        classes: The number C of shares in each sum.
        shares: Function from rows, (n,), to their shares, (k, C).

    >>> for share in (0.12, 0.1201, 0.11):  # 1/8 rounded, and what is left where a class is missing
    ...     rows = np.full((1, 8), share)
    ...     print(sums_to_one(rows.sum(axis=1), 8, rows.__getitem__))
    [ True]
    [False]
    [False]
    """
    off = np.abs(total - 1.0)
    fine = off <= CLOSE
    doubtful = ~fine & (off <= 0.015 * math.sqrt(classes))
    if doubtful.any():
        some = shares(doubtful)
        fine[doubtful] = (np.abs(some - some.round(2)) < 1e-6).all(axis=1)
    return fine


def level(value: object) -> float:
    """The nominal level of an interval: strictly between 0 and 1."""
    number = real(value, "level")
    if not 0.0 < number < 1.0:
        fail("level", "must lie strictly between 0 and 1", value, remedy="the usual ones are 0.9 and 0.95")
    return number


def shrinkage(value: object) -> float:
    """λ in [0, 1]: 1 trusts the scores, 0 ignores them."""
    return unit(value, "shrinkage", remedy="1 trusts the scores wholly, 0 not at all; 0.9 is usual")


def defensive(value: object) -> float:
    """δ in [0, 1]: the share of the labels that is spread evenly."""
    remedy = "it is the share of the labels spread evenly over all items; 0 is usual"
    return unit(value, "defensive", remedy=remedy)


def flag(value: object, name: str) -> bool:
    """True or False, of Python or NumPy. Values that only count as true or false are refused.

    >>> flag(np.bool_(True), "held_random")
    True
    """
    if not isinstance(value, bool | np.bool_):
        fail(name, "must be True or False", value)
    return bool(value)


def count(value: object, name: str, *, minimum: int = 0, maximum: int | None = None) -> int:
    """A whole number from `minimum` to `maximum`; 3.0 counts as 3.

    >>> count(3.0, "labels")
    3
    """
    rule = f"must be a whole number of at least {minimum}"
    if maximum is not None:
        rule = f"must be a whole number from {minimum} to {maximum}"
    given: Any = value
    try:
        whole = int(given) if is_number(value) else None
    except (OverflowError, ValueError):  # infinite, or missing
        whole = None
    if whole is None or whole != value or whole < minimum or (maximum is not None and whole > maximum):
        fail(name, rule, value)
    return whole


def budget(value: object, size: int, name: str = "budget") -> int:
    """The number of labels allowed: a whole number from 1 to the pool's size N."""
    if is_number(value) and value < 1:
        fail(name, "must be at least 1 label", value, remedy="without a label nothing can be estimated")
    whole = count(value, name, minimum=1)
    if whole > size:
        fail(
            name,
            f"cannot exceed the {many(size, 'item')} of the pool",
            value,
            remedy=f"pass {size} to label them all",
        )
    return whole


def path(value: object) -> Path:
    """The path of a file, which need not exist; a leading "~" is the home folder.

    >>> path("items.csv").suffix
    '.csv'
    """
    # "" would be the working directory
    if not isinstance(value, str | Path) or value == "" or "\0" in str(value):
        fail("path", "must be the path of a file", value)
    at = Path(os.path.expanduser(value))  # noqa: PTH111 - leaves the home of nobody as it stands
    try:
        at.stat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, UnicodeEncodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error.reason
        fail("path", f"must be a path that can be looked up: {why}", str(value))
    return at


def goal(value: object, name: str) -> float:
    """Half the width wanted of an interval: a number above 0."""
    return positive(value, name, remedy="0.03 wants ± 0.03")


def choice(value: object, options: Iterable[str], name: str) -> str:
    """The value, if it is one of the named options. A misspelt one is refused with a suggestion.

    >>> choice("f1", ["f1", "recall"], "metric")
    'f1'
    """
    known = list(options)
    if not isinstance(value, str):
        fail(name, "must be a name", value, remedy=nearest("", known))
    if value not in known:
        fail(name, "is not known", value, remedy=nearest(value, known))
    return value
