"""The app: a package for each page but Studies, and what pages share. No other package of sampleval imports Streamlit.

- `shell` frames every page: its question, links, messages; `pages` lists them, `browser` has their style sheet and scripts.
- `address` keeps what controls show in the URL; `stores` and `memo` keep data and conclusions in memory.
- `words` writes numbers and users' text, `headings` and `charts` show them.
- The others are parts of several pages: `asking`, `held` (labels known beforehand), `goals`, `stopping`, `pointless`, `adaptation`.
"""

# On a fresh server two sessions may import at once. Waiting here for the whole package keeps each from seeing
# half of a module that the other has begun; so pages import `sampleval` or `sampleval.ui` before anything in it.
import sampleval  # noqa: F401
