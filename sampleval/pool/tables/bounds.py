"""What a file may hold, and grow to when it is read: some that exceed this would end the whole process."""

from __future__ import annotations

import re
from pathlib import Path
from typing import BinaryIO, NoReturn

from sampleval._checks import fail
from sampleval.pool.tables.sources import BLOCK, Source
from sampleval.pool.tables.weight import allowed, weight

WIDEST = 10_000  # columns: more are read and guessed at for minutes
DEEPEST = 50  # lists and records within each other; at some 20,000 Arrow's reader overflows the stack
SAMPLED = 1 << 18  # bytes of each block of JSON in which names are looked up
CELL = 8  # bytes that a cell takes which is not there
TEXT = 40  # bytes that a short one of text takes once it is read
TEXTS = ("CSV", "TSV", "JSON Lines")

_ENDS = (b",", b";", b"\t", b"|", b"\n")  # of cells
_STRING = re.compile(rb'"[^"\n]*+["\n]')
# Strings that are cut off match too: otherwise each quote in them would start a search for its end.
_NAME = re.compile(rb'("[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z))\s*+(:)?', re.DOTALL)
_NEXT = re.compile(rb"\}\s*\{")  # records follow each other without a comma, on a line of their own or not
_AS_LISTS = bytes.maketrans(b"{}", b"[]")
_PLAIN = bytes(set(range(256)) - set(b'[]{}"\n'))


def narrow(columns: int, source: Source) -> None:
    """Refuse more columns than can be told apart in reasonable time."""
    if columns > WIDEST:
        rule = f"must have at most {WIDEST:,} columns; it has {columns:,}"
        remedy = "keep the id, the scores, the label and what an annotator needs to see"
        fail("path", rule, source.path.name, remedy=remedy)


def unpacks(source: Source) -> None:
    """Refuse a gzipped file that unpacks to far more than a table does, in bytes or in cells."""
    if not source.gzipped:
        return
    most, found, cells = allowed(source.path.stat().st_size), 0, 0
    with source.raw() as stream:
        while max(found, TEXT * cells) <= most and (block := stream.read(BLOCK)):
            found += len(block)
            cells += sum(map(block.count, _ENDS)) if source.form in TEXTS else 0
    if found > most:
        _too_heavy(source, f"must not unpack to more than {most:,} bytes", "unpack it first")
    if TEXT * cells > most:
        _too_heavy(source, f"must not unpack to more than {most // TEXT:,} cells", "unpack it first")


def records(source: Source) -> None:
    """Refuse JSON that Arrow's reader would not survive: nested too deep, or of ever other names, each a column.

    Args:
        source: JSON Lines.
    """
    most, names, count, rest = allowed(source.path.stat().st_size), set[bytes](), 0, b""
    with source.open() as stream:
        while block := stream.read(BLOCK):
            block += stream.readline()  # so that no string is parted
            rest = _open(rest + _marks(block))
            if rest.count(b"[") > DEEPEST or b"[]" in rest:
                too_deep(source)
            names.update(name for name, colon in _NAME.findall(block[:SAMPLED]) if colon)
            count += 1 + len(_NEXT.findall(block))
            narrow(len(names), source)
            if CELL * count * len(names) > most:
                rule = f"must have the same few fields in each record; {count:,} records have {len(names):,} and more"
                _too_heavy(source, rule, "write fields that few records have as one text")


def _marks(block: bytes) -> bytes:
    """The brackets of JSON outside its strings, all of them square."""
    bare = block.replace(rb"\\", b"").replace(rb"\"", b"")
    marks = bare.translate(_AS_LISTS, _PLAIN).replace(b'""', b"")  # most strings hold no bracket
    return _STRING.sub(b"", marks).replace(b"\n", b"")  # none goes on in the next line


def _open(marks: bytes) -> bytes:
    """What is left of brackets when those within each other up to `DEEPEST` times are taken away, the inmost first."""
    for _ in range(DEEPEST):
        if b"[]" not in marks:
            break
        marks = marks.replace(b"[]", b"")
    return marks


def too_deep(source: Source) -> NoReturn:
    """Refuse lists and records within each other that neither Arrow nor Python can follow."""
    rule = f"must not hold lists or records within each other more than {DEEPEST} times"
    fail("path", rule, source.path.name, remedy="spread them over columns")


def parquet(file: Path | BinaryIO, source: Source) -> None:
    """Refuse Parquet that would fill the memory when read.

    Args:
        file: Path or open file.
        source: Where it comes from.
    """
    if weight(file, most := allowed(source.path.stat().st_size)) > most:
        remedy = "leave out columns that nobody needs to see"
        _too_heavy(source, f"must not grow to more than {most:,} bytes when read", remedy)


def _too_heavy(source: Source, rule: str, remedy: str) -> NoReturn:
    fail("path", rule, source.path.name, remedy=f"is it the right file? Then {remedy}")
