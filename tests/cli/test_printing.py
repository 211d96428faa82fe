"""What is printed reaches any console, or the command says why not."""

from __future__ import annotations

import io
import json
import math
import subprocess
from contextlib import redirect_stdout, suppress
from pathlib import Path

import pytest

from sampleval import cli
from sampleval.cli.printing import as_json
from tests.cli.commands import command, environment, fill, read


def on_ascii(words: list[str]) -> str:
    """What the command prints in this process, to an output that Python opened for ASCII."""
    console = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    with redirect_stdout(console), suppress(SystemExit):  # argparse ends the process itself
        cli.main(words)
    console.seek(0)
    return console.read()


def test_help_prints_on_a_console_without_greek() -> None:
    assert "--shrinkage ?" in on_ascii(["plan", "--help"])


def test_numbers_keep_their_sign_on_a_console_without_the_minus_of_print(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Matthews correlation of −0.466 had been printed as ?0.466. Windows' usual encoding lacks the minus too."""
    assert cli.main(["sample", "scores.csv", "--budget", "20", "--out", "queue.csv"]) == 0
    fill(folder / "queue.csv")
    table = read(folder / "queue.csv")
    table["answer"] = table["answer"].map({"0": "1", "1": "0"})  # all that was right is wrong
    table.to_csv(folder / "queue.csv", index=False)
    words = ["estimate", "queue.csv", "--study", "queue.study", "--metric", "mcc"]
    capsys.readouterr()
    assert cli.main(words) == 0
    full = capsys.readouterr().out
    assert "−0." in full
    assert on_ascii(words) == full.replace("−", "-")


def test_a_limit_without_end_is_told_on_a_console_without_its_sign() -> None:
    """An interval from 0 to ∞ had been printed as 0.000 to ?."""
    on_ascii(["--help"])  # the command tells Python what to print instead
    assert "−∞ to ∞, λ".encode("ascii", "sampleval.lacking") == b"-inf to inf, ?"


def test_a_limit_at_infinity_is_null_in_json() -> None:
    """JSON has no infinity either."""
    assert json.loads(as_json({"low": 0.5, "high": math.inf, "all": (-math.inf, 1)})) == {
        "low": 0.5,
        "high": None,
        "all": [None, 1],
    }


def test_a_closed_output_is_no_error(folder: Path) -> None:
    words = [*command(), "plan", "scores.csv", "--budget", "5"]
    line = ["sh", "-c", 'exec "$@" >&-', "sh", *words]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, env=environment(), check=False)
    head, *read = done.stderr.splitlines()  # how the file was read, and nothing else
    assert (done.returncode, head) == (0, "How scores.csv was read:")
    assert all(line.startswith("  ") for line in read)


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="such devices are Linux's")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_output_without_room_is_told_in_words(folder: Path, unbuffered: str) -> None:
    """The message had been `[Errno 28] No space left on device`, and with a buffer the code was 120, Python's own."""
    words = [*command(), "plan", "scores.csv", "--budget", "5"]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        env = environment(PYTHONUNBUFFERED=unbuffered)
        done = subprocess.run(
            words, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, env=env, check=False
        )
    assert done.returncode == 2
    said = [line for line in done.stderr.splitlines() if not line.startswith(("How scores.csv", "  "))]
    assert len(said) == 1
    assert said[0].startswith("sampleval plan: what it says cannot be written: No space left on device; ")
