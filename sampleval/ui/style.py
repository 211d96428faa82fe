"""What every page adds to the style sheet of Streamlit."""

from __future__ import annotations

# In the dark theme the primary colour, right for lines and buttons, is too dim for letters. Streamlit marks the link that
# has the keyboard by a faint shade alone, that of the page one is on not at all; captions and charts' axes and marks are too pale to
# read. A new page has the keyboard as a whole, and needs no frame around it. Tiny pictures are enlarged by whole pixels.
# The header covers 3.75rem of what scrolls below it: what the keyboard reaches, or is scrolled to, stands clear of it.
# Where only letters are enlarged, those of switches, tiles and buttons would end in "…", and where paragraphs are set apart,
# as readers with dyslexia do, those of choices would leave their buttons, and icons their words. Where the system chooses the colours, sliders,
# switches and bars would have none, and no choice would stand out.
# In a narrow window, as of a page enlarged twice, settings beside pictures would lose the end of their words, and charts
# beside each other that of their titles. In one enlarged four times a title would reach a chart's buttons: it has what they leave.
# Telephones, also those held sideways, have no room to spare above a page. There the words on the progress are now one line and
# now two, which must not move the buttons below them. Fingers need targets of 2.75rem, and what is small
# among words takes more around itself; in a field with letters of less than 16 pixels, iOS would enlarge the page.
# On paper a chart stays whole, and what stands right above it, as a rule its heading, is not left on the page before. Nobody
# presses buttons there, and a table, drawn as wide as the window, is made as narrow as the sheet.
# Of items, guidelines and what is typed, each paragraph begins on the side of its script, as at the desk.
# A table's own download writes cells that a spreadsheet runs as formulas; buttons of the page offer the same numbers.
PLAIN = """<style>
[data-variant=segmented_control][aria-checked=true], [data-testid=stTab][aria-selected=true],
[data-testid=stSlider]:not(:has(input:disabled)) [data-testid=stSliderThumbValue] { color: inherit !important; }
[data-testid=stText] > span, textarea, input { flex: auto; unicode-bidi: plaintext; text-align: start; }
[data-testid=stMarkdownContainer] code, [role=option] { unicode-bidi: plaintext; }
[class*=st-key-pixels] img { image-rendering: pixelated; }
:is(.st-key-courier_hidden, [class*=st-key-told_], [data-testid=stLayoutWrapper]:has(> :is(.st-key-courier_hidden, [class*=st-key-told_]))) { display: none; }
[data-testid=stMain] { scroll-padding-top: 4.5rem; }
[data-testid=stMain]::before { box-shadow: none !important; }
a:focus-visible { outline: 3px solid currentColor !important; outline-offset: 1px; }
[data-testid=stCaptionContainer] { opacity: .75; }
[data-testid=stCaptionContainer] code { color: inherit !important; }
[data-testid=stElementToolbarButton]:has([aria-label="Download as CSV"]) { display: none; }
:is([class$=tick], [class^=g-x], [class^=g-y], .annotation) text { fill: currentColor !important; fill-opacity: .75 !important; }
:is([data-testid=stCheckbox], [data-testid=stMetric], button) [data-testid=stMarkdownContainer],
:is([data-testid=stCheckbox], [data-testid=stMetric], button) [data-testid=stMarkdownContainer] * { white-space: normal !important; overflow: visible !important; }
:is(button, summary, label) [data-testid=stMarkdownContainer] p { margin-bottom: 0 !important; }
@media (max-width: 50em) { [data-testid=stColumn]:not([data-testid=stColumn] *) { min-width: 100%; } }
@media (max-width: 900px) { [data-testid=stColumn] [data-testid=stColumn]:has([data-testid=stPlotlyChart]) { min-width: 100%; } }
@media (max-width: 25em) { .gtitle { font-size: calc((100vw - 128px) * .057) !important; } }
@media (max-width: 30em), (max-height: 30em) {
  [data-testid=stMainBlockContainer] { padding-top: 4.75rem !important; }
  h1 { font-size: 1.375rem !important; padding-block: .5rem !important; }
}
@media (max-width: 30em) { [data-testid=stProgress] [data-testid=stMarkdownContainer] { min-height: 3em; } }
@media (pointer: coarse) {
  :is(input, textarea) { font-size: max(16px, .875rem) !important; }
  :is([data-testid=stMain] button[data-testid^=stBaseButton]:not([data-testid$=elementToolbar]), [data-variant=segmented_control], [data-testid=stPopoverButton],
    [data-variant=pills], summary, [data-testid=stPageLink-NavLink], [data-testid=stSidebarNavLink], [role=option]) { min-height: 2.75rem !important; }
  :is([data-testid=stExpandSidebarButton], [data-testid=stMainMenuButton]) { min-width: 2.75rem; min-height: 2.75rem; }
  :is([data-testid=stTooltipIcon] button, button[aria-label^="Remove "]) { position: relative; }
  :is([data-testid=stTooltipIcon] button, button[aria-label^="Remove "])::after { content: ""; position: absolute; inset: -.75rem -.75rem -.5rem; }
}
@media (forced-colors: active) {
  :is([data-testid=stSlider], [data-testid=stCheckbox], [data-testid=stProgress], [data-testid=stRadioOption],
    [role=radio], [role=tab], [data-variant=pills]) { forced-color-adjust: none; }
}
@media print {
  [data-testid=stElementContainer]:has(> :is([data-testid=stButton], [data-testid=stDownloadButton], [data-testid=stPageLink])),
  [data-testid=stTooltipIcon], [data-testid=stElementToolbar] { display: none !important; }
  [data-testid=stDataFrame] * { max-width: 100% !important; }
  [data-testid=stDataFrame] canvas { height: auto !important; }
  [data-testid=stPlotlyChart] { break-inside: avoid; }
  [data-testid=stElementContainer]:has(+ [data-testid=stElementContainer] [data-testid=stPlotlyChart]) { break-after: avoid; }
  [data-testid=stElementContainer]:has(h1, h2, h3, [role=heading]) { break-after: avoid; }
}
</style>"""
# Beamers have few pixels: less of them is left empty above the page and beside it.
PRESENT = """<style>
html { font-size: 125% !important; }
[data-testid=stMainBlockContainer] { padding-top: 4.75rem !important; }
@media (max-width: 75em) { [data-testid=stMainBlockContainer] { padding-inline: 2.5rem !important; } }
@media (max-width: 50em) { [data-testid=stMainBlockContainer] { padding-inline: 1rem !important; } }
</style>"""
