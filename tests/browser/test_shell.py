"""The app in a real browser: any page may come first, links carry everything, and nothing is loaded from elsewhere."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from itertools import pairwise
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import pandas as pd
import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")
pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Request, expect

import sampleval as sv
from sampleval import report
from sampleval.ui.pages import PAGES
from tests.conftest import PATIENCE, AppServer, forget, tab
from tests.places import ROOT
from tests.pools import multiclass

# On a link to a page the frontend first looks for the server below that page; two answers of 404 belong to it.
PROBES = re.compile(r"/_stcore/(health|host-config)$")


Scheme = Literal["light", "dark"]
GROUNDS: dict[Scheme, str] = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 25, 31)"}


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


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[AppServer]:
    """A server that has not been asked for anything yet."""
    server = AppServer(tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.fixture
def visit(app_server: AppServer, page: Page) -> Visit:
    return Visit(page, app_server.url)


@pytest.mark.parametrize("name", ["Data", "Label", pytest.param("Learn", marks=pytest.mark.slow)])
def test_any_page_can_be_the_first_request_to_a_fresh_server(page: Page, fresh: AppServer, name: str) -> None:
    visit = Visit(page, fresh.url).at(name)
    links = page.get_by_test_id("stTopNavLinkContainer").or_(page.get_by_test_id("stTopNavLink"))
    expect(page.get_by_role("link", name="Studies")).to_be_visible()
    assert links.count() >= len(PAGES)
    expect(
        page.get_by_test_id("stMainMenu")
    ).to_be_visible()  # “Present” sends people there for light and dark
    visit.clean()
    page.reload()
    visit.shows(name)
    visit.clean()


def test_a_click_leads_to_every_page_and_takes_data_and_study_along(
    visit: Visit, app_server: AppServer
) -> None:
    pool = labelled_digits(app_server, "digits").pool
    sv.create_study(pool, metric="f1", budget=60, storage=app_server.storage, name="along")
    visit.at("Studies", f"?pool={pool.fingerprint}&study=along")
    for step in PAGES:
        visit.page.get_by_role("link", name=step, exact=True).click()
        visit.shows(step)
        assert "study=along" in visit.page.url
        assert "pool=" in visit.page.url
    visit.clean()


def plan_of_the_digits(visit: Visit, server: AppServer, **query: str) -> Locator:
    """The Plan page once it shows its pictures, which come last; the pictures."""
    pool = labelled_digits(server, "digits").pool
    visit.at("Plan", f"?{urlencode({'pool': pool.fingerprint} | query)}")
    charts = visit.page.locator("[data-testid=stPlotlyChart]")
    expect(charts).to_have_count(4)
    visit.settled()
    return charts


def test_settings_travel_in_the_address(visit: Visit, app_server: AppServer) -> None:
    pool = labelled_digits(app_server, "digits").pool
    page = visit.page
    visit.at("Plan", f"?pool={pool.fingerprint}&method=queue")  # the recommended method has no λ
    trust = page.get_by_role("slider", name="How far to trust")
    trust.focus()
    trust.press("Home")
    page.wait_for_url(re.compile(r"trust=0(&|$)"))
    visit.settled()
    page.get_by_text("Expected error", exact=True).click()
    page.wait_for_url(re.compile("shown=error"))
    visit.settled()
    promised = page.locator("[data-testid=stMarkdownContainer]", has_text="interval of the F1").first
    address, promise = page.url, promised.inner_text()
    forget(page)
    page.goto(address)
    visit.shows("Plan")
    expect(promised).to_have_text(promise)
    expect(trust).to_have_value("0")
    visit.clean()


def test_the_address_of_a_page_is_told_at_once_and_the_way_back_is_short(
    visit: Visit, app_server: AppServer
) -> None:
    pool = labelled_digits(app_server, "digits").pool
    visit.at("Plan", f"?pool={pool.fingerprint}&study=digits")
    behind = visit.page.evaluate("history.length")
    visit.page.get_by_role("link", name="Studies", exact=True).click()
    visit.shows("Studies")
    visit.page.wait_for_url(re.compile("pool=.*&study=digits"))
    steps = visit.page.evaluate("history.length") - behind
    assert 1 <= steps <= 2  # the page, then its address in full, which may come at once
    for _ in range(steps):
        visit.page.go_back()
        visit.settled()
    visit.shows("Plan")


def test_a_page_begins_at_its_top_and_stays_where_it_is_when_it_runs_anew(visit: Visit) -> None:
    """Streamlit keeps the scroll position, so that “Next” at the end of one page led to the middle of the other."""
    visit.page.set_viewport_size({"width": 390, "height": 700})
    main = visit.page.get_by_test_id("stMain")
    visit.at("Learn")
    picture = visit.page.locator(".js-plotly-plot").first  # its arrival moves the page
    expect(picture).to_be_visible()
    main.evaluate("main => main.scrollTo(0, 100)")
    visit.page.get_by_role("radio", name="3 Water-filling").evaluate("button => button.click()")
    expect(visit.page.get_by_text("Who gets asked")).to_be_attached()
    visit.settled()
    assert main.evaluate("main => main.scrollTop") == 100
    for width, here, there in ((390, "Learn", "Simulate"), (1280, "Simulate", "Learn")):
        visit.page.set_viewport_size({"width": width, "height": 700})
        link = visit.page.get_by_role("link", name="Next:")
        link.scroll_into_view_if_needed()
        assert main.evaluate("main => main.scrollTop") > 0, here
        link.click()
        visit.shows(there)
        assert main.evaluate("main => main.scrollTop") == 0, there
    visit.clean()


def test_after_a_press_that_leads_to_another_page_the_keyboard_begins_at_its_top(visit: Visit) -> None:
    """The pressed button is gone, and the next Tab went to whatever stood at its place."""
    visit.open("")
    visit.shows("Data")
    visit.page.get_by_role("button", name="Plan first").click()
    visit.shows("Plan")
    visit.page.keyboard.press("Tab")
    expect(visit.page.get_by_role("button", name="Present")).to_be_focused()
    main = visit.page.get_by_test_id("stMain")
    main.focus()
    expect(main).to_be_focused()
    visit.page.keyboard.press(
        "Shift"
    )  # a key shows where the keyboard is; a frame around all looks like a mistake
    assert main.evaluate("main => main.matches(':focus-visible')")
    assert main.evaluate("main => getComputedStyle(main, '::before').boxShadow") == "none"


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


def test_the_lower_of_two_pictures_has_axes_that_contrast_with_the_page(visit: Visit) -> None:
    visit.open("Simulate?view=trust&repeats=10&studied_labels=20")
    visit.page.get_by_role("button", name="Run the simulation").click()
    letters = visit.page.locator(".y2tick text").first
    expect(letters).to_be_attached()
    visit.contrasts(letters)


def test_a_picture_among_ordinary_buttons_has_a_name(visit: Visit, app_server: AppServer) -> None:
    """Those buttons are for screen readers, too."""
    frame = pd.read_parquet(ROOT / "demo_data" / "digits_is8.parquet")
    pool = sv.Pool.from_frame(frame, fields=["image"])
    sv.create_study(pool, metric="f1", budget=60, storage=app_server.storage, name="pictures")
    visit.at("Label", "?study=pictures&plain=true")
    expect(visit.page.get_by_role("img", name="image", exact=True)).to_be_visible()


def test_screen_readers_hear_the_next_item_among_ordinary_buttons(
    visit: Visit, app_server: AppServer
) -> None:
    """Those buttons are for them, and a press was answered by silence."""
    frame = pd.read_parquet(ROOT / "demo_data" / "digits_is8.parquet")
    pool = sv.Pool.from_frame(frame, fields=[])
    sv.create_study(pool, metric="f1", budget=60, storage=app_server.storage, name="aloud")
    visit.at("Label", "?study=aloud&plain=true")
    item = visit.page.locator("[aria-live=polite]", has_text="digit-")
    before = item.inner_text()
    visit.page.get_by_role("button", name="no", exact=True).click()
    expect(item).not_to_have_text(before)
    expect(item).to_be_visible()
    visit.clean()


def labelled_digits(server: AppServer, name: str, demo: str = "digits_is8", metric: str = "f1") -> sv.Study:
    """A stored study of a demo set with all its answers, made once."""
    if sv.Storage.at(server.storage).find(name) is not None:
        return sv.load_study(name, server.storage)
    frame = pd.read_parquet(ROOT / "demo_data" / f"{demo}.parquet")
    pool = sv.Pool.from_frame(frame, fields=[])
    study = sv.create_study(pool, metric=metric, budget=60, storage=server.storage, name=name)
    study.answer(sv.Labels.from_frame(frame, pool), 60)
    return study


# What a heading keeps on its sheet if not its chart but something else comes next.
ABOVE_A_SWITCH = """heading => {
  const between = heading.cloneNode();
  heading.after(between);
  const kept = getComputedStyle(heading).breakAfter;
  between.remove();
  return kept;
}"""
# Whether each chart is drawn in the width of its place, as it is soon after that has changed.
DRAWN = """() => [...document.querySelectorAll(".js-plotly-plot")].every(chart =>
  Math.abs(chart.querySelector(".main-svg").clientWidth - chart.parentElement.clientWidth) <= 1)"""
# The texts of a chart that its buttons cover.
COVERED = """chart => {
  const box = element => element.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const buttons = [...chart.querySelectorAll(".modebar-btn")].map(box);
  if (!buttons.length) return ["no button"];
  return [...chart.querySelectorAll("text")].filter(t => buttons.some(b => meet(b, box(t)))).map(t => t.textContent);
}"""


def uncovered(page: Page) -> None:
    """Buttons of charts cover no words."""
    charts = page.locator("[data-testid=stPlotlyChart]")
    expect(charts.first).to_be_attached()
    for chart in charts.all():
        chart.scroll_into_view_if_needed()
        expect(chart.locator(".main-svg").first).to_be_visible()
    page.wait_for_function(DRAWN)
    for chart in charts.all():
        assert chart.evaluate(COVERED) == []


def fits_a_phone(visit: Visit) -> None:
    """On a phone nothing is too wide, and no chart's buttons cover its words."""
    uncovered(visit.page)
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 400
    visit.clean()


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("Data", "?demo=ten-digits"),
        ("Learn", "?lesson=rare&present=false"),
        ("Learn", "?lesson=promise&present=true"),
    ],
    ids=["Data", "rare", "promise"],
)
def test_on_a_phone_nothing_is_too_wide_and_no_chart_s_buttons_cover_its_words(
    visit: Visit, name: str, query: str
) -> None:
    fits_a_phone(visit.framed(400, scheme="dark").at(name, query))


