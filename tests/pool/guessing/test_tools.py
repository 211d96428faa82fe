"""Tables as well-known tools name and write their columns: what is read, what is asked, and what is said."""

# ruff: noqa: PD011 - Labels.values is ours, not pandas'

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sampleval._checks import InputError
from sampleval.pool import Labels, Pool
from sampleval.pool.guessing.scales import Transform

N = 24
TRUTH = np.arange(N) * 7 % 3
SHARES = np.array([[0.5, 0.2, 0.3], [0.1, 0.6, 0.3], [0.25, 0.35, 0.4]])[TRUTH]
ABC = np.array(["a", "b", "c"])
TRUE = TRUTH == 1
SCORE = np.where(TRUE, 0.7, 0.2) + np.arange(N) / 100


def shares(*names: str) -> dict[str, np.ndarray]:
    """Scores of three classes that sum to 1 in each row, under these names."""
    return dict(zip(names, SHARES.T, strict=True))


def agreement(df: pd.DataFrame, pool: Pool) -> float:
    """The share of items whose decision is the table's label."""
    return float((Labels.from_frame(df, pool).values == pool.pred).mean())


# ---------------------------------------------------------------- names of columns


@pytest.mark.parametrize("name", ["pred_score", "predicted_prob", "prediction_probability", "y_pred_proba"])
def test_predicted_probabilities_of_classes_are_scores(name: str) -> None:
    df = pd.DataFrame({**shares(*(f"{name}_{one}" for one in ABC)), "y_true": ABC[TRUTH]})
    pool = Pool.from_frame(df)
    assert (pool.task.kind, pool.task.classes, agreement(df, pool)) == ("multiclass", tuple(ABC), 1.0)


@pytest.mark.parametrize("name", ["y_pred_score", "y_pred_probability", "y_pred_confidence", "pred_probs"])
def test_a_predicted_probability_is_no_number_that_is_predicted(name: str) -> None:
    pool = Pool.from_frame(pd.DataFrame({name: SCORE, "y_true": TRUE}))
    assert (pool.task.kind, pool.columns.systems[0].score) == ("binary", (name,))


@pytest.mark.parametrize(
    "name",
    ["prob_class_0", "score_LABEL_0", "score_label_00", "p_class0", "probability_of_no", "prob_neg_class"],
)
def test_a_lone_score_of_the_negative_class_is_refused_whatever_is_said_about_it(name: str) -> None:
    """It was taken for the score of the positives, so that each item was on the wrong side."""
    with pytest.raises(InputError, match="must be the positive class's probability"):
        Pool.from_frame(pd.DataFrame({name: 1 - SCORE, "label": TRUE}))


@pytest.mark.parametrize("name", ["y_pred_", "pred_"])
def test_predictions_of_classes_that_sum_to_one_are_scores(name: str) -> None:
    df = pd.DataFrame({**shares(*(f"{name}{one}" for one in ABC)), "y_true": ABC[TRUTH]})
    pool = Pool.from_frame(df)
    assert (pool.task.kind, pool.task.classes, agreement(df, pool)) == ("multiclass", tuple(ABC), 1.0)
    whole = Pool.from_frame(df.round(0))  # zeros and ones are decisions
    assert whole.task.kind == "multilabel"


def test_predicted_fractions_beside_labels_no_and_yes_may_be_probabilities() -> None:
    """Keras predicts them, too, as y_pred; that a number is predicted is said, and how to correct it."""
    said = "as `y_true` says no and yes, it may be a probability: then name it with score"
    assert said in " ".join(Pool.from_frame(pd.DataFrame({"y_pred": SCORE, "y_true": TRUE * 1.0})).report)
    counts = pd.DataFrame({"y_pred": SCORE, "y_true": TRUTH})
    assert "probability" not in " ".join(Pool.from_frame(counts).report)


def test_labels_that_are_all_unknown_ask_for_no_names_of_classes() -> None:
    pool = Pool.from_frame(pd.DataFrame({"score": SCORE, "pred": TRUE * 1, "label": "?"}))
    assert pool.task.classes == ("0", "1")


def test_a_score_that_is_no_share_may_be_the_number_that_is_predicted() -> None:
    df = pd.DataFrame({"predicted_score_math": SCORE * 100, "true_score_math": SCORE * 90})
    with pytest.raises(InputError, match="if it is the number that is predicted, name it with pred"):
        Pool.from_frame(df)


def test_a_confidence_beside_y_pred_label_is_no_second_system() -> None:
    df = pd.DataFrame({"y_pred_label": ABC[TRUTH], "y_pred_score": 0.9, "y_true_label": ABC[TRUTH]})
    pool = Pool.from_frame(df)
    assert (pool.task.classes, len(pool.systems), agreement(df, pool)) == (tuple(ABC), 1, 1.0)


@pytest.mark.parametrize("score", ["Prediction (class) (Confidence)", "prediction_class_confidence"])
def test_the_confidence_of_knime_is_no_second_system(score: str) -> None:
    """They were refused as two systems of different kinds."""
    df = pd.DataFrame({"Prediction (class)": ABC[TRUTH], score: 0.9, "class": ABC[TRUTH]})
    pool = Pool.from_frame(df)
    assert (pool.task.classes, len(pool.systems), agreement(df, pool)) == (tuple(ABC), 1, 1.0)
    two = df[TRUTH < 2]
    (own,) = Pool.from_frame(two, classes=["a", "b"], transform="confidence").columns.systems
    assert (own.score, own.pred) == ((score,), ("Prediction (class)",))


def test_decisions_and_labels_of_each_class_are_known_by_y_pred_and_y_true() -> None:
    columns = {
        f"y_{what}_{one}": np.equal(TRUTH, k) * 1 for what in ("true", "pred") for k, one in enumerate("ab")
    }
    df = pd.DataFrame(columns)
    pool = Pool.from_frame(df)
    assert (pool.task.kind, pool.task.classes, agreement(df, pool)) == ("multilabel", ("a", "b"), 1.0)


