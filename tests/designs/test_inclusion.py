"""Water-filling: it uses up the budget, is optimal, and is certain of items from where the paper says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from sampleval import Pool, create_study
from sampleval.designs import Importance, Poisson, Priority
from sampleval.designs.inclusion import Waterline, defended, spread_sizes, water_fill
from tests import reference
from tests.designs.frames import frame

sizes = arrays.arrays(
    float,
    st.integers(1, 40),
    elements=st.floats(0, 1e6, allow_subnormal=False).map(lambda x: 0.0 if x < 1e-6 else x),
)


@pytest.mark.parametrize("defensive", [0.0, 0.3, 1.0])
def test_where_no_label_matters_no_item_has_a_size_and_all_have_equal_chances(defensive: float) -> None:
    none, eligible = np.zeros(4), np.array([True, False, True, True])
    assert spread_sizes(none, defensive, eligible).tolist() == [0, 0, 0, 0]
    assert defended(none, defensive, eligible) == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3])


@given(h=sizes, share=st.floats(0, 1.2))
def test_water_filling_uses_up_the_budget(
    h: np.ndarray[tuple[int], np.dtype[np.float64]], share: float
) -> None:
    budget = share * len(h)
    b = water_fill(h, budget)
    assert b.sum() == pytest.approx(min(budget, np.count_nonzero(h)), abs=1e-9)
    assert ((b >= 0) & (b <= 1)).all()
    assert (b[h == 0] == 0).all()
    np.testing.assert_allclose(b, reference.water_fill(list(h), budget), atol=1e-6)


def test_water_filling_is_optimal(rng: np.random.Generator) -> None:
    """No shift of inclusion from one item to another lowers Σ h²/b."""
    h = rng.random(12) ** 3
    b = water_fill(h, 5)
    best = (h**2 / b).sum()
    for i in range(12):
        for j in range(12):
            moved = b.copy()
            moved[i] -= 1e-4
            moved[j] += 1e-4
            if i != j and moved[i] > 0 and moved[j] <= 1:
                assert (h**2 / moved).sum() > best - 1e-9


def test_saturation_starts_where_the_paper_says(rng: np.random.Generator) -> None:
    h = rng.random(500)
    onset = float(Waterline.of(h).onset[0])
    assert onset == pytest.approx(500 * h.mean() / h.max())
    assert water_fill(h, onset * 0.999).max() < 1
    assert water_fill(h, onset * 1.001).max() == 1


@pytest.mark.parametrize("design", [Priority, Poisson, Importance])
def test_the_even_share_is_that_of_the_items_that_may_be_asked(
    design: type[Priority | Poisson | Importance],
) -> None:
    """With half of the pool held, half of δ had been lost on held items."""
    pool = Pool.from_frame(frame(400), id="id", score="score", label="label")
    study = create_study(
        pool, metric="f1", budget=20, design=design(defensive=1.0), held=dict.fromkeys(pool.ids[:200], 0)
    )
    np.testing.assert_allclose(design(defensive=1.0).inclusion(study.state.problem, 20)[200:], 0.1)
    least = design(defensive=0.4).inclusion(study.state.problem, 20)[200:].min()
    assert least >= 0.04 * (1 - 1e-9) if design is not Importance else least > 0.035
