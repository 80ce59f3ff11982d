"""A person edits the template of a site: a node is noise, optional or one section, whatever the scores say."""

import random
from typing import Literal

import pytest

from pagestrata import Options, Page, Role, parse
from pagestrata.errors import ModelError, UsageError
from pagestrata.sites.cluster import Cluster, NodeAction, Slot
from pagestrata.sites.learn import learn
from pagestrata.sites.match import choose_cluster
from pagestrata.sites.model import Edit, SiteModel
from pagestrata.sites.node_edits import find_node, node_paths, template_nodes

DAY = "2026-11-18"
STORY, SERVICE = "html/body/main/div.story", "html/body/main/div.service"
RECURRING = "Sent from the desk of the harbour office."
HEADER = "".join(f"<p>Department {name} of the harbour office</p>" for name in ("one", "two", "three", "four"))


def prose(seed: int, length: int = 60) -> str:
    """Words that no other page has."""
    draw = random.Random(seed)
    return " ".join("".join(draw.choices("abcdefghijklmnop", k=6)) for _ in range(length)).capitalize() + "."


def page(seed: int, header: str = HEADER, service: str = "") -> str:
    service = service or f"<p>{prose(seed + 500, 40)}</p><p>{prose(seed + 600, 40)}</p>"
    return (
        f"<html lang=en><title>Story {seed}</title><body><div class=head>{header}</div><main><h1>Story {seed}</h1>"
        f"<div class=story><p>{prose(seed)}</p><p>{prose(seed + 100)}</p><p>{prose(seed + 200)}</p></div>"
        f"<div class=service>{service}</div></main><footer><p>All rights reserved by the harbour office.</p></footer>"
    )


def pages(count: int) -> list[Page]:
    return [parse(page(seed), f"https://harbour.example/s{seed}") for seed in range(count)]


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return learn(pages(6), site="harbour", day=DAY)


def edited(model: SiteModel, action: NodeAction, node: str, note: str = "") -> SiteModel:
    """The model with an edit, written to a file and read again."""
    with_edit = model.with_edit(Edit(action=action, node=node, note=note, date=DAY))
    return SiteModel.from_json(with_edit.to_json())


# -------------------------------------------------------------------------------------------------------------- paths


def slots(*rows: tuple[str, str, int]) -> tuple[Slot, ...]:
    return tuple(Slot(label=label, operator=operator, parent=parent) for label, operator, parent in rows)  # type: ignore[arg-type]


def test_paths_go_through_choices_and_number_siblings_with_one_label() -> None:
    """`html[body[div div.side (p|div)* (dt dd)*]]`: the `div` in the choice is the second one below the body."""
    tree = slots(
        ("html", "", -1),
        ("body", "", 0),
        ("div", "", 1),
        ("div.side", "", 1),
        ("|", "*", 1),
        ("p", "", 4),
        ("div", "", 4),
        ("", "*", 1),
        ("dt", "", 7),
        ("dd", "", 7),
    )
    body = "html/body"
    assert [
        *("html", body, f"{body}/div", f"{body}/div.side", "", f"{body}/p", f"{body}/div[2]"),
        *("", f"{body}/dt", f"{body}/dd"),
    ] == node_paths(tree)
    operators = {node.path: node.operator for node in template_nodes(Cluster(name="layout-1", pages=1, slots=tree))}
    assert ("", "|*", "*") == (operators[body], operators[f"{body}/p"], operators[f"{body}/dd"])


def test_nodes_have_their_support_and_the_share_of_text_that_recurs(model: SiteModel) -> None:
    nodes = {node.path: node for node in template_nodes(model.clusters[0])}
    assert (6, 1.0) == (nodes["html/body/footer"].support, nodes["html/body/footer"].noise)
    assert (6, 0.0) == (nodes[STORY].support, nodes[STORY].noise)
    assert 0 < (nodes["html"].noise or 0) < 1
    assert "html/body/footer/p/#text" not in nodes


def test_a_path_may_name_the_layout(model: SiteModel) -> None:
    [cluster] = model.clusters
    assert find_node(cluster, STORY) == find_node(cluster, f"{cluster.name}/{STORY}")
    assert find_node(cluster, STORY) is not None
    assert find_node(cluster, f"layout-9/{STORY}") is None
    assert find_node(cluster, "") is None


