"""What a metric is: a loss, a map g of its mean, and the Jacobian of that map."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from sampleval._checks import choice, column_names, fail
from sampleval.metrics.codes import Coder, coded
from sampleval.metrics.wide import wide
from sampleval.pool import Flags, Floats, Integers, Items, Kind, Task

Encoded = NDArray[Any]
Loss = Callable[[Items, Encoded], Floats]
Map = Callable[[Floats], Floats | float]
Better = Literal["more", "less", ""]
OfClass = Literal["", "count", "ratio"]
BEYOND = 1e-9  # how far beyond a limit is rounding
Jacobian = Any  # (m, d), a NumPy array or, where most entries are 0, a SciPy sparse one


@dataclass(frozen=True, slots=True)
class Metric:
    """G = g(R) with R = (1/N) Σₙ ℓ(n, yₙ), the mean of a vector loss over the pool (M, Def. 1).

    Every loss carries what its g needs to be homogeneous of degree 0, so that Dg(R)·R = 0 and the
    linearised deviation of an item is dₙ(y) = Dg(R)·ℓ(n, y).

    Attributes:
        name: Key in the registry, e.g. "f1".
        title: The name people read, e.g. "F1 score".
        loss: ℓ of n items and their encoded labels, (n, d); integers among them reach it in full size.
        g: R (d,) to G (m,); `nan` where undefined.
        jacobian: Dg at R, (m, d), dense or SciPy-sparse; `None` for central differences.
        kinds: The tasks it is defined for.
        range: Smallest and largest possible value; infinite where there is none.
        outputs: Names of the m components, which may depend on the task; one empty name for a scalar.
        cells: Codes (n,) in 0..K−1 such that ℓ depends on an item through its code alone; lets a
            pool of N items cost K losses. `None` where ℓ depends on the score itself.
        by_label: Multi-label, where ℓ is a sum over the labels and affine in each y_c: Dg·ℓ label by
            label, (items, Dg) to (n, C, 2, m) for y_c = 0 and 1, so that 2^C label sets cost 2·C terms.
        by_class: Several classes, where ℓ takes memberships (n, C) in [0, 1] for labels and is affine in them: Dg·ℓ with
            each class as the label in turn, (items, Dg) to C times (n, m), so that C classes cost no more than one.
        exceptions: Multi-label, where ℓ differs from a constant in y only at some label sets: these
            sets, each (n, C) (exact match: the decision).
        total: Whether G is a count over the pool: N·g(R).
        population: N of a total, if it is not the pool's.
        smooth: Whether g has a derivative everywhere that matters; otherwise its spread is resampled.
        about: What it answers, in one sentence.
        undefined: Why g can be `nan`, in words, or a function of R and the task that says so.
        needs_positives: Whether a sample without a positive says nothing about it, where labels are positive or not.
        phrase: How a share or a number of it reads: the end of a sentence that begins "At least 40%" or "At
            least 12", with {positive} and {negative} for the classes; "" if it is no share of anything.
        unit: What it is measured in, to follow a number; "" for a pure number.
        uncentred: The same metric with a known denominator, as Marchant & Rubinstein and Kossen et al. write
            it, where that is another form (accuracy: one minus the error rate).
        share: Whether G = R₁/R₂ with 0 ≤ ℓ₁ ≤ ℓ₂, one part of a whole.
        wholes: R to what each component is a share of, (m,), linear in R; of a `share` R₂. How many labels could have
            shown that it varies is told by it; `None` where that is not known.
        counted: Whether ℓ ≥ 0 whatever the label, as counts are: the labelled items' sum bounds N·R from below.
        groups: How many groups of counts R begins with, each class by class; a 1 follows. 0 where R is not by class.
        systems: Names of the systems whose output ℓ looks at; none named is the first one alone.
        part: Whether ℓ treats items of like score and decision unlike, as 0 outside a part of the pool. That one of your
            own does, by weights for instance, is found by itself (`by_place`).
        parts: Codes (n,) of the parts of the pool that ℓ tells apart, 0 where it is 0; `None` where it knows the whole alone.
        terms: The two metrics that a difference is of; none of any other.
        among: The same metric with items ranked among these of the pool, (N,) bool; `None` where ℓ takes no ranks.
        of_class: What a metric by class needs labels of the class for: a "count" of its items, or a "ratio" that rests
            on them; "" where labels of any class tell as much.
        averages: The metric by class of which it is the plain mean over the classes; `None` if it is of none.
        means: R to those metrics by class of whose plain means it is made, each with its slope along that mean; `None`
            where it is made of none, or is one itself.
        better: Whether "more" of it is good, as of accuracy, or "less", as of errors; "" where neither is.
        of_scores: Whether it judges scores, so that decisions alone leave it without a meaning.
        graded: Whether one wrong item may cost far more than another, so that few of them make up most of a variance.
    """

    name: str
    title: str
    loss: Loss
    g: Map
    jacobian: Callable[[Floats], Jacobian] | None = None
    kinds: frozenset[Kind] = frozenset({"binary"})
    range: tuple[float, float] = (0.0, 1.0)
    outputs: tuple[str, ...] | Callable[[Task], tuple[str, ...]] = ("",)
    cells: Coder | None = None
    by_label: Callable[[Items, Floats], Floats] | None = None
    by_class: Callable[[Items, Floats], Iterator[Floats]] | None = None
    exceptions: Callable[[Items], Iterator[Encoded]] | None = None
    total: bool = False
    population: int | None = None
    smooth: bool = True
    about: str = ""
    undefined: str | Callable[[Floats, Task], str] = ""
    needs_positives: bool = False
    phrase: str = ""
    unit: str = ""
    uncentred: Metric | None = None
    share: bool = False
    wholes: Map | None = None
    counted: bool = False
    groups: int = 0
    systems: frozenset[str] = frozenset()
    part: bool = False
    parts: Coder | None = None
    terms: tuple[Metric, ...] = ()
    among: Callable[[Flags], Metric] | None = None
    of_class: OfClass = ""
    averages: Metric | None = None
    means: Callable[[Floats], Sequence[tuple[Metric, float]]] | None = None
    better: Better = "more"
    of_scores: bool = False
    graded: bool = False

    def __post_init__(self) -> None:
        for field in ("kinds", "systems"):
            object.__setattr__(self, field, frozenset(column_names(getattr(self, field), field)))
        if not callable(self.outputs):
            object.__setattr__(self, "outputs", column_names(self.outputs, "outputs"))
        for kind in self.kinds:
            choice(kind, get_args(Kind), "kinds")
        object.__setattr__(self, "loss", wide(self.loss))
        for field in ("cells", "parts"):
            object.__setattr__(self, field, coded(getattr(self, field), field))
        if self.share and self.wholes is None:
            object.__setattr__(self, "wholes", lambda risk: risk[1:2])

    @property
    def vector(self) -> bool:
        """Whether it has several components."""
        return self.outputs != ("",)

    @property
    def fraction(self) -> bool:
        """Whether it lies between 0 and 1, so that it can stand on one scale with others."""
        return self.range == (0.0, 1.0) and not self.total

    def sees_only(self, systems: Collection[str]) -> bool:
        """Whether items of like scores and decisions of these systems, the first among them, are alike to it."""
        return not (self.systems - set(systems) or self.part)

    def components(self, task: Task) -> tuple[str, ...]:
        """Names of the components for this task; one empty name for a scalar."""
        return self.outputs(task) if callable(self.outputs) else self.outputs

    def scale(self, size: int) -> float:
        """What g is multiplied by: for a total the N it counts over, else 1.

        Args:
            size: Items in the pool.
        """
        return float(size if self.population is None else self.population) if self.total else 1.0

    def ends(self, size: int) -> tuple[float, float]:
        """Smallest and largest value, in its own unit.

        Args:
            size: Items in the pool.
        """
        scale = self.scale(size)
        return self.range[0] * scale, self.range[1] * scale

    def reason(self, risk: Floats, task: Task) -> str:
        """Why g(R) is `nan`, in words."""
        if not np.isfinite(risk).all():  # a percentage of a true value of 0
            return "the loss of a label is not finite"
        said = self.undefined(risk, task) if callable(self.undefined) else self.undefined
        return said or "the labels so far cannot tell"

    def value(self, risk: Floats) -> Floats:
        """g(R), (m,), without floating-point warnings; `nan` where undefined."""
        with np.errstate(all="ignore"):
            given = self.g(risk)
        try:
            value = np.atleast_1d(np.asarray(given))
        except ValueError:  # a list of lists of several lengths
            value = np.array([None])
        if value.dtype.kind not in "biuf":
            rule = f"must give numbers, one for each output of {self.name!r}"
            fail("g", rule, given, remedy="where it is undefined, np.nan")
        many = self._count or value.size
        if value.shape != (many,):
            rule = f"must give a number for each of the {many} outputs of {self.name!r}"
            fail("g", rule, value.shape, remedy="name them all, outputs=('a', 'b')")
        return np.where(np.isfinite(value), value, np.nan)

    def is_ratio(self, risk: Floats) -> bool:
        """Whether g is homogeneous of degree 0 at R, as it should be: a metric of one's own may be a plain sum."""
        return bool(np.allclose(self.value(risk), self.value(2 * risk), equal_nan=True))

    def attained(self, risk: Floats) -> None:
        """Refuse a range that does not hold g(R) of a mean loss which labels can have: limits rest on it.

        Of ranks another mean loss than that of the whole pool may well lie beyond.
        """
        value, (low, high) = self.value(risk), self.range
        if self.among is None and ((value < low - BEYOND) | (value > high + BEYOND)).any():
            beyond = value[np.argmax(np.fmax(low - value, value - high))]
            rule = f"must hold all that labels can make of {self.name!r}, {beyond:.6g} for one"
            fail("range", rule, self.range, remedy="range=(0, np.inf) has no largest value")

    def gradient(self, risk: Floats) -> Jacobian:
        """Dg(R), (m, d), analytic where given, else by central differences."""
        with np.errstate(all="ignore"):
            if self.jacobian is None:
                return numeric_jacobian(self.g, risk)
            found = self.jacobian(risk)
        found = found if sparse.issparse(found) else np.atleast_2d(np.asarray(found))
        shape = (self._count or found.shape[0], len(risk))
        if found.dtype.kind not in "biuf" or found.shape != shape:
            rule = f"must give numbers of shape {shape}, a row for each output of {self.name!r}"
            fail("jacobian", rule, found.shape, remedy="without one, g is differentiated by itself")
        return found if sparse.issparse(found) else found.astype(float, copy=False)

    @property
    def _count(self) -> int:
        """How many outputs it has; 0 where the task tells."""
        return 0 if callable(self.outputs) else len(self.outputs)


