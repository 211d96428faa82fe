"""Make the demo data: `python demo_data/make.py` writes six Parquet files beside itself.

Every score comes from a model that was trained on other rows than those it scores: by
cross-fitting where the data are real and few, on separately drawn rows where they are
synthetic. Everything is seeded: the same package versions give the same rows, but for a last
digit of `pred_sd` that may differ between processors. Nothing is downloaded.
"""

# Needs: numpy, pandas, pillow, pyarrow, scikit-learn, scipy (the extra `demo`).

from __future__ import annotations

import importlib
import inspect
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import generators
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import ArrayLike, NDArray
from PIL import Image
from sklearn.datasets import load_diabetes, load_digits
from sklearn.ensemble import RandomForestRegressor
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.metrics import f1_score, r2_score
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, cross_val_predict
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MultiLabelBinarizer, StandardScaler

Floats = NDArray[np.float64]

SEED = 2024
FOLDS = 5
MANUAL = (  # the parts of SciPy whose documentation is read
    *("cluster.hierarchy", "cluster.vq", "fft", "integrate", "interpolate", "io", "linalg"),
    *("ndimage", "optimize", "signal", "sparse", "sparse.csgraph", "sparse.linalg", "spatial"),
    *("spatial.distance", "special", "stats", "stats.contingency", "stats.mstats"),
    *("stats.qmc", "stats.sampling"),
)


def rounded(scores: ArrayLike) -> Floats:
    """Scores to six significant digits: small files, and tiny scores stay above zero."""
    return np.char.mod("%.6g", np.asarray(scores)).astype(np.float64)


def binary(scores: ArrayLike, labels: ArrayLike) -> pd.DataFrame:
    """The columns `score`, `pred` (score ≥ ½) and `label` of a binary pool."""
    score = rounded(scores)
    return pd.DataFrame({"score": score, "pred": (score >= 0.5).astype(int), "label": labels})


def shuffled(frame: pd.DataFrame, prefix: str) -> pd.DataFrame:
    """The rows in random order, then numbered in a first column `id`."""
    frame = frame.sample(frac=1, random_state=SEED, ignore_index=True)
    width = len(str(len(frame)))
    frame.insert(0, "id", [f"{prefix}-{i:0{width}}" for i in range(1, len(frame) + 1)])
    return frame


def write(frame: pd.DataFrame, path: Path) -> None:
    """Write Parquet without the metadata that would change with the version of pandas."""
    table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata()
    pq.write_table(table, path, compression="zstd", compression_level=19)


def text_model(strength: float) -> Pipeline:
    """Logistic regression on TF-IDF weights of words; `strength` is scikit-learn's C."""
    words = TfidfVectorizer(sublinear_tf=True, min_df=2)
    return make_pipeline(words, LogisticRegression(C=strength, max_iter=1000))


def png(pixels: Floats) -> bytes:
    """An 8×8 picture with ink 0..16 as PNG bytes, dark ink on white paper."""
    buffer = io.BytesIO()
    Image.fromarray((255 - pixels * 255 / 16).astype(np.uint8)).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def coarse(pixels: Floats) -> Floats:
    """The mean ink of the sixteen 2×2 blocks of each 8×8 picture, shape (N, 16)."""
    blocks: Floats = pixels.reshape(-1, 4, 2, 4, 2).mean(axis=(2, 4))
    return blocks.reshape(-1, 16)


def digit_probabilities(pixels: Floats, classes: ArrayLike, strength: float) -> Floats:
    """Cross-fitted class probabilities of a logistic regression, shape (N, classes)."""
    model = make_pipeline(StandardScaler(), LogisticRegression(C=strength, max_iter=1000))
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    scores: Floats = cross_val_predict(model, pixels, classes, cv=folds, method="predict_proba")
    return scores


def digits_is8() -> pd.DataFrame:
    """Is the handwritten digit an 8? 1,797 pictures, rare positives."""
    digits = load_digits()
    label = (digits.target == 8).astype(int)
    scores = digit_probabilities(digits.data, label, strength=0.1)
    frame = binary(scores[:, 1], label)
    return shuffled(frame.assign(image=[png(pixels) for pixels in digits.images]), "digit")