@pytest.mark.parametrize(
    ("decision", "scores"),
    [
        ("predict", ("a", "b", "c")),
        ("Scored Labels", tuple(f"Scored Probabilities_{one}" for one in ABC)),
    ],
)
def test_decisions_of_h2o_and_azure_are_read_and_not_shown(decision: str, scores: tuple[str, ...]) -> None:
    df = pd.DataFrame({"text": "x", **shares(*scores), decision: "c", "label": ABC[TRUTH]})
    pool = Pool.from_frame(df)
    assert pool.columns.systems[0].pred == (decision,)
    assert pool.columns.fields == ("text",)
    assert (pool.pred == 2).all()


@pytest.mark.parametrize("written", ["prob_class_{}", "prob_[{}]", "Score ({})", "p_LABEL_{}", "P_BAD{}"])
def test_scores_are_of_the_classes_that_labels_name(written: str) -> None:
    df = pd.DataFrame({**shares(*map(written.format, range(3))), "label": TRUTH})
    pool = Pool.from_frame(df)
    assert (pool.task.classes, agreement(df, pool)) == (("0", "1", "2"), 1.0)


def test_numbers_as_names_of_classes_may_have_decimals() -> None:
    df = pd.DataFrame(
        {0.0: 1.0 - SCORE, 1.0: SCORE, "label": TRUE * 1.0}
    )  # columns=clf.classes_ of float labels
    pool = Pool.from_frame(df)
    assert (pool.task.kind, pool.task.classes, agreement(df, pool)) == ("binary", ("0", "1"), 1.0)


@pytest.mark.parametrize(
    ("scores", "pred"),
    [
        ("confidence({})", "prediction(tone)"),  # RapidMiner
        ("tree ({})", "tree"),  # Orange
        (".pred_{}", ".pred_class"),  # tidymodels
        ("{}_predicted_proba", "tone_predicted"),  # Azure
    ],
)
def test_classes_are_named_without_what_a_tool_adds_around_them(scores: str, pred: str) -> None:
    """With a bracket left, as in `a)`, neither decisions nor labels were of these classes, and both were shown."""
    named = [scores.format(one) for one in ABC]
    df = pd.DataFrame({**shares(*named), pred: ABC[TRUTH], "tone": ABC[TRUTH], "age": range(N)})
    columns = Pool.from_frame(df, id="age").columns
    assert columns.systems[0].score == tuple(named)
    assert not {pred, "tone"} & {*columns.fields}
    assert Pool.from_frame(df, label="tone").task.classes == ("a", "b", "c")


@pytest.mark.parametrize(
    ("no", "yes"),
    [
        ("P_BAD0", "P_BAD1"),  # SAS
        ("Probability:Class=0", "Probability:Class=1"),  # CatBoost
        ("churn_No_PREDICTION", "churn_Yes_PREDICTION"),  # DataRobot
        ("tree (no)", "tree (yes)"),
        ("0_predicted_proba", "1_predicted_proba"),
        ("predicted_churn_0_score", "predicted_churn_1_score"),  # Vertex AI
    ],
)
def test_scores_of_no_and_yes_are_of_two_classes_where_no_label_tells_their_names(no: str, yes: str) -> None:
    """They were two of several classes, called BAD0 and BAD1, so that a column BAD of 0 and 1 was shown."""
    df = pd.DataFrame({yes: SCORE, no: 1 - SCORE, "BAD": np.where(TRUE, "1", "0")})
    pool = Pool.from_frame(df)
    assert (pool.task.kind, pool.columns.scores, pool.columns.fields) == ("binary", (yes,), ())


@pytest.mark.parametrize(
    "names",
    [
        ("yhat", "yhat_lower", "yhat_upper"),
        ("forecast", "forecast-lo-90", "forecast.sd"),
        ("y_pred", "upper", "obs_ci_upper"),
    ],
)
def test_numbers_named_after_the_predicted_one_are_not_shown(names: tuple[str, ...]) -> None:
    """The bounds of Prophet show what it predicts."""
    df = pd.DataFrame({name: SCORE * (9 + k) for k, name in enumerate(names)}).assign(
        trend=SCORE, yhat_note="x", high=SCORE[::-1] * 100 - 50
    )
    assert Pool.from_frame(df).columns.fields == ("trend", "yhat_note", "high")


def test_names_of_scores_stay_where_labels_name_other_classes_or_the_caller_does() -> None:
    df = pd.DataFrame({**shares("p_class_0", "p_class_1", "p_class_2"), "label": TRUTH + 1})
    assert Pool.from_frame(df).task.classes == ("class_0", "class_1", "class_2")
    named = ["class_0", "class_1", "class_2"]
    assert Pool.from_frame(df.assign(label=TRUTH), classes=named).task.classes == tuple(named)


def test_scores_of_two_systems_are_not_taken_for_those_of_classes() -> None:
    df = pd.DataFrame({"score_m0": SCORE, "score_m1": SCORE / 2, "label": TRUE * 1})
    assert [system.name for system in Pool.from_frame(df).systems] == ["m0", "m1"]


def test_the_score_of_the_other_class_is_no_id_that_repeats() -> None:
    """caret calls the two scores No and Yes."""
    df = pd.DataFrame({"No": (1 - SCORE).round(1), "Yes": SCORE.round(1), "obs": TRUE})
    assert "is not an id" not in " ".join(Pool.from_frame(df).report)


def test_what_begins_a_lone_score_is_no_system() -> None:
    """Mechanical Turk's `Input.score` was reported as "1 systems (Input)"."""
    pool = Pool.from_frame(pd.DataFrame({"HITId": range(N), "Input.score": SCORE, "Input.text": "x"}))
    assert [system.name for system in pool.systems] == [""]
    assert "`Input.score` is the one score column: two classes." in pool.report


@pytest.mark.parametrize("name", ["Answer.label", "Answer.intent.label"])
def test_answers_of_mechanical_turk_are_labels(name: str) -> None:
    """They were kept from annotators, but not taken for known labels; other answers were shown."""
    df = pd.DataFrame(
        {"HITId": range(N), "Input.score": SCORE, name: TRUE, "Answer.why": "so", "Input.text": "x"}
    )
    columns = Pool.from_frame(df).columns
    assert (columns.label, columns.fields, columns.systems[0].name) == ((name,), ("Input.text",), "")


def test_a_field_of_a_record_named_answer_is_shown() -> None:
    """JSON's answer.text was taken for what annotators of Mechanical Turk wrote, and those who judge it did not see it."""
    df = pd.DataFrame(
        {"score": SCORE, "question.text": "why?", "answer.text": [f"text {k}" for k in range(N)]}
    )
    assert Pool.from_frame(df).columns.fields == ("question.text", "answer.text")


