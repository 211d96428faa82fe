"""The app in a real browser: any page may come first, links carry everything, and nothing is loaded from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pandas as pd
import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")
pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from playwright.sync_api import Page, expect

import sampleval as sv
from sampleval.ui.pages import PAGES
from tests.browser.visits import Visit, labelled_digits, plan_of_the_digits
from tests.conftest import AppServer, forget
from tests.places import ROOT


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[AppServer]:
    """A server that has not been asked for anything yet."""
    server = AppServer(tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.mark.parametrize(
    "name", ["Label", *(pytest.param(name, marks=pytest.mark.slow) for name in ("Data", "Learn"))]
)
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


def test_the_way_back_from_where_a_press_led_is_short(visit: Visit, app_server: AppServer) -> None:
    """Each key of the next page's address was put into this one's first, and each usual choice taken out again: eight presses."""
    study = labelled_digits(app_server, "digits")
    page = visit.page
    visit.at("Studies")
    card = page.locator("[class*=st-key-study_]").filter(has=page.get_by_text(study.name, exact=True))
    behind = page.evaluate("history.length")
    card.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Duplicate as a new plan").click()
    visit.shows("Plan")
    assert page.evaluate("history.length") - behind <= 3  # the browser drops a seed that is the usual one
    visit.clean()


def test_what_a_page_left_by_two_quick_presses_would_say_is_not_heard(visit: Visit) -> None:
    """Each control of Plan was taken for changed, so that a name that nobody had typed went to the next plan."""
    page = visit.page
    visit.at("Data")
    page.get_by_role("button", name="Plan first").click()
    expect(page.locator("[data-testid=stPlotlyChart]")).to_have_count(4)
    visit.shows("Plan")
    page.go_back()
    page.wait_for_timeout(200)  # the page that comes in between has begun, and not ended
    page.go_back()
    visit.shows("Data")
    assert not re.search("also=|called=", page.url)
    visit.clean()


def test_a_page_begins_at_its_top_and_stays_where_it_is_when_it_runs_anew(visit: Visit) -> None:
    """Streamlit keeps the scroll position, so that “Next” at the end of one page led to the middle of the other."""
    visit.page.set_viewport_size({"width": 390, "height": 700})
    main = visit.page.get_by_test_id("stMain")
    visit.at("Learn")
    picture = visit.page.locator(".js-plotly-plot").first  # its arrival moves the page
    expect(picture).to_be_visible()
    main.evaluate("main => main.scrollTo(0, 100)")
    visit.page.get_by_role("radio", name="3 Water-filling").evaluate("button => button.click()")
    expect(visit.page.get_by_text("What gets asked")).to_be_attached()
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


def test_by_tab_what_a_button_opened_comes_right_after_it(visit: Visit, app_server: AppServer) -> None:
    """It came after all the rest of the page, scrolled out of sight by then; and after Rename the page began anew."""
    pool = labelled_digits(app_server, "digits").pool
    for name in ("opened", "after it"):
        sv.create_study(pool, metric="f1", budget=60, storage=app_server.storage, name=name)
    page = visit.at("Studies").page
    page.wait_for_function("window.openedNextToItsButton")  # a page's scripts run a moment after it is drawn
    card = page.locator("[class*=st-key-study_]").filter(has_text="opened")
    more = card.get_by_role("button", name="More")
    keys, field = page.keyboard, page.get_by_label("New name")
    more.focus()
    keys.press("Enter")
    expect(field).to_be_visible()
    expect(more).to_be_focused()
    for key, there in (("Tab", field), ("Shift+Tab", more), ("Tab", field)):
        keys.press(key)
        expect(there).to_be_focused()
    keys.press("ControlOrMeta+a")
    keys.type("opened by keys")
    keys.press("Enter")
    expect(card).to_contain_text("opened by keys")
    expect(more).to_be_focused()
    keys.press("Tab")
    expect(field).to_be_focused()
    sure = page.get_by_role("checkbox", name="Delete this study")
    sure.focus()
    keys.press("Tab")
    following = page.locator("[class*=st-key-study_]:focus-within")
    expect(following).to_be_visible()
    expect(following.get_by_role("button", name="More")).not_to_be_focused()
    visit.clean()


def digits(fields: list[str]) -> sv.Pool:
    """The digits of the demo, with "no" and "yes" as names of the classes."""
    return sv.Pool.from_frame(pd.read_parquet(ROOT / "demo_data" / "digits_is8.parquet"), fields=fields)


def test_the_keyboard_stays_where_it_asked_the_oracle(visit: Visit, app_server: AppServer) -> None:
    """The button that was pressed gave way to another, and the keyboard was at the top of the page."""
    frame = pd.DataFrame({"score": [k / 99 for k in range(100)], "label": [0, 1] * 50})
    pool = sv.Pool.from_frame(frame)
    sv.Storage.at(app_server.storage).save_labels(sv.Labels.from_frame(frame, pool))
    sv.create_study(pool, metric="f1", budget=60, storage=app_server.storage, name="asking")
    visit.at("Label", "?study=asking")
    button = visit.page.get_by_role("button", name="Next 10", exact=True)
    for answered in (10, 20):
        button.press("Enter")
        expect(visit.page.get_by_text(f"{answered} of 60 answered")).to_be_visible()
        expect(visit.page.get_by_role("button", name="Stop the oracle")).to_have_count(0)
        expect(button).to_be_focused()


def test_a_picture_among_ordinary_buttons_has_a_name(visit: Visit, app_server: AppServer) -> None:
    """Those buttons are for screen readers, too."""
    sv.create_study(digits(["image"]), metric="f1", budget=60, storage=app_server.storage, name="pictures")
    visit.at("Label", "?study=pictures&plain=true")
    expect(visit.page.get_by_role("img", name="image", exact=True)).to_be_visible()


def test_screen_readers_hear_the_next_item_among_ordinary_buttons(
    visit: Visit, app_server: AppServer
) -> None:
    """Those buttons are for them, and a press was answered by silence."""
    sv.create_study(digits([]), metric="f1", budget=60, storage=app_server.storage, name="aloud")
    visit.at("Label", "?study=aloud&plain=true")
    item = visit.page.locator("[aria-live=polite]", has_text="digit-")
    before = item.inner_text()
    visit.page.get_by_role("button", name="no", exact=True).click()
    expect(item).not_to_have_text(before)
    expect(item).to_be_visible()
    visit.clean()


def test_the_second_of_two_quick_presses_of_an_ordinary_button_does_not_count(
    visit: Visit, app_server: AppServer
) -> None:
    """It had answered the next item, unseen: on its way to the browser, or just there. The button keeps the keyboard."""
    study = sv.create_study(digits([]), metric="f1", budget=60, storage=app_server.storage, name="hasty")
    visit.at("Label", "?study=hasty&plain=true")
    yes = visit.page.get_by_role("button", name="yes", exact=True)
    yes.wait_for()
    for answered, wait in ((1, 15), (2, 80)):
        visit.page.wait_for_timeout(1000)  # what has only just come takes no press
        yes.evaluate(
            f"button => {{ button.focus(); button.click(); setTimeout(() => button.click(), {wait}); }}"
        )
        expect(visit.page.get_by_text(f"{answered} of 60 answered")).to_be_visible()
        expect(yes).to_be_focused()
    visit.page.wait_for_timeout(1000)
    visit.settled()
    study.refresh()
    assert study.labels == 2
    expect(visit.page.get_by_role("textbox", name="Shown")).to_have_count(0)  # only the browser is told
    visit.clean()


def test_a_held_enter_saves_no_correction_that_deserves_a_second_look(
    visit: Visit, app_server: AppServer
) -> None:
    """The warning had only just come when the next of its presses saved the number, again and again."""
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": range(5, 35)}), pred="pred", task="regression")
    study = sv.create_study(pool, metric="mae", budget=9, storage=app_server.storage, name="held")
    [item] = study.ask(1)
    study.tell(item, 12.5)
    visit.at("Label", "?study=held")
    visit.page.get_by_text("Correct an answer").click()
    visit.page.wait_for_timeout(1000)  # the list closes again while its section still unfolds
    visit.page.locator(".st-key-correct_item input").click()
    visit.page.get_by_role("option").first.click()
    field = visit.page.locator(".st-key-correct_desk").get_by_label("Value", exact=True)
    field.fill("120000")
    visit.page.wait_for_timeout(500)
    for _ in range(60):
        visit.page.keyboard.down("Enter")  # from the second on, it repeats
        visit.page.wait_for_timeout(30)
    visit.page.keyboard.up("Enter")
    expect(visit.page.get_by_text("Save it again to keep it")).to_be_visible()
    study.refresh()
    assert [*study.known_labels().values()] == [12.5]
    visit.page.wait_for_timeout(500)
    visit.page.keyboard.press("Enter")
    expect(visit.page.get_by_text("You said 120,000")).to_be_visible()


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
