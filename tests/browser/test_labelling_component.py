"""The labelling component in a real browser: no answer is lost, and no item is labelled unseen."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")
pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from playwright.sync_api import CDPSession, Locator, Page, expect

from sampleval.ui import labelling as component
from tests.conftest import PATIENCE, AppServer

HERE = Path(__file__).parent
MODULE = "\n".join(
    (Path(component.__file__).parent / "browser" / name).read_text("utf-8") for name in component._SCRIPTS
)
PAUSE = 0.27  # just above the component's guard of 250 ms, which counts from when the item is painted
ANSWERS = ("not an 8", "an 8")
# On a busy machine painting is late, by more than a second; a tab behind others may never be painted.
PAINTED = """() => Promise.race([
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  new Promise((done) => setTimeout(done, 10000)),
])"""
# Made inside the page: keys sent from here can be further apart than the guard on a busy machine.
DOUBLE_TAP = """() => {
  const tap = () => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key: "2", code: "Digit2", bubbles: true, composed: true }));
  const begun = performance.now();
  tap();
  tap();
  const late = () => performance.now() - begun > 200; // on a busy machine: then it would be a press of its own
  return new Promise((done) => setTimeout(() => done(late() || tap()), 80));
}"""
# The next item is painted only when the browser has done its other work, before the frame and in it.
TAPS_BEFORE_A_LATE_FRAME = """() => {
  const tap = () => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key: "2", code: "Digit2", bubbles: true, composed: true }));
  const work = () => { const begun = performance.now(); while (performance.now() < begun + 300); };
  requestAnimationFrame(work);
  tap();
  work();
  tap();
  return new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(tap()), 50)));
}"""
OTHER_SCRIPT = """([key, code]) => document.body.dispatchEvent(
  new KeyboardEvent("keydown", { key, code, bubbles: true, composed: true }));"""
# A minute after the last answer, in a clock that then stands: so that no busy machine is late.
A_MINUTE_LATER = """(line) => {
  const [now, later] = [() => Performance.prototype.now.call(performance), performance.now() + 60000];
  performance.now = () => later;
  const said = [];
  new MutationObserver(() => said.push(line.textContent)).observe(line, { childList: true });
  window.saidSince = () => { performance.now = now; return said; };
}"""
AHEAD = """() => {
  const now = Date.now;
  Date.now = () => now() + 3600000;
  window.setBack = () => (Date.now = now);
}"""
OFF = "() => Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('off', 'SecurityError'); } })"
FULL = (
    "() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; }"
)
# Mounts the component by hand, for orders of calls that the app brings about only now and then.
MOUNT = """
  const { default: labelling } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  const parentElement = document.body.appendChild(document.createElement("div"));
  const usual = { study: "s", annotator: "", task: { kind: "binary", classes: ["no", "yes"] }, usual: null,
    cards: [{ id: "0", fields: [] }], acknowledged: [], refused: {} };
  const render = (data, setStateValue = () => {}) =>
    labelling({ data: { ...usual, ...data }, parentElement, setStateValue });
"""
# As Streamlit does now and then where two runs follow at once: the first render's clean-up, then the second render.
OVERTAKEN = """
  const numbers = { task: { kind: "regression", classes: [] } };
  const mounted = () => new Promise((done) => setTimeout(() => done(hears()), 1100));
  const number = () => parentElement.querySelector("input").value;
  const hears = () => {
    const press = new KeyboardEvent("keydown", { key: "Enter", cancelable: true, bubbles: true, composed: true });
    document.body.dispatchEvent(press);
    return press.defaultPrevented;
  };
  const leave = render(numbers);
  parentElement.querySelector("input").value = "12";
  leave();
  const last = render(numbers);
  const kept = [number(), await mounted()];
  last();
  return [...kept, await mounted()];
"""
# Another tab's answer is stored while this desk is hidden, as on the page of results, and then shown.
HIDDEN = """
  const [sent, counts] = [[], []];
  render({ cards: [] }, (name, value) => sent.push(value));
  dispatchEvent(new StorageEvent("storage", { key: "elsewhere", newValue: null }));
  for (const display of ["none", ""]) {
    parentElement.style.display = display;
    await new Promise((done) => setTimeout(done, 1100));
    counts.push(sent.length);
  }
  return counts;
"""
# Back in the browser's history to another study, whose items have the same ids.
OTHER_STUDY = """
  const field = () => parentElement.querySelector(".line input");
  render({ study: "one" });
  parentElement.querySelector("[aria-keyshortcuts=N]").click();
  field().value = "blurred";
  return ["one", "two"].map((study) => { render({ study, annotator: "ann" }); return field().value; });
"""
TABLE = """() => {
  const table = document.body.appendChild(document.createElement("div"));
  table.setAttribute("role", "grid");
  table.tabIndex = 0;
  table.focus();
}"""
# Enter that ends a composition, as in Japanese, and not yet the text; as in Safari, where it comes after the composition.
COMPOSED = """(field) => {
  for (const by of [{ isComposing: true }, { keyCode: 229 }])
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ...by, bubbles: true, composed: true }));
}"""
DOUBLE_ENTER = """(field) => {
  for (const key of ["Enter", "Enter"]) field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
}"""
PRESSES = [1, 2, 2, 1, 1, 1, 2, 1, 2, 2, 2, 1, 2, 1, 1, 2, 2, 2, 1, 2]


class Event(NamedTuple):
    """One stored row."""

    kind: str
    id: str
    value: object


class Server(AppServer):
    """The demo app in a process of its own, so that it can be killed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, HERE / "labelling_app.py")

    def stored(self, study: str) -> list[Event]:
        """The stored events of one study in order."""
        database = self.folder / "answers.sqlite"
        if not database.exists():
            return []
        query = "SELECT kind, id, value FROM answers WHERE study = ? ORDER BY seq"
        with closing(sqlite3.connect(database, timeout=5)) as connection:
            rows = connection.execute(query, (study,)).fetchall()
        return [Event(kind, item, json.loads(value)) for kind, item, value in rows]


