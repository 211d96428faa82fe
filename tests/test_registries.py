"""A registry line is all that it takes: a method added by one is drawn, reported and explained like any other."""

from __future__ import annotations

import gc
import re
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import pytest

import sampleval as sv
from sampleval import report
from sampleval.designs import DESIGNS, Design, Priority
from sampleval.designs.latex import APART, sized
from sampleval.estimators import ESTIMATORS, Estimator, HorvitzThompson
from sampleval.intervals import INTERVALS, Basis, Interval
from sampleval.intervals.choosing import Family
from sampleval.metrics import METRICS
from sampleval.pool import Kind, Pool
from sampleval.presets import PRESETS, Method
from sampleval.surrogates import SURROGATES, Belief, Evidence, Fixed, Shrunk, Surrogate
from tests.pools import binary

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from sampleval.ui.plan import formulas, planner, trust
from tests.places import ROOT

REGISTRIES = (DESIGNS, ESTIMATORS, SURROGATES)


@dataclass(frozen=True, slots=True)
class Tenth(Priority):
    """The queue under another name."""

    key: ClassVar[str] = "tenth"
    title: ClassVar[str] = "Tenth way"
    about: ClassVar[str] = "As the queue asks."
    methods = "Items were drawn in a tenth way"
    formulas = (sized(), APART)  # type: ignore[assignment]  # fewer than those of the queue


@dataclass(frozen=True, slots=True)
class Squared:
    """A belief that labels do not change, and that has no λ."""

    key: ClassVar[str] = "squared"
    title: ClassVar[str] = "Squared scores"
    about: ClassVar[str] = "The squares of the scores."
    kinds: ClassVar[frozenset[Kind]] = frozenset({"binary"})
    learns: ClassVar[bool] = False
    in_strata: ClassVar[bool] = False
    as_scored: ClassVar[bool] = False
    methods = "was the square of its score"
    formula = ("the square of its score", r"\pi_n = s_n^2")

    def model(self, pool: Pool, *, stochastic: bool = False) -> Fixed:
        return Fixed(Belief(pool.task, pool.score**2))


def everywhere(basis: Basis, level: float) -> Interval:
    """The whole range."""
    return Interval(*basis.range, level, "everywhere")


def register(
    patch: pytest.MonkeyPatch, registry: MappingProxyType[str, Any], key: str, thing: object
) -> None:
    """Add a line to a registry, which is a read-only view of a dictionary."""
    (lines,) = gc.get_referents(registry)
    patch.setitem(lines, key, thing)


def test_what_a_part_says_of_itself_fits_its_protocol_for_every_type_checker() -> None:
    """Pyright takes no `ClassVar` for a property, and refused `design=Rounds()` in scripts that ran."""
    for protocol, registry in ((Design, DESIGNS), (Surrogate, SURROGATES), (Estimator, ESTIMATORS)):
        properties = {name for name, value in vars(protocol).items() if isinstance(value, property)}
        for part in registry.values():
            assert not properties & {
                name for each in part.__mro__ for name in vars(each).get("__annotations__", ())
            }


def test_a_registry_line_gives_a_design_its_report_and_its_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, DESIGNS, "tenth", Tenth)
    study = sv.create_study(binary(120)[0], metric="f1", budget=20, design="tenth")
    study.tell_all([(item, item.place % 2) for item in study.ask(20)])
    assert "Items were drawn in a tenth way; random seed" in report.html(study)
    assert APART in formulas.lines(study.method, "binary")
    assert planner.title_of("tenth", "binary") == "Tenth way"