def test_the_answer_that_is_judged_is_shown() -> None:
    """Beside a judge's score, an answer is no label but the text that people judge too; it was hidden from them."""
    df = pd.DataFrame({"score": SCORE, "question": "why?", "answer": [f"text {k}" for k in range(N)]})
    assert Pool.from_frame(df).columns.fields == ("question", "answer")
    for other in (np.where(TRUE, "yes", "no"), TRUTH, ABC[TRUTH], [["a"]] * N):
        assert "answer" not in Pool.from_frame(df.assign(answer=pd.Series(list(other)))).columns.fields


def test_labels_that_scores_decide_throughout_may_be_decisions() -> None:
    """MLJAR calls its decisions label, and the metrics of these are perfect."""
    df = pd.DataFrame({"prediction_0": 1 - SCORE, "prediction_1": SCORE, "label": (SCORE >= 0.5) * 1})

    def said(df: pd.DataFrame) -> bool:
        return "not known to be true" in " ".join(Labels.from_frame(df, Pool.from_frame(df)).report)

    assert said(df)
    assert not said(df.head(19))
    assert not said(df.assign(label=1 - df["label"]))
    assert not said(df.assign(pred=df["label"]))


# ---------------------------------------------------------------- names of classes


@pytest.mark.parametrize(
    ("written", "label"), [("__label__{}", "{}"), ("LABEL_{}", "{}"), ("{}.", "{}"), ("{}", "{}!")]
)
def test_one_class_in_the_spellings_of_two_tools_is_asked_about(written: str, label: str) -> None:
    df = pd.DataFrame({"pred": [written.format(k) for k in ABC], "label": [label.format(k) for k in ABC]})
    with pytest.raises(InputError, match="one class\\? Spell it in one way"):
        Pool.from_frame(df)


def test_classes_that_one_tool_spells_alike_are_no_matter() -> None:
    df = pd.DataFrame({"pred": [f"__label__{k}" for k in ABC], "label": [f"__label__{k}" for k in ABC]})
    assert Pool.from_frame(df).task.classes == ("__label__a", "__label__b", "__label__c")


def test_decisions_0_and_1_do_not_hide_that_labels_have_names() -> None:
    df = pd.DataFrame({"score": SCORE, "pred": TRUE * 1, "label": np.where(TRUE, "spam", "ham")})
    with pytest.raises(InputError, match=r"^`label` holds '\w+' and '\w+': which class is positive"):
        Pool.from_frame(df)
    pools = (
        Pool.from_frame(df, classes=["ham", "spam"]),
        Pool.from_frame(df.rename(columns={"score": "p_spam"})),
    )
    for pool in pools:
        assert (pool.task.classes, agreement(df, pool)) == (("ham", "spam"), 1.0)


def test_a_question_of_names_in_two_columns_tells_both() -> None:
    df = pd.DataFrame({"score": SCORE, "pred": "__label__ham", "label": np.where(TRUE, "spam", "ham")})
    with pytest.raises(InputError, match=r"^`label` and `pred` hold "):
        Pool.from_frame(df)


# ---------------------------------------------------------------- classes that no column names


@pytest.mark.parametrize("name", ["label", "pred"])
@pytest.mark.parametrize("met", [ABC[TRUTH], TRUTH + 1])
def test_lists_of_scores_need_the_names_that_labels_have(name: str, met: np.ndarray) -> None:
    df = pd.DataFrame({"proba": list(SHARES), name: met})
    with pytest.raises(InputError, match=f"`proba` holds lists of 3 scores, and `{name}` names .*`classes`"):
        Pool.from_frame(df)
    assert Pool.from_frame(df, classes=sorted(map(str, set(met)))).task.kind == "multiclass"


def test_lists_of_scores_are_numbered_where_labels_are_numbers_or_texts() -> None:
    for other in (TRUTH, TRUTH * 1.0, [f"a text {k}" for k in range(N)]):
        pool = Pool.from_frame(pd.DataFrame({"proba": list(SHARES), "answer": other}))
        assert pool.task.classes == ("0", "1", "2")


def test_labels_that_are_no_class_are_reported() -> None:
    df = pd.DataFrame({**shares("prob_0", "prob_1", "prob_2"), "label": TRUTH + 1})
    assert "`label` holds '3', which is no class: such labels are refused" in " ".join(
        Pool.from_frame(df).report
    )
    assert "is no class" not in " ".join(Pool.from_frame(df.assign(label=TRUTH * 1.0)).report)


# ---------------------------------------------------------------- scales of scores


def test_ratings_and_log_probabilities_are_not_sent_to_the_wrong_transform() -> None:
    rated, logs = pd.DataFrame({"score": TRUTH + 3}), pd.DataFrame({"score": np.log(SCORE)})
    with pytest.raises(
        InputError, match="divide ratings by the highest possible one beforehand; for percentages"
    ):
        Pool.from_frame(rated)
    with pytest.raises(InputError, match="of log-probabilities take exp beforehand, else"):
        Pool.from_frame(logs)
    with pytest.raises(InputError, match=r"\); for percentages"):
        Pool.from_frame(pd.DataFrame({"score": 100 * SCORE}))
    with pytest.raises(InputError, match=r"\); if they go up to 1,000, say, divide them by the highest"):
        Pool.from_frame(pd.DataFrame({"risk_score": 1000 * SCORE}))


def test_a_transform_of_ratings_or_log_probabilities_is_doubted() -> None:
    def remarks(scores: np.ndarray, transform: Transform) -> str:
        return " ".join(Pool.from_frame(pd.DataFrame({"score": scores}), transform=transform).report)

    assert "`score` is nowhere above 5%: if it holds ratings" in remarks(TRUTH + 3, "percent")
    assert "`score` is nowhere above 0: if it holds log-probabilities" in remarks(np.log(SCORE), "sigmoid")
    assert "nowhere" not in remarks(100 * SCORE, "percent") + remarks(9 * SCORE - 4, "sigmoid")