def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("waited in vain")
        time.sleep(0.05)


@pytest.fixture(scope="module")
def server(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running demo app. It is not started if there is no browser to look at it."""
    running = Server(tmp_path_factory.mktemp(f"labelling-{Path(chromium).name}"))
    running.start()
    yield running
    running.kill()


class Desk:
    """An annotator at one study: presses keys, and knows what the server has stored."""

    def __init__(self, server: Server, page: Page, study: str, query: str) -> None:
        """Open the study."""
        self.server, self.page, self.study = server, page, study
        self.url = f"{server.url}/?study={study}{query}"
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.set_viewport_size({"width": 1000, "height": 900})
        page.goto(self.url)
        self.ready()

    def ready(self) -> None:
        """Wait until an item has been on screen for longer than the guard."""
        self.page.locator(".labelling .card", has_text="item").wait_for()
        self.look()

    def look(self) -> None:
        """Look at what is on screen for longer than the guard."""
        self.page.evaluate(PAINTED)
        time.sleep(PAUSE)

    def press(self, *keys: object) -> None:
        """Press keys at a fast but human pace, those again that Streamlit's "Connection error" took by covering the item."""
        item = self.page.locator(".labelling .card").all_inner_texts  # none once all is labelled
        for key in keys:
            self.uncover()
            shown = item()
            self.page.keyboard.press(str(key))
            self.look()
            if self.uncover() and item() == shown:
                self.page.keyboard.press(str(key))
                self.look()

    def uncover(self) -> bool:
        """Close Streamlit's "Connection error", as people would; whether it was there."""
        covered = self.page.get_by_text("Connection error").count() > 0
        if covered:
            self.page.keyboard.press("Escape")
            expect(self.page.get_by_role("dialog")).to_have_count(0)
        return covered

    def find(self, words: str) -> None:
        """Search for a class and take the first one found."""
        self.press("/")
        self.page.keyboard.type(words)
        self.press("Enter")

    def front(self) -> "Desk":
        """Bring the tab to the front: a tab behind others is not painted, and takes no answers until it is."""
        self.page.bring_to_front()
        self.look()
        return self

    def shows(self, number: int) -> None:
        """Expect an item on screen, and look at it for longer than the guard."""
        expect(self.page.locator(".labelling .card")).to_contain_text(f"item {number}")
        self.look()

    def out_of_sight(self, width: int, height: int) -> Locator:
        """Scroll on a screen of this size until the item is out of sight; its card."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.get_by_role("button", name="cover").scroll_into_view_if_needed()
        card = self.page.locator(".labelling .card")
        expect(card).not_to_be_in_viewport(ratio=0.5)
        return card

    def says(self, text: str) -> None:
        """Expect a status."""
        expect(self.page.locator(".labelling .state")).to_have_text(text)

    @property
    def events(self) -> list[Event]:
        """What is stored."""
        return self.server.stored(self.study)

    def stores(self, *events: tuple[str, object, object]) -> None:
        """Expect exactly these events, in this order."""
        wanted = [Event(kind, str(item), value) for kind, item, value in events]
        with suppress(TimeoutError):
            until(lambda: len(self.events) >= len(wanted))
        assert self.events == wanted, self.page.locator(".labelling").all_inner_texts()
        self.says("Saved ✓")
        assert not self.errors


Opener = Callable[..., Desk]


def by_hand(page: Page, body: str) -> object:
    """What a script returns that mounts the component by hand, with `render`."""
    return page.evaluate(f"async (script) => {{{MOUNT}{body}}}", MODULE)


@pytest.fixture
def desk(server: Server, page: Page) -> Opener:
    """Open desks at one fresh study, each in a tab of its own."""
    study, tabs = f"study-{time.time_ns()}", iter([page])
    if not server.healthy():  # a test that kills it has failed halfway
        server.start()
    return lambda query="": Desk(server, next(tabs, None) or page.context.new_page(), study, query)


def labels(*presses: int, start: int = 0) -> list[tuple[str, object, object]]:
    """Return the events that number keys on the digits task must store."""
    return [("label", start + n, ANSWERS[key - 1]) for n, key in enumerate(presses)]


@pytest.mark.parametrize("query", [pytest.param("&plain=1", marks=pytest.mark.slow), "&fragment=1"])
def test_twenty_fast_presses_store_twenty_answers_once_in_order(desk: Opener, query: str) -> None:
    one = desk(query)
    one.press(*PRESSES)
    one.stores(*labels(*PRESSES))
    one.shows(20)


def test_an_answer_refused_in_one_tab_is_not_called_saved_in_another(desk: Opener) -> None:
    """The other tab heard that nobody waits for it any longer, and took that for stored."""
    one, two = desk("&picky=1"), desk()
    one.front().press(1)
    one.says("1 answer not saved, for the reason below")
    one.press("u")
    until(lambda: one.events == [("undo", "", None)])  # what was refused cannot be taken back
    two.front().says("1 answer not saved, another tab says why")
    two.page.reload()
    two.ready()
    two.says("")


def test_an_answer_given_anew_after_a_refusal_is_saved(desk: Opener) -> None:
    one, two = desk("&picky=1"), desk()
    one.front().press(1)
    one.says("1 answer not saved, for the reason below")
    one.press(1)  # the next item, which was on screen before the refusal came
    one.says("1 answer not saved, for the reason below")
    one.shows(0)
    one.press(2)
    one.stores(*labels(1, start=1), *labels(2))
    two.front().says("Saved ✓")


def test_the_item_being_read_stays_when_the_queue_is_rearranged(desk: Opener) -> None:
    """This happens when a second person joins: a label meant for this item must not go to another one."""
    one = desk("&turned=1")
    one.press(1)
    one.stores(*labels(1))
    one.shows(1)
    one.press(2)
    one.shows(20)


def test_double_tap_and_held_key_do_not_label_the_unseen_item(desk: Opener) -> None:
    one = desk()
    for _ in range(3):
        one.page.evaluate(DOUBLE_TAP)
        one.look()
    one.page.keyboard.down("1")
    for _ in range(30):
        time.sleep(0.03)
        one.page.keyboard.down("1")  # the browser marks these as repeats
    one.page.keyboard.up("1")
    one.look()
    one.page.get_by_role("button", name="2 an 8").evaluate(
        "(button) => [1, 2, 3].forEach(() => button.click())"
    )
    one.stores(*labels(2, 2, 2, 1, 2))


def test_an_item_that_is_painted_late_is_not_labelled_before_it_is_seen(desk: Opener) -> None:
    """The guard counted from when the item was ready, or its frame begun; a busy machine paints it much later."""
    one = desk()
    one.page.evaluate(TAPS_BEFORE_A_LATE_FRAME)
    one.look()
    one.press(1)
    one.stores(*labels(2, 1))


def test_reload_midway_loses_nothing(desk: Opener) -> None:
    one = desk()
    one.press(*PRESSES[:6])
    one.page.keyboard.press(str(PRESSES[6]))
    one.page.reload()
    one.ready()
    one.shows(7)
    one.press(*PRESSES[7:12])
    one.stores(*labels(*PRESSES[:12]))


def test_killed_server_loses_nothing(desk: Opener, server: Server) -> None:
    one = desk()
    one.press(*PRESSES[:5])
    one.says("Saved ✓")
    server.kill()
    one.press(*PRESSES[5:13])
    one.says("Offline: 8 answers kept in this browser")
    expect(one.page.locator(".labelling .others")).to_have_text("")
    one.page.evaluate(FULL)
    one.press(1)
    one.says("9 answers not saved yet; this browser keeps nothing over a reload")
    server.start()
    one.says("Saved ✓")
    one.stores(*labels(*PRESSES[:13], 1))
    one.ready()
    one.press(1)
    one.stores(*labels(*PRESSES[:13], 1, 1))


def test_a_server_of_another_version_takes_the_open_tab_over(
    desk: Opener, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The desk stood there twice, and both heard each key: the old one answered items that the new one had answered."""
    one = desk()
    one.press(1)
    one.says("Saved ✓")
    server.kill()
    one.press(2)
    monkeypatch.setenv("LATER", "1")
    server.start()
    one.stores(*labels(1, 2))
    one.ready()
    one.press(1, 2, 2)
    one.stores(*labels(1, 2, 1, 2, 2))
    expect(one.page.locator(".labelling")).to_have_count(1)


def test_closed_tab_delivers_when_the_study_is_opened_again(desk: Opener, server: Server) -> None:
    one = desk()
    server.kill()
    one.press(2, 1, 2, "u", 1, 2)
    one.page.close()
    server.start()
    again = desk()
    until(lambda: len(again.events) == 6)  # so many that no other order gives theirs by chance
    taken = again.events[3].value
    again.stores(*labels(2, 1, 2), ("undo", "", taken), *labels(1, 2, start=2))
    again.shows(4)


def test_a_clock_that_is_set_back_hides_no_outage_and_undo_still_takes_back_the_last_answer(
    desk: Opener, server: Server
) -> None:
    """For that hour it said "Saving…" and sent nothing again, and answers given before it counted as the latest."""
    one = desk()
    one.page.evaluate(AHEAD)
    server.kill()
    one.press(1, 2)
    one.page.evaluate("setBack()")
    one.says("Offline: 2 answers kept in this browser")
    before = one.page.evaluate("Object.keys(localStorage)")
    one.page.close()
    server.start()
    again = desk()
    again.shows(2)
    again.press(1, "u", 2)
    until(lambda: len(again.events) == 5)
    taken = str(again.events[3].value)
    assert not any(key.endswith(taken) for key in before)
    again.stores(*labels(1, 2, 1), ("undo", "", taken), *labels(2, start=2))


def test_undo_shows_the_item_at_once_and_reaches_back_over_a_reload(desk: Opener) -> None:
    one = desk()
    one.press(1, "s", 2)
    one.page.keyboard.press("u")
    assert "item 2" in one.page.locator(".labelling .card").inner_text()
    one.look()
    one.press("u")
    one.shows(1)
    one.press(2)
    one.shows(2)
    head = [*labels(1), ("skip", 1, None), *labels(2, start=2)]
    middle = [("label", 1, "an 8")]
    uuids_taken_back = [event.value for event in one.events if event.kind == "undo"]
    assert len(set(uuids_taken_back)) == 2
    undone = [("undo", "", uuid) for uuid in uuids_taken_back]
    one.stores(*head, *undone, *middle)
    one.page.reload()
    one.ready()
    one.press("u")
    one.shows(1)
    one.press("u")
    one.shows(0)
    one.stores(*head, *undone, *middle, ("undo", "", None), ("undo", "", None))


def test_two_tabs_share_one_queue(desk: Opener) -> None:
    one, other = desk(), desk()
    other.page.locator(".labelling .state").evaluate(A_MINUTE_LATER)
    one.front().press(1)
    other.shows(1)
    said = other.page.evaluate("saidSince()")  # "Offline", for a moment after each answer of the first tab
    one.press(2)
    other.shows(2)
    assert set(said) <= {"Saving…", "Saved ✓"}
    other.front().press(1, 1)
    one.shows(4)
    one.front().press(2)
    other.shows(5)
    other.front().press("u")
    other.shows(4)
    one.shows(4)
    one.front().press(1)
    until(lambda: len(one.events) == 7)
    one.stores(*labels(1, 2, 1, 1, 2), ("undo", "", one.events[5].value), *labels(1, start=4))
    other.says("Saved ✓")


def test_a_tab_opened_later_follows_an_undo_of_what_it_never_saw(desk: Opener) -> None:
    one = desk()
    one.front().press(1, 2)
    one.says("Saved ✓")
    other = desk()
    other.shows(2)
    one.front().press("u")
    other.shows(1)
    one.front().press("u", "u", "u")  # more than there is
    other.shows(0)
    other.front().press(2)
    one.shows(1)
    assert other.events[-1] == Event("label", "0", "an 8")


def test_keys_do_nothing_while_a_dialog_covers_the_item(desk: Opener) -> None:
    one = desk()
    one.page.get_by_role("button", name="cover").click()
    expect(one.page.get_by_role("dialog")).to_be_visible()
    one.press(1, 2)
    one.page.keyboard.press("Escape")
    expect(one.page.get_by_role("dialog")).to_have_count(0)
    one.shows(0)
    one.press(2)
    one.stores(*labels(2))


def test_a_key_brings_an_item_out_of_sight_back_before_it_counts(desk: Opener) -> None:
    """While an earlier answer was corrected further down, 1 and 2 answered the next item, which nobody saw."""
    one = desk()
    one.page.set_viewport_size({"width": 1000, "height": 300})
    one.page.get_by_role("button", name="cover").focus()
    card = one.page.locator(".labelling .card")
    expect(card).not_to_be_in_viewport(ratio=0.5)
    one.page.evaluate(DOUBLE_TAP)
    expect(card).to_be_in_viewport(ratio=0.5)
    one.shows(0)
    one.press(1)
    one.stores(*labels(1))


def test_an_item_behind_the_page_s_header_is_out_of_sight_and_is_brought_back_clear_of_it(
    desk: Opener,
) -> None:
    """What the header covers counted as seen, and the item came back with its top behind the header."""
    one = desk()
    one.page.set_viewport_size({"width": 1000, "height": 400})
    card = one.page.locator(".labelling .card")
    top, header = "(card) => card.getBoundingClientRect().top", one.page.get_by_test_id("stHeader")
    covered = header.evaluate("(header) => header.getBoundingClientRect().bottom")
    assert covered > 0
    half = card.evaluate("(card) => card.clientHeight / 2")
    one.page.get_by_test_id("stMain").evaluate(
        "(main, by) => main.scrollBy(0, by)", card.evaluate(top) + half - covered + 20
    )
    expect(card).to_be_in_viewport(ratio=0.5)
    one.press(1)
    assert covered <= card.evaluate(top) < covered + 40
    one.shows(0)
    one.press(2)
    one.stores(*labels(2))


@pytest.mark.parametrize("end", ["Enter", "Escape"])
def test_after_a_note_on_a_small_screen_the_item_is_in_sight_again(desk: Opener, end: str) -> None:
    """The note's field took it away, and the key after the note did not count."""
    one = desk("&task=multiclass")
    one.page.set_viewport_size({"width": 390, "height": 480})
    one.press("n")
    one.page.keyboard.type("blurred")
    card = one.page.locator(".labelling .card")
    expect(card).not_to_be_in_viewport(ratio=0.5)
    one.press(end)
    expect(card).to_be_in_viewport(ratio=0.5)
    one.press(1)
    note = [("note", 0, "blurred")] if end == "Enter" else []
    one.stores(*note, ("label", 0, "digit 0"))


def test_after_a_note_or_a_search_the_keyboard_is_at_the_item(desk: Opener) -> None:
    """It was nowhere: a screen reader began anew at the top of the page."""
    one = desk("&task=many")
    card = one.page.locator(".labelling .card")
    for end in ("Enter", "Escape"):
        one.press("n", "x", end)
        expect(card).to_be_focused()
    one.press("/", "Escape")
    expect(card).to_be_focused()
    one.press("/", "c", "Enter")  # the first that begins with it: all have it
    expect(card).to_be_focused()
    one.press("n")
    one.page.get_by_role("button", name="skip").click()  # what was pressed has the keyboard already
    expect(one.page.get_by_role("button", name="skip")).to_be_focused()
    expect(one.page.get_by_label("Note on this item")).to_be_hidden()
    one.stores(("note", 0, "x"), ("label", 0, "c0 class"), ("skip", 1, None))


def test_an_item_with_the_keyboard_is_not_answered_out_of_sight(desk: Opener) -> None:
    one = desk()
    one.page.set_viewport_size({"width": 1000, "height": 300})
    one.press("n", "Escape")
    one.page.get_by_test_id("stMain").evaluate("(main) => main.scrollTo(0, main.scrollHeight)")
    card = one.page.locator(".labelling .card")
    expect(card).not_to_be_in_viewport(ratio=0.5)
    one.press(1)
    expect(card).to_be_in_viewport(ratio=0.5)
    one.shows(0)
    one.press(2)
    one.stores(*labels(2))


def test_a_set_begun_out_of_sight_of_its_item_is_saved_whole(desk: Opener) -> None:
    """The first tick only brought the item back, and the set was saved without it."""
    one = desk("&task=multilabel")
    card = one.out_of_sight(390, 480)
    one.press(1, 3)
    expect(card).to_be_in_viewport(ratio=0.5)
    one.press("Enter")
    one.stores(("label", 0, ["anger", "fear"]))


def test_a_search_begun_out_of_sight_of_its_item_brings_it_back(desk: Opener) -> None:
    """The press did not count, what was typed went to the page, and its first space scrolled the item away again."""
    one = desk("&task=many")
    card = one.out_of_sight(390, 600)
    one.press("/")
    expect(card).to_be_in_viewport(ratio=0.5)
    one.page.keyboard.type("class c3")
    one.press("Enter", "s")
    one.stores(("label", 0, "c3 class"), ("skip", 1, None))


def test_a_number_typed_out_of_sight_of_its_item_brings_it_back(desk: Opener) -> None:
    """Only the field came back, and Enter answered an item that nobody saw."""
    one = desk("&task=regression")
    card = one.out_of_sight(1000, 300)
    one.press(4)
    expect(card).to_be_in_viewport(ratio=0.9)
    one.press(2, "Enter")
    one.stores(("label", 0, 42.0))


def test_leaving_the_component_and_coming_back_neither_loses_nor_doubles(desk: Opener) -> None:
    one = desk()
    for number in range(3):
        one.shows(number)
        one.page.keyboard.press("2")
        one.page.get_by_text("hide").click()
        expect(one.page.locator(".labelling")).to_have_count(0)
        one.press(1)
        one.page.get_by_text("hide").click()
        one.ready()
    one.stores(*labels(2, 2, 2))


def test_where_the_browser_s_storage_is_switched_off_labels_are_stored_all_the_same(desk: Opener) -> None:
    one = desk()
    one.page.evaluate(OFF)
    for shown in range(2):  # away and back: the desk reads the storage when it appears
        one.page.get_by_text("hide").click()
        expect(one.page.locator(".labelling")).to_have_count(shown)
    one.ready()
    one.press(1, 2)
    one.stores(*labels(1, 2))


def test_skip_unsure_and_notes(desk: Opener) -> None:
    one = desk()
    one.press("s", "?", "n")
    one.page.keyboard.type("1 2 u s rc ")  # r and c are Streamlit's own keys
    one.page.get_by_label("Note on this item").evaluate(COMPOSED)
    one.page.keyboard.type("?")
    one.page.keyboard.press("Enter")
    one.shows(2)
    one.press("u")  # a note is no answer
    one.shows(1)
    one.press("?")
    one.shows(2)
    one.press("n")
    expect(one.page.get_by_label("Note on this item")).to_have_value("")
    one.page.keyboard.type("dropped")
    one.press("Escape", 2)
    until(lambda: len(one.events) == 6)
    again = [("undo", "", one.events[3].value), ("unsure", 1, None)]
    one.stores(
        ("skip", 0, None), ("unsure", 1, None), ("note", 2, "1 2 u s rc ?"), *again, *labels(2, start=2)
    )
    assert one.page.get_by_role("dialog").count() == 0


def test_letters_work_on_keyboards_of_other_scripts(desk: Opener) -> None:
    one = desk()
    dvorak = ("o", "KeyS")  # goes by what is printed
    for key, code in (("ы", "KeyS"), ("؟", "Slash"), ("&", "Digit1"), ("σ", "KeyS"), dvorak):
        one.page.evaluate(OTHER_SCRIPT, [key, code])
        one.look()
    one.stores(("skip", 0, None), ("unsure", 1, None), *labels(1, start=2), ("skip", 3, None))


def test_keys_meant_for_something_else_do_not_label(desk: Opener) -> None:
    one = desk()
    one.press("Control+1", "Alt+2", "Meta+1", "Shift+Digit1")
    one.page.get_by_label("elsewhere").fill("")
    one.page.get_by_label("elsewhere").press_sequentially("12su?")
    one.page.keyboard.press("Tab")
    one.page.evaluate(TABLE)
    one.press(1)
    one.shows(0)
    assert one.events == []


def test_where_no_item_is_left_only_undo_does_anything(desk: Opener) -> None:
    one = desk("&items=1")
    one.press(1)
    expect(one.page.locator(".labelling .card")).to_have_text("No item is waiting.")
    one.press(1, "s", "n")
    expect(one.page.get_by_label("Note on this item")).to_be_hidden()
    one.press("u")
    one.shows(0)
    one.press(2)
    until(lambda: len(one.events) == 3)
    one.stores(*labels(1), ("undo", "", one.events[1].value), *labels(2))


def test_uploaded_text_is_text(desk: Opener) -> None:
    one = desk("&task=text")
    assert "<img src=x onerror=" in one.page.locator(".labelling .card").inner_text()
    assert one.page.locator(".labelling .card").locator("img, b").count() == 0
    assert "hacked" not in one.page.title()
    reply, code = one.page.locator(".labelling .text").all()[2:]
    assert reply.inner_text() == "–"  # and what is blank is not left out
    assert code.inner_text() == "if x:\n    y\n<b>"
    letters = "node => getComputedStyle(node).fontFamily"
    assert "mono" in code.evaluate(letters).lower()
    assert "mono" not in reply.evaluate(letters).lower()
    card = one.page.locator(".labelling .card")
    card.evaluate("card => card.scrollTo(0, 200)")
    assert card.evaluate("card => card.scrollTop") == 200
    one.press(1)
    one.shows(1)
    assert card.evaluate("card => card.scrollTop") == 0  # the next item is read from its beginning


def test_a_picture_is_whole_at_first_and_as_wide_as_its_card_after_a_press(desk: Opener) -> None:
    """A scan that fits a low window is too small to read; keys go on answering whichever size it has."""
    one = desk("&task=scan")
    card, picture = one.page.locator(".labelling .card"), one.page.get_by_role("button", name="page")
    whole, room = picture.evaluate("at => [at.clientHeight, at.closest('.card').clientHeight]")
    assert whole < room
    picture.click()
    assert picture.evaluate("at => at.clientWidth") > card.evaluate("at => at.clientWidth") - 40
    one.page.keyboard.press("Enter")
    assert picture.evaluate("at => at.clientHeight") == whole
    assert one.events == []
    one.press(2)
    one.stores(("label", 0, "written by hand"))


def test_pairs_stand_side_by_side_with_their_differences_marked(desk: Opener) -> None:
    one = desk("&task=pairs")
    one.press(1)
    marks = one.page.locator(".labelling .mark")
    assert marks.all_inner_texts() == ["=", "=", "=", "≠"]
    one.press(1)
    assert marks.all_inner_texts() == ["≠", "≠", "–", "≠"]
    assert one.page.locator(".labelling thead th").all_inner_texts() == ["field", "left", "right"]


def test_ten_classes_have_ten_keys(desk: Opener) -> None:
    one = desk("&task=multiclass")
    one.press(9, 0)
    one.stores(("label", 0, "digit 8"), ("label", 1, "digit 9"))


def test_classes_that_are_digits_keep_their_own_keys(desk: Opener) -> None:
    one = desk("&task=digits")
    one.press(3, 0)
    one.stores(("label", 0, "3"), ("label", 1, "0"))


@pytest.mark.parametrize(
    ("task", "other", "classes"), [("unnamed", 0, ("no", "yes")), ("signed", 2, ("-1", "1"))]
)
def test_the_key_1_never_says_that_an_item_is_not_a_1(
    desk: Opener, task: str, other: int, classes: tuple[str, str]
) -> None:
    one = desk(f"&task={task}")
    one.press(1, other)
    one.stores(("label", 0, classes[1]), ("label", 1, classes[0]))
    assert one.page.locator(".labelling .choices kbd").all_inner_texts() == [str(other), "1"]


def test_more_than_ten_classes_go_on_with_letters(desk: Opener) -> None:
    """None of eleven had a key: each answer took "/", part of a name and Enter."""
    one = desk("&task=lettered")
    keys = [*"1234567890AD", "B", "E"]  # B is its own; S skips
    assert one.page.locator(".labelling .choices kbd").all_inner_texts() == keys
    one.press(1, "d", "b", "e", "s")
    one.stores(
        ("label", 0, "topic 0"),
        ("label", 1, "topic 11"),
        ("label", 2, "B"),
        ("label", 3, "S"),
        ("skip", 4, None),
    )


def test_a_class_that_is_a_small_letter_has_its_key(desk: Opener) -> None:
    """B stood for the twelfth class, l, beside a class b."""
    one = desk("&task=letters")
    keys = [*"AB1DEFGHIJKL"]  # C is Streamlit's
    assert one.page.locator(".labelling .choices kbd").all_inner_texts() == keys
    one.press("b", "l", 1)
    one.stores(("label", 0, "b"), ("label", 1, "l"), ("label", 2, "c"))


def test_many_classes_are_found_by_typing(desk: Opener) -> None:
    one = desk("&task=many")
    assert one.page.locator(".labelling .choices kbd").count() == 0  # more than there are keys
    one.press("/")
    one.page.keyboard.type("c")
    one.page.get_by_label("Search the classes").evaluate(COMPOSED)
    one.page.keyboard.type("3")
    one.press(
        "Enter", "Enter", "/", "Enter"
    )  # neither outside nor in the empty field does Enter pick anything
    one.page.keyboard.type("b")
    one.press("ArrowDown", "ArrowDown", "Enter", "s")
    one.stores(("label", 0, "c3 class"), ("label", 1, "b2 class"), ("skip", 2, None))


def test_a_class_is_found_by_parts_of_its_words_in_any_order(desk: Opener) -> None:
    one = desk("&task=many")
    for typed in ("class c3", "c3  cl"):
        one.find(typed)
    one.press("/")
    one.page.keyboard.type("class c3 d")  # d: in no name with c3
    expect(one.page.get_by_text("No class has this in its name.")).to_be_visible()
    one.press("Escape", "s")
    one.stores(("label", 0, "c3 class"), ("label", 1, "c3 class"), ("skip", 2, None))


def test_what_finds_no_class_stays_to_be_mended(desk: Opener) -> None:
    one = desk("&task=many")
    one.find("c3/")
    expect(one.page.get_by_label("Search the classes")).to_have_value("c3/")
    nothing = one.page.get_by_text("No class has this in its name.")
    expect(nothing).to_be_visible()
    one.press("Backspace")
    expect(nothing).to_have_count(0)
    one.press("Enter", "s")
    one.stores(("label", 0, "c3 class"), ("skip", 1, None))


def test_many_labels_are_found_without_their_accents_and_the_box_is_left_once_they_are_saved(
    desk: Opener,
) -> None:
    one = desk("&task=tags")
    one.press("/")
    one.page.keyboard.type("ARG")
    for _ in range(2):  # held, which must not save what is begun
        one.page.keyboard.down("Enter")
    one.page.keyboard.up("Enter")
    one.page.keyboard.type("tag b")
    one.press("Enter", "Enter", "s")
    one.stores(("label", 0, ["tag b", "Ärger"]), ("skip", 1, None))


def test_of_many_labels_the_ticked_ones_are_seen_before_they_are_saved(desk: Opener) -> None:
    """Only those in the part of the list on show were: six were saved of which one was seen."""
    one = desk("&task=tags")
    ticked = one.page.locator(".labelling .ticked")
    expect(ticked).to_have_text("Ticked: none")
    one.find("arg")
    expect(ticked).to_have_text("Ticked: Ärger")
    one.press("Escape", "a", "a")  # its key, and again
    expect(ticked).to_have_text("Ticked: Ärger")
    one.page.get_by_label("tag c").click()
    expect(ticked).to_have_text("Ticked: tag c, Ärger")
    one.press("Enter")
    expect(ticked).to_have_text("Ticked: none")
    one.press("u")
    expect(ticked).to_have_text("Ticked: tag c, Ärger")


def test_a_search_begun_twice_is_the_same_search(desk: Opener) -> None:
    """The box keeps the keyboard for the next label, and the second "/" was searched for."""
    one = desk("&task=tags")
    for label in ("arg", "tag b"):
        one.find(label)
    one.press("Enter", "s")
    one.stores(("label", 0, ["tag b", "Ärger"]), ("skip", 1, None))


def test_several_labels_are_ticked_and_saved_with_enter(desk: Opener) -> None:
    one = desk("&task=multilabel")
    one.press(1, 3, 1, 2, "Enter")
    one.page.get_by_label("anger").click()
    one.press("Enter", "Enter")
    one.page.get_by_role("button", name="skip").focus()
    one.press("Enter")  # of a button that has the keyboard it is its own
    one.stores(("label", 0, ["joy", "fear"]), ("label", 1, ["anger"]), ("label", 2, []), ("skip", 3, None))


def test_a_set_taken_back_has_its_boxes_ticked_and_the_next_item_none(desk: Opener) -> None:
    one = desk("&task=multilabel")
    one.press(1, 3, "Enter", 4, "u")
    one.shows(0)
    ticks = one.page.locator(".labelling .choices input")
    assert [box.is_checked() for box in ticks.all()] == [True, False, True, False]
    one.press(1, 2, "Enter")
    one.shows(1)
    assert not any(box.is_checked() for box in ticks.all())
    one.says("Saved ✓")
    [taken] = [event.value for event in one.events if event.kind == "undo"]
    one.stores(("label", 0, ["anger", "fear"]), ("undo", "", taken), ("label", 0, ["joy", "fear"]))


def test_a_long_item_says_that_it_goes_on(desk: Opener) -> None:
    """Where fingers scroll there is no scroll bar, and rows below the card's end were not known of."""
    card = desk("&task=pairs").page.locator(".labelling .card")
    card.evaluate("card => (card.style.height = '10rem')")
    expect(card).to_have_class("card more")
    card.evaluate("card => (card.scrollTop = 9999)")
    expect(card).to_have_class("card")


def test_a_finger_that_went_down_before_its_item_came_does_not_answer_it(
    desk: Opener, fingers: CDPSession
) -> None:
    """With two thumbs, of which the one that is lifted later answered the next item, unseen."""
    one = desk()
    box = one.page.get_by_role("button", name="an 8", exact=True).bounding_box()
    assert box is not None
    point = {"x": box["x"] + 20, "y": box["y"] + 20}
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    one.press(1)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(one.page.locator(".labelling .last")).to_have_text("Too soon: that press did not count")
    one.shows(1)
    one.stores(*labels(1))


@pytest.mark.usefixtures("fingers")
def test_by_finger_a_number_can_be_negative_and_of_keys_nothing_is_said(desk: Opener) -> None:
    """The keys for numbers on a telephone have no minus."""
    one = desk("&task=regression")
    field = one.page.get_by_role("textbox", name="Value")
    turn, save = (one.page.get_by_role("button", name=name) for name in ("Change the sign", "save"))
    field.fill("+3,5")
    turn.click()
    expect(field).to_have_value("-3,5")
    expect(field).to_be_focused()
    save.click()
    one.shows(1)
    field.fill("5000")
    save.click()
    expect(one.page.locator(".labelling .doubt")).to_contain_text("Press save again to keep it.")
    turn.click()
    turn.click()
    expect(field).to_have_value("5000")
    one.page.get_by_role("button", name="note").click()
    expect(one.page.get_by_placeholder("Note on this item")).to_be_visible()
    one.stores(("label", 0, -3.5))


def test_numbers_are_typed_without_clicking(desk: Opener) -> None:
    one = desk("&task=regression")
    one.press("Enter", "-", 3, ".")
    one.page.get_by_label("Value").evaluate(COMPOSED)
    one.press(5, "Enter", 1, 2, "Enter", "s")
    one.stores(("label", 0, -3.5), ("label", 1, 12), ("skip", 2, None))


def test_a_minus_pasted_from_a_page_or_a_text_is_one(desk: Opener) -> None:
    """It was refused as if it were a thousands separator, though tables may have it and the app writes it itself."""
    one = desk("&task=regression")
    field = one.page.get_by_label("Value")
    for text in ("−3", " –2,5 "):
        field.fill(text)
        one.press("Enter")
        expect(field).to_have_value("")
    one.stores(("label", 0, -3), ("label", 1, -2.5))


def test_a_render_that_another_overtakes_takes_nothing_half_typed_with_it(page: Page) -> None:
    assert by_hand(page, OVERTAKEN) == ["12", True, False]


def test_a_note_begun_for_one_study_does_not_go_to_an_item_of_another(page: Page) -> None:
    """Both may have an item of that id."""
    assert by_hand(page, OTHER_STUDY) == ["blurred", ""]


def test_a_hidden_desk_runs_its_page_anew_for_no_answer_of_another_tab(page: Page) -> None:
    assert by_hand(page, HIDDEN) == [0, 1]


def test_a_decimal_comma_is_a_point_and_what_may_be_a_thousand_is_asked_again(desk: Opener) -> None:
    one = desk("&task=regression")
    one.press(0, ",", 1, 2, 5, "Enter", 1, ",", 2, 3, 4, "Enter")
    expect(one.page.get_by_label("Value")).to_have_value("1,234")
    one.press("Backspace", "Enter")
    one.stores(("label", 0, 0.125), ("label", 1, 1.23))


def test_a_number_with_two_readings_or_far_from_all_others_takes_a_second_press(desk: Opener) -> None:
    one = desk("&task=regression")
    doubt = one.page.locator(".labelling .doubt")
    one.press(*"1.250", "Enter")
    expect(doubt).to_have_text(
        "“1.250” is read as 1.25; if 1250 is meant, leave out the dot. Press Enter again to keep it."
    )
    one.press("Enter")
    expect(doubt).to_have_text("")
    one.press(*"12.345", "Enter")  # twelve thousand is far from all others: no question
    expect(doubt).to_have_text("")
    one.press(*"5000", "Enter")
    expect(doubt).to_have_text(
        "5000 is far from all that was predicted or answered. Press Enter again to keep it."
    )
    one.press("Backspace")
    expect(doubt).to_have_text("")
    one.press("Enter", *"5000")
    one.page.get_by_label("Value").evaluate(DOUBLE_ENTER)  # one press that bounces
    one.look()
    expect(one.page.get_by_label("Value")).to_have_value("5000")
    one.press("Enter", *"7", "Enter")
    one.stores(
        ("label", 0, 1.25), ("label", 1, 12.345), ("label", 2, 500), ("label", 3, 5000), ("label", 4, 7)
    )


def test_buttons_work_by_keyboard_focus_and_nothing_is_loaded_from_elsewhere(desk: Opener) -> None:
    one = desk()
    hosts: list[str] = []
    one.page.on("request", lambda sent: hosts.append(sent.url))
    one.page.reload()
    one.ready()
    one.page.get_by_role("button", name="2 an 8").focus()
    one.press("Enter", "Space")
    for _ in range(12):  # held, which clicks again and again
        one.page.keyboard.down("Enter")
        time.sleep(0.05)
    one.page.keyboard.up("Enter")
    one.stores(*labels(2, 2, 2))
    home = (one.server.url, "data:", "blob:")
    assert [url for url in hosts if not url.startswith(home)] == []


def test_nothing_is_wider_than_the_window(desk: Opener) -> None:
    wide = "(root) => [...root.querySelectorAll('*')].some((node) => node.getBoundingClientRect().right > innerWidth)"
    for task in ("pairs", "text", "many", "unbroken"):
        one = desk(f"&task={task}")
        one.press(2)  # the footer names the answer
        for width in (1280, 400):
            one.page.set_viewport_size({"width": width, "height": 800})
            assert not one.page.locator(".labelling").evaluate(wide), (task, width)


def test_items_grow_with_the_pages_type_and_no_word_is_broken(desk: Opener) -> None:
    one = desk()
    one.page.set_viewport_size({"width": 400, "height": 800})
    size = "(node) => parseFloat(getComputedStyle(node).fontSize)"
    lines = "(nodes) => nodes.map((node) => node.getClientRects()[0].height / parseFloat(getComputedStyle(node).lineHeight))"
    parts = [
        one.page.locator(f".labelling {part}").first
        for part in (".card", ".choices button", ".actions button")
    ]
    before = [part.evaluate(size) for part in parts]
    one.page.add_style_tag(content="html { font-size: 125% !important; }")
    assert [part.evaluate(size) for part in parts] == [pytest.approx(1.25 * small) for small in before]
    assert max(one.page.locator(".labelling .actions span").evaluate_all(lines)) < 1.5


def test_no_word_of_a_class_is_broken(desk: Opener) -> None:
    broken = """(spans) => spans.flatMap((span) => {
      const [texts, found] = [document.createTreeWalker(span, NodeFilter.SHOW_TEXT), []];
      while (texts.nextNode()) for (const word of texts.currentNode.data.matchAll(/[^\\s_]+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        if (range.getClientRects().length > 1) found.push(word[0]);
      }
      return found;
    })"""
    one = desk("&task=named")
    for width in (1400, 1000, 700, 400):
        one.page.set_viewport_size({"width": width, "height": 800})
        one.look()
        spans = one.page.locator(".labelling .choices label span")
        assert spans.evaluate_all(broken) == [], width
    assert spans.nth(4).inner_text() == "returns_and_refunds"


def test_arabic_is_read_from_the_right_and_what_ends_it_stands_on_the_left(desk: Opener) -> None:
    """It was read as a part of an English sentence: what ended it stood before its first word."""
    edges = """nodes => nodes.map(node => {
      const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      const [first, last] = [texts.nextNode(), texts.currentNode.data.split("\\n")[0].length];
      const place = (index) => {
        const range = document.createRange();
        range.setStart(first, index);
        range.setEnd(first, index + 1);
        return range.getBoundingClientRect();
      };
      return [place(last - 1).left < place(0).left, node.getBoundingClientRect().right - place(0).right < 1];
    })"""
    one = desk("&task=arabic")
    one.press(1)
    names = one.page.locator(".labelling :is(.name:has-text('النص'), .choices span, .last bdi)")
    assert [turned for turned, _ in names.evaluate_all(edges)] == [True] * 4
    texts = one.page.locator(":is(.labelling .text, [data-testid=stText] > span)", has_text="iPhone")
    assert texts.evaluate_all(edges) == [[True, True]] * 2  # and each begins where its field ends


def test_long_names_of_many_classes_do_not_run_into_each_other(desk: Opener) -> None:
    one = desk("&task=wordy")
    one.ready()
    for width in (1300, 390):
        one.page.set_viewport_size({"width": width, "height": 850})
        cut = one.page.locator(".choices button").evaluate_all(
            "all => all.filter(b => b.scrollHeight > b.clientHeight).map(b => b.innerText)"
        )
        assert not cut, (width, cut)


def test_screen_readers_hear_what_became_of_a_press_and_what_a_key_ticks_or_finds(desk: Opener) -> None:
    """They hear only what has the keyboard, and statuses."""
    one = desk("&task=tags")
    status = one.page.get_by_role("status")
    one.press("/", "g")
    expect(status.filter(has_text="tag a")).to_be_attached()
    one.press("ArrowDown")
    expect(status.filter(has_text="tag b")).to_be_attached()
    one.press("Escape", 2)
    expect(status.filter(has_text="tag b ticked")).to_be_attached()
    one.press(2)
    expect(status.filter(has_text="tag b not ticked")).to_be_attached()
    one.press("s")
    expect(last := status.filter(has_text="Last: skipped")).to_be_visible()
    ends = [
        place.evaluate("e => e.getBoundingClientRect().right")
        for place in (last, one.page.locator(".footer"))
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1)  # it stood in the middle, before a status without a word
    one.page.evaluate(DOUBLE_TAP.replace('"2"', '"s"').replace("Digit2", "KeyS"))
    expect(status.filter(has_text="Too soon: that press did not count")).to_be_visible()


def test_screen_readers_hear_of_saving_only_what_went_wrong(desk: Opener) -> None:
    """Beside each answer and the next item they had read out “Saving…” and “Saved ✓”."""
    one = desk("&picky=1")
    state = one.page.locator(".labelling .state")
    one.press(1)
    one.says("1 answer not saved, for the reason below")
    expect(state).to_have_attribute("aria-live", "polite")
    one.press(1)  # the next item, which was on screen before the refusal came
    one.shows(0)
    one.press(2)
    one.says("Saved ✓")
    expect(state).to_have_attribute("aria-live", "off")


def test_in_forced_colours_the_class_that_enter_picks_stands_out(desk: Opener) -> None:
    one = desk("&task=many")
    one.page.set_viewport_size({"width": 400, "height": 900})
    one.page.emulate_media(forced_colors="active")
    one.press("/", "c")
    active = one.page.locator(".labelling .active")
    expect(active).to_have_text("c0 class")
    expect(active).to_have_css("outline-style", "solid")
    expect(active).to_be_in_viewport(ratio=0.9)  # far down a list that shows few at once
    one.page.emulate_media(forced_colors="none")


def test_nothing_is_called_saved_before_the_first_answer(desk: Opener) -> None:
    one = desk()
    one.shows(0)
    state = one.page.locator(".labelling .state")
    assert state.inner_text() == ""
    state.evaluate(A_MINUTE_LATER)
    one.press(1)
    assert set(one.page.evaluate("saidSince()")) <= {"Saving…", "Saved ✓"}  # however long the answer took
    one.says("Saved ✓")
