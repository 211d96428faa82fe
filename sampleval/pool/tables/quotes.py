"""Quotes in delimited text. A quote left open would silently swallow rows, so it is refused and its line named."""

from __future__ import annotations

import re

from sampleval._checks import fail

_BARE = re.compile(rb'(?:"[^"]*+"|[^"\r\n])*+\r(?!\r*\n)')  # a line ended by a carriage return alone
_NUMBER = re.compile(rb"[+-]?[0-9][0-9.eE+-]*")


def unspaced(data: bytes, separator: str) -> bytes:
    r"""The text without the spaces that some programs write between a separator and a quoted cell.

    Quotes after a space would be part of the cell, and separators within them would end it.

    >>> unspaced(b'id, text\na, "b, c"\nd, "e" f', ",")
    b'id, text\na,"b, c"\nd, "e" f'
    """
    escaped = re.escape(separator.encode())
    cell = rb'"[^"]*+(?:""[^"]*+)*+"(?=[ \t]*(?:%s|[\r\n]|\Z))' % escaped
    if not re.search(escaped + rb" +" + cell, data):  # quick, since quotes within a text are doubled
        return data
    return re.sub(rb"(^|%s|[\r\n]) *(%s)" % (escaped, cell), rb"\1\2", data)


def closed(data: bytes, separator: str, width: int, *, line: int, name: str) -> None:
    """Refuse a quote that never closes or that closes beyond its own row. Line breaks within a quoted text are allowed."""
    if b'"' not in data:
        return
    end, encoded = line_end(data), separator.encode()
    # Line and offset at which the last suspect cell begins, so that each line break is counted only once.
    opens, seen = line, 0
    for found in _quoted(encoded).finditer(data):
        follows = data[found.end() : found.end() + 1]
        escaped = found[0].endswith(b'\\"') and follows not in (b"", b"\r", b"\n", encoded)
        if not escaped and found[1] and end not in found[0]:
            continue
        opens, seen = opens + data.count(end, seen, found.start()), found.start()
        closes = opens + found[0].count(end)
        if escaped:
            rule = f'must write a quote within a text as ""; line {closes} has \\"'
            fail("path", rule, name, remedy='export it anew with doubled quotes, or replace each \\" by ""')
        if not found[1]:
            rule = f"must close every quote that it opens; the one in line {opens} never closes"
            fail("path", rule, name, remedy=_remedy(opens))
        if _swallows(data, found.start(), found.end(), encoded, end, width):
            rule = f"must close every quote in its own row; the one in line {opens} runs on to line {closes}, over other rows"
            fail("path", rule, name, remedy=_remedy(opens))


def line_of(data: bytes, separator: str, row: int, *, line: int) -> int:
    r"""The file's line on which a row begins. Blank lines are not rows, and line breaks within quotes do not end a row.

    >>> line_of(b'id,text\n\n1,"two\nlines"\n2,x', ",", 2, line=1)
    5
    """
    end, within = line_end(data), b"\xff"  # no text in UTF-8 holds this byte
    for record in _quoted(separator.encode()).sub(lambda cell: cell[0].replace(end, within), data).split(end):
        row -= bool(record.strip(b"\r"))
        if row < 0:
            break
        line += 1 + record.count(within)
    return line


def line_end(data: bytes) -> bytes:
    r"""The character that ends each line, judged by the first line, since quotes may hold line breaks of another kind.

    Carriage returns may stand before a line feed.

    >>> line_end(b'a\r\n"\r"'), line_end(b'a\r"\n"')
    (b'\n', b'\r')
    """
    return b"\r" if b"\n" not in data or _BARE.match(data) else b"\n"


def _quoted(separator: bytes) -> re.Pattern[bytes]:
    """The pattern of a quoted cell, up to its closing quote or the end of the text."""
    # The quote comes before the look-behind, so that the search jumps from quote to quote.
    return re.compile(rb'"(?<![^%s\r\n]")[^"]*+(?:""[^"]*+)*+("|\Z)' % re.escape(separator))


def _remedy(line: int) -> str:
    return (
        f'delete the quote in line {line}, or close it at the end of its cell; within quotes write "" for "'
    )


def _swallows(data: bytes, start: int, stop: int, separator: bytes, end: bytes, width: int) -> bool:
    """Whether a quoted cell of several lines has swallowed rows: text follows its end, or its lines begin like rows."""
    last = data.find(end, stop)
    last = len(data) if last < 0 else last
    if data[stop:last].strip(b" \t\r") and not data[stop:last].lstrip(b" ").startswith(separator):
        return True
    before = data[data.rfind(end, 0, start) + 1 : start].split(separator)[:-1]
    lines = (line.split(separator) for line in data[start:last].split(end)[1:])
    shapes = [_NUMBER.sub(b"0", cell) for cell in before[:width]]  # rows below a title are longer than it
    telling = [k for k, shape in enumerate(shapes) if b"0" in shape]
    return bool(telling) and all(
        len(cells) == width and all(_NUMBER.sub(b"0", cells[k]) == shapes[k] for k in telling)
        for cells in lines
    )
