"""Small data sets, made up, to be measured on."""

import json
from pathlib import Path

WORDS = (
    "tide kettle harbour lantern meadow pepper violin saddle thimble walnut anchor feather gravel copper willow".split()
)


def main_text(site: int, page: int) -> str:
    """Three lines that no other page has."""
    return "\n".join(
        " ".join(f"{WORDS[(7 * page + 3 * line + i * (site + page + 1)) % len(WORDS)]}{page}{site}" for i in range(25))
        for line in range(3)
    )


def markup(title: str, main: str, comments: str = "") -> str:
    """A page of a site with a menu, a footer, and maybe comments."""
    lines = "".join(f"<p>{line}</p>" for line in main.split("\n"))
    below = f'<div id="comments"><p>{comments}</p></div>' if comments else ""
    return (
        f"<!DOCTYPE html><html><head><meta charset=utf-8><title>{title} - The Kettle</title></head><body>"
        '<ul class="menu"><li><a href="/">Home of all</a><li><a href="/about">About our kettle shop</a></ul>'
        f'<div class="post"><h1>{title}</h1>{lines}</div>{below}'
        '<p class="footer">All rights belong to the kettle, always and everywhere.</p></body></html>'
    )


def make_sites(folder: Path, sites: int = 2, pages: int = 6, listing: bool = True) -> Path:
    """A set of sites as sitesets is, with a table, comments, a feed and a listing."""
    rows = ["site\tpage\tusable\tpage_type"]
    for number in range(sites):
        place = folder / f"site{number}"
        (place / "_multi").mkdir(parents=True)
        for page in range(pages):
            name, comments = f"page{page}", "Mary said that walnuts are fine as well" if page == 0 else ""
            title, main = f"On matter {page}", main_text(number, page)
            kind = "article_comments" if comments else "article"
            known = {"url": f"https://s{number}.example/{name}/", "title": title, "page_type": kind}
            (place / f"{name}.html").write_text(markup(title, main, comments), encoding="utf-8")
            (place / f"{name}.txt").write_text(main, encoding="utf-8")
            (place / f"{name}.json").write_text(json.dumps(known), encoding="utf-8")
            if comments:
                (place / f"{name}.comments.txt").write_text(comments, encoding="utf-8")
            rows.append(f"{place.name}\t{name}\t1\t{kind}")
        for kind in ("feed.xml", "feed_short.xml"):
            (place / kind).write_text(_feed(number, pages), encoding="utf-8")
        if listing:
            (place / "_multi" / "index.html").write_text(markup("All", "one\ntwo"), encoding="utf-8")
    (folder / "pages.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


def _feed(site: int, pages: int) -> str:
    items = "".join(
        f"<item><title>On matter {page}</title><link>https://s{site}.example/page{page}/</link></item>"
        for page in range(pages)
    )
    return f"<rss><channel><title>The Kettle</title>{items}</channel></rss>"
