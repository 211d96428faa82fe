"""One uniform number per item, from its id alone: the same on every machine, in any row order."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
import pandas as pd

from sampleval.pool import Floats

Ids = np.ndarray[tuple[int], np.dtype[np.object_]]
Hashes = np.ndarray[tuple[int, ...], np.dtype[np.uint64]]


def uniforms(ids: Ids, seed: int, stream: str = "queue") -> Floats:
    """uₙ ∈ (0, 1), (N,): the top 53 bits of a keyed 64-bit hash of the id's UTF-8 text, plus ½, over 2⁵³.

    The hash is pandas' (SipHash-2-4, then SplitMix64's finaliser), written out in `tests/reference.py`.
    The key is the first 16 hexadecimal digits of BLAKE2b("seed/stream"), so that rounds and designs
    with different stream names get independent numbers from one seed.
    """
    return to_unit(hashes(ids, seed, stream))


def hashes(ids: Ids, seed: int, stream: str) -> Hashes:
    """The 64 bits behind `uniforms`, (N,)."""
    key = blake2b(f"{seed}/{stream}".encode(), digest_size=8).hexdigest()
    return np.asarray(pd.util.hash_array(np.asarray(ids, object), hash_key=key, categorize=False))


def remixed(base: Hashes, number: int) -> Floats:
    """Uniforms of round `number` from hashes of the ids, (N,): the finaliser of SplitMix64 over base + round's key.

    Rounds must not share their u; mixing costs a tenth of hashing the ids again.
    """
    key = np.uint64(int.from_bytes(blake2b(f"round {number}".encode(), digest_size=8).digest(), "little"))
    z = base + key
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return to_unit(z ^ (z >> np.uint64(31)))


def to_unit(bits: Hashes) -> Floats:
    """The top 53 bits plus ½, over 2⁵³: in (0, 1)."""
    return ((bits >> np.uint64(11)).astype(float) + 0.5) / 2.0**53