def test_a_registry_line_gives_a_surrogate_its_report_and_true_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every belief but `Shrunk` had been told to learn from the labels."""
    register(monkeypatch, SURROGATES, "squared", Squared)
    pool, known = binary(120)
    study = sv.create_study(pool, metric="f1", budget=20, surrogate="squared")
    study.answer(known, 20)
    assert "to expect of each item was the square of its score." in report.html(study)
    assert Squared().formula[1] in dict(formulas.lines(study.method, "binary")).values()
    assert "learns" not in trust.unshrunk(study.method, pool)
    assert not sv.create_study(
        pool, metric="f1", budget=5, surrogate="squared", held=study
    ).settings.held_random
    with pytest.raises(
        sv.InputError, match="`held_random` is for beliefs that learn, and labels do not change"
    ):
        sv.create_study(pool, metric="f1", budget=5, surrogate="squared", held={"0": 1}, held_random=True)


@pytest.mark.parametrize("key", SURROGATES)
def test_a_surrogate_learns_if_labels_change_its_belief(key: str) -> None:
    pool, _ = binary(120)
    model, told = SURROGATES[key]().model(pool), Evidence(np.arange(60), np.arange(60) % 2, np.ones(60))
    moved = model.believe(told).mean != model.believe(Evidence.none(pool)).mean
    assert moved.any() == SURROGATES[key].learns


def test_a_registry_line_gives_an_interval_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, INTERVALS, "everywhere", Family(everywhere, "Everywhere", "all that is possible"))
    study = sv.create_study(binary(120)[0], metric="f1", budget=20, preset="queue", interval="everywhere")
    study.tell_all([(item, item.place % 2) for item in study.ask(20)])
    assert "Intervals are all that is possible, at the 90% level" in report.html(study)


def test_a_posteriors_report_names_the_interval_that_was_asked_for() -> None:
    pool, known = binary(120)
    study = sv.create_study(pool, metric="accuracy", budget=20, preset="recommended")
    study.answer(known, 20)
    assert "Intervals are quantiles of such draws" in report.methods(study, study.estimate())
    assert "Intervals are Beta (moments" in report.methods(study, study.estimate(interval="beta"))


def test_a_part_that_is_not_registered_is_refused_with_the_way_to_register_it() -> None:
    """Only the names of the others were given, although `create_study` takes objects."""
    pool, _ = binary(120)
    with pytest.raises(
        sv.InputError, match=r"got Tenth\(.*'priority'.*one of your own needs a line in `DESIGNS`"
    ):
        sv.create_study(pool, metric="f1", budget=20, design=Tenth())
    with pytest.raises(sv.InputError, match=r"got <class .*; call the class: design=Priority\(\)$"):
        sv.create_study(pool, metric="f1", budget=20, design=Priority)  # type: ignore[arg-type]
    with pytest.raises(sv.InputError, match=r"`surrogate` must be a name or an options object; got 3;[^`]*$"):
        sv.create_study(pool, metric="f1", budget=20, surrogate=3)  # type: ignore[arg-type]


class Backwards(Priority):
    """A design that has the queue's key."""


@pytest.mark.parametrize("design", [Tenth(), Backwards()])
def test_simulations_take_parts_that_are_not_registered_but_keep_no_results_of_them(
    design: Design, tmp_path: Path
) -> None:
    """A cache knows parts by their keys: it gave a design's results for another of the same key, or for its older code."""
    pool, known = binary(120)
    own = {"own": Method(Squared(), design, HorvitzThompson())}
    found = sv.simulate(pool, known, presets=own, budgets=[20], repeats=2)
    assert found["labels"].tolist() == [20]
    with pytest.raises(
        sv.InputError, match=r"`cache` cannot keep results of parts of one's own; got 'squared'"
    ):
        sv.simulate(pool, known, presets=own, budgets=[20], repeats=2, cache=tmp_path)
    queue = {"own": Method(Shrunk(), design, HorvitzThompson())}
    with pytest.raises(sv.InputError, match=f"got {design.key!r}; leave it out"):
        sv.simulate(pool, known, presets=queue, budgets=[20], repeats=2, cache=tmp_path)


@pytest.mark.parametrize("kind", [kind for registry in REGISTRIES for kind in registry.values()], ids=str)
def test_every_part_has_words_for_a_paper(kind: type[Design | Estimator | Surrogate]) -> None:
    """Own sentences, not the docstrings of Python, which `python -OO` leaves out."""
    said = kind().methods
    assert len(said) > 8
    assert not {"∝", "`"} & set(said)
    assert not said.endswith(".")


@pytest.mark.parametrize("key", SURROGATES)
def test_every_surrogate_and_design_has_formulas(key: str) -> None:
    surrogate = SURROGATES[key]()
    for design in DESIGNS.values():
        believed, size, *asked = formulas.lines(Method(surrogate, design(), HorvitzThompson()), "binary")
        assert "\\pi_n" in believed[1]
        assert "\\ell" in size[1]
        assert asked


def test_the_readme_says_of_every_preset_when_it_is_valid_as_the_app_does() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in readme.splitlines() if line.startswith("| `")]
    told = {name.split("`")[1]: valid for name, *_, valid in rows}
    assert told.keys() == PRESETS.keys()
    for name, preset in PRESETS.items():
        said = preset.validity("binary").removeprefix("Valid: ").removesuffix(".")
        assert told[name].startswith(said), name


@pytest.mark.parametrize("name", ["recommended", "uniform"])
def test_methods_for_numbers_speak_of_neither_scores_nor_classes(name: str) -> None:
    """They are offered, and described in reports, for models that predict prices."""
    preset = PRESETS[name]
    told = [preset.title, preset.about, preset.method_for("regression").design.title]
    if name == "recommended":
        told.append(preset.method_for("regression").surrogate.methods)
    else:
        told.append(preset.valid)
    assert not [said for said in told if re.search(r"\bscores?\b|\bclass(es)?\b", said)]


def test_what_is_said_of_a_metric_of_two_classes_is_so() -> None:
    """F0.5, F1 and F2 bore the same words; “the share of true positives that are predicted positive” is always 1."""
    about = {name: metric.about for name, metric in METRICS.items()}
    assert about["f1"].endswith("their harmonic mean.")
    assert about["f0.5"].endswith("in which precision counts more.")
    assert about["f2"].endswith("in which recall counts more.")
    assert not [said for said in about.values() if re.search("true (positives|negatives)", said)]
