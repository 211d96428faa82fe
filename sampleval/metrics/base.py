"""The class of metrics: a loss, a map g of its mean, and the Jacobian of that map."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from sampleval._checks import as_array, choice, column_names, fail, holds_numbers
from sampleval.metrics.codes import Coder, Part, coded
from sampleval.metrics.counts import Counts
from sampleval.metrics.jacobians import Jacobian, Map, numeric_jacobian
from sampleval.metrics.shortcuts import Shortcuts
from sampleval.metrics.wide import wide
from sampleval.pool import Flags, Floats, Items, Kind, Task

Encoded = NDArray[Any]
Loss = Callable[[Items, Encoded], Floats]
Better = Literal["more", "less", ""]
NAMES = "must be a list of names"
BEYOND = 1e-9  # a value this far beyond the range is explained by rounding


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Metric:
    """G = g(R) with R = (1/N) Σₙ ℓ(n, yₙ), the mean of a vector loss over the pool (M, Def. 1).

    The loss includes every count that g needs to be homogeneous of degree 0. Then Dg(R)·R = 0, and the linearised
    deviation of an item is dₙ(y) = Dg(R)·ℓ(n, y).

    Down to `graded`, attributes say what the metric is. `shortcuts` and `counts` make it fast and its limits sharper. The rest
    says where it comes from, and is set by `of_system`, `within` and `minus`.

    Attributes:
        name: Key in the registry, e.g. "f1".
        title: The name people read, e.g. "F1 score".
        loss: ℓ of n items and their encoded labels, (n, d). It receives integers of full size, so that they do not overflow.
        g: The map from R (d,) to G (m,); `nan` where the metric is undefined.
        jacobian: Dg at R, (m, d), dense or SciPy-sparse. With `None` it is computed by central differences.
        kinds: The kinds of task for which the metric is defined.
        range: Smallest and largest possible value; infinite where there is no limit.
        outputs: Names of the m components, which may depend on the task. A scalar metric has one empty name.
        cells: Codes (n,) in 0..K−1 such that ℓ depends on an item through its code alone. A pool of N items then
            costs only K losses. `None` where ℓ depends on the score itself.
        total: Whether G is a count over the pool, N·g(R).
        better: "more" if high values are good, as for accuracy; "less" if low values are, as for errors; "" if neither.
        about: The question that the metric answers, in one sentence.
        undefined: The reason why g can be `nan`, in words, or a function of R and the task that returns the reason.
        phrase: For a metric that is a share or a number of something, the end of a sentence that begins "At least
            40%" or "At least 12". It may contain {positive} and {negative} for the class names. Otherwise "".
        unit: The unit that follows the number; "" for a pure number.
        smooth: Whether g has a derivative everywhere that matters. If not, the spread is found by resampling.
        needs_positives: Whether a sample without any positive label says nothing about the metric.
        of_scores: Whether the metric judges scores, so that it has no meaning for decisions alone.
        graded: Whether one wrong item may cost far more than another, so that few items make up most of a variance.
        shortcuts: What makes expectations over unknown labels cheap.
        counts: What is known of the sums in R and of the classes, on which limits rest.
        uncentred: The form of the metric with a known denominator, which Marchant & Rubinstein and Kossen et al. use,
            if it differs from this one. For accuracy it is one minus the error rate.
        systems: Names of the systems whose output ℓ uses. Empty where it uses the first system alone.
        without_systems: The same metric of the first system, if this one is about named systems and made from it; otherwise `None`.
        part: The part of the pool that ℓ is about, as made by `within`. A metric of your own that treats items with the same
            score and decision differently need not say so: `by_place` finds out.
        among: For a loss that uses ranks, the same metric with the ranks among these members of the pool, (N,) bool.
        terms: The two metrics of a difference, whose losses stand side by side in ℓ; empty for every other metric.
        maker: Makes the metric again, also in another process. `None` if no function of ours made it, as after `replace`.
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
    total: bool = False
    better: Better = "more"
    about: str = ""
    undefined: str | Callable[[Floats, Task], str] = ""
    phrase: str = ""
    unit: str = ""
    smooth: bool = True
    needs_positives: bool = False
    of_scores: bool = False
    graded: bool = False
    shortcuts: Shortcuts = field(default_factory=Shortcuts)
    counts: Counts = field(default_factory=Counts)
    uncentred: Metric | None = None
    systems: frozenset[str] = frozenset()
    without_systems: Metric | None = None
    part: Part | None = None
    among: Callable[[Flags], Metric] | None = None
    terms: tuple[Metric, ...] = ()
    maker: Callable[[], Metric] | None = field(init=False, default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("kinds", "systems"):
            object.__setattr__(self, name, frozenset(column_names(getattr(self, name), name, NAMES)))
        if not callable(self.outputs):
            outputs = column_names(self.outputs, "outputs", NAMES)
            if not outputs or len(set(outputs)) < len(outputs):  # tables and plots tell components by name
                fail("outputs", "must be one or more names, all different", self.outputs)
            object.__setattr__(self, "outputs", outputs)
        for kind in self.kinds:
            choice(kind, get_args(Kind), "kinds")
        object.__setattr__(self, "loss", wide(self.loss))
        object.__setattr__(self, "cells", coded(self.cells))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}: {self.title}>"

    def __copy__(self) -> Self:
        return self  # it cannot change, and a copy made by `maker` would not equal it

    def __deepcopy__(self, memo: object) -> Self:
        return self

    @property
    def vector(self) -> bool:
        """Whether it has several components."""
        return self.outputs != ("",)

    @property
    def fraction(self) -> bool:
        """Whether the metric lies between 0 and 1, so that it can be shown on one scale with others."""
        return self.range == (0.0, 1.0) and not self.total

    def sees_only(self, systems: Collection[str]) -> bool:
        """Whether ℓ depends on an item only through the scores and decisions of these systems and of the first one."""
        return not (self.systems - set(systems) or self.part)

    def components(self, task: Task) -> tuple[str, ...]:
        """Names of the components for this task; one empty name for a scalar."""
        return self.outputs(task) if callable(self.outputs) else self.outputs

    @property
    def population(self) -> int | None:
        """The N of a total, if it is not the size of the pool."""
        return self.part.size if self.total and self.part else None

    def scale(self, size: int) -> float:
        """The factor that g is multiplied by: for a total the N it counts over, in a pool of this size; otherwise 1."""
        return float(size if self.population is None else self.population) if self.total else 1.0

    def ends(self, size: int) -> tuple[float, float]:
        """Smallest and largest possible value in a pool of this size, in the unit of the metric."""
        scale = self.scale(size)
        return self.range[0] * scale, self.range[1] * scale

    def reason(self, risk: Floats, task: Task) -> str:
        """Why g(R) is `nan`, in words."""
        if not np.isfinite(risk).all():  # a percentage of a true value of 0
            return "the loss of a label is not finite"
        said = self.undefined(risk, task) if callable(self.undefined) else self.undefined
        return said or "the labels so far cannot tell"

    def value(self, risk: Floats) -> Floats:
        """g(R), (m,), without floating-point warnings; `nan` where undefined. Of several R side by side, (d, J), it is (m, J).

        Raises:
            InputError: g gives no numbers, or not one for each output.
        """
        with np.errstate(all="ignore"):
            given = self.g(risk)
        value, beside = np.atleast_1d(as_array(given)), np.shape(risk)[1:]
        value = value[None] if value.shape == beside else value  # one number for each R
        if not holds_numbers(value):
            rule = f"must give numbers, one for each output of {self.name!r}"
            fail("g", rule, given, remedy="where it is undefined, np.nan")
        many = self._count or len(value)
        if value.shape != (many, *beside):
            rule = f"must give a number for each of the {many} outputs of {self.name!r}"
            fail("g", rule, value.shape, remedy="name them all, outputs=('a', 'b')")
        return np.where(np.isfinite(value), value, np.nan)

    def is_ratio(self, risk: Floats, value: Floats) -> bool:
        """Whether g, whose value at R is given, is homogeneous of degree 0 there, as it should be: a metric of your own may be a sum."""
        twice = self.value(2 * risk)
        same = np.abs(value - twice) <= 1e-8 + 1e-5 * np.abs(twice)  # `np.allclose` takes many times as long
        return bool((same | (np.isnan(value) & np.isnan(twice))).all())

    def attained(self, risk: Floats, value: Floats | None = None) -> Floats:
        """R, unless `range` does not include g(R) although labels can lead to this R: limits rely on the range.

        Metrics of ranks are not checked: they may leave the range at an R that no labelling of the whole pool gives. R is
        (d,); `value` is g(R), (m,), if it is known.

        Raises:
            InputError: g(R) lies outside `range`.
        """
        value, (low, high) = self.value(risk) if value is None else value, self.range
        if self.among is None and ((value < low - BEYOND) | (value > high + BEYOND)).any():
            beyond = value[np.argmax(np.fmax(low - value, value - high))]
            rule = f"must hold all values that labels can give {self.name!r}, for example {beyond:.6g}"
            fail("range", rule, self.range, remedy="range=(0, np.inf) or (-np.inf, np.inf)")
        return risk

    def gradient(self, risk: Floats) -> Jacobian:
        """Dg(R), (m, d): the analytic one where it is given, otherwise by central differences.

        Raises:
            InputError: The analytic one has another shape, or holds no numbers.
        """
        with np.errstate(all="ignore"):
            if self.jacobian is None:
                return numeric_jacobian(self.g, risk)
            found = self.jacobian(risk)
        found = found if sparse.issparse(found) else np.atleast_2d(as_array(found))
        shape = (self._count or found.shape[0], len(risk))
        if not holds_numbers(found) or found.shape != shape:
            rule = f"must give numbers of shape {shape}, a row for each output of {self.name!r}"
            got = found.shape if holds_numbers(found) else found.dtype.name
            fail("jacobian", rule, got, remedy="without one, g is differentiated by itself")
        return found.astype(float, copy=False)

    @property
    def means_over_classes(self) -> bool:
        """Whether the metric is made of plain means over the classes, as macro averages are."""
        return bool(self.counts.averages or any(term.means_over_classes for term in self.terms))

    @property
    def _count(self) -> int:
        """Number of outputs; 0 if it depends on the task."""
        return 0 if callable(self.outputs) else len(self.outputs)
