"""`sampleval app`: start the app."""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from sampleval._checks import InputError
from sampleval.cli.options import Commands, add_storage, command

PREFIX = "STREAMLIT_SERVER_BASE_URL_PATH"  # the path under which a proxy has the app
PACKAGE = Path(__file__).resolve().parents[1]


def add(commands: Commands) -> None:
    """Add the command and its options to the parser."""
    more = (
        "Stop it with Ctrl+C; nothing is lost. Behind a proxy that has it under a path of its own, such as /tools/sampleval, "
        f"give that path in {PREFIX}; the proxy passes it on, and WebSockets too."
    )
    parser = command(commands, "app", "start the app in the browser", more)
    parser.add_argument("--port", type=int, default=8501, help="port to listen on (default: 8501)")
    parser.add_argument(
        "--address",
        default="127.0.0.1",
        help="address to listen on; 0.0.0.0 lets others in (default: this machine only)",
    )
    add_storage(parser)
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        help="where uploads and the database are kept (default: $SAMPLEVAL_DATA, or here)",
    )
    parser.add_argument(
        "--browser",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="open the browser (default: yes)",
    )
    parser.add_argument("--headless", action="store_true", help="the same as --no-browser, as on a server")
    parser.set_defaults(run=run)


def script() -> Path:
    """The path of `app.py`, which is inside an installed package, or beside the package in a checkout."""
    places = (PACKAGE / "_app" / "app.py", PACKAGE.parent / "app.py")
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise InputError("the app's files are missing from this installation; install sampleval anew")
    return found


def run(args: argparse.Namespace) -> None:
    """Turn this process into the server, so that stopping the process stops the app."""
    if find_spec("streamlit") is None:
        raise InputError('the app needs Streamlit; install it with pip install "sampleval[app]"')
    if not 0 < args.port < 65536:
        raise InputError(
            f"`--port` must be a port number from 1 to 65535; got {args.port}; leave it out for 8501"
        )
    for name, value in (("SAMPLEVAL_STORAGE", args.storage), ("SAMPLEVAL_DATA", args.data)):
        if value:
            os.environ[name] = value
    _listenable(args.address, args.port)
    line = [sys.executable, "-m", "streamlit", "run", str(script())]
    line += [f"--server.port={args.port}", f"--server.address={args.address}"]
    line += [f"--server.headless={str(args.headless or not args.browser).lower()}"]
    here = "localhost" if args.address == "0.0.0.0" else args.address
    prefix = os.environ.get(PREFIX, "").strip("/")
    place = f"{here}:{args.port}/{prefix}".rstrip("/")
    print(f"sampleval is at http://{place}; Ctrl+C stops it, and nothing is lost.", flush=True)
    if os.name == "posix":
        os.execv(sys.executable, line)
    subprocess.run(line, check=False)


def _listenable(address: str, port: int) -> None:
    """Refuse a place where no server can listen, for instance because another one does."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        socket.create_server((address, port), family=family).close()
    except OSError as error:
        why = (error.strerror or str(error)).partition(" (while")[0].lower()
        remedy = f"choose another `--port`, for instance {port % 65535 + 1}, or `--address`"
        raise InputError(f"no server can listen at {address}:{port} ({why}); {remedy}") from None
