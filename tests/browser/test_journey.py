"""A journey through the app in a real browser: data, labelling by keyboard, reload, results, kill; nothing is lost."""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlparse

import pandas as pd
import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")
pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from playwright.sync_api import expect

import sampleval as sv
from sampleval.storage import Storage
from sampleval.study import Study
from sampleval.ui import words
from tests.places import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.conftest import AppServer

PAUSE = 0.3  # just above the component's guard of 250 ms
KEYS = "21211"
# The websocket sends nothing until a link is pressed, and then all at once.
SLOW_LINE = """() => {
  const [send, held] = [WebSocket.prototype.send, []];
  WebSocket.prototype.send = function (data) { held.push([this, data]); };
  addEventListener("click", () => setTimeout(() => {
    WebSocket.prototype.send = send;
    for (const [socket, data] of held) socket.send(data);
  }, 500));
}"""
SAID = {"1": 0, "2": 1, "s": "skip", "?": "unsure"}


def holds(study: Study, keys: str) -> None:
    """Wait until exactly these answers stand, in the order of the queue."""
    wanted = [SAID[key] for key in keys]
    deadline = time.monotonic() + 60
    while (found := answers(study)) != wanted and time.monotonic() < deadline:
        time.sleep(0.1)
    assert found == wanted


def press(page: Page, keys: str) -> None:
    """Press each key, again if the desk took it for an accident, since items can appear late on a busy machine."""
    for key in keys:
        before = page.locator(".labelling .card img").get_attribute("src")
        for _ in range(5):
            time.sleep(PAUSE)
            page.keyboard.press(key)
            try:
                expect(page.locator(".labelling .card img")).not_to_have_attribute(
                    "src", before or "", timeout=2000
                )
                break
            except AssertionError:
                continue


def ready(page: Page) -> None:
    page.locator(".labelling .card img").wait_for()
    time.sleep(PAUSE)


def answers(study: Study) -> list[object]:
    """The answers that stand, in the order of the queue."""
    study.refresh()
    current = [study.state.given.current(row) for row in range(study.state.given.run_length)]
    return [a.what.label if a.what.kind == "label" else a.what.kind for a in current if a is not None]


def test_from_data_to_results_by_keyboard_and_through_a_kill(app_server: AppServer, page: Page) -> None:
    page.goto(app_server.url)
    page.get_by_role("button", name="Use sensible settings").click()
    ready(page)
    name = parse_qs(urlparse(page.url).query)["study"][0]
    study = sv.load_study(name, app_server.storage)
    press(page, KEYS)
    holds(study, KEYS)
    page.reload()
    ready(page)
    expect(page.get_by_text("5 of 300 answered")).to_be_visible()
    press(page, "12us1")  # the second is taken back, its item skipped
    holds(study, KEYS + "1s1")

    page.get_by_role("link", name=re.compile("results")).click()
    shown = page.get_by_test_id("stMetric").first
    expect(shown).to_contain_text(words.number(study.estimate().value))
    expect(shown).to_contain_text(words.between(study.estimate()))

    page.get_by_role("link", name="Label", exact=True).click()
    ready(page)
    press(page, "11")
    app_server.kill()
    press(page, "121")
    expect(page.locator(".labelling .state")).to_contain_text("kept in this browser")
    app_server.start()
    expect(page.locator(".labelling .state")).to_have_text("Saved ✓")
    holds(study, KEYS + "1s1" + "11121")
    ids = [answer.what.id for answer in study.state.given.standing.values()]
    assert len(ids) == len(set(ids)) == 13
    assert sv.load_study(name, app_server.storage).state == study.state
    expect(page.get_by_text("13 of 300 answered")).to_be_visible()


def begun(server: AppServer, page: Page, query: str = "") -> Study:
    """A new study of the digits, whose desk is shown on the page."""
    frame = pd.read_parquet(ROOT / "demo_data" / "digits_is8.parquet")
    pool = sv.Pool.from_frame(frame, fields=["image"], classes=("not an 8", "an 8"))
    name = f"study-{time.time_ns()}"
    study = sv.create_study(pool, metric="f1", budget=300, storage=server.storage, name=name)
    page.goto(f"{server.url}/Label?study={name}{query}")
    ready(page)
    study.refresh()  # the page has asked for its first round
    return study


def test_a_picture_is_seen_whole_in_a_low_window(app_server: AppServer, page: Page) -> None:
    """In a low window, or an enlarged page, the card cut off the lowest rows of each digit."""
    page.set_viewport_size({"width": 1300, "height": 500})
    begun(app_server, page)
    card = page.locator(".labelling .card")
    assert card.evaluate("(card) => card.scrollHeight <= card.clientHeight")


def test_a_tab_without_an_answer_outlives_the_server(app_server: AppServer, page: Page) -> None:
    """The new server knows nothing about the desk until the whole page has run there."""
    study = begun(app_server, page)
    app_server.kill()
    press(page, "12")
    app_server.start()
    expect(page.locator(".labelling .state")).to_have_text("Saved ✓")
    holds(study, "12")


def test_the_sheet_to_take_along_knows_of_answers_by_keyboard(app_server: AppServer, page: Page) -> None:
    study = begun(app_server, page)
    waiting = len(study.state.open_places())
    left = page.get_by_text("items of this round are left")
    expect(left).to_contain_text(f"{waiting} items")
    press(page, "12")
    holds(study, "12")
    expect(left).to_contain_text(f"{waiting - 2} items")


