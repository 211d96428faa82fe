"""Labels as fast as it can until it is killed: the victim of the stress test.

Reads commands from stdin. `label <study>` forks a child that labels; the child reports every answer on stdout
after `tell` has returned. Forking spares an import a kill; the parent never touches the database, so that no
connection is inherited.
"""

import os
import sys
from uuid import uuid4

import sampleval as sv


def say(text: str) -> None:
    """Write one line in one call. It is shorter than PIPE_BUF, so that a kill cannot cut it in two."""
    os.write(1, f"{text}\n".encode())


def label(url: str, name: str, pool: sv.Pool) -> None:
    """Answer item after item, and report each answer. What was reported must be found later."""
    study = sv.load_study(name, url, pool=pool)
    while items := study.ask(7):
        for item in items:
            uuid, answer = uuid4().hex, hash(item.id) % 2
            study.tell(item, answer, annotator=str(os.getpid()), uuid=uuid)
            say(f"told {uuid} {item.id} {answer}")


def main() -> None:
    """Serve commands."""
    url, path = sys.argv[1:]
    pool = sv.Pool.from_parquet(path)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            label(url, line.strip(), pool)
            os._exit(0)
        say(f"born {child}")
        os.waitpid(child, 0)
        say("dead")


if __name__ == "__main__":
    main()
