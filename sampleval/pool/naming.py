"""What column names suggest: a role, and the class or the system that the column is about."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Sequence

_NAMES: dict[str, str] = {
    "id": """id item_id itemid uid uuid guid pair_id doc_id document_id record_id example_id sample_id
        row_id rowid""",
    "row": "index unnamed_0",
    "score": """score scores p prob probs probability probabilities proba p_hat y_score y_prob y_proba model_score
        positive_probability scored_probabilities""",
    "weak score": """similarity wahrscheinlichkeit probabilite probabilidad probabilita probabilidade вероятность 概率
        confidence model_confidence conf model_conf certainty model_certainty""",
    "log-odds": "logit logits log_odds decision_function raw_score",
    "pred": """pred predict prediction predictions predicted scored_labels predicted_label predicted_class pred_label
        pred_class y_pred y_pred_label y_pred_class yhat y_hat decision model_decision model_prediction model_pred
        forecast estimate prognose vorhersage schatzwert schatzung prevision estimation prediccion previsione
        predizione previsao прогноз предсказание 预测""",
    "label": """label labels y y_true y_true_label y_true_class y_test truth ground_truth groundtruth target gold
        gold_label true_label true true_class actual actual_class actual_label class is_match answer
        wahrheit etikett verite etiquette verdad etiqueta verita etichetta verdade rotulo истина метка 标签""",
    "error": "pred_sd pred_std pred_se pred_error pred_sigma expected_error error error_scale sd std sigma",
    "margin": "margin match_weight logprob logprobs log_prob log_probs logp perplexity entropy uncertainty",
    "system": "system model classifier system_name model_name",
}
# Names such as predicted_probability are made of these. They come before "pred_", or the column would hold a number that
# is predicted.
_PREDICTED = ("pred", "predicted", "prediction", "y_pred")
_SCORES = ("score", "prob", "proba", "probability")
_ALL_SCORES = (*_SCORES, "scores", "probs", "probabilities")
_OF_PREDICTED = [f"{pred}_{score}" for pred in _PREDICTED for score in _ALL_SCORES]
# How sure a model is of what it predicts: pred_confidence, and KNIME's Prediction (class) (Confidence).
_SURE = re.compile(rf"(?:{'|'.join(_PREDICTED)})_(?:.*[_(])?(?:confidence|conf|certainty)\)?")
# What stands before the name of a class or a system, as in score_spam; the first that fits counts.
_BEFORE: dict[str, Sequence[str]] = {
    "error": ("pred_sd",),
    "score": (*_OF_PREDICTED, *_SCORES, "scores", "p"),
    "pred": _PREDICTED,
    "label": ("y_true", "label", "truth", "gold"),
    "margin": ("margin", "logit"),
}
# Names of ids that say what is identified: `ticket_id`, `id_ticket`, `ticketId`, `order_no`, `#id`; but not `paid`.
_OWN_ID = re.compile(r"(?i:^id_|(?:[_#]|^)(?:id|nr|no|ref)$)|[a-z0-9]I[Dd]$")
# The row index that pandas saves. When it is read and saved again, it becomes `Unnamed: 0.1`.
_ROW = re.compile(r"unnamed_0(\.\d+)*")
# Percent as a unit. After a digit it is no unit, as in the name of the class 10%.
_PERCENT = re.compile(
    r"[\s_\-]*(?:(?<!\d)%|[(\[]\s*(?:%|percent|pct)\s*[)\]]|(?<!\d)[\s_.\-](?:in[\s_])?(?:percent(?:age)?|pct))$",
    re.IGNORECASE,
)
_UNIT = re.compile(r"\s+in\s+\S{1,3}$|\s*[(\[]\s*(?:[€$£¥]|[A-Z]{3})\s*[)\]]$")  # in €, (EUR)
# The probability of a class or of a variable's value, possibly conditional: P(spam), Pr(y = spam | text), P(spam) v2.
_OF_CLASS = re.compile(
    r"(?:p|pr|prob|proba|probability)\s*[(\[](?:\w+\s*=)?([^|=]+)(?:\|.*)?[)\]](.*)", re.IGNORECASE
)
# Systems and classes behind a point, as R's `reshape` names them; but not the second of two columns, `score.1` to pandas.
_POINTED = re.compile(rf"({'|'.join((*_SCORES, *_PREDICTED))})\.(?!\d+$)(.+)", re.IGNORECASE)
# What is predicted in brackets, as RapidMiner writes it: prediction(label).
_IN_BRACKETS = re.compile(rf"(?:{'|'.join(_PREDICTED)})(\(.+\))", re.IGNORECASE)
_END_PREDICTED = re.compile(
    rf"(?<=.)_(?:{'|'.join(_PREDICTED)})$", re.IGNORECASE
)  # as in spam_predicted_proba
# Bounds and quantiles of a predicted number.
_BOUND = re.compile(r"\b(?:lower|upper|lwr|upr|low|high|lo|hi|lb|ub)\b")
_QUANTILE = re.compile(r"(?:q(?:uantile)?[_ ]?)?(0?\.\d+)|(?:p|q)(\d{1,2})")  # 0.1 and q0.1, p10
# Words run together, as in TrueLabel, yTrue and predictedPrice; but not in pH or pKa.
_HUMP = re.compile(r"(?:(?<=[a-z]{2})|(?<=^[yY]))(?=[A-Z])")
_ROLE = {name: role for role, names in _NAMES.items() for name in names.split()}
_ROLE |= dict.fromkeys(_OF_PREDICTED, "score")
_PREFIXES = {f"{word}_": role for role, words in _BEFORE.items() for word in words}
_BEGINNING = re.compile(rf"(?:{'|'.join(_PREFIXES)})(?=.)", re.DOTALL)
_ENDING = re.compile(rf"(?<=.)_(?:{'|'.join(_SCORES)})\Z", re.DOTALL)
SCORES = ("score", "weak score")
MARGINS = ("log-odds", "margin")
OUTPUTS = (*SCORES, "pred")  # the roles of what a system says
_DECISION = re.compile(r" (?:pred|prediction|predicted|decision)$|\b(?:flag|flagged|blocked|detected)$")
_SAYS_SCORES = re.compile(r"(?:scores?|probs?|probabilit(?:y|ies)|confidences?)$", re.IGNORECASE)


def role_of(name: str) -> tuple[str, str]:
    """The role that a name suggests ("" if none) and the class or system that it mentions ("" if none).

    >>> role_of("P_toxic"), role_of("y_true"), role_of("ticketId"), role_of("paid"), role_of("Pred Prob (%)")
    (('score', 'toxic'), ('label', ''), ('weak id', ''), ('', ''), ('score', ''))
    >>> role_of("P(toxic) v2.3"), role_of("Pr(y = toxic | text)"), role_of("score:toxic")
    (('score', 'toxic v2.3'), ('score', 'toxic'), ('score', 'toxic'))
    >>> role_of("predicted_prob_toxic"), role_of("y_pred_toxic"), role_of("Scored Labels")
    (('score', 'toxic'), ('pred', 'toxic'), ('pred', ''))
    >>> role_of("Beleg-Nr."), role_of("réf"), role_of("Prévision (EUR)"), role_of("Schätzwert in €")
    (('weak id', ''), ('weak id', ''), ('pred', ''), ('pred', ''))
    >>> role_of("Probabilité"), role_of("Betrugswahrscheinlichkeit (%)")
    (('weak score', ''), ('weak score', ''))
    >>> role_of("Answer.label"), role_of("Answer.comment")
    (('label', ''), ('', ''))
    >>> role_of("TrueLabel"), role_of("yPred"), role_of("PredictedVeryGood"), role_of("pH")
    (('label', ''), ('pred', ''), ('pred', 'VeryGood'), ('', ''))
    >>> role_of(".pred_class"), role_of(".pred_spam"), role_of("prediction(tone)")
    (('pred', ''), ('pred', 'spam'), ('pred', '(tone)'))
    >>> role_of("score.gpt"), role_of("score.1"), role_of("pred.score")
    (('score', 'gpt'), ('', ''), ('', ''))
    >>> role_of("score.gpt (%)"), role_of("score.pct"), role_of("pred.se")
    (('score', 'gpt'), ('score', ''), ('error', ''))
    """
    named = name.strip().lstrip(".")  # R's packages put a point before the columns that they add
    bare = _PERCENT.sub("", named) or name.strip()
    joined = re.sub(r"[\s\-:]+", "_", bare)
    plain, letters = joined.lower(), _letters(_UNIT.sub("", bare))
    if role := _ROLE.get(plain) or _ROLE.get(letters):
        return role, ""
    if says_answer(name) and role_of(name.rpartition(".")[2]) == ("label", ""):
        return "label", ""
    if _ROW.fullmatch(plain):
        return "row", ""
    if _SURE.fullmatch(plain):
        return "weak score", ""
    if found := _OF_CLASS.fullmatch(bare):
        return "score", " ".join(" ".join(found.groups()).split())
    if found := _IN_BRACKETS.fullmatch(bare):
        return "pred", found[1]
    if found := _BEGINNING.match(plain):
        return _PREFIXES[found[0]], bare[found.end() :].strip()
    if (found := _POINTED.fullmatch(bare)) and not role_of(found[2])[0]:
        return role_of("_".join(found.groups()))
    if letters.endswith("wahrscheinlichkeit"):  # German compounds such as Betrugswahrscheinlichkeit
        return "weak score", ""
    if found := _ENDING.search(plain):
        return "weak score", _END_PREDICTED.sub("", bare[: -len(found[0])])
    if _OWN_ID.search(joined) or _OWN_ID.search(letters):
        return "weak id", ""
    if (parted := _HUMP.sub("_", bare)) == bare:
        return "", ""
    role, rest = role_of(parted)
    return role, rest if rest in bare else rest.replace("_", "")


def suggesting(names: Iterable[str], role: str, taken: Container[str | None] = ()) -> list[str]:
    """The names that suggest this role, but for those that are taken.

    >>> suggesting(["ticket_id", "text", "order_id"], "weak id", {"order_id"})
    ['ticket_id']
    """
    return [name for name in names if role_of(name)[0] == role and name not in taken]


def _letters(name: str) -> str:
    """A name in small letters without accents and without the final point of an abbreviation.

    >>> _letters("Réf."), _letters("Beleg-Nr.")
    ('ref', 'beleg_nr')
    """
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    return re.sub(r"[\s\-]+", "_", bare.rstrip(". ").lower())


def folded(name: str) -> str:
    """A name without what spellings differ in: capitals, and signs between words.

    >>> folded("Very_Good"), folded("very good")
    ('very good', 'very good')
    """
    return re.sub(r"[\W_]+", " ", name).strip().casefold()


def says_percent(name: str) -> bool:
    """Whether a column's name says percent as its unit, at its end or its beginning.

    >>> says_percent("score_pct"), says_percent("percent_score"), says_percent("percent"), says_percent("score_10%")
    (True, True, False, False)
    """
    first = re.match(r"(?:percent(?:age)?|pct)[\W_]", name.strip(), re.IGNORECASE)
    return bool(first) or _PERCENT.sub("", name.strip()) not in ("", name.strip())


def says_scores(name: str) -> bool:
    """Whether a name says that what it names are scores, as `scores`, `confidenceScores` and `Prob` do."""
    return role_of(name)[0] in SCORES or _SAYS_SCORES.search(name) is not None


def says_answer(name: str) -> bool:
    """Whether a column holds a part of what annotators answered, as Mechanical Turk's `Answer.intent.label` does.

    In small letters, `answer.text` is a record's answer, which is what a system gave and annotators judge.
    """
    return name.startswith("Answer.")


def says_decision(name: str) -> bool:
    """Whether a name ends as those of decisions and predictions do, whoever made them.

    >>> says_decision("label_pred"), says_decision("Human decision"), says_decision("isFlagged"), says_decision("misflagged")
    (True, True, True, False)
    """
    return _DECISION.search(folded(_HUMP.sub(" ", name))) is not None


def says_bound(name: str) -> bool:
    """Whether a column is called like a bound of an interval or a quantile.

    >>> says_bound("yhat_lower"), says_bound("Hi 95"), says_bound("0.1"), says_bound("p90"), says_bound("slow")
    (True, True, True, True, False)
    """
    return bool(_BOUND.search(folded(name)) or _QUANTILE.fullmatch(name.strip().lower()))


def says_true(name: str) -> bool:
    """Whether a name contains the word "actual" or "true".

    >>> says_true("actual_price"), says_true("TrueValue"), says_true("factual")
    (True, True, False)
    """
    return not {"actual", "true"}.isdisjoint(re.split(r"[\W_]+", _HUMP.sub("_", name).lower()))


def in_two_lines(upper: Sequence[str], lower: Sequence[str]) -> str:
    """Advice where a line of systems stands above the line of the columns' names, as merged cells do; "" elsewhere.

    >>> in_two_lines(["", "Model A", "", "Model B"], ["id", "score", "pred", "score", "pred"])
    'the names stand in two lines: join them into one, as in `Model A.score`'
    >>> in_two_lines(["", "Model A", ""], ["id", "score", "note"])
    'the names stand in two lines: join them into one, as in `Model A.score`'
    >>> in_two_lines(["id", "", "note"], ["1", "0.5", "x"])
    ''
    """
    pairs = [(system, name.strip()) for system, name in zip(upper, lower, strict=False) if system.strip()]
    named = [f"{system.strip()}.{name}" for system, name in pairs if role_of(name)[0] in OUTPUTS]
    # Columns of two levels are all named above, too. One cell may be a text that happens to be such a name.
    full = all(name.strip() for name in upper[1:])
    if not named or (full and sum(bool(role_of(name)[0]) for _, name in pairs) < 2):
        return ""
    return f"the names stand in two lines: join them into one, as in `{named[0]}`"


def column_role(name: str) -> tuple[str, str]:
    """The role and the class that a column's name suggests, or else the part of the name after a system's prefix.

    >>> column_role("score_1.1"), column_role("new.score_spam")
    (('score', '1.1'), ('score', 'spam'))
    """
    whole = role_of(name)
    return whole if whole[0] else role_of(name.partition(".")[2])
