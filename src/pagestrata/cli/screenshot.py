"""`pagestrata screenshot`: a picture of a page, optionally with its sections drawn on it."""

from base64 import b64encode
from html import escape
from pathlib import Path
from typing import Annotated

import typer

from pagestrata.cli import settings
from pagestrata.cli.drawing import make_browser, place_of
from pagestrata.cli.jobs import one_job
from pagestrata.cli.outputs import output_for
from pagestrata.errors import UsageError
from pagestrata.extraction import Extraction
from pagestrata.page.raw import RawPage
from pagestrata.render.scale import colour, css, ink
from pagestrata.results import Section

OTHER_SUFFIXES = (".jpg", ".jpeg", ".webp", ".gif", ".svg", ".pdf")


def screenshot(
    *,
    page: settings.OnePage,
    output: Annotated[str, typer.Option("--output", "-o", help="A PNG file.")],
    sections: Annotated[bool, typer.Option("--sections", help="Draw the sections on the picture.")] = False,
    cut: settings.MethodOrSite,
    browser: settings.BrowserPath = None,
    no_sandbox: settings.NoSandbox = False,
    origin: settings.Origin,
    environment: settings.Environment,
    force: settings.Force = False,
) -> None:
    """Take a picture of a page as a browser draws it."""
    if Path(output).suffix.lower() in OTHER_SUFFIXES:
        raise UsageError(f"pictures are PNG files: {output} would not be what its name says")
    options, choice = settings.make_options(environment.config), environment.choose(cut.site)
    policy = settings.policy_of(origin.allow)
    job, place = one_job(page, origin.url, policy)
    target = output_for(output, ".png", force)
    with make_browser(browser, no_sandbox, policy) as drawer:
        visit = drawer.photograph(*place_of(job))
        picture = visit.picture
        if sections:
            extraction = cut.read(visit.page, options, choice)
            picture = drawer.photograph(RawPage(overlay(extraction, picture))).picture
    target.write(place, picture)


def overlay(extraction: Extraction, picture: bytes) -> str:
    """A page that shows a picture with the boxes of sections over it."""
    marks = "".join(_mark(section) for root in extraction.sections for section in root.walk())
    return (
        "<!DOCTYPE html><meta charset=utf-8><style>body{margin:0;position:relative}img{display:block}"
        "div{position:absolute;box-sizing:border-box;border:2px solid;border-radius:4px}.dropped{border:1px dashed}"
        "b{font:600 12px/18px sans-serif;padding:0 6px;position:absolute;right:-1px;top:-1px;white-space:nowrap}"
        f'</style><img src="data:image/png;base64,{b64encode(picture).decode()}">{marks}'
    )


def _mark(section: Section) -> str:
    """The frame of one section, with its role and importance if it has no children."""
    box = section.box
    if box is None or box.width * box.height == 0:
        return ""
    shade = colour(section.importance)
    fill = css(shade, 0.0 if section.children else 0.17 if section.kept else 0.08)
    state = "" if section.kept else ' class="dropped"'
    label = "" if section.children else _label(section)
    return (
        f'<div{state} style="left:{box.x:.0f}px;top:{box.y:.0f}px;width:{box.width:.0f}px;height:{box.height:.0f}px;'
        f'border-color:{css(shade)};background:{fill}">{label}</div>'
    )


def _label(section: Section) -> str:
    style = f"background:{css(colour(section.importance))};color:{css(ink(section.importance))}"
    return f'<b style="{style}">{escape(section.role)} {section.importance:.2f}</b>'