def test_a_narrow_page_shows_every_metric_with_its_name_in_full(visit: Visit, app_server: AppServer) -> None:
    study = labelled_digits(app_server, "narrow", "digits_10class", "accuracy")
    visit.page.set_viewport_size({"width": 400, "height": 900})
    visit.at("Results", "?study=narrow")
    table = visit.page.get_by_test_id("stTable")
    expect(table.get_by_text("Brier score (sum over the classes)")).to_be_visible()
    for width in (400, 320):
        visit.page.set_viewport_size({"width": width, "height": 900})
        ends = table.locator("th, td").evaluate_all(
            "cells => cells.map(c => [c.scrollWidth - c.clientWidth, c.getBoundingClientRect().right])"
        )
        assert len(ends) == 3 * (1 + len(study.estimates()))
        assert all(hidden <= 0 and right <= width for hidden, right in ends), width
    visit.clean()


def test_what_a_press_sends_is_packed(app_server: AppServer) -> None:
    """On a connection of 50 kB/s each label took 1.3 seconds to be called saved, and waited behind those before."""
    connection = HTTPConnection("127.0.0.1", app_server.port)
    shake = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    shake |= {
        "Sec-WebSocket-Key": "c2FtcGxldmFsIHBhY2tzIQ==",
        "Sec-WebSocket-Extensions": "permessage-deflate",
    }
    with closing(connection):
        connection.request("GET", "/_stcore/stream", headers=shake)
        answer = connection.getresponse()
    assert answer.status == 101
    assert "permessage-deflate" in answer.headers.get("Sec-WebSocket-Extensions", "")


