"""How the app looks in a real browser: its contrasts, and pages in narrow windows, in large type, on paper, read aloud."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")
pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect

import sampleval as sv
from sampleval import report
from tests.browser.visits import Scheme, Visit, labelled_digits, plan_of_the_digits
from tests.conftest import AppServer, tab
from tests.pools import multiclass

pytestmark = pytest.mark.looks


def test_the_lower_of_two_pictures_has_axes_that_contrast_with_the_page(visit: Visit) -> None:
    visit.open("Simulate?view=trust&repeats=10&studied_labels=20")
    visit.page.get_by_role("button", name="Run the simulation").click()
    letters = visit.page.locator(".y2tick text").first
    expect(letters).to_be_attached()
    visit.contrasts(letters)


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

# How many pixels a chart's horizontal axis has between its numbers and its title.
APART = """chart => chart.querySelector(".xtitle").getBoundingClientRect().top
  - Math.max(...[...chart.querySelectorAll(".xtick text")].map(text => text.getBoundingClientRect().bottom))"""


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


def test_in_a_room_every_class_of_ten_is_seen_with_its_item(visit: Visit, app_server: AppServer) -> None:
    """In large type on a beamer of 1024 × 768 half of the buttons were below the window."""
    pool = labelled_digits(app_server, "narrow", "digits_10class", "accuracy").pool
    if sv.Storage.at(app_server.storage).find("room") is None:
        sv.create_study(pool, metric="accuracy", budget=60, storage=app_server.storage, name="room")
    visit.framed(1024, 768).at("Label", "?study=room&present=true")
    for seen in (
        visit.page.get_by_role("heading", level=1),
        visit.page.get_by_role("region", name="Item to label"),
        visit.page.get_by_role("button", name="9 9"),
    ):
        expect(seen).to_be_in_viewport(ratio=1)
    visit.clean()


def test_after_a_study_is_deleted_the_keyboard_is_on_the_page(visit: Visit, app_server: AppServer) -> None:
    """It was nowhere, and the next Tab went to the first link above the navigation."""
    study = labelled_digits(app_server, "digits")
    sv.create_study(study.pool, metric="f1", budget=60, storage=app_server.storage, name="doomed")
    page = visit.at("Studies").page
    card = page.locator("[class*=st-key-study_]", has=page.get_by_role("heading", name="doomed"))
    card.get_by_role("button", name="More").press("Enter")
    page.get_by_role("checkbox", name="Delete this study").press("Space")
    delete = page.get_by_role("button", name="Delete")
    expect(delete).to_be_enabled()
    delete.press("Enter")
    expect(card).to_have_count(0)
    expect(page.get_by_test_id("stMain")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Present")).to_be_focused()
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

# How wide a table's drawing is on a sheet of 300 pixels.
TABLE_ON_A_SHEET = """table => {
  table.parentElement.style.width = "300px";
  return table.querySelector("canvas").getBoundingClientRect().width;
}"""

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
    @pytest.mark.parametrize("width", [1280, 400])
    def test_no_title_of_an_axis_touches_its_numbers(self, results: Visit, width: int) -> None:
        """Plotly moves a title below the numbers only where it would cover one: between two it stood in their line."""
        results.window(width)
        uncovered(results.page)
        assert all(chart.evaluate(APART) > 0 for chart in results.page.locator(".js-plotly-plot").all())

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

    def test_on_paper_tables_are_whole_headings_stay_with_their_text_and_no_button_is_in_the_way(
        self, results: Visit
    ) -> None:
        """Recall and F1 of each class were cut off, and a heading stood at the foot of a sheet."""
        page = results.page
        results.window()
        table = page.get_by_test_id("stDataFrame")
        if not table.is_visible():
            page.get_by_text("Notes on items").click()
        expect(table).to_be_visible()
        page.emulate_media(media="print")
        assert table.evaluate(TABLE_ON_A_SHEET) <= 300
        heading = page.get_by_test_id("stElementContainer").filter(
            has=page.get_by_role("heading", name="What the labels cannot tell")
        )
        assert heading.evaluate("heading => getComputedStyle(heading).breakAfter") == "avoid"
        expect(page.get_by_role("button", name="Figures as CSV").first).to_be_hidden()
        page.emulate_media(media="screen")


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
        text = Path(download.value.path()).read_text(encoding="utf-8-sig")
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

    def test_on_a_page_enlarged_four_times_no_chart_s_buttons_cover_its_title(self, plan: Visit) -> None:
        """At 400 % a window of 1280 pixels is 320 wide, and each title lost its end when the pointer was near."""
        for width in (320, 360):
            plan.window(width, 600)
            uncovered(plan.page)
            assert plan.page.evaluate("document.documentElement.scrollWidth") <= width

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

    def test_no_stop_of_the_keyboard_is_unmarked(self, learn: Visit) -> None:
        """After the menu it was on the page as a whole, which shows no frame."""
        learn.page.get_by_role("button", name="Main menu").focus()
        learn.page.keyboard.press("Tab")
        expect(learn.page.get_by_role("button", name="Present")).to_be_focused()

    def test_the_picture_of_a_chart_is_sharp_on_a_slide(self, learn: Visit) -> None:
        """It had the chart's pixels on the page: 650 across, on a slide of 1,920."""
        chart = learn.page.locator("[data-testid=stPlotlyChart]").first
        shown = chart.locator(".main-svg").first
        expect(shown).to_be_visible()
        chart.hover()
        with learn.page.expect_download() as kept:
            chart.locator(".modebar-btn").first.click()
        with Image.open(kept.value.path()) as picture:
            assert picture.width == pytest.approx(3 * shown.evaluate("svg => svg.clientWidth"), abs=6)

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