def digits_10class() -> pd.DataFrame:
    """Which digit is it? Classes "0" to "9" and a model that sees the pictures at 4×4 only."""
    digits = load_digits()
    scores = rounded(digit_probabilities(coarse(digits.images), digits.target, strength=0.02))
    frame = pd.DataFrame(scores, columns=[f"score_{digit}" for digit in range(10)])
    frame["pred"] = scores.argmax(axis=1).astype(str)
    frame["label"] = digits.target.astype(str)
    return shuffled(frame.assign(image=[png(pixels) for pixels in digits.images]), "digit")


def cosine(left: pd.Series, right: pd.Series) -> Floats:
    """Row-wise cosine similarity of the character 2- and 3-grams of two text columns."""
    grams = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 3), use_idf=False)
    grams.fit(pd.concat([left, right]).unique())
    product = grams.transform(left).multiply(grams.transform(right))
    return np.asarray(product.sum(axis=1)).ravel()


def similarities(pairs: pd.DataFrame) -> Floats:
    """Features of a pair: likeness of name, address and phone, and their products."""
    name, address, phone = (
        cosine(pairs[f"left_{field}"], pairs[f"right_{field}"]) for field in ("name", "address", "phone")
    )
    no_phone = (pairs["right_phone"] == "").to_numpy(float)
    return np.column_stack([name, address, phone, no_phone, name * address, name * phone])


def linkage() -> pd.DataFrame:
    """Do two listings describe the same restaurant? Synthetic, about 1 match in 1,060 pairs."""
    train = generators.restaurant_pairs(np.random.default_rng(SEED))
    pairs = generators.restaurant_pairs(np.random.default_rng(SEED + 1))
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    model.fit(similarities(train), train["label"])
    scores = model.predict_proba(similarities(pairs))[:, 1]
    frame = binary(scores, pairs.pop("label"))
    return shuffled(pd.concat([frame, pairs], axis=1), "pair")


def sentences(manual: str) -> Iterator[tuple[str, str]]:
    """The plain sentences of a docstring, each with the part it comes from."""
    for position, paragraph in enumerate(re.split(r"\n\s*\n", manual)):
        if re.search(r">>>|\.\. |^\s*[-=]{3,}|^\s+\S", paragraph, re.MULTILINE):
            continue
        for sentence in re.split(r"(?<=[.?!])\s+(?=[A-Z])", " ".join(paragraph.split())):
            plain = re.fullmatch(r"[A-Z][^\\:`$=_\[\]{}|*<>]+\.", sentence)
            if plain and 8 <= len(sentence.split()) <= 40:
                yield sentence, "summary" if position == 0 else "details"


def manual_sentences() -> pd.DataFrame:
    """Every sentence of SciPy's documentation once: text, part, function, label."""
    rows = []
    for part in MANUAL:
        module = importlib.import_module(f"scipy.{part}")
        for name in sorted(module.__all__):
            manual = inspect.getdoc(getattr(module, name)) or ""
            label = int(part.startswith("stats"))
            rows += [(text, kind, name, label) for text, kind in sentences(manual)]
    frame = pd.DataFrame(rows, columns=["text", "part", "function", "label"])
    disputed = frame.groupby("text")["label"].transform("nunique") > 1
    return frame[~disputed].drop_duplicates("text").reset_index(drop=True)


def statistics_sentences() -> pd.DataFrame:
    """Is the sentence from the manual of `scipy.stats`? Real text, trained apart by function."""
    manual = manual_sentences()
    scores = cross_val_predict(
        text_model(strength=2.0),
        manual["text"],
        manual["label"],
        groups=manual["function"],
        cv=GroupKFold(FOLDS),
        method="predict_proba",
    )
    frame = binary(scores[:, 1], manual["label"])
    return shuffled(frame.join(manual[["text", "part"]]), "sentence")