@pytest.mark.parametrize("name", ["safety_score", "prob_not_spam"])
def test_scores_that_rank_labels_the_wrong_way_round_are_said(name: str) -> None:
    """Each item was on the wrong side without a word."""
    df = pd.DataFrame({name: 1 - SCORE, "label": TRUE * 1})
    said = f"the '1' has the higher `{name}` in only 0% of all pairs: if it is the score of '0', take 1 − `{name}`"
    assert said in " ".join(Labels.from_frame(df, Pool.from_frame(df)).report)
    turned = Pool.from_frame(df, classes=["1", "0"])
    assert agreement(df, turned) == 1.0
    rightly = " ".join(Labels.from_frame(df, turned).report)
    unsure = pd.DataFrame({name: SCORE, "label": np.arange(N) % 3 == 0})  # 22% of 128 pairs may be chance
    assert "of all pairs" not in rightly + " ".join(Labels.from_frame(unsure, Pool.from_frame(unsure)).report)


# ---------------------------------------------------------------- what is read and what is advised


def test_decisions_are_those_that_name_what_labels_name() -> None:
    named = np.where(TRUE, "1:yes", "2:no")
    df = pd.DataFrame(
        {"actual": named, "predicted": named[::-1], "prediction": 0.5 + SCORE / 2}
    )  # as Weka writes
    assert Pool.from_frame(df).columns.systems[0].pred == ("predicted",)
    df = pd.DataFrame({"label": np.where(TRUE, "yes", "no"), "pred": TRUE * 1, "prediction": "I think so"})
    assert Pool.from_frame(df).columns.systems[0].pred == ("pred",)


def test_a_label_beside_scores_of_decisions_may_be_the_decision() -> None:
    df = pd.DataFrame({"label": np.where(TRUE, "POSITIVE", "NEGATIVE"), "score": 0.5 + SCORE / 2})
    assert "name the decisions, perhaps `label`, with pred" in " ".join(Pool.from_frame(df).report)


def test_a_label_beside_scores_of_best_guesses_among_several_is_asked_about() -> None:
    """What the model decided was no two-class label, and nearly each item was predicted positive."""
    df = pd.DataFrame({"label": ABC[TRUTH], "score": SHARES.max(axis=1)})
    with pytest.raises(
        InputError, match="if it is what the model decided, and `score` how sure it is, name it"
    ):
        Pool.from_frame(df)
    assert Pool.from_frame(df, pred="label").task.kind == "multiclass"
    assert Pool.from_frame(df, task="binary").task.kind == "binary"
    few = df.assign(score=SCORE)  # as the scores of anything else may be
    assert "is no two-class label" in " ".join(Pool.from_frame(few).report)


def test_margins_in_lists_are_no_sets_of_labels() -> None:
    """Each number was a class."""
    df = pd.DataFrame({"predictions": list(np.log(SHARES)), "label": TRUTH})
    with pytest.raises(InputError, match="holds lists of numbers: if they are scores, name it with `score`"):
        Pool.from_frame(df)
    codes = pd.DataFrame({"predictions": [[-1, 2], [2, 3]] * 12})
    assert Pool.from_frame(codes).task.kind == "multilabel"


def test_who_decided_is_no_decision() -> None:
    df = pd.DataFrame(
        {**shares("score_a", "score_b", "score_c"), "prediction_agent": "m", "label": ABC[TRUTH]}
    )
    pool = Pool.from_frame(df)
    assert (pool.columns.preds, pool.columns.fields, agreement(df, pool)) == ((), (), 1.0)


