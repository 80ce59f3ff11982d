"""`pagestrata screenshot`: a picture of a page, optionally with its sections drawn on it."""

from base64 import b64encode
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Annotated

import typer

from pagestrata import api
from pagestrata.cli import settings
from pagestrata.cli.jobs import make_browser, one_job, place_of
from pagestrata.cli.outputs import output_for
from pagestrata.errors import UsageError
from pagestrata.extraction import Extraction
from pagestrata.inputs.addresses import AddressPolicy
from pagestrata.page.raw import RawPage
from pagestrata.results import Section
from pagestrata.work.read_page import read_page

OTHER_SUFFIXES = (".jpg", ".jpeg", ".webp", ".gif", ".svg", ".pdf")
SCALE = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))
"""Colours of importance from 0 to 1: viridis, which the colour-blind read too, and grey printers."""


def screenshot(
    page: Annotated[str, typer.Argument(help="A file, an address, or - for standard input.")],
    output: Annotated[str, typer.Option("--output", "-o", help="A PNG file.")],
    sections: Annotated[bool, typer.Option("--sections", help="Draw the sections over it.")] = False,
    method: settings.Method = None,
    site: settings.Site = None,
    browser: settings.BrowserPath = None,
    no_sandbox: settings.NoSandbox = False,
    url: settings.Url = None,
    allow: settings.Allow = None,
    store: settings.StorePath = None,
    config: settings.Config = None,
    force: settings.Force = False,
) -> None:
    """Take a picture of a page as a browser draws it."""
    if method is not None and site is not None:
        raise UsageError("--site is a method too: give one of --site and --method")
    if Path(output).suffix.lower() in OTHER_SUFFIXES:
        raise UsageError(f"pictures are PNG files: {output} would not be what its name says")
    options, choice = settings.make_options(config), settings.choose(site, store, config)
    policy = AddressPolicy(allow=tuple(allow or ()))
    job, place = one_job(page, url, policy)
    target = output_for(output, ".png", force)
    with make_browser(browser, no_sandbox, policy) as drawer:
        visit = drawer.photograph(*place_of(job))
        picture = visit.picture
        if sections:
            if method is not None:
                extraction = api.extract(visit.page, options=options, method=method)
            else:
                extraction, _ = read_page(visit.page, options, choice)
            picture = drawer.photograph(RawPage(overlay(extraction, picture))).picture
    target.write(place, picture)


def overlay(extraction: Extraction, picture: bytes) -> str:
    """A page that shows a picture with the boxes of sections over it."""
    marks = "".join(_mark(section) for section in _walk(extraction))
    return (
        "<!DOCTYPE html><meta charset=utf-8><style>body{margin:0;position:relative}img{display:block}"
        "div{position:absolute;box-sizing:border-box;border:2px solid}"
        "b{font:12px sans-serif;background:#fffe;color:#111;padding:1px 4px;"
        "position:absolute;right:0;top:0;white-space:nowrap}"
        f'</style><img src="data:image/png;base64,{b64encode(picture).decode()}">{marks}'
    )


def _walk(extraction: Extraction) -> Iterator[Section]:
    """All sections, each before those in it."""
    waiting = list(reversed(extraction.sections))
    while waiting:
        section = waiting.pop()
        yield section
        waiting.extend(reversed(section.children))


def _mark(section: Section) -> str:
    """The frame of one section, with its role and importance if it has no children."""
    box = section.box
    if box is None or box.width * box.height == 0:
        return ""
    red, green, blue = colour(section.importance)
    fill = 0.0 if section.children else 0.2
    label = "" if section.children else f"<b>{escape(section.role)} {section.importance:.2f}</b>"
    return (
        f'<div style="left:{box.x:.0f}px;top:{box.y:.0f}px;width:{box.width:.0f}px;height:{box.height:.0f}px;'
        f'border-color:rgb({red} {green} {blue});background:rgb({red} {green} {blue} / {fill})">{label}</div>'
    )


def colour(importance: float) -> tuple[int, int, int]:
    """The colour of an importance, between its two neighbours on the scale.

    >>> colour(0.0), colour(0.125), colour(1.0)
    ((68, 1, 84), (64, 42, 112), (253, 231, 37))
    """
    place = min(max(importance, 0.0), 1.0) * (len(SCALE) - 1)
    first = min(int(place), len(SCALE) - 2)
    red, green, blue = (
        round(low + (high - low) * (place - first)) for low, high in zip(SCALE[first], SCALE[first + 1], strict=True)
    )
    return red, green, blue