def tickets_multilabel() -> pd.DataFrame:
    """What is a support ticket about? Synthetic, seven labels, several at a time."""
    train = generators.tickets(np.random.default_rng(SEED), 500)
    pool = generators.tickets(np.random.default_rng(SEED + 1), 5000)
    coder = MultiLabelBinarizer(classes=generators.TICKET_LABELS)
    model = OneVsRestClassifier(text_model(strength=3.0))
    model.fit(train["text"], coder.fit_transform(train["labels"]))
    scores = rounded(model.predict_proba(pool["text"]))
    blocks = {"score": scores, "pred": (scores >= 0.5).astype(int)}
    blocks["label"] = coder.transform(pool.pop("labels"))
    columns = [
        pd.DataFrame(block, columns=[f"{kind}_{name}" for name in coder.classes])
        for kind, block in blocks.items()
    ]
    return shuffled(pd.concat([*columns, pool], axis=1), "ticket")


def with_error_scale(model: Pipeline, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Cross-fitted predictions and error scales √E[(y − pred)² | x], shapes (N,).

    Within each fold a forest learns the squared errors that the model makes on training
    rows held out from it, so no row's own answer enters its prediction or its scale.
    """
    pred, scale = np.empty_like(y), np.empty_like(y)
    folds = KFold(FOLDS, shuffle=True, random_state=SEED)
    for train, test in folds.split(x):
        squared_errors = (y[train] - cross_val_predict(model, x[train], y[train], cv=folds)) ** 2
        forest = RandomForestRegressor(200, min_samples_leaf=25, random_state=SEED)
        pred[test] = model.fit(x[train], y[train]).predict(x[test])
        scale[test] = np.sqrt(forest.fit(x[train], squared_errors).predict(x[test]))
    return pred, scale


def diabetes() -> pd.DataFrame:
    """How far has the disease progressed after one year? 442 patients, a regression."""
    patients = load_diabetes(as_frame=True, scaled=False)
    model = make_pipeline(StandardScaler(), RidgeCV())
    pred, scale = with_error_scale(model, patients.data.to_numpy(), patients.target.to_numpy())
    columns = {"pred": pred.round(1), "pred_sd": scale.round(1), "label": patients.target}
    fields = patients.data.astype({"age": int, "sex": int}).rename(
        columns={"bp": "blood_pressure", "s1": "cholesterol", "s2": "ldl", "s3": "hdl"}
        | {"s4": "cholesterol_hdl_ratio", "s5": "log_triglycerides", "s6": "glucose"}
    )
    return shuffled(pd.DataFrame(columns).join(fields), "patient")


SETS: dict[str, Callable[[], pd.DataFrame]] = {
    make.__name__: make
    for make in (
        digits_is8,
        linkage,
        statistics_sentences,
        digits_10class,
        tickets_multilabel,
        diabetes,
    )
}


def quality(frame: pd.DataFrame) -> str:
    """Positives and F1 (accuracy, R²) of a pool in words, from all its labels."""
    if "pred_sd" in frame:
        return f"R² {r2_score(frame['label'], frame['pred']):.3f}"
    if "label" not in frame:
        label, pred = frame.filter(regex="^label_"), frame.filter(regex="^pred_").to_numpy()
        micro, macro = (f1_score(label, pred, average=kind) for kind in ("micro", "macro"))
        return f"{label.sum().sum()} labels, micro-F1 {micro:.3f}, macro-F1 {macro:.3f}"
    if "score" not in frame:
        return f"accuracy {(frame['label'] == frame['pred']).mean():.3f}"
    f1 = f1_score(frame["label"], frame["pred"])
    return f"{frame['label'].sum()} positives, {frame['pred'].sum()} predicted, F1 {f1:.3f}"


def main() -> None:
    """Write every set and print one line about each."""
    for name, make in SETS.items():
        frame, path = make(), Path(__file__).with_name(f"{name}.parquet")
        write(frame, path)
        kilobytes = path.stat().st_size / 1000
        print(f"{path.name}: {len(frame):,} rows, {quality(frame)}, {kilobytes:,.0f} kB")


if __name__ == "__main__":
    main()