@pytest.mark.parametrize("cells", [[[one] for one in ABC[TRUTH]], [f'["{one}"]' for one in ABC[TRUTH]]])
def test_a_list_of_one_label_is_that_label(cells: list[object]) -> None:
    """Doccano and Argilla write such lists, of which each was refused."""
    df = pd.DataFrame({"predicted": ABC[TRUTH], "label": cells})
    pool = Pool.from_frame(df, task="multiclass", classes=list(ABC))
    assert (Labels.from_frame(df, pool).values == pool.pred).all()
    with pytest.raises(InputError, match="must be one of the 3 classes"):
        Labels.from_frame(df.assign(label=pd.Series([["a", "b"]] * N)), pool)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("[0.4 0.6]", "if it holds the scores of several classes, give each a column of its own"),
        ([{"label": "a", "score": 0.4}, {"label": "a", "score": 0.6}], "keep the numbers alone"),
        (np.array(0.4), r"take the numbers out of the tensors first: \.map\(float\)"),
    ],
)
def test_cells_that_hold_more_than_a_number_get_advice_that_leads_on(cells: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        Pool.from_frame(pd.DataFrame({"scores": [cells] * N}))


def test_a_record_among_predicted_numbers_is_refused_in_words() -> None:
    """It ended in pandas' "unhashable type"."""
    with pytest.raises(InputError, match="`pred` must be a number"):
        Pool.from_frame(pd.DataFrame({"pred": [1, 2, {"label": "a"}, 2]}))


def test_percent_signs_in_some_cells_are_to_be_written_in_all() -> None:
    with pytest.raises(InputError, match=r"got '60%'.*; write all cells with a percent sign or none"):
        Pool.from_frame(pd.DataFrame({"score": ["0.5", "60%"]}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"id" "score"\n"1" "a" 0.5\n', "if the one column is several, part them by commas"),
        ("a,0.5481\nb,0.6\n", "the first line should name the columns, and seems to be a row of the table"),
    ],
)
def test_files_without_a_line_of_names_or_with_blanks_between_cells(
    text: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "items.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        Pool.read(path)


def test_decimals_are_not_called_text() -> None:
    pool = Pool.from_frame(pd.DataFrame({"score": [Decimal("0.25"), Decimal("0.75")]}))
    assert "was text" not in " ".join(pool.report)


@pytest.mark.parametrize(
    ("decided", "labelled"),
    [
        (["NEG", "NEU", "POS"], ["negative", "neutral", "positive"]),
        (["1 star", "2 stars", "3 stars"], [1, 2, 3]),
    ],
)
def test_decisions_and_labels_without_a_class_in_common_are_asked_about(
    decided: list[str], labelled: list[object]
) -> None:
    df = pd.DataFrame({"pred": np.array(decided)[TRUTH], "label": np.array(labelled)[TRUTH]})
    with pytest.raises(
        InputError, match=r"`pred` names .*, `label` .*: no class in common\. Spell classes in one"
    ):
        Pool.from_frame(df)
    few = df.assign(label=df["label"].where(df.index == 0))
    assert Pool.from_frame(few).task.width == 4  # it may be of a class that is never predicted


@pytest.mark.parametrize("name", ["pred_label", "predicted_class"])
def test_whole_numbers_called_label_are_classes(name: str) -> None:
    df = pd.DataFrame({name: TRUTH, "y_test": TRUTH})
    pool = Pool.from_frame(df)
    assert (pool.task.classes, agreement(df, pool)) == (("0", "1", "2"), 1.0)
    assert 'if these are amounts, pass task="regression"' in " ".join(pool.report)


@pytest.mark.parametrize("labels", [{}, {"label": np.arange(60) + 0.5}])
def test_whole_numbers_called_label_are_amounts_where_few_recur_or_labels_are_fractions(
    labels: dict[str, np.ndarray],
) -> None:
    numbers = np.arange(60) % (3 if labels else 50)
    assert Pool.from_frame(pd.DataFrame({"pred_label": numbers, **labels})).task.kind == "regression"


def test_whole_numbers_that_recur_may_be_codes_of_classes() -> None:
    """A number was predicted, and nothing told how to say that these are classes."""

    def remarks(pred: object, label: object) -> str:
        return " ".join(Pool.from_frame(pd.DataFrame({"pred": pred, "label": label})).report)

    said = 'if these are codes of classes, pass task="multiclass"'
    assert said in remarks(TRUTH, TRUTH)
    assert said in remarks(TRUTH + 1.0, None)
    for pred, label in ((TRUTH, SCORE), (SCORE, TRUTH), (range(N), TRUTH), (TRUTH % 2, TRUTH % 2)):
        assert said not in remarks(pred, label)


def test_long_names_of_classes_are_cut_in_the_report() -> None:
    pool = Pool.from_frame(pd.DataFrame({"pred": [letter * 5000 for letter in ABC[TRUTH]]}))
    assert len(pool.report[0]) < 300


def test_an_infinite_decision_is_refused() -> None:
    frame = pd.DataFrame({"id": list("abc"), "pred_red": [1.0, 0.0, np.inf], "pred_big": [0.0, 1.0, 1.0]})
    with pytest.raises(InputError, match="pred_red"):
        Pool.from_frame(frame)


@pytest.mark.parametrize(
    "cell",
    ["[{{'label': 'spam', 'at': {}}}, {{'label': 'ham'}}]", '{{"class": "spam", "n": "{}"}}'],
)
def test_records_that_a_file_holds_as_text_are_no_classes(cell: str, tmp_path: Path) -> None:
    """Hugging Face's and Snowflake's records were as many classes as there were scores."""
    path = tmp_path / "t.csv"
    pd.DataFrame({"prediction": [cell.format(one) for one in SCORE]}).to_csv(path, index=False)
    with pytest.raises(InputError, match=r"`prediction` holds records with .*: give each of these a column"):
        Pool.read(path)


@pytest.mark.parametrize("cell", [{"label": 0, "score": 0.9}, [{"label": 0, "score": 0.9}]])
def test_records_among_decisions_between_two_classes_are_named(cell: object, tmp_path: Path) -> None:
    """A struct of Parquet was said to be no 0 and no 1."""
    path = tmp_path / "t.parquet"
    pd.DataFrame({"pred": [cell] * N, "score": SCORE, "label": TRUE}).to_parquet(path)
    with pytest.raises(InputError, match="`pred` holds records with `label`, `score`: give each of these a"):
        Pool.read(path)
    answers = pd.DataFrame({"score": SCORE, "answer": [f'{{"text": "{k}"}}' for k in range(N)]})
    assert "`answer` is no two-class label" in " ".join(Pool.from_frame(answers).report)


def test_records_that_may_hold_the_scores_are_said() -> None:
    """BigQuery's were left out, and nothing told how to use them."""
    cells = [[{"label": one, "prob": 0.5} for one in ("ab", "bc")[k % 2]] for k in range(N)]
    df = pd.DataFrame({"predicted_label": ABC[TRUTH], "predicted_label_probs": cells})
    said = "`predicted_label_probs` holds records with `label`, `prob`: if these are scores"
    assert said in " ".join(Pool.from_frame(df).report)
    assert said not in " ".join(Pool.from_frame(df.assign(**shares("p_a", "p_b", "p_c"))).report)


@pytest.mark.parametrize(("transform", "times"), [(None, 1), ("percent", 100)])
def test_a_column_that_another_threshold_makes_may_be_the_decision(
    transform: Transform | None, times: int
) -> None:
    """A `flag` of the scores above 0.8 was a field, and 0.5 decided."""
    df = pd.DataFrame({"score": SCORE * times, "flag": np.where(SCORE >= 0.8, "Y", "N"), "label": TRUE})
    said = f"`flag` says yes where `score` is {df['score'][SCORE >= 0.8].min():g} or more and no below"
    assert said in " ".join(Pool.from_frame(df, transform=transform).report)
    df["flag"] = SCORE >= 0.5
    assert "`flag` says yes" not in " ".join(Pool.from_frame(df, transform=transform).report)


@pytest.mark.parametrize("name", ["Mean", "Grand Total", "Summe"])
def test_a_last_row_that_sums_up_the_others_is_said(name: str, tmp_path: Path) -> None:
    """It was one item more."""
    path = tmp_path / "t.csv"
    path.write_text(f"id,score,label\na,0.2,0\nb,0.8,1\n{name},0.5,\n", encoding="utf-8")
    assert f"The last item is called '{name}'" in " ".join(Pool.read(path).report)


@pytest.mark.parametrize("name", ["weight", "n", "Count", "sample_weight", "Häufigkeit"])
def test_that_rows_have_no_weight_is_said(name: str) -> None:
    """Counts of equal items were fields, and nothing told that each row counted once."""

    def remarks(cells: object) -> str:
        return " ".join(Pool.from_frame(pd.DataFrame({"score": SCORE, name: cells})).report)

    assert f"Each row counts once, whatever `{name}` says" in remarks(1 + TRUTH)
    for other in ("heavy", range(N), -SCORE):
        assert "counts once" not in remarks(other)


def test_rows_repeated_as_the_remark_on_weights_says_are_read() -> None:
    """Repeated as they were, they were refused for their ids."""
    df = pd.DataFrame({"key": [f"a{row}" for row in range(N)], "score": SCORE, "weight": 1 + TRUTH})
    said = "repeat it that often, each time with another `key`"
    assert said in " ".join(Pool.from_frame(df, id="key").report)
    repeated = df.loc[df.index.repeat(df["weight"])]
    repeated["key"] += [f"-{copy}" for copy in repeated.groupby("key").cumcount()]
    assert Pool.from_frame(repeated, id="key").size == df["weight"].sum()
    assert "with another" not in " ".join(Pool.from_frame(df.drop(columns="key")).report)


@pytest.mark.parametrize(
    ("name", "other", "said"),
    [
        *(("weight", "height_cm", False), ("Weight", "Price (EUR)", False), ("Gewicht", "Größe", False)),
        *(("weight", "item", True), ("sampling_weight", "price", True), ("n", "price", True)),
    ],
)
def test_what_a_thing_weighs_is_no_weight_of_its_row(name: str, other: str, said: bool) -> None:
    """Of a parcel of 2.5 kg it was said that its row counts once."""
    df = pd.DataFrame({"score": SCORE, name: 1 + TRUTH, other: SCORE * 100})
    assert ("counts once" in " ".join(Pool.from_frame(df).report)) == said


@pytest.mark.parametrize("word", ["TBD", "pending", "N.A."])
def test_a_label_that_is_left_out_is_said_with_its_names(word: str) -> None:
    """The label was no two-class label, and nothing told that it was for a word that means unknown."""
    df = pd.DataFrame({"score": SCORE, "label": np.where(TRUTH == 2, word, np.where(TRUE, "yes", "no"))})
    row = int(np.flatnonzero(TRUTH == 2)[0])
    said = f"is no two-class label, as it holds 'no', 'yes', '{word}' (first at row {row}): leave cells empty whose label is not known."
    assert said in " ".join(Pool.from_frame(df).report)
    with pytest.raises(
        InputError, match=f"`label` holds 'no', 'yes', '{word}' .first at row {row}. and perhaps"
    ):
        Pool.from_frame(df, label="label")


def test_the_line_of_a_label_that_is_neither_of_two_classes_is_said(tmp_path: Path) -> None:
    """Its name was said, but not where among all the others it stands."""
    path = tmp_path / "t.csv"
    pd.DataFrame({"score": SCORE, "label": np.where(np.arange(N) == 17, 2, TRUE)}).to_csv(path, index=False)
    assert "as it holds '0', '1', '2' (first in line 19): leave" in " ".join(Pool.read(path).report)
    with pytest.raises(InputError, match=r"'2' \(first in line 19\) and perhaps more"):
        Pool.read(path, label="label")


# ---------------------------------------------------------------- other languages


@pytest.mark.parametrize(
    ("pred", "score", "label", "no", "yes"),
    [
        ("Vorhersage", "Wahrscheinlichkeit", "Wahrheit", "FALSCH", "WAHR"),
        ("Prédiction", "Probabilité", "Étiquette", "non", "oui"),
        ("predicción", "probabilidad", "etiqueta", "no", "sí"),
        ("previsão", "probabilidade", "rótulo", "não", "sim"),
        ("previsione", "probabilità", "etichetta", "falso", "vero"),
        ("прогноз", "вероятность", "метка", "нет", "да"),
        ("pred", "score", "label", "YANLIŞ", "DOĞRU"),  # Excel's capitals
        ("pred", "score", "label", "HAYIR", "EVET"),
        ("预测", "概率", "标签", "否", "是"),
    ],
)
def test_a_table_in_another_language_is_read_like_one_in_english(
    pred: str, score: str, label: str, no: str, yes: str
) -> None:
    """Decisions and labels were shown, and a threshold decided."""
    df = pd.DataFrame({pred: np.where(TRUE, yes, no), score: SCORE, label: np.where(TRUE, yes, no)})
    pool = Pool.from_frame(df)
    assert (pool.task.classes, pool.columns.systems[0].pred, pool.columns.label) == (
        (no, yes),
        (pred,),
        (label,),
    )
    assert (pool.columns.systems[0].score, agreement(df, pool)) == ((score,), 1.0)


# ---------------------------------------------------------------- what annotators should not see


@pytest.mark.parametrize("known", [["truth"], []], ids=["labelled", "unlabelled"])
def test_what_else_names_the_classes_is_not_shown_beside_a_label(known: list[str]) -> None:
    """Of mlr3 `response` is the decision; of two annotators one may be wrong. They were shown where a label was known."""
    said = {"response": ABC[TRUTH], "truth": ABC[TRUTH], "colour": ["red", "blue"] * 12}
    df = pd.DataFrame({**shares("prob.a", "prob.b", "prob.c"), **said})[
        ["prob.a", "prob.b", "prob.c", "response", "colour", *known]
    ]
    assert Pool.from_frame(df).columns.fields == ("colour",)


@pytest.mark.parametrize(
    "names", [("PredictedLabel", "TrueLabel"), ("yPred", "yTrue"), ("predictedClass", "actualClass")]
)
def test_words_that_are_run_together_are_told_apart(names: tuple[str, str]) -> None:
    """Both were shown, and the threshold decided in place of the decisions."""
    df = pd.DataFrame({"DocId": range(N), names[0]: ABC[TRUTH], names[1]: ABC[TRUTH], "pH": SCORE * 9})
    columns = Pool.from_frame(df).columns
    assert (columns.systems[0].pred, columns.label, columns.fields) == (names[:1], names[1:], ("pH",))


@pytest.mark.parametrize(
    ("pred", "truth"),
    [
        ("PredictedPrice", "actualPrice"),
        ("Prediction (price)", "price"),  # of KNIME
        ("predicted_unit_price", "Unit Price"),
    ],
)
def test_the_true_number_is_not_shown_whatever_parts_its_words(pred: str, truth: str) -> None:
    pool = Pool.from_frame(pd.DataFrame({pred: SCORE, truth: SCORE, "rooms": range(N)}))
    assert (pool.task.kind, pool.columns.fields) == ("regression", ("rooms",))


@pytest.mark.parametrize("truth", ["human_grade", "true_grade", "grade_expert"])
def test_a_truth_that_has_the_name_of_the_prediction_and_who_said_it_is_not_shown(truth: str) -> None:
    df = pd.DataFrame({"predicted_grade": SCORE, truth: TRUTH, "last_grade": TRUTH})
    assert Pool.from_frame(df).columns.fields == ("last_grade",)
    days = [f"day {k}" for k in range(N)]
    other = pd.DataFrame({"predicted_grade": days, truth: days[::-1], "text": "x"})
    assert Pool.from_frame(other).columns.fields == ("text",)


@pytest.mark.parametrize("code", [-9, -9.0, 999, ".", "-1", "unsure"])
def test_answers_with_a_code_where_none_is_known_are_not_shown(code: object) -> None:
    """A radiologist's 0, 1 and -9 were three values, and no answers; annotators saw them beside the image."""
    read = [code if k % 4 == 0 else int(true) for k, true in enumerate(TRUE)]
    pool = Pool.from_frame(pd.DataFrame({"score": SCORE, "read": read, "children": TRUTH}))
    assert pool.columns.fields == ("children",)
    digits = pd.DataFrame({"pred": np.arange(N) % 10, "other": np.arange(N) % 10, "text": "x"})
    assert Pool.from_frame(digits, task="multiclass").columns.fields == ("text",)  # 9 is a class


@pytest.mark.parametrize(
    ("name", "cells", "shown"),
    [
        ("toxicity", TRUTH / 10, False),  # the share of annotators who said so
        ("toxicity", [f"text {k}" for k in range(N)], True),  # what was scored
        ("gpt4_verdict", ABC[TRUTH], False),
        ("Reviewer decision", np.where(TRUE, "remove", "keep"), False),
        ("court_decision", [f"text {k}" for k in range(N)], True),
        ("logprob", np.log(SCORE), False),
        ("q", 1 - SCORE, False),
        ("q", 1 - SCORE[::-1], True),
        ("exact_match", ABC[TRUTH], False),
        ("toxicity_grade", TRUTH, False),
        ("human_toxicity", TRUTH + SCORE, False),  # the mean of some grades
        ("reference_toxicity", [f"text {k}" for k in range(N)], True),  # may be what was scored
    ],
)
def test_what_is_named_as_answers_are_is_not_shown(name: str, cells: object, shown: bool) -> None:
    df = pd.DataFrame({"toxicity_score": SCORE, name: cells})
    assert Pool.from_frame(df).columns.fields == (name,) * shown


NUMBER = SCORE * 9 + TRUTH
OFF = NUMBER - SCORE * 10


@pytest.mark.parametrize("how_far", [np.abs(OFF), OFF**2, np.abs(OFF).round(2)])
@pytest.mark.parametrize(
    ("truth", "pred", "error"),
    [
        ("y", "y_pred", "error"),
        ("price", "pred_price", "pred_error"),
        ("price", "predicted_price", "Expected error (CHF)"),
        ("sales", "forecast", "sd"),
    ],
)
def test_how_far_off_predictions_turned_out_is_no_error_scale(
    truth: str, pred: str, error: str, how_far: np.ndarray
) -> None:
    """It was taken for the error that the predictions expect, so that the design knew the truth."""
    df = pd.DataFrame({truth: NUMBER, pred: SCORE * 10, error: how_far})
    pool = Pool.from_frame(df)
    assert pool.columns.systems[0].error is None
    assert f"`{error}` is no error scale, as it is |`{truth}` − `{pred}`|" in " ".join(pool.report)
    assert pool.columns.fields == ()
    of_two = Pool.from_frame(
        df.rename(columns={pred: "a.pred", error: "a.error"}).assign(**{"b.pred": SCORE[::-1] * 10})
    )
    assert (of_two.columns.systems[0].error, of_two.columns.fields) == (None, ())
    with pytest.raises(InputError, match="must be expected before the label is known"):
        Pool.from_frame(df, label=truth, error=error)
    expected = df.assign(**{error: how_far + SCORE})
    assert Pool.from_frame(expected).columns.systems[0].error == error


def test_the_simplest_formula_of_what_takes_the_label_is_told() -> None:
    """Where labels are 1, the relative miss is the miss, and was told in its place."""
    df = pd.DataFrame({"y": np.ones(N), "y_pred": SCORE * 10, "error": np.abs(1 - SCORE * 10)})
    assert "it is |`y` − `y_pred`|, which takes the label" in " ".join(Pool.from_frame(df).report)


def test_an_error_scale_that_makes_a_bound_is_one() -> None:
    df = pd.DataFrame({"forecast": SCORE * 10, "sd": np.abs(OFF), "low": SCORE * 10 - np.abs(OFF)})
    assert Pool.from_frame(df).columns.systems[0].error == "sd"
    of_two = pd.concat([df.add_prefix("a."), pd.DataFrame({"b.forecast": SCORE[::-1] * 10})], axis=1)
    assert Pool.from_frame(of_two).columns.systems[0].error == "a.sd"  # the bound is on both sides of b's


@pytest.mark.parametrize("missing", ["NA", "", " "])
def test_an_error_scale_that_makes_a_bound_of_which_a_cell_is_missing_is_one(missing: str) -> None:
    low = pd.Series(SCORE * 10 - np.abs(OFF)).astype(object)
    low[3] = missing
    df = pd.DataFrame({"forecast": SCORE * 10, "sd": np.abs(OFF), "low": low})
    assert Pool.from_frame(df).columns.systems[0].error == "sd"


def test_how_far_models_disagree_is_an_error_scale() -> None:
    """Of two models it is |other − pred|, as the miss of the truth is; it was refused, even if the caller named it."""
    other = SCORE * 10 + OFF
    of_mean = pd.DataFrame(
        {"pred": (SCORE * 10 + other) / 2, "a": SCORE * 10, "b": other, "sd": abs(OFF) / 2}
    )
    assert Pool.from_frame(of_mean).columns.systems[0].error == "sd"
    pool = Pool.from_frame(pd.DataFrame({"pred": SCORE * 10, "b": other, "sd": abs(OFF)}), error="sd")
    assert pool.columns.systems[0].error == "sd"
    assert "`sd` is |`b` − `pred`|: if `b` is the truth, leave it out." in " ".join(pool.report)


@pytest.mark.parametrize(
    ("task", "cells"),
    [
        ("regression", -OFF),
        ("regression", 100 * np.abs(OFF / NUMBER)),
        ("binary", np.abs(TRUE - SCORE)),
        ("binary", (TRUE - SCORE) ** 2),
        ("binary", -np.log(np.where(TRUE, SCORE, 1 - SCORE))),
        ("multiclass", TRUTH[::-1] != TRUTH),
        ("multiclass", np.where(TRUTH[::-1] == TRUTH, "yes", "no")),
        ("multiclass", np.where(np.arange(N) % 5 == 0, "", np.where(TRUTH[::-1] == TRUTH, "yes", "no"))),
    ],
)
def test_what_is_computed_from_the_label_is_not_shown_whatever_its_name(task: str, cells: np.ndarray) -> None:
    """Residuals, losses and verdicts tell the truth to who sees the prediction, too."""
    tables = {
        "regression": {"y": NUMBER, "y_pred": SCORE * 10},
        "binary": {"y": TRUE, "score": SCORE},
        "multiclass": {"y": ABC[TRUTH], "pred": ABC[TRUTH[::-1]]},
    }
    df = pd.DataFrame({**tables[task], "hm": cells, "length": np.roll(cells, 5)})
    assert Pool.from_frame(df).columns.fields == ("length",)


@pytest.mark.parametrize(("wrong", "shown"), [([2], True), ([2, 5], False)])
def test_a_flag_is_shown_that_happens_to_be_at_the_only_wrong_decision(wrong: list[int], shown: bool) -> None:
    """With eight labels one rare flag in twenty is there."""
    truth, flag = np.array([*"abcabcab"]), np.isin(range(8), wrong)
    df = pd.DataFrame({"y": truth, "pred": np.where(flag, "a", truth), "urgent": flag})
    assert Pool.from_frame(df).columns.fields == ("urgent",) * shown


VERDICTS = np.array(["TN", "FP", "FN", "TP"])[2 * TRUE + (TRUTH == 2)]


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("is_correct", ["x", "y", "z"] * 8),
        ("residual", SCORE - TRUE),
        ("outcome", VERDICTS),
        ("outcome", np.where(TRUE, "right", "wrong")),
        ("match_weight", np.log2(SCORE)),  # Splink's other spelling of its match_probability
        ("label.suggestion.score", SCORE),
        ("kind", np.where(TRUE, "spam", "ham")),  # the score is of spam
    ],
)
def test_what_tells_which_decisions_are_right_is_not_shown(name: str, cells: object) -> None:
    df = pd.DataFrame({"p_spam": SCORE, name: cells, "point.y": SCORE * 9})
    assert Pool.from_frame(df).columns.fields == ("point.y",)


