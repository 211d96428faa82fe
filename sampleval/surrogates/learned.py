"""A learned surrogate: any classifier with the interface of scikit-learn, retrained on the labels so far (K)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from scipy.special import logit

from sampleval._checks import choice, column_names, count, fail
from sampleval.partition import feature_columns
from sampleval.pool import Floats, Integers, Kind, Pool, Task
from sampleval.surrogates.base import OF_CLASSES, Model
from sampleval.surrogates.belief import Belief
from sampleval.surrogates.evidence import Evidence
from sampleval.surrogates.probabilities import claimed
from sampleval.surrogates.scales import spread_of


def logistic() -> Any:
    """Logistic regression."""
    from sklearn.linear_model import LogisticRegression  # its modules set warning filters on import

    return LogisticRegression(max_iter=300)


def forest() -> Any:
    """A random forest with a fixed seed."""
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(200, min_samples_leaf=3, random_state=0)


METHODS = ("fit", "predict_proba", "get_params")  # that a classifier must have
CLASSIFIERS: MappingProxyType[str, Callable[[], Any]] = MappingProxyType(
    {"logistic": logistic, "forest": forest}
)


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """A classifier on one pool.

    Attributes:
        task: The kind of labels.
        features: Standardised features and the scores' log-odds, (N, p).
        score: The system's own probabilities.
        classifier: The classifier, which is cloned before it is fitted.
        prior: Number of labels that the scores count as in the mixture with the classifier.
    """

    task: Task
    features: Floats
    score: Floats
    classifier: Any
    prior: float

    def believe(self, evidence: Evidence) -> Belief:
        """(prior·s + k·π̂)/(prior + k) with the classifier's π̂; the scores s while labels are of one class only."""
        share = len(evidence) / (len(evidence) + self.prior)
        if self.task.kind == "multilabel":
            columns = [
                self._mixed(evidence.index, labels, column, share)
                for labels, column in zip(evidence.labels.T, self.score.T, strict=True)
            ]
            return Belief(self.task, np.stack(columns, axis=1))
        return Belief(self.task, self._mixed(evidence.index, evidence.labels, self.score, share))

    def _mixed(self, index: Integers, labels: np.ndarray[Any, Any], score: Floats, share: float) -> Floats:
        if len(np.unique(labels)) < 2:
            return score
        from sklearn.base import clone

        fitted = clone(self.classifier).fit(self.features[index], labels)
        predicted = fitted.predict_proba(self.features)
        full = np.zeros((len(score), max(2, score.shape[1] if score.ndim > 1 else 2)))
        full[:, np.asarray(fitted.classes_, np.intp)] = predicted
        return np.asarray((1 - share) * score + share * (full if score.ndim > 1 else full[:, 1]))


@dataclass(frozen=True, slots=True)
class Learned:
    """A classifier trained on the labelled items' features and scores, mixed with the scores while labels are few.

    Attributes:
        columns: Numeric fields used as features; all numeric ones by default.
        classifier: "logistic", "forest", or any object with fit, predict_proba and get_params.
        prior: Number of labels that the scores count as in the mixture with the classifier, > 0.
    """

    key: ClassVar[str] = "learned"
    title: ClassVar[str] = "Learned from features"
    about: ClassVar[str] = "A separate classifier, trained on the labels so far with columns of your table."
    kinds: ClassVar[frozenset[Kind]] = OF_CLASSES
    learns: ClassVar[bool] = True
    in_strata: ClassVar[bool] = False
    as_scored: ClassVar[bool] = True
    methods = (
        "was predicted by a separate classifier, trained on the labels so far and mixed with the scores while labels "
        "are few"
    )
    formula = (
        "what a classifier learned from its features x, in addition to its score",
        r"\pi_n = p(y \mid x_n, s_n, \text{labels})",
    )
    columns: tuple[str, ...] = ()
    classifier: Any = "logistic"
    prior: int = 20

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", column_names(self.columns, "columns"))
        count(self.prior, "prior", minimum=1)
        if isinstance(self.classifier, str):
            choice(self.classifier, CLASSIFIERS, "classifier")
        elif isinstance(self.classifier, Mapping):
            object.__setattr__(self, "classifier", remade(self.classifier))
        elif not all(hasattr(self.classifier, method) for method in METHODS):
            fail("classifier", "must have fit, predict_proba and get_params", type(self.classifier).__name__)

    def settings(self) -> dict[str, Any]:
        """JSON-ready options: a classifier object is written as its class and parameters."""
        classifier = self.classifier if isinstance(self.classifier, str) else described(self.classifier)
        return {"columns": list(self.columns), "classifier": classifier, "prior": self.prior}

    def model(self, pool: Pool, *, stochastic: bool = False) -> Model:
        """The classifier with the features of this pool."""
        made = CLASSIFIERS[self.classifier]() if isinstance(self.classifier, str) else self.classifier
        logits = logit(claimed(pool.task, pool.systems[0])).reshape(pool.size, -1)
        parts = [logits / spread_of(logits)]
        if self.columns or pool.fields.select_dtypes(["number", "bool"]).shape[1]:
            parts.append(feature_columns(pool, self.columns))
        return Trained(pool.task, np.hstack(parts), pool.score, made, float(self.prior))


def described(classifier: Any) -> dict[str, Any]:
    """A classifier as its class and parameters."""
    kind = type(classifier)
    return {"module": kind.__module__, "class": kind.__name__, "params": classifier.get_params(deep=False)}


def remade(settings: Mapping[str, Any]) -> Any:
    """The classifier of these settings: one of scikit-learn, or one whose module is already imported.

    A stored study must not be able to import or call arbitrary code.
    """
    module = str(settings["module"])
    if not module.startswith("sklearn.") and module not in sys.modules:
        fail(
            "classifier", "comes from a module that is not imported", module, remedy="import it, then reopen"
        )
    kind = getattr(import_module(module), name := str(settings["class"]), None)
    if not (isinstance(kind, type) and all(hasattr(kind, method) for method in METHODS)):
        fail("classifier", "must name a class with fit, predict_proba and get_params", f"{module}.{name}")
    return kind(**settings["params"])
