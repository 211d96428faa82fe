"""Studies: resume, rename, duplicate, delete, export, import."""

import io
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import streamlit as st

from sampleval import InputError, bundle
from sampleval.metrics.names import together
from sampleval.study import Progress, Study, Summary, load_study, method_name, progress, summaries
from sampleval.study.settings import OtherVersion
from sampleval.ui import address, asking, shell, stores, words
from sampleval.ui.headings import heading
from sampleval.ui.labelling import desk
from sampleval.ui.memo import kept_for
from sampleval.ui.plan import links

SHOWN = 20  # studies listed before "show all"


def main() -> None:
    """The page."""
    desk.fetch_late()
    listed = summaries(stores.storage())
    if not listed:
        st.info("There is no study yet. Choose data and plan one.", icon=":material/info:")
        bring()
        shell.next_step("Data", "choose the data")
        return
    current = address.recall("study")
    wanted = ""
    if len(listed) > SHOWN // 2:
        wanted = st.text_input(
            "Find",
            placeholder="Part of a name",
            key="find_study",
            bind="query-params",
            icon=":material/search:",
        )
    found = [line for line in listed if wanted.lower() in line.name.lower()]
    everything = len(found) <= SHOWN or st.toggle(f"Show all {len(found)}", **address.switch("all_studies"))
    for line in found if everything else found[:SHOWN]:
        card(line, current=line.name == current)
    if not found:
        st.caption("No study has a name like that.")
    bring()
    shell.next_step("Data", "start another study")


def card(line: Summary, *, current: bool) -> None:
    """One study: where it stands, and what can be done with it."""
    size = stores.storage().pool_size(line.pool)
    lost = line.damaged or (
        None if size else "Its data are missing: put the file back into the pools folder."
    )
    full = False
    with st.container(border=True, key=f"study_{line.id}"):
        left, right = st.columns([8, 4], vertical_alignment="center")
        with left:
            heading(f"{words.name(line.name)}{' :blue-badge[open]' if current else ''}")
            st.caption(facts(line, size))
            if line.damaged:
                st.error(words.sentence(line.damaged), icon=":material/error:")
            else:
                full = standing(line, lost)
        with right, st.container(horizontal=True, horizontal_alignment="right"):
            if st.button(
                "Results" if full else "Resume",
                key=f"resume_{line.id}",
                type="primary",
                icon=":material/insights:" if full else ":material/play_arrow:",
                disabled=bool(lost),
                help=lost,
            ):
                address.carry("study", line.name)
                address.carry("pool", line.pool)
                shell.go("Results" if full else "Label")
            with st.popover("More", icon=":material/more_horiz:"):
                more(line, lost)


def facts(line: Summary, size: int | None) -> str:
    """What the study is about, of how many items, by whom, and when it was changed; of a damaged one only what can be read."""
    drawn = [] if line.damaged else [together(map(title, line.metrics)), method_name(line.preset)]
    pool = f"pool of {words.many(size, 'item')}" if size else ":material/warning: its data are missing"
    by = [f"by {words.plain(who)}"] if (who := people(line.annotators)) else []
    return " · ".join([*map(words.plain, drawn), pool, *by, f"changed {words.ago(line.changed)}"])


def standing(line: Summary, lost: str | None) -> bool:
    """Show how far the labelling of a study whose log can be read has come, and return whether nothing is left of it."""
    if not lost and line.may_have_ended:
        with suppress(InputError):  # it cannot be opened now, as its own page will say
            key = line.id, line.changed, line.labels
            at = kept_for(key).once("standing", partial(reached, line))
            if at is not None:
                st.progress(at.share, text=words.answered(at))
                return at.rest == 0
    done = min(1.0, line.labels / max(line.budget, 1))
    of = f"{'about ' if line.by_chance else ''}{words.count(line.budget)}"
    st.progress(done, text=f"{words.count(line.labels)} of {of} answered")
    return line.full


def reached(line: Summary) -> Progress | None:
    """How far the study has come; `None` if another version made it, so that nobody tries to open it at each click."""
    try:
        return progress(opened(line).state)
    except OtherVersion:
        return None


