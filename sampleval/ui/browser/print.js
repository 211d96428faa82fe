// Plotly draws charts as wide as the window, Streamlit makes room for them on paper no wider than the sheet, and a browser
// does not ask them to draw themselves anew. A drawing that says how large it is becomes smaller with its room, instead of
// losing its right. In the window it must not say so for longer: drawn anew, it would be shown as if it had the old size.
{
  const each = (change) => () => document.querySelectorAll(".js-plotly-plot .main-svg").forEach(change);
  const size = (drawing) => `0 0 ${drawing.getAttribute("width")} ${drawing.getAttribute("height")}`;
  window.onbeforeprint = each((drawing) => drawing.setAttribute("viewBox", size(drawing)));
  window.onafterprint = each((drawing) => drawing.removeAttribute("viewBox"));
}