def test_states_are_shown_though_many_rows_begin_with_tn() -> None:
    state = np.repeat(["TN", "TX"], 1200)
    df = pd.DataFrame({"score": np.tile(SCORE, 100), "state": state})
    assert Pool.from_frame(df).columns.fields == ("state",)


SMOKER = np.arange(N) % 2


@pytest.mark.parametrize(
    ("column", "shown"),
    [
        (SMOKER, True),
        (np.where(SMOKER, "yes", "no"), True),
        (TRUE ^ (np.arange(N) % 8 == 0), False),  # a second annotator's answers
        (SCORE > 0.8, False),  # another threshold's decisions
        ((SCORE > 0.4) == TRUE, False),  # which of its decisions are right
        (~TRUE, False),
    ],
)
def test_no_and_yes_to_another_question_are_shown_beside_known_labels(
    column: np.ndarray, shown: bool
) -> None:
    """Whether somebody smokes was kept from those who label a diagnosis, as if it were an answer to that."""
    df = pd.DataFrame({"score": SCORE, "label": TRUE, "smoker": column})
    assert Pool.from_frame(df).columns.fields == ("smoker",) * shown
    decided = df.drop(columns="score").assign(pred=SCORE > 0.6)
    assert Pool.from_frame(decided).columns.fields == ("smoker",) * shown
    few = df.assign(label=df["label"].where(df.index < 16))  # too few to show it
    missed = df["label"] ^ (df.index % 11 == 3)
    named = df.drop(columns="label").rename(columns={"score": "churn_score"}).assign(Churn=missed)
    assert Pool.from_frame(named).columns.fields == ("smoker",) * shown
    for other in (TRUE, np.where(missed, 1, -9)):  # decisions, perhaps, and codes for unknown
        assert Pool.from_frame(named.assign(Churn=other)).columns.fields == ()
    for other in (few, df.drop(columns="label")):
        assert Pool.from_frame(other).columns.fields == ()