def title(metric: str) -> str:
    """What a metric is called, also one of a system or of a difference; one of the user's own has but its name."""
    try:
        return words.entitled(metric)
    except InputError:
        return metric


def people(annotators: Sequence[str]) -> str:
    """Who answered; answers without a name are told beside named ones, and are nothing to tell alone."""
    named = [who for who in annotators if who]
    return ", ".join([*named, *["somebody without a name"] * (named != list(annotators))]) if named else ""


def more(line: Summary, lost: str | None) -> None:
    """What is done more seldom; if the data are lost, for the reason given, nothing that needs them."""
    with st.form(f"rename_{line.id}", border=False):
        name = st.text_input("New name", value=line.name, key=f"name_{line.id}_{line.name}")
        if st.form_submit_button("Rename", icon=":material/edit:") and name.strip() != line.name:
            rename(line, name.strip())
    if st.button(
        "Duplicate as a new plan",
        key=f"again_{line.id}",
        icon=":material/content_copy:",
        disabled=bool(lost),
        help=lost or "Opens the Plan page with this study's pool and settings.",
    ):
        with shell.mistakes_in_words():
            study = opened(line)
        address.carry("study", "")
        address.carry("pool", line.pool)
        shell.go("Plan", links.in_url(study) | {"name": line.name})
    if st.download_button(
        "Export as one file",
        lambda: exported(line),
        file_name=f"{line.name}.sampleval.zip",
        mime="application/zip",
        key=f"export_{line.id}",
        icon=":material/archive:",
        disabled=bool(lost),
        help=lost or "Pool, settings and every answer: to continue on another machine, or to keep as a copy.",
    ):
        with shell.mistakes_in_words(stop=False):
            opened(line)  # of a study that cannot be exported the browser says no more than that it failed
    none = "nobody can say how many answers" if line.damaged else "nothing labelled yet"
    answers = words.many(line.labels, "answer") if line.labels else none
    sure = st.checkbox(f"Delete this study for good ({answers})", key=f"sure_{line.id}")
    if st.button("Delete", key=f"delete_{line.id}", icon=":material/delete:", disabled=not sure):
        delete(line)


def opened(line: Summary) -> Study:
    """The study of this line, which is refused if another version made its queue."""
    return load_study(line.name, stores.storage(), pool=stores.pool(line.pool))


def exported(line: Summary) -> bytes:
    """The study as the content of one file."""
    file = io.BytesIO()
    bundle.export_study(opened(line), file, labels=stores.labels(line.pool))
    return file.getvalue()


def bring() -> None:
    """Bring in a study that was exported."""
    done = st.session_state.setdefault("_imported", 0)  # a new uploader after each, but not after a refusal
    with st.expander("Import a study", icon=":material/unarchive:"), st.form("import", border=False):
        file = st.file_uploader(
            "A file that Export or `sampleval sample` wrote", type=["zip", "study"], key=f"import_file_{done}"
        )
        name = st.text_input("Name here", placeholder="The name it had", key=f"import_name_{done}")
        if (sent := asking.submitted("Import", file)) is not None:
            with shell.mistakes_in_words(stop=False):
                study = bundle.import_study(sent, stores.storage(), name=(name or "").strip() or None)
                stores.labels.clear(study.pool.fingerprint)  # it may have brought some
                address.remember("study", study.name)
                address.remember("pool", study.pool.fingerprint)
                st.session_state["_imported"] = done + 1
                st.rerun()


def rename(line: Summary, name: str) -> None:
    """Give a study another name."""
    with shell.mistakes_in_words(stop=False):
        stores.storage().rename(line.name, name)
        if address.recall("study") == line.name:
            address.remember("study", name)
        st.rerun()


def delete(line: Summary) -> None:
    """Remove a study and its answers; the pool stays."""
    stores.storage().delete(line.name)
    if address.recall("study") == line.name:
        address.remember("study", "")
    st.rerun()


shell.page("Studies")
main()
