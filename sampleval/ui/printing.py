"""Charts whole on paper: Plotly draws them as wide as the window, and a sheet of paper is narrower.

Streamlit makes room for them there no wider than the sheet, and a browser does not ask them to draw themselves anew.
"""

from __future__ import annotations

# A drawing that says how large it is becomes smaller with its room, instead of losing its right. In the window it must not
# say so for longer: Plotly draws it anew in another size, and it would be shown as if it still had the old one.
SCRIPT = """<script>{
  const each = (change) => () => document.querySelectorAll(".js-plotly-plot .main-svg").forEach(change);
  const size = (drawing) => `0 0 ${drawing.getAttribute("width")} ${drawing.getAttribute("height")}`;
  window.onbeforeprint = each((drawing) => drawing.setAttribute("viewBox", size(drawing)));
  window.onafterprint = each((drawing) => drawing.removeAttribute("viewBox"));
}</script>"""
