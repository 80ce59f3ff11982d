"""Posts in Markdown: who wrote each and when, replies, and what is not said twice."""

import pytest

from pagestrata import Extraction, Options, extract

TEXT = "says that the mud is deep here, and that nobody should walk on it before the tide has gone out."
NAMES = ("nessa", "bran", "olwen", "idris")


def post(name: str, day: int, inside: str = "", byline: str | None = None) -> str:
    usual = f"<a href=/user/{name}>{name}</a>, <time datetime=2024-05-0{day}>May {day}, 2024</time>"
    return f"<div class=post>{usual if byline is None else byline}<p>{name} {TEXT}</p>{inside}</div>"


def thread(posts: str, **options: object) -> Extraction:
    page = f"<title>Mud</title><main><h1>Mud</h1>{posts}</main>"
    return extract(page, "https://mud.example/1", Options(bias=1.0, **options))  # type: ignore[arg-type]


def test_author_and_time_stand_before_each_post() -> None:
    found = thread("".join(post(name, day) for day, name in enumerate(NAMES, 1)))
    expected = [f"**{name}** · 2024-05-0{day}\n\n" for day, name in enumerate(NAMES, 1)]
    assert expected == [line for line in expected if line in found.markdown]
    assert found.markdown.index(expected[0]) < found.markdown.index(f"nessa {TEXT}")
    assert 1 == found.markdown.count(f"bran {TEXT}")


def test_without_formatting_the_author_is_not_bold() -> None:
    found = thread("".join(post(name, day) for day, name in enumerate(NAMES, 1)), formatting=False)
    assert "\nnessa · 2024-05-01\n" in found.markdown


def test_lines_that_are_only_the_author_or_the_time_are_not_written_twice() -> None:
    bylines = [f"<p><a href=/user/{name}>{name}</a></p><p>May {day}, 2024</p>" for day, name in enumerate(NAMES, 1)]
    found = thread("".join(post(name, 1, byline=line) for name, line in zip(NAMES, bylines, strict=True)))
    assert f"**bran** · 2024-05-02\n\nbran {TEXT}" in found.markdown
    assert 0 == found.markdown.count("May 2, 2024")


def test_replies_are_quotes() -> None:
    reply = post("mair", 5)
    found = thread("".join(post(name, day, reply if day == 2 else "") for day, name in enumerate(NAMES, 1)))
    assert f"> **mair** · 2024-05-05\n>\n> mair {TEXT}\n\n**olwen**" in found.markdown


def test_posts_in_a_list_stay_items() -> None:
    posts = "".join(
        post(name, day).replace("<div", "<li").replace("</div>", "</li>") for day, name in enumerate(NAMES, 1)
    )
    assert f"- **bran** · 2024-05-02\n\n  bran {TEXT}" in thread(f"<ul>{posts}</ul>").markdown


def test_chunks_of_a_thread_say_who_wrote_them() -> None:
    found = thread("".join(post(name, day) for day, name in enumerate(NAMES, 1)))
    chunks = found.chunks(max_words=40, min_words=0)
    assert [(name, f"2024-05-0{day}") for day, name in enumerate(NAMES, 1)] == [
        (chunk.author, chunk.time) for chunk in chunks
    ]
    assert all(chunk.markdown.startswith(f"**{name}** · ") for chunk, name in zip(chunks, NAMES, strict=True))
    (together,) = found.chunks(max_words=1000)
    assert (None, 4) == (together.author, together.markdown.count("**") // 2)


def test_the_line_before_a_post_is_in_the_chunk_of_the_post() -> None:
    profile = "<div class=profile>Joined long ago, and never seen since</div>"
    posts = "".join(post(name, day) for day, name in enumerate(NAMES, 1)).replace(
        "<div class=post>", f"<div class=post>{profile}"
    )
    chunks = thread(posts, drop=(".profile",)).chunks(max_words=40, min_words=0)
    assert list(NAMES) == [chunk.author for chunk in chunks]
    assert all(chunk.markdown.startswith(f"**{name}** · ") for chunk, name in zip(chunks, NAMES, strict=True))


def test_text_and_html_stay_as_they_are() -> None:
    found = thread("".join(post(name, day) for day, name in enumerate(NAMES, 1)))
    assert "**" not in found.text + found.html


def test_they_can_be_switched_off() -> None:
    found = thread("".join(post(name, day) for day, name in enumerate(NAMES, 1)), bylines=False)
    assert "**" not in found.markdown


def test_a_signature_below_a_row_of_dashes_is_left_out() -> None:
    signature = "<div><div>------------------------------<br>Low tide, high spirits</div></div>"
    found = thread("".join(post(name, day, signature) for day, name in enumerate(NAMES, 1)))
    assert "Low tide" in found.text
    assert "Low tide" not in found.markdown + "".join(item.text for item in found.items)
    assert all(f"{name} {TEXT}" in found.markdown for name in NAMES)


@pytest.mark.parametrize("name", ["signature", "post-sig", "postsignature", "message-signature"])
def test_what_is_named_a_signature_is_left_out(name: str) -> None:
    found = thread("".join(post(each, day, f"<div class={name}>Low tide</div>") for day, each in enumerate(NAMES, 1)))
    assert "Low tide" not in found.markdown + "".join(item.text for item in found.items)
    assert all(f"{each} {TEXT}" in found.markdown for each in NAMES)


def test_other_names_are_no_signatures() -> None:
    found = thread("".join(post(each, day, "<p class=signal>Low tide</p>") for day, each in enumerate(NAMES, 1)))
    assert len(NAMES) == found.markdown.count("Low tide")


def test_a_row_of_dashes_in_a_text_is_no_signature() -> None:
    found = thread("".join(post(name, day, "<p>----------</p><p>More.</p>") for day, name in enumerate(NAMES, 1)))
    assert len(NAMES) == found.markdown.count("More.")


def row(name: str, day: int) -> str:
    """A post as a row of a board: the author in one cell, a table with time and text in the other."""
    text = f"<table><tr><td>Posted: May {day}, 2024 9:1{day} am</td><td><a href=/quote>Quote</a></td></tr>"
    text += f"<tr><td colspan=2><span>{name} {TEXT}</span></td></tr></table>"
    return f"<tr><td><a href=/user/{name}><b>{name}</b></a></td><td>{text}</td></tr>"


def test_tables_that_lay_out_posts_are_no_tables() -> None:
    rows = "".join(row(name, day) for day, name in enumerate(NAMES, 1))
    board = f"<table><tr><th>Author</th><th>Message</th></tr>{rows}</table>"
    found = thread(board)
    assert "| ---" not in found.markdown
    assert "<td" not in found.html
    assert "**bran** · 2024-05-02T09:12:00\n\n" in found.markdown
    assert () == found.tables
    assert f"bran {TEXT}" in thread(board, tables=False).markdown


def test_a_table_in_a_post_is_one() -> None:
    data = "<table><tr><th>Hour</th><th>Depth</th></tr><tr><td>Nine</td><td>Two feet</td></tr></table>"
    rows = "".join(row(name, day) for day, name in enumerate(NAMES, 1)).replace("</span>", f"</span>{data}", 1)
    found = thread(f"<table><tr><th>Author</th><th>Message</th></tr>{rows}</table>")
    assert "| Hour | Depth |" in found.markdown
    assert 1 == len(found.tables)
