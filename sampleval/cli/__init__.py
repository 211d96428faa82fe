"""The console command: `sampleval app | plan | sample | estimate`, the app's path on files."""

from __future__ import annotations

import argparse
import codecs
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from sampleval import __version__
from sampleval._checks import alike, existing, retold, shown
from sampleval.cli import app, estimate, plan, sample
from sampleval.cli.spoken import SPOKEN

ABOUT = """\
How good is a classifier on your data? Label a few hundred well-chosen items and find out, with an interval.

  sampleval app                                       everything, in the browser
  sampleval plan scores.csv --budget 300              what would 300 labels tell?
  sampleval sample scores.csv --budget 300 --out queue.csv
                                                      which items to label; fill in the column "answer"
  sampleval estimate queue.csv --study queue.study    what the answers say
"""
INSTEAD = {"−": "-", "–": "-", "∞": "inf"}  # of letters that a console lacks; of others "?"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code. Errors are written to stderr as one sentence, with code 2.

    Args:
        arguments: The words after `sampleval`; by default those of the process.
    """
    codecs.register_error("sampleval.lacking", _lacking)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="sampleval.lacking")
    chosen = parser().parse_args(arguments)
    try:
        chosen.run(chosen)
        _flush()
    except BrokenPipeError:  # the reader of a pipe has seen enough
        _drop_unwritten()
    except (ValueError, OSError) as error:
        print(f"sampleval {chosen.command}: {retold(_said(error), SPOKEN)}", file=sys.stderr)
        _drop_unwritten()
        return 2
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if os.environ.get("SAMPLEVAL_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        print(f"sampleval {chosen.command}: {what} (SAMPLEVAL_DEBUG=1 shows where)", file=sys.stderr)
        return 2
    return 0


def _flush() -> None:
    if sys.stdout is not None:  # a shell may have closed it
        sys.stdout.flush()


def _drop_unwritten() -> None:
    """Let go of output that cannot be written: Python would try again at its end, and exit with a code of its own."""
    try:
        _flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _lacking(error: UnicodeError) -> tuple[str, int]:
    """What a console prints for letters that it lacks, such as λ. A number keeps its sign, a range its dash and its ends."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacked = error.object[error.start : error.end]
    return "".join(INSTEAD.get(letter, "?") for letter in lacked), error.end


def _said(error: ValueError | OSError) -> str:
    """An error as a sentence. An error of the system says what failed and, if it is about a file, for which."""
    if not isinstance(error, OSError) or error.strerror is None:
        return str(error)
    what = (
        "what it says cannot be written" if error.filename is None else f"cannot use {shown(error.filename)}"
    )
    return f"{what}: {error.strerror}; is there room on the disk, and are you allowed to?"


class Terse(argparse.ArgumentParser):
    """A parser that refuses arguments in one sentence, as the commands do, without printing its whole usage."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and where to read what would be right."""
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse what is unknown here: argparse leaves it to the parser of all commands, whose help has no options."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            meant = next(filter(None, (self._meant(word) for word in unknown)), "")
            self.error(f"unrecognized arguments: {' '.join(unknown)}{meant}")
        return found, unknown

    def _meant(self, word: str) -> str:
        """Which option may be meant: one that is spelt like it, or those with this initial."""
        options = [option for option in self._option_string_actions if option.startswith("--")]
        option = word.partition("=")[0]
        if option.startswith("--"):  # which are no part of the likeness
            said = alike(option[2:], [known[2:] for known in options]).replace("mean '", "mean '--")
        else:
            initial = [known for known in options if len(option) == 2 and known.startswith(f"-{option}")]
            said = existing(initial) if initial else ""
        return said and f"; {said}"

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Suggest the nearest of a long list of choices, after which argparse only names them all."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            if meant := alike(str(value), [str(choice) for choice in action.choices or ()], least=0.8):
                error.message += f"; {meant}"
            raise


def parser() -> argparse.ArgumentParser:
    """The parser of all commands and their options."""
    top = Terse(prog="sampleval", description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter)
    top.add_argument("--version", action="version", version=f"sampleval {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="command")
    for part in (app, plan, sample, estimate):
        part.add(commands)
    return top