# ------------------------------------------------------------------------------------------------------------- noise


def test_a_node_marked_as_noise_is_dropped_from_later_pages(model: SiteModel) -> None:
    """The text of the node is new on every page, so that the scores keep it."""
    assert prose(520, 40) in model.extract(page(20)).text
    extraction = edited(model, "noise", SERVICE, note="written by machines").extract(page(20))
    assert prose(520, 40) not in extraction.text
    assert prose(20) in extraction.text
    [leaf] = [leaf for leaf in extraction.leaves() if prose(520, 40) in leaf.text]
    assert (Role.OTHER, False, 0.0) == (leaf.role, leaf.kept, leaf.importance)
    assert f"edited by hand: {SERVICE} is noise (written by machines)" == leaf.reasons[0]


def test_noise_inside_a_list_drops_each_item(model: SiteModel) -> None:
    text = edited(model, "noise", f"{STORY}/p").extract(page(20)).text
    assert [] == [seed for seed in (20, 120, 220) if prose(seed) in text]
    assert prose(520, 40) in text


def test_an_edit_of_another_layout_changes_nothing(model: SiteModel) -> None:
    assert model.extract(page(20)).text == edited(model, "noise", f"layout-9/{SERVICE}").extract(page(20)).text


def test_a_page_that_fits_no_layout_is_not_edited(model: SiteModel) -> None:
    """Which of its nodes is meant is not known."""
    other = f"<body><table><tr><td><article><section><p>{prose(30)}</p></section></article></table>"
    assert choose_cluster(model, parse(other)).cluster is None
    assert prose(30) in edited(model, "noise", "html/body").extract(other).text


def test_an_edit_stays_when_the_site_is_updated(model: SiteModel) -> None:
    updated = edited(model, "noise", SERVICE).update(page(30))
    assert prose(520, 40) not in updated.extract(page(20)).text


# ---------------------------------------------------------------------------------------------------------- optional


def test_a_missing_optional_node_is_no_distance(model: SiteModel) -> None:
    """Without the header, five elements and four texts of the template are missing."""
    without = parse(page(20).replace(f"<div class=head>{HEADER}</div>", ""))
    before = choose_cluster(model, without).match
    after = choose_cluster(edited(model, "optional", "html/body/div.head"), without).match
    assert (True, 0) == (before.missing > 0, after.missing)
    assert after.distance < before.distance
    assert before.template_node.tolist() == after.template_node.tolist()


def test_an_optional_member_of_a_choice_makes_the_choice_optional() -> None:
    rows = slots(("html", "", -1), ("body", "", 0), ("h1", "", 1), ("|", "", 1), ("p", "", 3), ("ul", "", 3))
    numbered = tuple(Slot(label=row.label, parent=row.parent, support=2) for row in rows)
    cluster = Cluster(name="layout-1", pages=2, slots=numbered)
    model = SiteModel(site="a", learned=DAY, clusters=(cluster,))
    with_edit = model.with_edit(Edit(action="optional", node="html/body/ul"))
    assert "html[body[h1 (p|ul)]]" == str(model.templates["layout-1"]) == model.tree("layout-1")
    assert "html[body[h1 (p|ul)?]]" == str(with_edit.templates["layout-1"])


def test_an_optional_list_stays_a_list(model: SiteModel) -> None:
    node = f"{STORY}/p"
    assert str(model.templates["layout-1"]) == str(edited(model, "optional", node).templates["layout-1"])


# ----------------------------------------------------------------------------------------------------------- section


def leaves_with(model: SiteModel, markup: str, *texts: str, options: Options | None = None) -> list[tuple[bool, str]]:
    extraction = model.extract(markup, options=options or Options())
    leaves = [leaf for leaf in extraction.leaves() if any(text in leaf.text for text in texts)]
    return [(leaf.kept, leaf.reasons[0]) for leaf in leaves]


def test_a_section_is_kept_as_a_whole_if_most_of_it_is() -> None:
    """A line that recurs amid new text is dropped, unless a person says that the text is one section."""

    def service(seed: int) -> str:
        return f"<p>{prose(seed + 500, 40)}</p><p>{RECURRING}</p><p>{prose(seed + 600, 40)}</p>"

    model = learn([parse(page(seed, service=service(seed))) for seed in range(6)], site="harbour")
    new = prose(520, 40), prose(620, 40)
    assert [True, False, True] == [
        kept for kept, _ in leaves_with(model, page(20, service=service(20)), *new, RECURRING)
    ]
    whole = leaves_with(edited(model, "section", SERVICE), page(20, service=service(20)), *new, RECURRING)
    assert [(True, f"edited by hand: {SERVICE} is one section")] == whole


