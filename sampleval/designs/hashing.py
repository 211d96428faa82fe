"""One uniform number per item, from its id alone: the same on every machine, in any row order."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
import pandas as pd

from sampleval.pool import Floats


def uniforms(ids: np.ndarray[tuple[int], np.dtype[np.object_]], seed: int, stream: str = "queue") -> Floats:
    """uₙ ∈ (0, 1), (N,): the top 53 bits of a keyed 64-bit hash of the id's UTF-8 text, plus ½, over 2⁵³.

    The hash is pandas' (SipHash-2-4, then SplitMix64's finaliser), written out in `tests/reference.py`.
    The key is the first 16 hexadecimal digits of BLAKE2b("seed/stream"), so that rounds and designs
    with different stream names get independent numbers from one seed.
    """
    key = blake2b(f"{seed}/{stream}".encode(), digest_size=8).hexdigest()
    hashed = pd.util.hash_array(np.asarray(ids, object), hash_key=key, categorize=False)
    return ((hashed >> np.uint64(11)).astype(float) + 0.5) / 2.0**53
