"""A visit of the app in a real browser, and what there is to see in it."""

from __future__ import annotations

import re
import time
from typing import Literal
from urllib.parse import urlencode

import pandas as pd
from playwright.sync_api import ConsoleMessage, Locator, Page, Request, expect

import sampleval as sv
from sampleval.ui.pages import PAGES
from tests.conftest import PATIENCE, AppServer
from tests.places import ROOT

# On a link to a page the frontend first looks for the server below that page; two answers of 404 belong to it.
PROBES = re.compile(r"/_stcore/(health|host-config)$")

Scheme = Literal["light", "dark"]

GROUNDS: dict[Scheme, str] = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 25, 31)"}

# How many times as bright as its letters the ground behind them is, or the reverse, by the formula of the WCAG. The ground
# is that of the page or, if its selector is given, a shaded area upon it. Words that were just drawn anew have none.
CONTRAST = """(element, area) => {
  if (!element.isConnected) return 0;
  const channels = colour => colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
  const linear = v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const bright = ([r, g, b]) => .2126 * linear(r / 255) + .7152 * linear(g / 255) + .0722 * linear(b / 255);
  const styles = [];
  for (let e = element; e; e = e.parentElement) styles.push(getComputedStyle(e));
  const page = channels(styles.map(style => style.backgroundColor).find(colour => !colour.startsWith("rgba")));
  const { fill, fillOpacity } = area ? getComputedStyle(document.querySelector(area)) : { fillOpacity: 0 };
  const ground = page.map((v, k) => (area ? channels(fill)[k] * fillOpacity : 0) + v * (1 - fillOpacity));
  const drawn = element instanceof SVGElement;
  const ink = channels(drawn ? styles[0].fill : styles[0].color);
  const opacity = styles.reduce((product, style) => product * style.opacity, drawn ? styles[0].fillOpacity : 1);
  const seen = ink.map((v, k) => v * opacity + ground[k] * (1 - opacity));
  const [dim, light] = [bright(seen), bright(ground)].sort((a, b) => a - b);
  return (light + .05) / (dim + .05);
}"""


class Visit:
    """A tab that records errors and requests."""

    def __init__(self, page: Page, home: str) -> None:
        self.page, self.home = page, home
        self.name = ""  # of the page
        self.scheme: Scheme = "light"
        self.errors: list[str] = []
        self.elsewhere: list[str] = []
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._asked)

    def _said(self, message: ConsoleMessage) -> None:
        probe = "404" in message.text and PROBES.search(str(message.location.get("url", "")))
        if message.type == "error" and not probe:
            self.errors.append(message.text)

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.home, self.home.replace("http", "ws"), "data:", "blob:")):
            self.elsewhere.append(request.url)

    def open(self, path: str) -> None:
        self.page.goto(f"{self.home}/{path}")

    def at(self, name: str, query: str = "") -> Visit:
        """This visit, at a page that has run."""
        self.name = name
        self.open(f"{name}{query}")
        self.shows(name)
        return self

    def shows(self, name: str) -> None:
        self.page.get_by_role("heading", name=PAGES[name].question).wait_for()
        self.settled()

    def settled(self) -> None:
        """Until the page has run. `expect` would describe all of the page each time that it looks in vain."""
        self.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()

    def framed(self, width: int, height: int = 900, *, scheme: Scheme = "light") -> Visit:
        """This visit, in a window of this size, light or dark, before a page is opened."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme=scheme)
        self.scheme = scheme
        return self

    def window(self, width: int = 1280, height: int = 900, *, scheme: Scheme = "light") -> None:
        """Look at the open page in such a window; loaded anew in another scheme, for which it would run at any time soon after."""
        changed = scheme != self.scheme
        self.framed(width, height, scheme=scheme)
        if changed:
            self.page.reload()
            self.shows(self.name)
        expect(self.page.get_by_test_id("stApp")).to_have_css("background-color", GROUNDS[scheme])

    def contrasts(self, words: Locator, area: str | None = None) -> None:
        """Until they stand still: what is drawn anew fades in, and a busy page fades out."""
        deadline = time.monotonic() + PATIENCE
        while (found := words.evaluate(CONTRAST, area)) < 4.5 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert found >= 4.5, words.inner_html()

    def clean(self) -> None:
        self.settled()
        assert (self.errors, self.elsewhere) == ([], [])
        assert self.page.locator("[data-testid=stException]").count() == 0


def labelled_digits(server: AppServer, name: str, demo: str = "digits_is8", metric: str = "f1") -> sv.Study:
    """A stored study of a demo set with all its answers, made once."""
    if sv.Storage.at(server.storage).find(name) is not None:
        return sv.load_study(name, server.storage)
    frame = pd.read_parquet(ROOT / "demo_data" / f"{demo}.parquet")
    pool = sv.Pool.from_frame(frame, fields=[])
    study = sv.create_study(pool, metric=metric, budget=60, storage=server.storage, name=name)
    study.answer(sv.Labels.from_frame(frame, pool), 60)
    return study


def plan_of_the_digits(visit: Visit, server: AppServer, **query: str) -> Locator:
    """The Plan page once it shows its pictures, which come last; the pictures."""
    pool = labelled_digits(server, "digits").pool
    visit.at("Plan", f"?{urlencode({'pool': pool.fingerprint} | query)}")
    charts = visit.page.locator("[data-testid=stPlotlyChart]")
    expect(charts).to_have_count(4)
    visit.settled()
    return charts