def test_answers_kept_under_another_name_are_told(app_server: AppServer, page: Page) -> None:
    study = begun(app_server, page, "&who=ann%20m")
    app_server.kill()
    press(page, "12")
    app_server.start()
    page.goto(f"{app_server.url}/Label?study={study.name}")
    told = page.locator(".labelling .others")
    expect(told).to_contain_text("2 answers by ann m not saved yet")
    page.get_by_text("Your name and view").click()
    name = page.get_by_role("textbox", name="Your name")
    name.fill("ann m")
    name.press("Enter")
    expect(told).to_have_text("")
    expect(page.locator(".labelling .state")).to_have_text("Saved ✓")
    page.get_by_text("Show what the model says").click()
    expect(page.locator(".labelling .card")).to_contain_text("The model says")  # of the item on show
    study.refresh()
    assert len(list(study.state.given.by("ann m"))) == 2


def test_an_undo_with_nothing_to_take_back_says_so(app_server: AppServer, page: Page) -> None:
    begun(app_server, page)
    page.keyboard.press("u")
    expect(page.locator(".labelling .last")).to_have_text("Nothing to take back")
    press(page, "1u")
    expect(page.locator(".labelling .last")).to_have_text("Last: taken back")


def test_a_refused_answer_is_not_called_saved(app_server: AppServer, page: Page) -> None:
    """The study was deleted in another tab: below a warning the desk still said "Saved ✓ · Last: an 8"."""
    study = begun(app_server, page)
    state, last = (page.locator(f".labelling .{part}") for part in ("state", "last"))
    press(page, "1u")  # an earlier answer to the item makes the refused one no less lost
    expect(state).to_have_text("Saved ✓")
    Storage.at(app_server.storage).delete(study.name)
    for refused in ("1 answer", "2 answers"):
        time.sleep(PAUSE)
        page.keyboard.press("2")
        expect(state).to_have_text(f"{refused} not saved, for the reason below")
        expect(last).to_have_text("Last: refused")


def test_the_desk_follows_a_study_that_was_renamed_elsewhere(app_server: AppServer, page: Page) -> None:
    """It went on under the old name, of which a reload said that there was no such study."""
    study = begun(app_server, page)
    press(page, "1")
    Storage.at(app_server.storage).rename(study.name, "another name")
    press(page, "2")
    expect(page.get_by_text("another name · 2 of 300 answered")).to_be_visible()
    page.reload()
    ready(page)
    press(page, "1")
    holds(sv.load_study("another name", app_server.storage), "121")


def test_the_desk_outlives_a_locked_database(app_server: AppServer, page: Page) -> None:
    study = begun(app_server, page)
    with closing(sqlite3.connect(app_server.folder / "sampleval.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        press(page, "1")
        expect(page.get_by_text("database is locked")).to_be_visible()
        press(page, "2")
    expect(page.locator(".labelling .state")).to_have_text("Saved ✓")
    expect(page.get_by_text("database is locked")).to_have_count(0)
    holds(study, "12")


def test_an_answer_can_be_corrected_again(app_server: AppServer, page: Page) -> None:
    """The chosen item kept the name with the answer before, which no option had any more: no such item was found."""
    study = begun(app_server, page)
    press(page, "12")
    holds(study, "12")
    page.get_by_text("Correct an answer").click()
    time.sleep(2 * PAUSE)  # the list closes again while its section still unfolds
    chosen = page.locator(".st-key-correct_item input")
    chosen.click()
    page.get_by_role("option", name=re.compile(" · an 8$")).click()
    page.locator(".st-key-correct_shown img").wait_for()
    time.sleep(2 * PAUSE)  # what has only just come takes no press
    for answer, keys in (("not an 8", "11"), ("an 8", "12"), ("not an 8", "11")):
        page.locator("[class*=st-key-correct_]").get_by_role("button", name=answer, exact=True).click()
        holds(study, keys)
        expect(chosen).to_have_value(re.compile(f" · {answer}$"))


def test_a_box_stays_open_when_another_one_appears_above_it(app_server: AppServer, page: Page) -> None:
    """Who was about to correct an answer had the box shut by the first disagreement with another annotator."""
    study = begun(app_server, page, "&who=ann")
    press(page, "12")
    holds(study, "12")
    page.get_by_text("Correct an answer").click()
    question = page.locator(".st-key-correct_item")
    expect(question).to_be_visible()
    study.tell(study.item(0), "an 8", annotator="bob")
    press(page, "1")
    expect(page.get_by_text("Where annotators disagree (1 to settle)")).to_be_visible()
    time.sleep(2 * PAUSE)  # a box that shuts takes a moment
    expect(question).to_have_count(1)  # for a moment the old one stands beside the new
    expect(question).to_be_visible()


@pytest.mark.parametrize("onto", ["Results", "Studies"])
def test_an_answer_on_its_way_when_its_page_is_left_is_fetched(
    app_server: AppServer, page: Page, onto: str
) -> None:
    """Where the line was slow for a moment, it stayed in the browser, and nothing said that results and files lacked it."""
    study = begun(app_server, page)
    press(page, "1")
    holds(study, "1")
    # What is sent now is held up until the next page has been asked for, whose request leaves out the answer.
    page.evaluate(SLOW_LINE)
    press(page, "2")
    page.get_by_role("link", name=onto, exact=True).click()
    holds(study, "12")
    expect(page.get_by_text("2 of 300 answered").first).to_be_visible()
    place = page.get_by_test_id("stLayoutWrapper").filter(has=page.locator(".labelling")).last
    expect(place).to_be_hidden()  # with the gap that it would leave
