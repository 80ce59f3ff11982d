"""A page goes when nobody holds it: one that waits for the garbage collector would add to the memory of the next."""

import gc
from collections.abc import Callable
from weakref import ref

import pytest

from pagestrata import Extraction, extract, learn, parse
from pagestrata.registry import METHODS
from tests.build import EXAMPLES, ROOT

PAGE = (ROOT / "examples" / "site" / "forum" / "thread.html").read_bytes()
PARTS = (
    "sections page_types metadata entities links images tables items trace title_section confidence reason warnings"
).split()


def stays(use: Callable[[Extraction], object], method: str = "engine") -> bool:
    """Whether a page is still there after it was used, though nobody holds it."""
    use(extract(PAGE, method=method))  # what is loaded once may be held
    gc.collect()
    gc.disable()
    try:
        page = parse(PAGE)
        watched = ref(page)
        use(extract(page, method=method))
        del page
        return watched() is not None
    finally:
        gc.enable()


@pytest.mark.parametrize("name", ["text", "md", "html", "xml", "json", "jsonl", "csv", "tei", "chunks", "document"])
def test_no_format_keeps_the_page(name: str) -> None:
    assert not stays(lambda found: found.render(name))


@pytest.mark.parametrize("name", PARTS)
def test_no_part_of_the_answer_keeps_the_page(name: str) -> None:
    assert not stays(lambda found: repr(getattr(found, name)))


def test_neither_sections_nor_chunks_nor_books_keep_the_page() -> None:
    assert not stays(lambda found: [(each.markdown, each.html, each.heading_path) for each in found.sections])
    assert not stays(lambda found: found.chunks(50))
    assert not stays(lambda found: found.render_bytes("epub"))


@pytest.mark.parametrize("method", METHODS)
def test_no_method_keeps_the_page(method: str) -> None:
    assert not stays(lambda found: found.text, method)


def test_neither_learning_nor_a_model_keeps_pages() -> None:
    contents = [path.read_bytes() for path in EXAMPLES[:6]]
    model = learn(contents)
    gc.collect()
    gc.disable()
    try:
        pages = [parse(content) for content in contents]
        watched = list(map(ref, pages))
        learn(pages)
        for page in pages:
            _ = model.extract(page).markdown
        del pages, page
        assert not [place for place, page_of in enumerate(watched) if page_of() is not None]
    finally:
        gc.enable()
