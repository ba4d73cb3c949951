"""The documentation's site: `make docs` builds it into build/docs.

Everything the pages need is in the site: no fonts, scripts or styles from elsewhere.
"""

from adjudge import __version__

project = "Adjudge"
author = "The Adjudge developers"
project_copyright = author
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["examples"]

smartquotes_action = "D"  # only dashes: quotes stay as they are written

# Headings are link targets, as on GitHub.
myst_heading_anchors = 4

# The types are in the docstrings; a single backtick is code there, as in Markdown.
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {
    "members": True,
    "inherited-members": "Sequence",
    "exclude-members": "keep, kind, one_protocol, sign",
}
default_role = "literal"
napoleon_google_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"Adjudge {release}"
html_static_path = ["static"]
html_css_files = ["adjudge.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"top_of_page_buttons": []}
