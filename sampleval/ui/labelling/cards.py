"""What an annotator sees of an item, and how pairs of records are recognised from field names."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sampleval.ui.labelling.pictures import enlarged

FieldKind = Literal["text", "number", "image"]

_BEGINNINGS = (("left_", "right_"), ("a_", "b_"), ("l_", "r_"))
_UNSEEN = str.maketrans({"\u200b": None, "\ufeff": None, "\r": None, "\N{NO-BREAK SPACE}": " "})
_ENDINGS = (("_left", "_right"), ("_a", "_b"), ("_l", "_r"), ("_1", "_2"), ("_x", "_y"))


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to show about an item.

    Attributes:
        name: Column name, shown as a caption.
        kind: How to show the value.
        value: The text, the number as text, or what `picture` made of a picture: never SVG or a URL.
    """

    name: str
    kind: FieldKind
    value: str


@dataclass(frozen=True, slots=True)
class Card:
    """One item as the annotator sees it.

    Attributes:
        id: The item's id, unique in the queue.
        fields: What to show, in order.
        note: A line below the fields, such as the model's score when the caller has switched it on.
    """

    id: str
    fields: tuple[Field, ...]
    note: str = ""


def card_data(card: Card) -> Mapping[str, Any]:
    """Return the card as the browser reads it: an optional table of pairs, the other fields, the note."""
    table, rest = _paired(card.fields)
    fields = [_field_data(field) for field in rest]
    return {"id": card.id, "note": card.note, "pairs": table, "fields": fields}


def _field_data(field: Field) -> dict[str, str | int]:
    width = enlarged(field.value) if field.kind == "image" else 0
    return {"name": field.name, "kind": field.kind, "value": field.value, "width": width}


def _paired(fields: Sequence[Field]) -> tuple[dict[str, Any] | None, Sequence[Field]]:
    """Split fields into a left/right table and the rest, by the first naming scheme that pairs any two of them."""
    for sides in (*_BEGINNINGS, *_ENDINGS):
        left, right = (_stripped(fields, affix) for affix in sides)
        if left.keys() & right.keys():
            names = dict.fromkeys([*left, *right])
            used = [*left.values(), *right.values()]
            rows = [_pair(name, left.get(name), right.get(name)) for name in names]
            heads = [affix.strip("_") for affix in sides]
            return {"heads": heads, "rows": rows}, [field for field in fields if field not in used]
    return None, fields


def _stripped(fields: Sequence[Field], affix: str) -> dict[str, Field]:
    """Return the fields with this affix under their common name, such as ``name`` for ``left_name``."""
    if affix.endswith("_"):
        return {field.name[len(affix) :]: field for field in fields if field.name.lower().startswith(affix)}
    return {field.name[: -len(affix)]: field for field in fields if field.name.lower().endswith(affix)}


def _pair(name: str, left: Field | None, right: Field | None) -> dict[str, Any]:
    status = "missing"
    if left and right and left.value.strip() and right.value.strip():
        status = "same" if _as_seen(left.value) == _as_seen(right.value) else "differs"
    sides = {"left": left and _field_data(left), "right": right and _field_data(right)}
    return {"name": name, "status": status, **sides}


def _as_seen(text: str) -> str:
    """The text without what nobody sees, since nobody would find the difference that a mark promises."""
    return unicodedata.normalize("NFC", text.translate(_UNSEEN)).strip()
