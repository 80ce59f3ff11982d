"""The kept content as a complete HTML document with readable typography, in light and dark."""

from html import escape
from typing import Final

from pagestrata.extraction import Extraction
from pagestrata.render.html import render_html

STYLE: Final = """\
body { max-width: 38em; margin: 2.5em auto; padding: 0 1.2em; line-height: 1.6; font-family: Georgia, serif; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.6em 0 .5em; }
h1 { font-size: 1.9em; margin-top: 0; }
img { max-width: 100%; height: auto; }
pre { padding: .8em 1em; overflow-x: auto; font-size: .85em; line-height: 1.45; background: #8881; }
blockquote { margin: 1em 0; padding-left: 1em; border-left: 3px solid #8888; }
table { border-collapse: collapse; }
td, th { padding: .3em .7em; border: 1px solid #8886; text-align: left; vertical-align: top; }
figure { margin: 1.4em 0; }
figcaption, .byline, .image { opacity: .75; font-size: .9em; }
.image { font-style: italic; }
"""


def html_document(extraction: Extraction) -> str:
    """Write the kept sections as a document that needs no other files except the images of the page."""
    language = extraction.metadata.language
    attribute = f' lang="{escape(language)}"' if language else ""
    return (
        f"<!DOCTYPE html>\n<html{attribute}>\n<head>\n"
        '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title_of(extraction), quote=False)}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
        f"{render_html(extraction)}</body>\n</html>\n"
    )


def title_of(extraction: Extraction) -> str:
    """The title of the page; never empty."""
    return extraction.title or extraction.page.url or "Page without a title"
