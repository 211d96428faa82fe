"""The app on a telephone or a tablet, by finger alone."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")
pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.browser.test_journey import answers, begun, ready
from tests.browser.visits import Visit
from tests.conftest import AppServer

RANGES = "chart => { const { xaxis, yaxis } = chart._fullLayout; return [...xaxis.range, ...yaxis.range].map(Number); }"
# Fields in which iOS would enlarge the page, and what is too small to be met, by name.
ENLARGING = """fields => fields.filter(field => !["checkbox", "radio", "range"].includes(field.type))
  .filter(field => parseFloat(getComputedStyle(field).fontSize) < 16).map(field => field.ariaLabel)"""
LOW = "targets => targets.filter(t => t.clientHeight && t.getBoundingClientRect().height < 43.9).map(t => t.innerText)"


def touch(screen: CDPSession, kind: str, *at: float) -> None:
    """Tell the screen what a finger does."""
    points = [{"x": at[0], "y": at[1]}] if at else []
    screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def middle(target: Locator) -> tuple[float, float]:
    """Where a finger meets the target."""
    box = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tap(screen: CDPSession, target: Locator) -> None:
    """Touch the target for a moment."""
    touch(screen, "touchStart", *middle(target))
    touch(screen, "touchEnd")


def test_a_finger_on_a_chart_scrolls_the_page(visit: Visit, fingers: CDPSession) -> None:
    """It zoomed into the chart instead, whose axes were then others, and the page could not be scrolled over it."""
    page = visit.framed(360, 640).at("Learn", "?lesson=rare").page
    chart = page.locator(".js-plotly-plot").first
    expect(chart.locator(".main-svg").first).to_be_visible()
    chart.evaluate("chart => chart.scrollIntoView({ block: 'center' })")
    before = chart.evaluate(RANGES)
    (x, y), top = middle(chart), page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")
    touch(fingers, "touchStart", x, y)
    for step in range(1, 9):
        touch(fingers, "touchMove", x, y - 20 * step)
    touch(fingers, "touchEnd")
    page.wait_for_function(
        "top => document.querySelector('[data-testid=stMain]').scrollTop > top + 50", arg=top
    )
    assert chart.evaluate(RANGES) == before
    visit.clean()


def test_on_a_telephone_an_item_and_its_buttons_are_seen_at_once(
    app_server: AppServer, page: Page, fingers: CDPSession
) -> None:
    """In what its bars leave of the window; of keys nothing is said, and the last press marks no class of the next item."""
    page.set_viewport_size({"width": 360, "height": 560})
    study = begun(app_server, page)
    names = [page.get_by_role("button", name=name, exact=True) for name in ("not an 8", "an 8")]
    for seen in (page.locator(".labelling .card"), *names):
        expect(seen).to_be_in_viewport(ratio=1)
    expect(page.locator(".labelling kbd").first).to_be_hidden()
    assert page.locator(".labelling button").evaluate_all(LOW) == []
    tap(fingers, names[1])
    expect(page.locator(".labelling .state")).to_have_text("Saved ✓")
    study.refresh()
    assert answers(study) == [1]
    ready(page)
    border = "button => getComputedStyle(button).borderColor"
    assert names[0].evaluate(border) == names[1].evaluate(border)
    page.set_viewport_size({"width": 640, "height": 360})  # held sideways, below a bar of 60 pixels
    top, bottom = (page.locator(f".labelling .{part}").bounding_box() for part in ("card", "actions"))
    assert top is not None
    assert bottom is not None
    assert bottom["y"] + bottom["height"] - top["y"] <= 300


@pytest.mark.usefixtures("fingers")
def test_fingers_meet_what_is_to_be_pressed_and_no_field_enlarges_the_page(visit: Visit) -> None:
    page = visit.framed(390, 844).at("Data").page
    page.locator("summary", has_text="Columns").click()
    main = page.get_by_test_id("stMain")
    expect(main.get_by_role("combobox", name="What is predicted?")).to_be_visible()
    assert main.locator("input, textarea").evaluate_all(ENLARGING) == []
    pressed = main.locator("button[data-testid^=stBaseButton], [role=radio], summary")
    assert pressed.evaluate_all(LOW) == []
