"""Write numbers for people, in the same way on pages, in reports and on the console."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

ROUNDING = 1e-12  # sums that should be 0 miss it by less, and "<0.0001" would say that they are not 0
OPEN = {math.inf: "∞", -math.inf: "−∞"}  # limits without end: "–" stands for what is not known


def as_written(value: Any) -> Any:
    """A number of half or single precision as the float that is written with the same digits; anything else unchanged.

    >>> float(np.float32(0.9)), as_written(np.float32(0.9)), as_written("0.9")
    (0.8999999761581421, 0.9, '0.9')
    """
    short = isinstance(value, np.floating) and value.itemsize < 8
    return float(str(value)) if short else value


def number(value: float, *, whole: bool = False) -> str:
    """A value with three decimals, or whole if large, or with two digits if small; "–" if unknown.

    Args:
        value: Any number.
        whole: Whether it counts items.

    >>> number(0.79234), number(1503.2), number(0.000834), number(-0.105), number(math.nan)
    ('0.792', '1,503', '0.00083', '−0.105', '–')
    >>> number(0.00005), number(-0.00005), number(9.876), number(12.34), number(12.34, whole=True)
    ('<0.0001', '>−0.0001', '9.876', '12.3', '12')
    """
    if not math.isfinite(value):
        return "–"
    if abs(value) < ROUNDING:
        value = 0.0
    if whole or abs(value) >= 100:
        return _signed(f"{round(value):,}")
    if value < 0:
        return f"−{number(-value)}" if value <= -0.0001 else ">−0.0001"
    if 0 < value < 0.01:
        return f"{value:.2g}" if value >= 0.0001 else "<0.0001"
    return f"{value:.1f}" if value >= 10 else f"{value:.3f}"


def count(value: float) -> str:
    """A whole number with thousands separators; "–" if unknown.

    >>> count(1234.0), count(math.nan)
    ('1,234', '–')
    """
    return number(value, whole=True)


def span(low: str, likely: str, high: str) -> str:
    """A range around a number that was told before, each end only if it is another: told twice, it reads like a slip.

    >>> span("178", "191", "230"), span("178", "191", "191"), span("191", "191", "230"), span("191", "191", "191")
    ('178 to 230', 'perhaps only 178', 'perhaps 230', '')
    """
    if likely not in (low, high):
        return f"{low} to {high}"
    if likely != low:
        return f"perhaps only {low}"
    return f"perhaps {high}" if likely != high else ""


def many(value: float, thing: str, things: str = "") -> str:
    """A number with the name of the things counted, in singular or plural.

    Args:
        value: The number, which is whole.
        thing: The name of one thing.
        things: The name of several, if it is not that of one with an s.

    >>> many(1, "label"), many(1234, "label"), many(2, "study", "studies")
    ('1 label', '1,234 labels', '2 studies')
    """
    return f"{count(value)} {thing if count(value) == '1' else things or f'{thing}s'}"


def as_typed(value: float) -> str:
    """A number with the digits with which it was typed, and with thousands separators.

    >>> as_typed(0.0525), as_typed(20000.0), as_typed(1234567.5), as_typed(-0.5)
    ('0.0525', '20,000', '1,234,567.5', '−0.5')
    """
    return _signed(f"{value:,.10g}")


def legible(value: float, digits: int = 4) -> str:
    """A number of the data with `digits` significant digits, or whole if it has more digits before the point.

    >>> legible(0.123456), legible(44451.3), legible(-1407913.0), legible(0.5), legible(155331.27, 6)
    ('0.1235', '44,451', '−1,407,913', '0.5', '155,331')
    """
    if 10**digits <= abs(value) < 1e15:
        return count(value)
    return as_typed(float(f"{value:.{digits}g}"))


def brief(value: float, digits: int = 2) -> str:
    """A number with `digits` significant digits, or whole if it has more, without an exponent.

    >>> brief(0.0523), brief(0.03), brief(12.3), brief(1234.0), brief(0.0523, 3)
    ('0.052', '0.03', '12', '1,234', '0.0523')
    """
    if not value or not math.isfinite(value):
        return f"{value:g}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def rounded(labels: float) -> int:
    """A number of labels rounded to two digits, since more would claim too much precision.

    >>> rounded(7), rounded(249), rounded(1234)
    (7, 250, 1200)
    """
    if labels < 10:
        return round(labels)
    step = 10 ** (math.floor(math.log10(labels)) - 1)
    return round(labels / step) * step


def share(value: float) -> str:
    """A share in percent, with enough digits to tell small ones from 0 and large ones from 100 %.

    >>> share(0.5), share(0.012), share(0.00034), share(0.0), share(0.995), share(1 - 1e-7), share(1.0)
    ('50%', '1.2%', '0.034%', '0%', '99.5%', '99.99999%', '100%')
    >>> share(math.nan)
    '–'
    """
    if not math.isfinite(value):
        return "–"
    percent = 100 * value
    if 99 < percent < 100:  # the rest decides on digits: 99.5 % is not all
        return f"{100 - float(f'{100 - percent:.2g}'):.12g}%"
    if percent >= 10 or percent == 0:
        return f"{percent:.0f}%"
    return f"{percent:.2g}%"


def sure(level: float) -> str:
    """The level of an interval in percent, with all its digits: unlike a share it is never rounded.

    >>> sure(0.9), sure(0.925), sure(0.9999), sure(0.29)
    ('90%', '92.5%', '99.99%', '29%')
    """
    return f"{100 * level:.12g}%"


def limits(low: float, high: float, *, whole: bool = False) -> str:
    """Both limits of an interval, rounded outwards to the digits that matter.

    Args:
        low: Lower limit.
        high: Upper limit.
        whole: Whether they are numbers of items.

    >>> limits(0.1311, 0.4229), limits(394.6, 1111.4, whole=True), limits(0.5, 0.5), limits(0.2, math.inf)
    ('0.13 to 0.43', '394 to 1,112', '0.500 to 0.500', '0.200 to ∞')
    >>> limits(0.29, 0.55), limits(math.nan, math.nan)  # 100 times these is just below 29 and just above 55
    ('0.29 to 0.55', '–')
    """
    if math.isnan(low) and math.isnan(high):
        return number(low)
    return " to ".join(ends(low, high, whole=whole))


def possible(low: float, high: float, *, whole: bool = False) -> str:
    """The same two limits, or the words that no other value is possible where they are equal.

    >>> possible(0.1311, 0.4229), possible(0.5, 0.5)
    ('0.13 to 0.43', 'known exactly')
    """
    return "known exactly" if low == high else limits(low, high, whole=whole)


def ends(low: float, high: float, *, whole: bool = False) -> tuple[str, str]:
    """Both limits of an interval one by one, as `limits` has them.

    >>> ends(0.6775, 0.8381), ends(math.nan, math.nan)
    (('0.677', '0.839'), ('–', '–'))
    """
    if low == high or not math.isfinite(high - low):
        return OPEN.get(low) or number(low, whole=whole), OPEN.get(high) or number(high, whole=whole)
    low, high, decimals = outwards(low, high, percent=False, whole=whole)
    return fixed(low, decimals), fixed(high, decimals)


def between(low: float, high: float, level: float, *, whole: bool = False) -> str:
    """An interval, as `limits` has it, with its level, or the words that the value is known exactly.

    >>> between(0.74, 0.86, 0.9), between(1.0, 1.0, 0.9)
    ('90% interval 0.740 to 0.860', 'known exactly')
    """
    said = possible(low, high, whole=whole)
    return said if low == high else f"{sure(level)} interval {said}"


def within(value: float, low: float, high: float, *, whole: bool = False) -> str:
    """A value beside its limits: as many decimals as theirs, so that it is never rounded to beyond one of them.

    Between −1 and 1 it has three at least, since many such stand in a column: 1.000 is above 0.999.

    Args:
        value: The value.
        low: Lower limit.
        high: Upper limit.
        whole: Whether they are numbers of items.

    >>> within(0.79479, 0.78268, 0.79479), within(0.79479, 0.7, 0.9), within(0.5, 0.5, 0.5), within(-3.865, -8.0, -1.6)
    ('0.7948', '0.795', '0.500', '−3.9')
    """
    short = number(value, whole=whole)
    if not 0 < high - low < math.inf or not math.isfinite(value):
        return short
    _, _, decimals = outwards(low, high, percent=False, whole=whole)
    return fixed(value, decimals) if abs(value) > 1 or decimals > len(short.partition(".")[2]) else short


def in_cell(value: float, low: float, high: float, *, whole: bool = False) -> tuple[str, str]:
    """A value and its limits for a table; the limits are "" where they tell nothing more.

    Args:
        value: The value.
        low: Lower limit.
        high: Upper limit.
        whole: Whether they are numbers of items.

    >>> in_cell(0.8, 0.7, 0.9), in_cell(12.0, 12.0, 12.0, whole=True), in_cell(math.nan, 0.0, 1.0)
    (('0.800', '0.70 to 0.90'), ('12', ''), ('–', ''))
    """
    told = low < high and not math.isnan(value)
    return within(value, low, high, whole=whole), limits(low, high, whole=whole) if told else ""


def outwards(low: float, high: float, *, percent: bool, whole: bool) -> tuple[float, float, int]:
    """Both limits rounded outwards to two digits of half their distance, and the number of decimals to show.

    >>> outwards(0.4012, 0.8467, percent=True, whole=False)
    (0.4, 0.85, 0)
    >>> outwards(0.41234, 0.43234, percent=False, whole=False)
    (0.412, 0.433, 3)
    """
    unit = 100 if percent else 1
    half = (high - low) * unit / 2
    decimals = 0 if whole or not math.isfinite(half) else max(0, 1 - math.floor(math.log10(half)))
    step = 10**decimals * unit
    # A limit that is a round number but for its last bit stays this number.
    return math.floor(low * step + 1e-9) / step, math.ceil(high * step - 1e-9) / step, decimals


def fixed(value: float, decimals: int, *, percent: bool = False) -> str:
    """A number with this many decimals, which for a percentage are those of the percentage.

    >>> fixed(-0.105, 2), fixed(0.105, 0, percent=True), fixed(1234.0, 0)
    ('−0.10', '10%', '1,234')
    """
    return _signed(f"{100 * value:.{decimals}f}%" if percent else f"{value:,.{decimals}f}")


def money(value: float, currency: str = "") -> str:
    """An amount of money, whole from 100 on (halves are rounded up) or if it has no decimals, else with two decimals.

    Args:
        value: The amount; "–" stands for one that is not known.
        currency: What comes before it.

    >>> money(5.0), money(0.5), money(12.5), money(1234.5, "€"), money(math.nan, "€")
    ('5', '0.50', '12.50', '€ 1,235', '–')
    """
    if not math.isfinite(value):
        return "–"
    whole = value >= 100 or value == round(value)
    amount = f"{math.floor(value + 0.5):,}" if whole else f"{value:,.2f}"
    return f"{currency} {amount}".strip()


def duration(hours: float) -> str:
    """A working time in minutes, or in hours from 2 hours on; "–" if it is not known.

    >>> duration(0.0056), duration(0.0556), duration(1.667), duration(12.34), duration(1234.56), duration(math.nan)
    ('0.34 min', '3.3 min', '100 min', '12.3 h', '1,235 h', '–')
    """
    if not math.isfinite(hours):
        return "–"
    if hours >= 2:
        return f"{hours:.1f} h" if hours < 100 else f"{hours:,.0f} h"
    minutes = 60 * hours
    return f"{minutes:.0f} min" if minutes >= 10 else f"{minutes:.2g} min"


def _signed(text: str) -> str:
    return text.replace("-", "−")