def test_an_upload_by_hand(visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "mine <b>.csv"
    path.write_text(
        "id,score,text\n" + "\n".join(f"{k},{k / 30},<img src=x onerror=hacked()> {k}" for k in range(30))
    )
    visit.open("")
    visit.shows("Data")
    visit.page.get_by_text("Upload a file", exact=True).click()
    visit.page.locator("input[type=file]").set_input_files(path)
    expect(visit.page.get_by_text("Uploaded: mine <b>.csv")).to_be_visible()
    expect(visit.page.get_by_text("30 items. Task")).to_be_visible()
    visit.clean()


def test_pages_say_that_the_storage_is_away_and_go_on_once_it_is_back(page: Page, fresh: AppServer) -> None:
    """From the first request to a fresh server on, in a session that has seen each page without it."""
    database = fresh.folder / "sampleval.db"
    database.write_text("no database, and too long to be taken for an empty one" * 20)
    visit, names = Visit(page, fresh.url), ("Data", "Label", "Studies")
    again, away = page.get_by_role("button", name="Try again"), page.get_by_text("not a database")
    visit.open("Data?study=s")
    for name in names:
        page.get_by_role("link", name=name, exact=True).click()
        visit.shows(name)
        expect(again).to_be_visible()
        expect(away).to_be_visible()
        visit.clean()
    database.unlink()
    again.click()
    expect(again).to_have_count(0)
    for name in reversed(names):
        page.get_by_role("link", name=name, exact=True).click()
        visit.shows(name)
        expect(again.or_(away)).to_have_count(0)
        visit.clean()


def test_the_report_of_many_classes_fits_a_phone(page: Page) -> None:
    """Its table of classes made the whole page as wide as all limits in a row."""
    pool, known = multiclass()
    study = sv.create_study(pool, metric="macro_f1", budget=60, seed=1)
    study.answer(known, 60)
    page.set_viewport_size({"width": 390, "height": 844})
    page.set_content(report.html(study))
    expect(page.get_by_text("Class by class")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_printed_report_breaks_neither_below_a_heading_nor_within_a_row(
    page: Page, app_server: AppServer
) -> None:
    """On A4 a heading stood alone at the foot of a page, and limits on the page after their estimates.

    A table breaks all the same: that of a thousand classes had left its heading's page empty.
    """
    page.emulate_media(media="print")
    page.set_content(report.html(labelled_digits(app_server, "digits")))

    def styles(part: str, style: str) -> set[str]:
        return set(page.locator(part).evaluate_all(f"all => all.map(one => getComputedStyle(one).{style})"))

    assert styles("h2", "breakAfter") == styles("tr", "breakInside") == {"avoid"}
    assert styles("table", "breakInside") == {"auto"}


# The titles that leave their chart on its right.
CUT = """charts => charts.flatMap(chart => {
  const edge = chart.getBoundingClientRect().right;
  return [...chart.querySelectorAll(".gtitle, .xtitle")].filter(title => title.getBoundingClientRect().right > edge);
}).map(title => title.textContent)"""
# The words of switches, tiles and buttons that end in "…".
SHORTENED = (
    """words => words.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)"""
)


# What a browser does that translates the page, here into the same words.
TRANSLATE = """() => {
  const walker = document.createTreeWalker(document.querySelector("[data-testid=stMain]"), NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (walker.currentNode.nodeValue.trim() && !walker.currentNode.parentNode.closest("style, script, svg")) texts.push(walker.currentNode);
  for (const text of texts) {
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    outer.append(inner);
    text.replaceWith(outer);
    inner.append(text.nodeValue);
  }
}"""


def test_a_translated_page_tells_the_latest_numbers(visit: Visit, app_server: AppServer) -> None:
    """With 100 labels it went on to say what 300 cost, and every page had the first one's question above it."""
    plan_of_the_digits(visit, app_server)
    cost = visit.page.get_by_text("of work.")
    expect(cost).to_contain_text("300 labels")
    visit.page.evaluate(TRANSLATE)
    visit.page.get_by_role("slider").first.press("ArrowLeft")
    expect(visit.page.get_by_text(re.compile(r"^\d+ labels: "))).not_to_contain_text("300 labels")
    visit.page.evaluate(TRANSLATE)
    visit.page.get_by_role("link", name="Learn", exact=True).click()
    visit.shows("Learn")
    visit.clean()


# How wide a chart is on a sheet of 300 pixels, whether more than that was drawn, and whether a page may end in it.
ON_A_SHEET = """chart => {
  chart.parentElement.style.width = "300px";
  const drawing = chart.querySelector(".main-svg");
  const wide = drawing.viewBox.baseVal?.width > 300;
  return [drawing.getBoundingClientRect().width, wide, getComputedStyle(chart.parentElement).breakInside];
}"""


def test_a_report_enlarged_four_times_is_as_wide_as_the_window(page: Page, app_server: AppServer) -> None:
    """Limits of many digits made the whole page wider, so that each line had to be read by scrolling sideways."""
    study = labelled_digits(app_server, "digits")
    page.set_viewport_size({"width": 320, "height": 256})
    page.set_content(report.html(study))
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert page.locator("th:empty").count() == 0  # read out as a heading without words


@pytest.fixture(scope="class")
def shared(profile: BrowserContext, app_server: AppServer) -> Iterator[Visit]:
    """A visit for all tests of a class, each of which says in which window it looks at the page."""
    with tab(profile) as page:
        yield Visit(page, app_server.url)


@pytest.fixture(scope="class")
def results(shared: Visit, app_server: AppServer) -> Visit:
    """The results of a study whose note would be a formula in a spreadsheet."""
    study = labelled_digits(app_server, "digits")
    study.note(study.item(0), "=1+1")
    return shared.framed(1280, scheme="dark").at("Results", "?study=digits&threshold_f1=0.95")


class TestOneVisitOfResults:
    def test_headings_begin_at_the_first_level_and_skip_none(self, results: Visit) -> None:
        """Screen readers leaf through headings; a sentence of the fifth level stood below one of the second, and none was the first."""
        headings = results.page.get_by_test_id("stMain").get_by_role("heading")
        levels = headings.evaluate_all("all => all.map(h => Number(h.ariaLevel ?? h.tagName[1]))")
        assert len(levels) > 3
        assert levels.count(1) == 1 == levels[0]
        assert all(below <= above + 1 for above, below in pairwise(levels)), levels

    def test_what_stands_in_bold_above_a_part_is_a_heading(self, results: Visit) -> None:
        """Nobody could leaf to the table of all metrics: to screen readers bold words are but words."""
        for name, level in (("Every metric with its interval", 2), ("Where it may lie", 3)):
            expect(results.page.get_by_role("heading", name=name, level=level)).to_be_visible()

    @pytest.mark.parametrize("scheme", ["dark", "light"])
    def test_the_names_of_marks_contrast_with_a_shaded_area(self, results: Visit, scheme: Scheme) -> None:
        """Grey on blue, the threshold's name had half of the contrast that letters of its size need."""
        results.window(scheme=scheme)
        name = results.page.locator(".st-key-density .annotation-text")
        expect(name).to_be_attached()
        results.contrasts(name, ".st-key-density .js-fill")

    def test_no_table_offers_a_download_that_a_spreadsheet_would_run(self, results: Visit) -> None:
        """Streamlit's own would write the note as it stands: its text began with an equals sign."""
        results.page.get_by_text("Notes on items").click()
        results.page.get_by_test_id("stDataFrame").hover()
        expect(results.page.get_by_role("button", name="Search")).to_be_visible()
        expect(results.page.get_by_role("button", name="Download as CSV")).to_be_hidden()
        results.clean()

    def test_the_page_s_header_never_hides_what_has_the_keyboard(self, results: Visit) -> None:
        """Going back by Shift+Tab, one button in three had the keyboard behind the header."""
        page = results.page
        results.window(1000, 600)
        page.get_by_role("button", name="Figures as CSV").last.focus()
        bottom = "element => element.getBoundingClientRect().bottom"
        below = page.get_by_test_id("stHeader").evaluate(bottom)
        for _ in range(15):
            page.keyboard.press("Shift+Tab")
            focused = page.locator(":focus")
            assert focused.evaluate(bottom) > below, focused.inner_text()

    def test_on_a_phone_nothing_is_too_wide_and_no_chart_s_buttons_cover_its_words(
        self, results: Visit
    ) -> None:
        fits_a_phone(results.framed(400, scheme="dark").at("Results", "?study=digits&present=true"))

    def test_charts_are_printed_whole_below_their_headings_and_not_shrunk_in_the_window(
        self, results: Visit
    ) -> None:
        """They were as wide on paper as in the window, with half of the recalls cut off, and on the page after the heading.

        In a window made narrower after printing, or with other settings, they were drawn in their new size and then shrunk.
        """
        page = results.page
        results.window()
        charts = page.locator(".js-plotly-plot")
        chart = charts.last
        expect(chart).to_be_visible()
        page.pdf()
        wide = chart.evaluate("chart => chart.clientWidth")
        results.window(500)
        drawing = chart.locator(".main-svg").first
        expect(drawing).not_to_have_attribute("width", str(wide))
        assert drawing.evaluate("drawing => drawing.getScreenCTM().a") == 1
        page.evaluate("window.onafterprint = null")  # what is printed stays, to be measured
        page.pdf()
        page.emulate_media(media="print")
        assert charts.first.evaluate(ON_A_SHEET) == [300, True, "avoid"]
        heading = page.locator("[data-testid=stElementContainer]", has_text="Every metric with its interval")
        assert heading.evaluate("heading => getComputedStyle(heading).breakAfter") == "avoid"
        apart = page.locator("[data-testid=stElementContainer]", has_text="How the F1 score settled")
        assert apart.evaluate(ABOVE_A_SWITCH) == "avoid"  # which reveals the truth where it is known


@pytest.fixture(scope="class")
def plan(shared: Visit, app_server: AppServer) -> Visit:
    """What to expect of labels for the digits."""
    plan_of_the_digits(shared, app_server)
    return shared


class TestOneVisitOfThePlan:
    @pytest.mark.parametrize("scheme", ["dark", "light"])
    def test_letters_that_are_small_or_on_a_button_contrast_with_their_ground(
        self, plan: Visit, scheme: Scheme
    ) -> None:
        plan.window(scheme=scheme)
        for place in ("stCaptionContainer] p", "stBaseButton-primary] p", "stPlotlyChart] .xtick text"):
            letters = plan.page.locator(f"[data-testid={place}").first
            letters.scroll_into_view_if_needed()
            plan.contrasts(letters)
        plan.contrasts(plan.page.locator(".xtitle").first)

    def test_charts_have_a_download_and_no_upload(self, plan: Visit) -> None:
        for chart in plan.page.get_by_test_id("stPlotlyChart").all():
            chart.scroll_into_view_if_needed()
            expect(chart.locator(".main-svg").first).to_be_visible()
        assert plan.page.locator("[data-title*=hare], [data-title*=loud]").count() == 0
        with plan.page.expect_download() as download:
            plan.page.get_by_role("button", name="Figures as CSV").first.click()
        text = Path(download.value.path()).read_text(encoding="utf-8")
        assert text.splitlines()[0] == "design,budget,error,width,certain"
        plan.clean()

    def test_in_forced_colours_switches_sliders_and_choices_are_seen(self, plan: Visit) -> None:
        """A slider was a number alone, a switch a gap before its words, and the chosen of two buttons looked like the other."""
        plan.page.emulate_media(forced_colors="active")
        ground = "one => getComputedStyle(one).backgroundColor"
        page = plan.page.locator("body").evaluate(ground)
        main = plan.page.get_by_test_id("stMain")
        chosen, other = main.get_by_role("radiogroup").first.get_by_role("radio").all()
        assert chosen.evaluate(ground) != other.evaluate(ground)
        for part in (
            "[data-testid=stSliderThumbValue]:visible >> xpath=..",
            "[data-testid=stCheckbox] label > div >> nth=0",
        ):
            assert plan.page.locator(part).first.evaluate(ground) != page
        plan.page.emulate_media(forced_colors="none")

    def test_on_a_phone_nothing_is_too_wide_and_no_chart_s_buttons_cover_its_words(
        self, plan: Visit, app_server: AppServer
    ) -> None:
        plan_of_the_digits(plan.framed(400, scheme="dark"), app_server)
        fits_a_phone(plan)

    def test_on_a_page_enlarged_twice_no_title_or_question_is_cut_short(self, plan: Visit) -> None:
        """On a notebook's screen at 200 % two charts were 193 pixels wide each, and words at the end of their titles missing.

        Beside the pictures the settings were 190 pixels wide, and the switch's words ended in "Combine a meth…".
        """
        plan.window(683, 400)
        charts = plan.page.locator(".js-plotly-plot")
        expect(charts).to_have_count(4)
        plan.page.wait_for_function(DRAWN)
        assert charts.evaluate_all(CUT) == []
        words = plan.page.get_by_test_id("stMain").get_by_test_id("stMarkdownContainer")
        assert words.evaluate_all(SHORTENED) == []
        boxes = [part.bounding_box() for part in plan.page.get_by_test_id("stColumn").all()[:2]]
        assert all(box is not None and box["width"] > 600 for box in boxes)

    def test_in_large_type_no_small_chart_s_buttons_cover_its_title(
        self, plan: Visit, app_server: AppServer
    ) -> None:
        plan_of_the_digits(plan.framed(1300), app_server, present="true")
        uncovered(plan.page)
        plan.clean()


@pytest.fixture(scope="class")
def learn(shared: Visit) -> Visit:
    """The first lesson."""
    return shared.at("Learn")


class TestOneVisitOfLearn:
    def test_every_link_shows_that_the_keyboard_is_on_it(self, learn: Visit) -> None:
        page = learn.page
        # Streamlit marks the link to this page not at all.
        for link in ("Data", "Learn", "Next: see which method to trust"):
            found = (
                page.get_by_role("link", name=link, exact=True).or_(page.get_by_role("link", name=link)).last
            )
            found.focus()
            page.keyboard.press("Shift+Tab")
            page.keyboard.press("Tab")
            expect(found).to_be_focused()
            expect(found).to_have_css("outline-style", "solid")
            expect(found).to_have_css("outline-width", "3px")

    def test_a_text_that_was_translated_can_be_removed_and_others_put_before_it(self, learn: Visit) -> None:
        """The frontend fell over where it removes a text, or inserts before one, of which only the translation is left."""
        left = """async () => {
          const words = document.body.appendChild(document.createElement("p"));
          const [one, two] = ["one", "two"].map(text => words.appendChild(document.createTextNode(text)));
          for (const text of [one, two]) text.replaceWith(document.createElement("font"));
          await null;
          words.insertBefore(document.createElement("b"), two);
          words.removeChild(one);
          return words.innerHTML;
        }"""
        # The page's script has run.
        learn.page.wait_for_function("Object.hasOwn(Text.prototype, 'nodeValue')")
        assert learn.page.evaluate(left) == "<b></b>two"


@pytest.fixture(scope="class")
def data(shared: Visit) -> Visit:
    """A demo of two classes."""
    return shared.at("Data", "?demo=digits")


class TestOneVisitOfTheData:
    def test_the_names_of_columns_in_small_letters_contrast_with_their_ground(self, data: Visit) -> None:
        name = data.page.locator("[data-testid=stCaptionContainer] code").first
        name.scroll_into_view_if_needed()
        data.contrasts(name)

    def test_in_forced_colours_the_chosen_demo_stands_out(self, data: Visit) -> None:
        """All circles were empty."""
        data.page.emulate_media(forced_colors="active")
        options = data.page.get_by_test_id("stRadioOption")
        expect(options.nth(1)).to_be_visible()
        chosen, other = options.all()[:2]
        inside = "one => getComputedStyle(one.querySelector('div > div > div')).backgroundColor"
        ground = "one => getComputedStyle(one.querySelector('div > div')).backgroundColor"
        assert chosen.evaluate(ground) != other.evaluate(ground)
        assert chosen.evaluate(ground) != chosen.evaluate(inside)
        data.page.emulate_media(forced_colors="none")

    def test_where_paragraphs_are_set_apart_choices_stay_in_their_buttons(self, data: Visit) -> None:
        """As WCAG's 1.4.12 has it: “Demo data” had lost the upper half of its letters."""
        apart = data.page.add_style_tag(content="p { margin-bottom: 2em !important; }")
        buttons = data.page.get_by_role("radio", name="Demo data")
        assert buttons.evaluate("button => button.scrollHeight <= button.clientHeight")
        apart.evaluate("style => style.remove()")

    def test_no_words_are_cut_short_where_letters_alone_are_enlarged(self, data: Visit) -> None:
        """ "Use sensible settings and start labelling" lost its end, and the interval its upper limit."""
        expect(data.page.get_by_role("button", name="Use sensible settings")).to_be_visible()
        data.page.add_style_tag(content="html { font-size: 200% !important; }")
        words = data.page.get_by_test_id("stMain").get_by_test_id("stMarkdownContainer")
        assert words.evaluate_all(SHORTENED) == []
