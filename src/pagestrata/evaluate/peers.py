"""Other extractors, each behind one call from a page, to be measured beside ours.

A peer is imported when it is loaded. For its speed it is called as its manual recommends, with its defaults; what it
needs beyond the bytes (a decoded string) is prepared outside the clock, in its favour. For its text it is called so
that answers can be compared: main text, no comments, and of tables, links and formatting whatever is its default. For
its Markdown, links and images are switched on, as ours has them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from typing import Final, TypeVar

import turbohtml

from pagestrata.api import parse
from pagestrata.errors import MissingExtra, UsageError, suggestion
from pagestrata.evaluate.node_peers import NODE_PACKAGES, is_installed, node_peer
from pagestrata.evaluate.stages import TimedCall

EXTRA: Final = "bench"
MARKDOWN: Final = " md"
"""Ends the name of the call that measures the Markdown of a peer."""
Peer = TypeVar("Peer")


# -------------------------------------------------------------------------------------------------------------- speed


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _trafilatura() -> TimedCall:
    import trafilatura

    return TimedCall("trafilatura", "extract(bytes)", "trafilatura", trafilatura.extract)


def _resiliparse() -> TimedCall:
    from resiliparse.extract.html2text import extract_plain_text

    run = partial(extract_plain_text, main_content=True)
    return TimedCall("resiliparse", "extract_plain_text(str, main_content=True)", "resiliparse", run, _decoded)


def _main_content() -> TimedCall:
    return TimedCall("main_content", "turbohtml's own: parse(bytes).main_text()", "turbohtml", _main_content_text())


def _readability() -> TimedCall:
    from readability import Document

    about = "Document(str).summary(), which is HTML"
    return TimedCall("readability-lxml", about, "readability-lxml", lambda text: Document(text).summary(), _decoded)


def _boilerpy() -> TimedCall:
    from boilerpy3.extractors import ArticleExtractor

    about = "ArticleExtractor().get_content(str)"
    return TimedCall("boilerpy3", about, "boilerpy3", lambda text: ArticleExtractor().get_content(text), _decoded)


def _justext() -> TimedCall:
    return TimedCall("justext", "justext(bytes, without a stop list)", "jusText", _justext_text())


PEERS: Final[dict[str, Callable[[], TimedCall]]] = {
    "trafilatura": _trafilatura,
    "resiliparse": _resiliparse,
    "main_content": _main_content,
    "readability-lxml": _readability,
    "boilerpy3": _boilerpy,
    "justext": _justext,
}


def _trafilatura_markdown() -> TimedCall:
    import trafilatura

    run = partial(trafilatura.extract, output_format="markdown", include_links=True, include_images=True)
    about = "extract(bytes, output_format='markdown', include_links=True, include_images=True)"
    return TimedCall("trafilatura" + MARKDOWN, about, "trafilatura", run)


def _main_content_markdown() -> TimedCall:
    def run(data: bytes) -> object:
        content = turbohtml.parse(data, positions=False).main_content()
        return content.to_markdown() if content is not None else ""

    return TimedCall("main_content" + MARKDOWN, "turbohtml's own: main_content().to_markdown()", "turbohtml", run)


def _readability_markdown() -> TimedCall:
    from markdownify import markdownify
    from readability import Document

    about, name = "markdownify(Document(str).summary())", "readability-lxml"
    return TimedCall(name + MARKDOWN, about, name, lambda text: markdownify(Document(text).summary()), _decoded)


def _html_to_markdown() -> TimedCall:
    from html_to_markdown import convert

    return TimedCall("html-to-markdown", "convert(str): the whole page", "html-to-markdown", convert, _decoded)


MARKDOWN_PEERS: Final[dict[str, Callable[[], TimedCall]]] = {
    "trafilatura": _trafilatura_markdown,
    "main_content": _main_content_markdown,
    "readability-lxml": _readability_markdown,
    "html-to-markdown": _html_to_markdown,
}
"""The peers that write Markdown; `html-to-markdown` has no main text, so that only its speed can be compared."""
_MODULES: Final[dict[str, str]] = {
    "main_content": "turbohtml",
    "readability-lxml": "readability",
    "html-to-markdown": "html_to_markdown",
}


# --------------------------------------------------------------------------------------------------------------- text

Text = Callable[[bytes | str], str]
"""From a page to its main text."""


def _trafilatura_text() -> Text:
    import trafilatura

    return lambda markup: trafilatura.extract(markup, include_comments=False) or ""


def _resiliparse_text() -> Text:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda markup: str(extract_plain_text(_as_text(markup), main_content=True, comments=False))


def _main_content_text() -> Text:
    return lambda markup: turbohtml.parse(markup, positions=False).main_text()


def _readability_text() -> Text:
    from readability import Document

    return lambda markup: parse(Document(_as_text(markup)).summary()).text


def _boilerpy_text() -> Text:
    from boilerpy3.extractors import ArticleExtractor

    return lambda markup: str(ArticleExtractor().get_content(_as_text(markup)))


def _justext_text() -> Text:
    """Without a stop list, which exists for some languages only; its manual recommends 0 for both rates then."""
    from justext import justext

    def run(markup: bytes | str) -> str:
        paragraphs = justext(markup, frozenset(), stopwords_low=0, stopwords_high=0)
        return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return run


def _node_text(name: str) -> Text:
    """The text of an extractor in Node, which runs from now on; block elements of its HTML end lines."""
    html = node_peer(name).read
    return lambda markup: parse(html(_as_text(markup))).text


def _as_text(markup: bytes | str) -> str:
    return markup if isinstance(markup, str) else _decoded(markup)


TEXT_PEERS: Final[dict[str, Callable[[], Text]]] = {
    "trafilatura": _trafilatura_text,
    "readability-lxml": _readability_text,
    "boilerpy3": _boilerpy_text,
    "resiliparse": _resiliparse_text,
    "main_content": _main_content_text,
    "justext": _justext_text,
    **{name: partial(_node_text, name) for name in NODE_PACKAGES},
}
"""By name. Those in Node have no speed here: it is measured as time of this process."""
ALIASES: Final = {"readability": "readability-lxml"}
"""Other names of peers."""


# ------------------------------------------------------------------------------------------------------------- loading


def load_text(name: str) -> Text:
    """Load the function that returns the main text of a page according to a peer.

    >>> load_text("main_content")("<article><p>" + "The tide came in, and the kettle sang. " * 9)[:17]
    'The tide came in,'
    """
    return load_peer(ALIASES.get(name, name), TEXT_PEERS)


def load(name: str) -> TimedCall:
    """Load the call that measures the text of the peer of that name.

    >>> load("main_content").package
    'turbohtml'
    """
    return load_peer(name, PEERS)


def installed_markdown() -> list[str]:
    """The peers that write Markdown, with all that they need."""
    complete = []
    for name in _installed(MARKDOWN_PEERS):
        with suppress(ImportError):
            MARKDOWN_PEERS[name]()
            complete.append(name)
    return complete


def load_peer(name: str, loaders: Mapping[str, Callable[[], Peer]]) -> Peer:
    """Load one of several peers; its name and its package are checked."""
    if name not in loaders:
        raise UsageError(f"there is no peer {name!r}; {suggestion(name, loaders)}")
    try:
        return loaders[name]()
    except ImportError as error:
        raise MissingExtra.by(error, EXTRA) from error


def load_all(names: Sequence[str] | None) -> tuple[TimedCall, ...]:
    """Load the text and the Markdown of the peers of these names, or of all that are installed."""
    wanted = [*installed(), *_installed(_ONLY_MARKDOWN)] if names is None else names
    return tuple(call for name in wanted for call in _load_both(name))


def _load_both(name: str) -> Iterator[TimedCall]:
    """The call for the text of a peer, and the one for its Markdown if it supports that and all packages are there."""
    if name in _ONLY_MARKDOWN:
        yield load_peer(name, MARKDOWN_PEERS)
        return
    yield load(name)
    with suppress(ImportError):  # its text is measured all the same
        if name in MARKDOWN_PEERS:
            yield MARKDOWN_PEERS[name]()


_ONLY_MARKDOWN: Final = tuple(name for name in MARKDOWN_PEERS if name not in PEERS)


def installed() -> list[str]:
    """The peers with a main text that are installed."""
    return _installed(PEERS)


def installed_texts() -> list[str]:
    """The installed peers with a main text that are packages of their own."""
    return [name for name in _installed(TEXT_PEERS) if name != "main_content"]


def _installed(names: Iterable[str]) -> list[str]:
    return [name for name in names if _is_installed(name)]


def _is_installed(name: str) -> bool:
    if name in NODE_PACKAGES:
        return is_installed(name)
    return find_spec(_MODULES.get(name, name)) is not None