def of_weka(actual: np.ndarray, error: np.ndarray) -> pd.DataFrame:
    """Predictions as Weka writes them: a + stands where they are wrong, and nothing where they are right."""
    said = np.array(["1:neg", "2:pos"])
    decided = said[(SCORE >= 0.5) * 1]
    columns = {"inst#": np.arange(N), "actual": actual, "predicted": decided, "error": error}
    return pd.DataFrame({**columns, "prediction": np.maximum(SCORE, 1 - SCORE)})


def test_what_weka_marks_as_wrong_is_not_shown() -> None:
    """The + was shown beside the item, and with the decision it tells the truth."""
    said = np.array(["1:neg", "2:pos"])
    wrong = np.arange(N) % 5 == 0
    actual = said[((SCORE >= 0.5) ^ wrong) * 1]
    pool = Pool.from_frame(of_weka(actual, np.array([None, "+"])[wrong * 1]))
    assert (pool.columns.label, pool.columns.hidden) == (("actual",), ("error", "prediction"))


def test_decisions_of_weka_are_read_where_no_label_is_known() -> None:
    """The confidence had become a predicted number, and the empty column of errors its scale."""
    df = of_weka(np.full(N, "1:?"), np.full(N, None))
    pool = Pool.from_frame(df)
    assert (pool.task.classes, pool.columns.systems[0].pred) == (("1:neg", "2:pos"), ("predicted",))
    labels = Labels.from_frame(df, pool)
    assert not labels.known.any()
    assert labels.report == ("Labels from `actual`: for 0 of 24 items.",)


def test_the_choice_of_label_studio_is_not_shown() -> None:
    df = pd.DataFrame({"text": "x", "choice": np.array(["ham", "spam"])[TRUE * 1], "score": SCORE})
    assert Pool.from_frame(df).columns.fields == ("text",)
