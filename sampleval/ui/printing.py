"""Charts whole on paper: Plotly draws them as wide as the window, and a sheet of paper is narrower.

Streamlit makes room for them there no wider than the sheet, and a browser does not ask them to draw themselves anew.
"""

from __future__ import annotations

# A drawing that says how large it is becomes smaller with its room, instead of losing its right.
SCRIPT = """<script>
window.onbeforeprint = () => {
  for (const drawing of document.querySelectorAll(".js-plotly-plot .main-svg")) {
    drawing.setAttribute("viewBox", `0 0 ${drawing.getAttribute("width")} ${drawing.getAttribute("height")}`);
  }
};
</script>"""
