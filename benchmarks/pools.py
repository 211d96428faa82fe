"""Binary pools with known labels: the demo pools, any folder of Parquet files, and generated pools."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit, logit
from sklearn.base import ClassifierMixin, clone
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import sampleval as sv

DEMO = Path(__file__).resolve().parents[1] / "demo_data"


@dataclass(frozen=True, slots=True)
class Case:
    """A pool with its name and its labels."""

    name: str
    pool: sv.Pool
    labels: sv.Labels


def watched() -> Iterator[Case]:
    """A demo pool in which one item in ten is positive, and a generated one in which one in 76 is."""
    yield read(DEMO / "digits_is8.parquet")
    rng = np.random.default_rng(5)
    yield case("1.3 % positives", made(10_000, 0.02, "calibrated", rng, sharp=2.5, ties=False))


def read(path: Path) -> Case:
    """The pool in one Parquet file."""
    return case(path.stem, pd.read_parquet(path))


def from_folder(folder: Path) -> Iterator[Case]:
    """Every binary pool in a folder: a Parquet file with columns id, score, label and perhaps pred."""
    for path in sorted(folder.glob("*.parquet")):
        frame = pd.read_parquet(path)
        if {"id", "score", "label"} <= set(frame):
            yield case(path.stem, frame)


def case(name: str, frame: pd.DataFrame) -> Case:
    """A pool and its labels from a frame with columns id, score, label and perhaps pred."""
    pred = "pred" if "pred" in frame else None
    pool = sv.Pool.from_frame(frame, id="id", score="score", pred=pred, label="label", fields=[])
    return Case(name, pool, sv.Labels.from_frame(frame, pool, label="label"))


# Slope and shift of the system's log-odds against the true ones.
CALIBRATIONS = {
    "calibrated": (1.0, 0.0),
    "overconfident": (2.5, 0.0),
    "underconfident": (0.4, 0.0),
    "shifted": (1.0, 1.5),
}


CLASSIFIERS: dict[str, ClassifierMixin] = {
    "naive-bayes": GaussianNB(),
    "logistic": LogisticRegression(max_iter=500),
    "balanced": LogisticRegression(class_weight="balanced", max_iter=500),
    "forest": RandomForestClassifier(60, random_state=0),
    "boosting": HistGradientBoostingClassifier(random_state=0),
    "neighbours": KNeighborsClassifier(15),
}


def synthetic(seed: int = 0, repeats: int = 1) -> Iterator[Case]:
    """Pools of every combination of imbalance and calibration, with sizes, ties and sharpness drawn at random."""
    rng = np.random.default_rng(seed)
    for repeat in range(repeats):
        for prevalence in (0.5, 0.1, 0.02, 0.002):
            for calibration in CALIBRATIONS:
                size = int(rng.choice([2_000, 10_000, 50_000] if prevalence >= 0.02 else [20_000, 100_000]))
                frame = made(
                    size, prevalence, calibration, rng, sharp=rng.uniform(1, 4), ties=rng.random() < 0.3
                )
                yield case(f"{calibration}-{prevalence:g}-{size}-{repeat}", frame)


def flat(seed: int = 0) -> Iterator[Case]:
    """Pools whose scores rank items well but are no probabilities, like margins and similarities.

    About as many items are predicted positive as there are positives.
    """
    rng = np.random.default_rng(seed)
    for prevalence in (0.2, 0.02, 0.002):
        for slope in (0.5, 0.2):
            for shift in (0.0, 1.5):
                frame = made(30_000, prevalence, "calibrated", rng, sharp=3, ties=False)
                threshold = frame["score"].nlargest(int(frame["label"].sum())).iloc[-1]
                yield case(
                    f"{prevalence:g}-{slope:g}-{shift:g}",
                    frame.assign(
                        pred=(frame["score"] >= threshold).astype(int),
                        score=expit(slope * logit(frame["score"]) + shift),
                    ),
                )


def trained(seed: int = 0) -> Iterator[Case]:
    """Pools scored by real classifiers that were trained on other items of the same made problem.

    Their scores mislead as real ones do: Naive Bayes is overconfident, forests and nearest neighbours are
    underconfident and have ties, and some labels cannot be predicted from any score.
    """
    for prevalence in (0.3, 0.05, 0.01):
        for separation in (0.6, 1.3):
            features, label = make_classification(
                24_000,
                n_features=30,
                n_informative=8,
                n_redundant=14,
                n_clusters_per_class=3,
                weights=[1 - prevalence],
                class_sep=separation,
                flip_y=0.2 * prevalence if prevalence < 0.3 else 0.03,
                random_state=seed,
            )
            for name, classifier in CLASSIFIERS.items():
                model = clone(classifier).fit(features[:12_000], label[:12_000])
                score = model.predict_proba(features[12_000:])[:, 1]
                frame = pd.DataFrame({"score": score, "label": label[12_000:]})
                yield case(
                    f"{name}-{prevalence:g}-{separation:g}", frame.assign(id=[f"i{n}" for n in frame.index])
                )


def made(
    size: int, prevalence: float, calibration: str, rng: np.random.Generator, *, sharp: float, ties: bool
) -> pd.DataFrame:
    """A pool with normal true log-odds and a system whose log-odds have another slope and shift.

    The `prevalence` is that of the mean odds. Where the log-odds vary, fewer items are positive: of 0.06 a third with `sharp=3`.
    """
    slope, shift = CALIBRATIONS[calibration]
    truth = logit(prevalence) - sharp**2 / 2 + sharp * rng.normal(size=size)
    label = (rng.random(size) < expit(truth)).astype(int)
    centre = np.median(truth)
    score = expit(centre + slope * (truth - centre) + shift + 0.5 * rng.normal(size=size))
    return pd.DataFrame(
        {
            "id": [f"i{n}" for n in range(size)],
            "score": score.round(2) if ties else score,
            "label": label,
        }
    )


MADE: dict[str, Callable[[int], Iterator[Case]]] = {
    "synthetic": synthetic,
    "flat": flat,
    "trained": trained,
}