def finite(jacobian: Jacobian) -> Jacobian:
    """A Jacobian with 0 where it is undefined: what is undefined moves nothing."""
    if sparse.issparse(jacobian):
        jacobian = jacobian.copy()
        jacobian.data = finite(jacobian.data)
        return jacobian
    return np.nan_to_num(jacobian, nan=0.0, posinf=0.0, neginf=0.0)


def dense(jacobian: Jacobian) -> Floats:
    """A Jacobian as a NumPy array."""
    return np.asarray(jacobian.toarray() if sparse.issparse(jacobian) else jacobian)


def effects(loss: Floats, jacobian: Jacobian) -> Floats:
    """Dg·ℓ of each row, (n, d) to (n, m), whether Dg is dense or sparse."""
    return np.asarray(loss @ jacobian.T)


def numeric_jacobian(g: Map, risk: Floats) -> Floats:
    """Central differences of g at R, (m, d), with the step that balances the two errors."""
    step = np.cbrt(np.finfo(float).eps) * np.maximum(np.abs(risk), 1e-3)
    shifts = np.diag(step)
    columns = [
        (np.atleast_1d(g(risk + s)) - np.atleast_1d(g(risk - s))) / (2 * h)
        for s, h in zip(shifts, step, strict=True)
    ]
    return np.stack(columns, axis=1)


