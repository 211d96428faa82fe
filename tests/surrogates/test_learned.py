"""A learned surrogate: what it learns from, and how a classifier travels in the settings."""

from __future__ import annotations

import sys
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from sampleval import InputError, Pool
from sampleval.pool import Floats
from sampleval.presets import Method, method_of
from sampleval.surrogates import Evidence, Learned
from tests.pools import overconfident_pool


@pytest.mark.parametrize("classifier", ["logistic", "forest"])
def test_a_learned_surrogate_learns_and_begins_with_the_scores(classifier: str) -> None:
    pool, truth = overconfident_pool(300)
    model = Learned(classifier=classifier, prior=5).model(pool)
    np.testing.assert_array_equal(model.believe(Evidence.none(pool)).mean, pool.score)
    y = np.array([truth[str(i)] for i in pool.ids])
    one_sided = np.flatnonzero(y == 0)[:5]
    np.testing.assert_array_equal(
        model.believe(Evidence(one_sided, y[one_sided], np.ones(5))).mean, pool.score
    )
    wrong = Evidence(np.arange(150), 1 - y[:150], np.ones(150))
    flipped = model.believe(wrong).mean
    assert np.corrcoef(flipped[150:], y[150:])[0, 1] < 0
    np.testing.assert_array_equal(model.believe(wrong).mean, flipped, "the same labels teach the same")


def test_a_learned_surrogate_learns_from_features_where_all_scores_are_alike() -> None:
    """The log-odds of equal scores, divided by a spread of mere rounding, had drowned every other feature."""
    x = np.random.default_rng(0).random(60)
    pool = Pool.from_frame(pd.DataFrame({"score": np.full(60, 0.3), "x": x}), score="score", fields=["x"])
    y = (x > 0.5).astype(int)
    mean = Learned(prior=1).model(pool).believe(Evidence(np.arange(30), y[:30], np.ones(30))).mean
    assert np.corrcoef(mean[30:], x[30:])[0, 1] > 0.9


def test_a_class_that_no_label_names_keeps_what_the_scores_say_of_it(rng: np.random.Generator) -> None:
    score = rng.dirichlet(np.ones(3), 40)
    pool = Pool.from_frame(pd.DataFrame(score, columns=list("abc")), score=list("abc"))
    found = Learned(prior=10).model(pool).believe(Evidence(np.arange(30), np.arange(30) % 2 * 2, np.ones(30)))
    np.testing.assert_allclose(found.mean[:, 1], score[:, 1] / 4)
    np.testing.assert_allclose(found.mean.sum(axis=1), 1)


def test_only_the_columns_that_are_named_teach(rng: np.random.Generator) -> None:
    frame = pd.DataFrame(rng.random((40, 3)), columns=["score", "length", "width"])
    labels = Evidence(np.arange(20), np.arange(20) % 2, np.ones(20))

    def believed(fields: list[str], columns: tuple[str, ...]) -> Floats:
        pool = Pool.from_frame(frame, score="score", fields=fields)
        return Learned(columns=columns).model(pool).believe(labels).mean

    named = believed(["length", "width"], ("width",))
    np.testing.assert_array_equal(named, believed(["width"], ()))
    assert not np.allclose(named, believed(["length", "width"], ()))


def test_a_classifier_of_scikit_learn_is_imported_when_a_study_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stored = {"class": "DummyClassifier", "params": {"strategy": "prior"}}
    monkeypatch.delitem(sys.modules, "sklearn.dummy", raising=False)
    made = Learned(classifier={"module": "sklearn.dummy", **stored})
    assert made.classifier.get_params()["strategy"] == "prior"
    with pytest.raises(InputError, match="comes from a module that is not imported"):
        Learned(classifier={"module": "sampleval_elsewhere", **stored})


def test_a_classifier_handed_in_travels_in_the_settings() -> None:
    from sklearn.naive_bayes import GaussianNB

    method = method_of(surrogate=Learned(classifier=GaussianNB(var_smoothing=0.5)), design="sequential")
    again = Method.from_dict(method.to_dict())
    assert isinstance(again.surrogate, Learned)
    assert again.surrogate.classifier.get_params() == {"priors": None, "var_smoothing": 0.5}
    with pytest.raises(InputError, match="predict_proba"):
        Learned(classifier=object())


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("builtins", "print"),
        ("subprocess", "Popen"),
        ("sklearn.datasets", "make_blobs"),
        ("sklearn.base", "x"),
    ],
)
def test_a_stored_classifier_calls_nothing_but_a_classifier(
    module: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import_module(module)
    with pytest.raises(InputError, match="`classifier` must name a class with fit, predict_proba"):
        Learned(classifier={"module": module, "class": name, "params": {}})
    assert capsys.readouterr().out == ""
