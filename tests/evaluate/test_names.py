"""Pages without class and id."""

import pytest
from tests.build import EXAMPLES, real_pages

from pagestrata import parse
from pagestrata.evaluate.names import without_names


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_only_names_go(path: object) -> None:
    data = path.read_bytes()  # type: ignore[attr-defined]
    before, after = parse(data), parse(without_names(data))
    assert (before.text, before.title) == (after.text, after.title)
    assert before.nodes.tag.tolist() == after.nodes.tag.tolist()
    assert [] == [*after.nodes_with("class"), *after.nodes_with("id")]
    assert before.values_of("href") == after.values_of("href")


def test_real_pages_keep_their_text() -> None:
    for path in real_pages(60):
        data = path.read_bytes()
        before, after = parse(data), parse(without_names(data))
        assert before.text == after.text, path
        assert [] == [*after.nodes_with("class"), *after.nodes_with("id")], path


def test_names_in_text_scripts_and_shadow_roots() -> None:
    """What only looks like a name stays; the names in a shadow root go."""
    markup = (
        '<p>class="a"<textarea>id="b"</textarea><script>x = \'<p class="c">\'</script>'
        '<div id=d><template shadowrootmode=open><i class="e">in the shadow</i></template></div>'
    )
    changed = without_names(markup)
    assert parse(markup).text == parse(changed).text
    assert 'class="a"' in parse(changed).text
    assert 'class="c"' in changed
    assert 'class="e"' not in changed