@pytest.mark.parametrize(("comments", "kept"), [("off", False), ("on", True), ("only", True)])
def test_a_section_of_comments_follows_the_option(comments: Literal["off", "on", "only"], kept: bool) -> None:
    def thread(seed: int) -> str:
        posts = (
            f"<div><p>Reader, {n} May 2024 at 9:3{n}</p><p>{prose(10 * seed + n, 40)}</p></div>" for n in range(1, 5)
        )
        return f"<h2>4 comments</h2>{''.join(posts)}"

    model = learn([parse(page(seed, service=thread(seed + 100))) for seed in range(6)], site="harbour")
    sections = leaves_with(
        edited(model, "section", SERVICE), page(20, service=thread(130)), "Reader", options=Options(comments=comments)
    )
    assert [(kept, f"edited by hand: {SERVICE} is one section")] == sections


def test_a_section_of_noise_is_dropped(model: SiteModel) -> None:
    [(kept, reason)] = leaves_with(edited(model, "section", "html/body/footer"), page(20), "rights reserved")
    assert (False, "edited by hand: html/body/footer is one section") == (kept, reason)


def test_items_below_one_parent_are_one_section(model: SiteModel) -> None:
    texts = [prose(seed) for seed in (20, 120, 220)]
    assert [(True, f"edited by hand: {STORY}/p is one section")] == leaves_with(
        edited(model, "section", f"{STORY}/p"), page(20), *texts
    )


def test_a_section_is_dropped_where_only_comments_are_asked_for(model: SiteModel) -> None:
    sections = leaves_with(edited(model, "section", STORY), page(20), prose(20), options=Options(comments="only"))
    assert [False] == [kept for kept, _ in sections]


# -------------------------------------------------------------------------------------------------------------- data


def test_edits_of_a_template_are_data_of_the_model(model: SiteModel) -> None:
    with_edit = edited(model, "section", STORY, note="one text")
    assert (Edit(action="section", node=STORY, note="one text", date=DAY),) == with_edit.edits
    assert with_edit == SiteModel.from_bytes(with_edit.to_bytes())
    assert f'"node": "{STORY}"' in with_edit.to_json()


@pytest.mark.parametrize(
    "fields",
    [
        {"action": "noise"},
        {"action": "noise", "selector": "p"},
        {"action": "drop", "node": STORY},
        {"action": "drop", "selector": "p", "node": STORY},
        {"action": "drop"},
    ],
)
def test_an_edit_names_either_a_selector_or_a_node(model: SiteModel, fields: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        Edit(**fields)  # type: ignore[arg-type]
    text = model.to_json().replace('"clusters"', f'"edits": [{str(fields).replace(chr(39), chr(34))}], "clusters"', 1)
    with pytest.raises(ModelError):
        SiteModel.from_json(text)


def test_the_end_of_a_path_is_enough_where_one_node_has_it(model: SiteModel) -> None:
    def full(node: str) -> str:
        return model.checked_edit(Edit(action="noise", node=node)).node

    assert [STORY] * 3 == [full(STORY), full("main/div.story"), full("div.story")]
    assert f"layout-1/{STORY}" == full("layout-1/div.story")
    with pytest.raises(
        UsageError, match=r"4 nodes with lines of text end in 'p': html/body/div.head/p, html/body/footer/p, "
    ):
        full("p")
    with pytest.raises(
        UsageError, match="no nodes with lines of text end in 'story'; `sites show --tree` prints the nodes"
    ):
        full("story")


def test_a_piece_of_a_line_cannot_be_marked_as_noise() -> None:
    """A line is never cut; the piece may still be missing on some pages."""
    model = learn([parse(page(seed, service=f"<p>{prose(seed + 500)} <em>Sent by post</em></p>")) for seed in range(4)])
    assert f"{SERVICE}/p/em" == model.checked_edit(Edit(action="optional", node="em")).node
    with pytest.raises(UsageError, match="'em' has no lines of its own, and a line is never divided"):
        model.checked_edit(Edit(action="noise", node="em"))
