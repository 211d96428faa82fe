"""Limits on a file's content and on its size in memory. Some files beyond them would end the whole process."""

from __future__ import annotations

import re
from pathlib import Path
from typing import BinaryIO, NoReturn

from sampleval._checks import fail
from sampleval.pool.tables.memory import allowed, size_in_memory
from sampleval.pool.tables.sources import BLOCK, Source

WIDEST = 10_000  # columns; to read and guess the roles of more takes minutes
DEEPEST = 50  # levels of nested lists and records; at about 20,000 Arrow's reader overflows the stack
SAMPLED = 1 << 18  # bytes of each block of JSON in which field names are looked up
MISSING_CELL = 8  # bytes in memory, at least
SHORT_TEXT = 40  # bytes in memory
TEXTS = ("CSV", "TSV", "JSON")

_ENDS = (b",", b";", b"\t", b"|", b"\n")  # characters that may end a cell
_STRING = re.compile(rb'"[^"\n]*+["\n]')
# Strings that are cut off match too. Otherwise each quote in them would start a search for its end.
_NAME = re.compile(rb'("[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z))\s*+(:)?', re.DOTALL)
_NEXT = re.compile(rb"\}\s*\{")  # the border of two records, with or without a line break
_AS_LISTS = bytes.maketrans(b"{}", b"[]")
_PLAIN = bytes(set(range(256)) - set(b'[]{}"\n'))


def narrow(columns: int, source: Source) -> None:
    """Refuse more columns than can be read and understood in reasonable time."""
    if columns > WIDEST:
        rule = f"must have at most {WIDEST:,} columns; it has {columns:,}"
        remedy = "keep the id, the scores, the label and what an annotator needs to see"
        fail("path", rule, source.path.name, remedy=remedy)


def unpacks(source: Source) -> None:
    """Refuse a gzipped file that unpacks to far more bytes or cells than a table of its size would."""
    if not source.gzipped:
        return
    most, found, cells = allowed(source.path.stat().st_size), 0, 0
    with source.raw() as stream:
        while max(found, SHORT_TEXT * cells) <= most and (block := stream.read(BLOCK)):
            found += len(block)
            cells += sum(map(block.count, _ENDS)) if source.form in TEXTS else 0
    if found > most:
        _too_heavy(source, f"must not unpack to more than {most:,} bytes", "unpack it first")
    if SHORT_TEXT * cells > most:
        _too_heavy(source, f"must not unpack to more than {most // SHORT_TEXT:,} cells", "unpack it first")


def records(source: Source) -> None:
    """Refuse JSON, with a record per line, that would crash Arrow's reader or that Python gives up on.

    It is nested too deep, or has ever new field names, each of them a column.
    """
    most, names, count, rest = allowed(source.path.stat().st_size), set[bytes](), 0, b""
    with source.open() as stream:
        while block := stream.read(BLOCK):
            block += stream.readline()  # so that no string is split between two blocks
            rest = _open(rest + _marks(block))
            if rest.count(b"[") > DEEPEST or b"[]" in rest:
                rule = f"must not nest lists or records deeper than {DEEPEST} levels"
                fail("path", rule, source.path.name, remedy="spread them over columns")
            names.update(name for name, colon in _NAME.findall(block[:SAMPLED]) if colon)
            count += 1 + len(_NEXT.findall(block))
            narrow(len(names), source)
            if MISSING_CELL * count * len(names) > most:
                rule = f"must have the same few fields in each record; {count:,} records have {len(names):,} and more"
                _too_heavy(source, rule, "write fields that few records have as one text")


def _marks(block: bytes) -> bytes:
    """The brackets of JSON outside strings, in order, with curly ones turned into square ones."""
    bare = block.replace(rb"\\", b"").replace(rb"\"", b"")
    marks = bare.translate(_AS_LISTS, _PLAIN).replace(b'""', b"")  # most strings hold no bracket
    return _STRING.sub(b"", marks).replace(b"\n", b"")  # no string goes on in the next line


def _open(marks: bytes) -> bytes:
    """The brackets that remain after up to `DEEPEST` levels of closed pairs are removed, innermost first."""
    for _ in range(DEEPEST):
        if b"[]" not in marks:
            break
        marks = marks.replace(b"[]", b"")
    return marks


def parquet(file: Path | BinaryIO, source: Source) -> None:
    """Refuse a Parquet file, given unpacked, that would fill the memory when read."""
    if size_in_memory(file, most := allowed(source.path.stat().st_size)) > most:
        remedy = "leave out columns that nobody needs to see"
        _too_heavy(source, f"must not grow to more than {most:,} bytes when read", remedy)


def _too_heavy(source: Source, rule: str, remedy: str) -> NoReturn:
    fail("path", rule, source.path.name, remedy=f"is it the right file? Then {remedy}")
