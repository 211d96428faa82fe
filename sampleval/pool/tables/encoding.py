"""Decode bytes: UTF-8, UTF-16, otherwise Windows-1252, in which Excel saves CSV in Western Europe."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

# How UTF-16 begins: with a mark or, since tables begin with a name or a bracket, with two letters of ASCII.
_UTF_16 = (
    (re.compile(rb"\xff\xfe|\xfe\xff"), "utf-16"),
    (re.compile(rb"[^\0]\0[^\0]\0", re.DOTALL), "utf-16-le"),
    (re.compile(rb"\0[^\0]\0[^\0]", re.DOTALL), "utf-16-be"),
)
WINDOWS = "cp1252"
BLOCK = 1 << 24  # bytes decoded at a time, so that a big file is never held whole in wider characters

_CONTROL = bytes(set(range(32)) - set(b"\t\n\v\f\r"))
_UNDEFINED = b"\x81\x8d\x8f\x90\x9d"
_TEXT = bytes(set(range(256)) - set(_CONTROL + _UNDEFINED))
_LETTER, _SIGN = re.compile(rb"[\xc0-\xff]"), re.compile(rb"[\x80-\xff]")
_AROUND = 20  # bytes before and after a letter in which to look for the rest of its word


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text.

    Attributes:
        data: The text, in UTF-8.
        guess: A word that reads right only if the guess of Windows-1252 was right; "" if nothing was guessed.
    """

    data: bytes
    guess: str = ""


def decoded(content: bytes) -> Decoded | None:
    r"""The text as UTF-8, from UTF-8, UTF-16, or Windows-1252; `None` if it is in none of these.

    >>> decoded("Größe".encode("cp1252")), decoded("Größe".encode("utf-16"))
    (Decoded(data=b'Gr\xc3\xb6\xc3\x9fe', guess='Größe'), Decoded(data=b'Gr\xc3\xb6\xc3\x9fe', guess=''))
    """
    try:
        content = as_utf8(content)
    except UnicodeDecodeError:
        return None
    if _is_utf8(content):
        return Decoded(content)
    if not _may_be_windows(content):
        return None
    text = io.BytesIO()
    for block in _blocks(content):
        text.write(block.decode(WINDOWS).encode())
    return Decoded(text.getvalue(), _telling(content))


def as_utf8(content: bytes) -> bytes:
    """The content as UTF-8 if it is UTF-16, in which Excel saves "Unicode text"; otherwise unchanged.

    >>> {as_utf8("ié".encode(form)) == "ié".encode() for form in ("utf-8", "utf-16", "utf-16-le", "utf-16-be")}
    {True}
    """
    form = utf_16(content[:4])
    return content.decode(form).encode() if form else content


def utf_16(head: bytes) -> str:
    """The kind of UTF-16, as Python calls it, that begins with these four bytes; "" if it is none.

    >>> utf_16("id".encode("utf-16-le")), utf_16(b"id,a"), utf_16("id".encode("utf-32-le")[:4])
    ('utf-16-le', '', '')
    """
    return next((form for begins, form in _UTF_16 if begins.match(head)), "")


def _is_utf8(content: bytes) -> bool:
    """Whether the whole content is UTF-8, which Arrow checks without a copy.

    >>> _is_utf8("é".encode()), _is_utf8("é".encode("cp1252"))
    (True, False)
    """
    ends = pa.py_buffer(np.array([0, len(content)], dtype=np.int64))
    try:
        pa.LargeStringArray.from_buffers(1, ends, pa.py_buffer(content)).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _may_be_windows(content: bytes) -> bool:
    """Whether the content can be text in Windows-1252 and is not more likely damaged UTF-8."""
    if content.startswith(codecs.BOM_UTF8) or any(block.translate(None, _TEXT) for block in _blocks(content)):
        return False
    good = bad = 0
    for block in _blocks(content):
        beyond = re.sub("[\0-\x7f]+", "", block.decode("utf-8", "replace"))
        bad += (wrong := beyond.count("\ufffd"))
        good += len(beyond) - wrong
    return bad > good


def _telling(content: bytes) -> str:
    """The first word with a letter beyond ASCII, else the first other character beyond ASCII. All but UTF-8 has one."""
    found = next(filter(None, (sign.search(content) for sign in (_LETTER, _SIGN))))
    before = re.split(r"[\W_]", content[max(found.start() - _AROUND, 0) : found.start()].decode(WINDOWS))
    after = re.split(r"[\W_]", content[found.end() : found.end() + _AROUND].decode(WINDOWS))
    return before[-1] + found[0].decode(WINDOWS) + after[0]


def _blocks(content: bytes) -> Iterator[bytes]:
    return (content[k : k + BLOCK] for k in range(0, len(content), BLOCK))
