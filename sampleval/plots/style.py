"""How pictures look: colours that colour-blind readers can tell apart on white and on black, names that fit, axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from types import MappingProxyType

from sampleval._checks import isolated
from sampleval.designs import DESIGNS

BLUE, ORANGE, GREEN, PINK = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, AMBER, GREY = "#56B4E9", "#E69F00", "#7F7F7F"
# Cells of a table are opaque and light, so that one dark ink is legible on all of them, on white and black pages.
PALE = "#F7F7F7"
SHADES = ((0, PALE), (1, SKY))
# Colours of ratios: blue is better, white equal, orange worse, which colour-blind readers can tell apart too.
AROUND_ONE = ((0, SKY), (0.5, PALE), (1, AMBER))
CELLS: Mapping[str, object] = {"showscale": False, "xgap": 2, "ygap": 2, "textfont": {"color": "#1C2733"}}
Titles = Mapping[str, str]  # what a picture calls a metric, a design or a method, by its name
OWN: Titles = MappingProxyType({})  # each by its own title, or else by its name
LOG = " (log\N{NO-BREAK SPACE}scale)"  # added to an axis's name
LOG_AXIS: dict[str, object] = {
    "type": "log",
    "dtick": 1,
    "tickformat": ",",
    "minor": {"dtick": "D1", "ticks": "outside", "ticklen": 3},
}
# Grey lines across a picture: at a place on an axis, such as a threshold; and at what was promised or would be even.
DOTTED, DASHED = ({"color": GREY, "dash": dash, "width": 1.5} for dash in ("dot", "dash"))
# Ranges of axes from 0 to 1, with room for a mark at the ends, and in the second for the cap of a band.
UNIT, SHARE = (-0.02, 1.02), (-0.02, 1.05)
NAME = 26  # most letters of a name beside an axis: longer names leave no room for the picture on a phone


@dataclass(frozen=True, slots=True)
class Stroke:
    """How a design is drawn everywhere: colour and dash. No two share a dash, so that designs never differ by colour alone."""

    colour: str
    dash: str = "solid"


STROKES: Mapping[str, Stroke] = {
    "targeted": Stroke(BLUE),
    "priority": Stroke(SKY, "longdash"),
    "poisson": Stroke(SKY, "dot"),
    "importance": Stroke(ORANGE, "dash"),
    "uniform": Stroke(GREY, "longdashdot"),
    "stratified": Stroke(AMBER, "dashdot"),
    "adaptive": Stroke(GREEN, "9px,3px,3px,3px,3px,3px"),  # a dash and two dots
    "rounds": Stroke(PINK, "3px,9px"),  # dots far apart
    "sequential": Stroke(GREEN, "21px,3px"),  # almost whole
}


def stroke(design: str) -> Stroke:
    """How to draw this design. An unknown design, such as the caller's own, is drawn thin and grey."""
    return STROKES.get(design, Stroke(GREY, "dot"))


def escaped(text: str) -> str:
    """The user's text for places where Plotly would read tags and entities, so that it appears as it is.

    >>> escaped("<b> $ & €")
    '&lt;b&gt; $ &amp; €'
    """
    return escape(isolated(text), quote=False)


def title_of(design: str) -> str:
    """A design's name in words."""
    return str(getattr(DESIGNS.get(design), "title", design))


def hatched(colour: str) -> dict[str, object]:
    """Bars that stand beside plain ones and differ from them by more than colour: stripes of it on a fainter ground."""
    stripes = {"shape": "/", "fgcolor": colour, "bgcolor": faint(colour), "fgopacity": 1, "size": 6}
    return {"color": colour, "pattern": stripes, "line": {"color": colour, "width": 1}}


def faint(colour: str, opacity: float = 0.22) -> str:
    """The colour #rrggbb made transparent, by default enough for several areas to overlap."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"


# Colours of a single area, strong enough for white and black pages but fainter than a line of the same colour on it.
BAND, SECOND = faint(BLUE, 0.34), faint(ORANGE, 0.34)
# Where these end is what an interval says, and paler than a mark may be: a thin line of their colour shows it.
EDGES: Mapping[str, str] = {BAND: BLUE, SECOND: ORANGE}


def brief(names: Sequence[str]) -> list[str]:
    """Names for an axis. Long names keep both ends, since either may distinguish them.

    Names that still look alike get letters without width, since Plotly draws equal names in one place.

    >>> brief(["spam", "customers who ask for their money back"])
    ['spam', 'customers who…r money back']
    >>> len(set(brief(["customers who ask for their money back", "customers who beg for their money back"])))
    2
    """
    found: list[str] = []
    for name in names:
        half = NAME // 2
        shown = name if len(name) <= NAME else f"{name[:half].rstrip()}…{name[1 - half :].lstrip()}"
        while escaped(shown) in found:
            shown += "\u200b"
        found.append(escaped(shown))
    return found
