"""Pictures as data URIs: encoded pictures stay as they are, and raw grey pixels become a PNG."""

from __future__ import annotations

import base64
import io
import math

from PIL import Image

SIGNATURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
URIS = tuple(f"data:{kind};base64," for kind in SIGNATURES.values())  # how their data URIs begin
SMALLEST = 8  # pixels a side from which raw bytes can be a picture
LARGEST = 1024
TINY = 112  # pixels a side up to which a picture is enlarged
SHOWN = 224
HEAVY = 200_000  # characters of a data URI; a tiny picture has fewer


def picture(cell: object) -> str | None:
    """The data URI of the picture in a cell; `None` if the cell holds no picture.

    Args:
        cell: Bytes of a PNG or JPEG file, or of n × n grey pixels row by row; or text that is a data URI already.

    >>> picture(bytes(64)).startswith("data:image/png;base64,")
    True
    >>> picture("<svg onload=alert(1)>") is None
    True
    """
    if isinstance(cell, str):
        return cell if cell.startswith(URIS) else None
    if not isinstance(cell, bytes | bytearray | memoryview):
        return None
    body = bytes(cell)
    for signature, kind in SIGNATURES.items():
        if body.startswith(signature):
            return uri(kind, body)
    side = math.isqrt(len(body))
    if side * side == len(body) and SMALLEST <= side <= LARGEST:
        return uri("image/png", grey_png(body, side))
    return None


def enlarged(uri: str) -> int:
    """The width at which a tiny picture can be seen, a multiple of its own; 0 if it need not be enlarged.

    >>> enlarged(picture(bytes(64))), enlarged(picture(bytes(150 * 150)))
    (224, 0)
    """
    if len(uri) > HEAVY:
        return 0
    try:
        with Image.open(io.BytesIO(base64.b64decode(uri.partition(",")[2]))) as image:  # reads its head alone
            width, side = image.width, max(image.size)
    except (OSError, ValueError, Image.DecompressionBombError):  # the browser says what it cannot show
        return 0
    return width * (SHOWN // side) if side <= TINY else 0


def uri(kind: str, body: bytes) -> str:
    """A data URI of these bytes."""
    return f"data:{kind};base64,{base64.b64encode(body).decode()}"


def grey_png(pixels: bytes, width: int) -> bytes:
    """A PNG of 8-bit grey pixels, row by row."""
    file = io.BytesIO()
    Image.frombytes("L", (width, len(pixels) // width), pixels).save(file, "PNG")
    return file.getvalue()
