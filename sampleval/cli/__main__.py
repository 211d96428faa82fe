"""Run the command `sampleval` as `python -m sampleval.cli`."""

import sys

from sampleval.cli import main

sys.exit(main())