def by_decision(items: Items) -> Integers:
    """`Metric.cells` of losses that see nothing of an item but its decision, one of a few classes."""
    return np.asarray(items.pred, np.intp)


def by_label(loss: Loss) -> Callable[[Items, Floats], Floats]:
    """`Metric.by_label` of any multi-label loss that is a sum over the labels, from C + 1 losses.

    Args:
        loss: ℓ, (n, d), with ℓ(n, y) = ℓ(n, 0) + Σ_c y_c·(ℓ(n, e_c) − ℓ(n, 0)).
    """
    loss = wide(loss)

    def found(items: Items, jacobian: Floats) -> Floats:
        width, n = items.task.width, len(items)
        none = effects(loss(items, np.zeros((n, width))), jacobian)
        out = np.empty((n, width, 2, none.shape[1]))
        out[:, :, 0] = none[:, None] / width
        for c, alone in enumerate(np.eye(width)):
            change = effects(loss(items, np.broadcast_to(alone, (n, width))), jacobian) - none
            out[:, c, 1] = out[:, c, 0] + change
        return out

    return found


ENTRIES = 1 << 19  # numbers held at once where a metric needs a pass over the pool: they stay in the cache
ROWS = 1 << 14  # items held at once in a pass over the pool: a few numbers of each stay in the cache


def blocks(n: int, rows: int = ROWS) -> Iterator[slice]:
    """0..n in runs of so many rows, so that what is computed on the way stays small; at least one, perhaps empty."""
    return (slice(start, min(start + rows, n)) for start in range(0, max(n, 1), max(rows, 1)))
