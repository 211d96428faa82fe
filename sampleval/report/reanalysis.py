"""What a colleague needs to redo a study's estimates without sampleval: the sample, the results, and what they mean."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from textwrap import fill

from sampleval import frames, sheets
from sampleval.report.methods import methods
from sampleval.study import Estimate, Study, checked_study
from sampleval.study.conclusions.census import has_labels
from sampleval.study.conclusions.future import About

SAMPLE, LABELS, RESULTS, LEGEND = "sample.csv", "labels.csv", "results.csv", "README.txt"
READING = (
    "Tables are comma-separated UTF-8 with a decimal point and numbers in full; an empty cell is a missing value. A spreadsheet that has "
    "decimal commas must import them (Data, From text, as English) instead of opening them. Read id, label and pred as text. Text that a "
    "spreadsheet would take for a formula, as it begins with =, +, - or @, has an apostrophe before it: remove it before you join with "
    "other tables by id. A set of labels is written a|b, the empty set []."
)
COLUMNS: Mapping[str, Mapping[str, str]] = {
    SAMPLE: {
        "id": "text; the item, as in the original table",
        "place": "integer; place in the queue, from 0; -1 for a label known beforehand",
        "label": "the true label, text or a number; empty if nobody gave one (see status)",
        "status": "label; skip or unsure (no label: non-response); held (known beforehand)",
        "pred": "the prediction, coded as the label is; with several systems one column each, NAME.pred",
        "round": "integer from 1; 0 for a label known beforehand",
        "stratum": "integer from 1; 0 for labels known beforehand, which stand for themselves alone",
        "stratum_size": "integer; N_h, the items in the stratum",
        "population": "integer; N, the items in the pool",
        "draws": "integer; how often the item was drawn in the round; 1 without replacement",
        "probability": "in (0, 1]; with replacement q, that of each single draw of the round; of items drawn one at a time that of "
        "this draw, among the items left; otherwise b, the inclusion probability in its round, given the rounds before",
        "weight": "number of items that the row stands for; with replacement draws/(J q), J being the sum of draws over the strata "
        "from 1; an item in several rounds has several rows, whose weights are added",
    },
    LABELS: {
        "id": "as in sample.csv, like place, label and status; one row per item, whether or not an estimate rests on it yet",
        "annotator": "text; who gave the answer that counts, the last one; empty if without a name",
        "seconds": "seconds that the answer took; empty if not measured",
        "at": "time of the answer, ISO 8601, UTC",
        "inclusion": "chance to be asked within the whole budget, planned before any label; no 1/weight",
        "weight": "number of items that the answer stands for now; empty while it waits for answers before it",
        "answers": "each annotator's own answer, if several answered",
        "note": "the annotators' remarks",
    },
    RESULTS: {
        "metric": "name of the metric",
        "value": "the estimate, in the metric's own unit; empty if undefined or unknown, for the reason in note",
        "low": "lower limit of the interval",
        "high": "upper limit",
        "level": "nominal coverage of the interval",
        "variance": "estimated sampling variance; its root is the standard error. Where few labels show how a metric varies, as where "
        "few tell two systems apart, it is the variance expected under the belief, if that is larger",
        "labels": "integer; answers that the estimate rests on, skipped and unsure ones included",
        "method": "the estimator; census if every label that matters is known",
        "interval": "the kind of interval",
        "about": "pool: this pool; future: items like these, which adds the pool's own sampling variance",
        "note": "remarks on the estimate",
    },
}
VALUE = (
    "A ratio metric is F = Σ w f / Σ w g over the rows of sample.csv, w being weight: F1 has f = y p and g = (y + p)/2, precision g = p, "
    "recall g = y, accuracy f = 1[y = p] and g = 1, a mean error f = |y - p| and g = 1, a squared one f = (y - p)²; a root is taken at the "
    "end. Its linearised residuals are e = (f - F g)/Σ w g, for a difference of two metrics the difference of their residuals. Rows "
    "of stratum 0 count in Σ and have no variance. In a part of the pool f and g are 0 outside it. For an item without a label, f and g are "
    "expected values, which are not in these files, and the limits are those of its worst and best label."
)
MEANS = (
    "A mean over classes c, such as macro F1, is the mean, where W_c > 0, of F_c + Cov(F_c, W_c) W_c/(W_c² + Var W_c), cut at 0 and 1, with W_c = Σ w g_c: "
    "the bias of a ratio is subtracted (Hartley and Ross 1954). Variances are those of the formula below, Cov with e_c g_c for e². Its "
    "residuals are the means of e_c. Where weights differ, and no model with scores assists, half of the distance to F_c at counts of classes that are drawn towards "
    "those that recalibrated scores expect, which are not in these files, is subtracted from means of recall, F1 or overlap, and its square "
    "is added to the variance."
)
UNCENTRED = "Accuracy is here 1 - Σ w 1[y ≠ p]/N, with e = 1[y ≠ p]/N."
CENSUS = (
    "Every item has a label: each row has weight and probability 1, however it was drawn, and the sample adds no variance. A mean over "
    "classes, such as macro F1, is the mean of F_c where it has a value."
)
VARIANCES = {
    "horvitz-thompson": "Variance: Σ (1 - b)/b² e². In R's survey: svydesign(~1, probs = ~probability, pps = poisson_sampling(probability)).",
    "stratified": "Variance: Σ_h N_h² (1 - n_h/N_h) s_h²/n_h, s_h² being the variance of e in stratum h. In R's survey: "
    "svydesign(~1, strata = ~stratum, fpc = ~stratum_size).",
    "importance-sampling": "Variance: Σ draws (e/q - c)²/J², c being the mean of e/q over all draws. In R's survey: repeat "
    "each row draws times, svydesign(~1, weights = ~I(weight/draws)), and multiply the variance by (J - 1)/J.",
    "adaptive-importance-sampling": "Variance: Σ draws (e/q - c)²/(J (J - 1)), c being the mean of e/q over all draws. In "
    "R's survey: repeat each row draws times, svydesign(~1, weights = ~I(weight/draws)).",
    "rounds": "Weights are a_r/b for the item's own round r plus a_r of every later round, from which the a_r follow, last round first. "
    "Variance: Σ_r a_r² Σ (1 - b)/b² e² over the rows of round r; if a round has a single row, Σ c_r (Z_r - Σ a Z)²/(1 + Σ c), with "
    "c = a²/(1 - 2a) and Z_r the sum of e in earlier rounds plus that of e/b in round r.",
    "assisted": "The estimator adds predicted losses of all items, which are not in these files, to the weighted residuals. The weights alone "
    "give an estimate without the model, unbiased for sums but less precise.",
    "posterior": "The estimate is the middle of a posterior over the labels of all items, given a calibration curve and the labels in each stratum; "
    "it cannot be redone from these files. Strata with labels are simple random samples: the stratified mean over them is an estimate without the model.",
}
VARIANCES["lure"] = VARIANCES["rounds"]
LIMITS = (
    "Limits for a value F in [0, 1] with variance V at level 1 - 2t (those of another range are rescaled to it): korn-graubard has "
    "n = F (1 - F)/V, x = n F, low = the t quantile of Beta(x, n - x + 1) and high = the 1 - t quantile of Beta(x + 1, n - x); beta has "
    "v = F (1 - F)/V - 1 and the quantiles of Beta(F v, (1 - F) v). For errors without a largest value log-normal divides and multiplies "
    "F by exp(z √V/F), z being the 1 - t quantile of Student's t with 2/(Σ s²/(Σ s)² - 1/k) degrees of freedom, from 1 to k - 1, for the k "
    "shares s of the items in the variance that are not 0."
)


def archive(
    study: Study, *, level: float | None = None, interval: str | None = None, about: About = "pool"
) -> bytes:
    """A ZIP file with the sample, the labels and the results as CSV, and with a legend of their columns and formulas.

    Args:
        study: The study.
        level: Coverage of the intervals; the study's by default.
        interval: Key in `INTERVALS`; the method's by default.
        about: "pool" for this pool's metrics, "future" for items like these.

    Raises:
        InputError: `study` is no `Study`, or another argument is out of range.
    """
    found = checked_study(study).estimates(level=level, interval=interval, about=about)
    tables = {
        SAMPLE: frames.sample(study),
        LABELS: frames.labels(study),
        RESULTS: frames.estimates(found),
    }
    paragraphs = [study.name or "study", READING, *map(_legend, tables), *_formulas(study, found[0])]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(LEGEND, "\n\n".join(map(_filled, filter(None, paragraphs))) + "\n")
        for name, table in tables.items():
            packed.writestr(name, sheets.to_csv(table))
    return out.getvalue()


def _formulas(study: Study, main: Estimate) -> list[str]:
    """How the values, variances and limits follow from the sample."""
    run, estimator = study.run(), study.method.estimator
    if run is not None and has_labels(run, run.sample.population):
        return [methods(study, main), VALUE, CENSUS]
    metrics = [*map(study.metric, study.scalars)]
    means = MEANS if any(metric.means_over_classes for metric in metrics) else ""
    uncentred = UNCENTRED if any(study.method.form(metric) is not metric for metric in metrics) else ""
    return [methods(study, main), VALUE, means, VARIANCES.get(estimator.key, ""), uncentred, LIMITS]


def _legend(file: str) -> str:
    return "\n".join([file, *(f"  {name}: {meaning}" for name, meaning in COLUMNS[file].items())])


def _filled(paragraph: str) -> str:
    return "\n".join(
        fill(line, 100, subsequent_indent="    " * line.startswith(" ")) for line in paragraph.split("\n")
    )
