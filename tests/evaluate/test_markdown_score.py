"""How much of an author's Markdown comes back: what is wanted, what is right, and the table."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pagestrata.cli.main import app, with_command
from pagestrata.errors import InputError, UsageError
from pagestrata.evaluate.markdown_items import Item, items_of
from pagestrata.evaluate.markdown_score import ALL, Counts, match, score_page, score_writer
from pagestrata.evaluate.markdown_truth import MarkdownPage, read_markdown_pages

SOURCE = """# Tea

Warm the pot, *then* wait for [the water](water.md).

- first item
- second item

```python
boil(water)
```

> Never in the source only.
"""
BODY = """<h1>Tea</h1><p>Warm the pot, <em>then</em> wait for <a href="/water/">the water</a>.</p>
<ul><li>first item</li><li>second item</li></ul><pre><code class="language-python">boil(water)</code></pre>
<p>Edited in May.</p>"""


def page_of(source: str = SOURCE, body: str = BODY, site: str = "a") -> MarkdownPage:
    html = f"<title>Tea</title><body><nav><p>Menu</p></nav><main>{body}</main></body>"
    return MarkdownPage("tea", site, "https://a.example/tea/", html.encode(), source)


def counts(markdown: str, kind: str, page: MarkdownPage | None = None) -> Counts:
    return score_page(page or page_of(), markdown)[kind]


def test_items_of_all_kinds() -> None:
    markdown = "a **b** ![c](x/d.png) $e$[^1]\n\n| f |\n| --- |\n| g |\n\nh\n:   i\n\n"
    markdown += "> j\n\n$$\nk\n$$\n\n[^1]: l\n\n1. m\n   - n\n"
    found = [(item.kind, item.key) for item in items_of(markdown)]
    expected = [("strong", "b"), ("image", "d.png"), ("maths", "e"), ("paragraph", "ab"), ("cell", "f"), ("cell", "g")]
    expected += [
        ("table", "fg"),
        ("term", "h"),
        ("definition", "i"),
        ("paragraph", "j"),
        ("quote", "j"),
        ("maths", "k"),
    ]
    assert [*expected, ("item", "n"), ("item", "m"), ("footnote", "l")] == found


def test_only_what_the_page_has_is_wanted_and_its_title_is_free() -> None:
    kinds = [item.kind for item in page_of().wanted]
    assert ["emphasis", "link", "paragraph", "item", "item", "code"] == kinds


def test_the_source_with_the_addresses_of_the_page_is_all_right() -> None:
    answer = SOURCE.replace("water.md", "https://a.example/water/").partition(">")[0]
    assert Counts(6, 6, 6, 6) == counts(answer, ALL)


def test_language_and_target_are_attributes() -> None:
    assert Counts(1, 1, 1, 0) == counts(SOURCE, "link")
    assert Counts(1, 1, 1, 0) == counts("```\nboil(water)\n```", "code")


def test_what_else_the_main_part_has_is_free_and_what_it_has_not_is_wrong() -> None:
    assert Counts(1, 0, 0, 0) == counts("Edited in May.", "paragraph")
    assert Counts(1, 1, 0, 0) == counts("Menu", "paragraph")


def test_code_is_wanted_where_the_page_shows_it_in_one_piece() -> None:
    source = "```\nboil(water)\nfill(pot)\n```\n"
    shown, cut = "<pre>boil(water)\nfill(pot)</pre>", "<pre>boil(water)</pre><pre>fill(pot)</pre>"
    window = f"<div aria-hidden=true>{shown}</div>"
    assert [1, 0, 0] == [counts("", "code", page_of(source, body)).wanted for body in (shown, cut, window)]


def test_images_are_compared_by_their_decoded_names() -> None:
    page = page_of("![](img/red tea.png)".replace(" ", "%20"), '<img src="/static/red tea.png">')
    assert counts("![](https://a.example/static/red%20tea.png)", "image", page) == Counts(1, 1, 1, 1)


def test_what_stands_there_in_another_shape_is_wrong() -> None:
    assert Counts(2, 0, 0, 0) == counts("first item\n\nsecond item", "item")
    assert Counts(0, 1, 0, 0) == counts("## first item", "heading")


def test_texts_are_matched_once_and_need_not_be_equal() -> None:
    one, same, like = (Item("item", key) for key in ("warmthepotwell", "warmthepotwell", "warmthepotswell"))
    assert [(one, same)] == match([one], [same, same])
    assert [(one, like)] == match([one], [like])
    assert [] == match([Item("code", "ab")], [Item("code", "abc")])


def test_sites_count_alike() -> None:
    pages = [page_of(site="a"), page_of(site="b"), page_of(site="b")]
    answers = iter(["- first item\n- second item", "", ""])
    line = score_writer("made", lambda page: next(answers), pages)
    assert line.scores["item"].recall == pytest.approx(0.5)


def folder_of(tmp_path: Path) -> Path:
    page = page_of()
    folder = tmp_path / "made" / "tea"
    folder.mkdir(parents=True)
    (folder / "page.html").write_bytes(page.data)
    (folder / "truth.md").write_text(page.source)
    (folder / "meta.json").write_text(json.dumps({"site": "a", "url": page.url, "kinds": {}}))
    return folder.parent


def test_the_table(tmp_path: Path) -> None:
    command = ["evaluate", str(folder_of(tmp_path)), "--format", "md", "--peers", "main_content"]
    done = CliRunner().invoke(app, with_command(command))
    assert done.exit_code == 0, done.output
    assert "1 pages of 1 sites" in done.output
    names = [line.split("|")[1].strip() for line in done.output.splitlines() if line.startswith("|")]
    assert ["F1", "pagestrata", "main_content"] == [name for name in names if name.strip("-")]


def test_a_folder_without_markdown_and_an_unknown_format_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no Markdown"):
        read_markdown_pages(str(tmp_path))
    done = CliRunner().invoke(app, with_command(["evaluate", str(tmp_path), "--format", "docx"]))
    assert isinstance(done.exception, UsageError)
