import pytest

from pagestrata.metadata.titles import SiteNames, choose_title, site_in_title, without_site_name
from pagestrata.page.titles import confirms

SITE = SiteNames.of("The Tidewater Almanac", "https://www.tidewater.example/mud")


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Mud | The Tidewater Almanac", "Mud"),
        ("Mud - The Tidewater Almanac", "Mud"),
        ("Mud – Tidewater", "Mud"),
        ("Tidewater: Mud", "Tidewater: Mud"),
        ("The Tidewater Almanac | Mud", "Mud"),
        ("A Glossary of Mud | Lore | The Tidewater Almanac", "A Glossary of Mud"),
        ("A Glossary of Mud | Unknown Words", "A Glossary of Mud"),
        ("Mud | Unknown Words", "Mud | Unknown Words"),
        ("泥滩为何会移动_观察_自然频道_潮水网", "泥滩为何会移动"),
        ("The mud_bank function", "The mud_bank function"),
        ("Mud - a glossary", "Mud - a glossary"),
        ("Well-known mud", "Well-known mud"),
        ("| The Tidewater Almanac", "| The Tidewater Almanac"),
        ("The Tidewater Almanac", "The Tidewater Almanac"),
    ],
)
def test_the_name_of_the_site_is_left_out(title: str, expected: str) -> None:
    assert without_site_name(title, SITE) == expected


def test_what_the_heading_does_not_say_is_left_out() -> None:
    assert without_site_name("Mud - some other words", SITE, ["Mud"]) == "Mud"


def test_a_heading_is_confirmed_by_the_words_of_a_title() -> None:
    assert confirms("Why the tide is always late", "The Tide")
    assert confirms("Best movers of 2025", "The best movers in town, 2025")
    assert not confirms("Why the tide is always late", "Menu")
    assert not confirms("Why the tide is always late", "")


@pytest.mark.parametrize(
    ("headings", "head_titles", "expected"),
    [
        (["Mud"], [("Mud | Tidewater", "title")], ("Mud", "visible")),
        (["Menu", "Mud"], [("Mud | Tidewater", "title")], ("Mud", "visible")),
        (["Menu"], [("Mud and more", "opengraph"), ("Mud", "title")], ("Mud and more", "opengraph")),
        (["The Tidewater Almanac"], [("Mud | The Tidewater Almanac", "title")], ("Mud", "title")),
        (["Tidewater"], [("Tidewater", "title")], ("Tidewater", "visible")),
        (["Reference¶"], [("Reference", "title")], ("Reference", "visible")),
        (["Mud"], [], ("Mud", "visible")),
        ([], [], None),
    ],
)
def test_the_title_is_what_is_shown_and_confirmed(
    headings: list[str], head_titles: list[tuple[str, str]], expected: tuple[str, str] | None
) -> None:
    assert choose_title(headings, head_titles, SITE) == expected


def test_the_title_may_stand_behind_the_name_of_an_unknown_site() -> None:
    unknown = SiteNames.of("", "")
    head_titles = [("EBB NEWS | Coast | Mud banks are found to move", "title")]
    assert choose_title(["Mud banks are found to move"], head_titles, unknown) == (
        "Mud banks are found to move",
        "visible",
    )
    assert choose_title(["Tides"], [("Mud banks | Tides", "title")], unknown) == ("Mud banks", "title")


def test_a_site_is_known_by_its_host_too() -> None:
    assert SiteNames.of("", "https://www.tide-water.example/").matches("Tide Water")
    assert not SiteNames.of("", "https://tidewater.example/").matches("Tides and their waters")
    assert not SiteNames.of("", "http://[").matches("Tidewater")


def test_the_site_in_a_title_is_what_the_host_matches() -> None:
    assert site_in_title("Mud - Tide Water", "https://tidewater.example/mud") == "Tide Water"
    assert site_in_title("Mud - Lore", "https://tidewater.example/mud") is None
    assert site_in_title("Tidewater", "https://tidewater.example/") is None


@pytest.mark.parametrize(
    ("heading", "kickers", "expected"),
    [
        ("Column Mud banks move", ["Column"], "Mud banks move"),
        ("Mud banks move Tidewater", [], "Mud banks move"),
        ("Why mud banks move", [], "Why mud banks move"),
        ("Mud banks move", ["Mud banks move"], "Mud banks move"),
    ],
)
def test_a_heading_may_have_words_around_the_headline(heading: str, kickers: list[str], expected: str) -> None:
    site = SiteNames.of("Tidewater", "")
    assert choose_title([heading], [("Mud banks move", "opengraph")], site, kickers) == (expected, "visible")


def test_a_heading_that_the_best_title_leaves_out_is_the_name_of_the_site() -> None:
    head_titles = [("Mud banks move", "opengraph"), ("Mud banks move - Quay notes", "title")]
    assert choose_title(["Quay notes"], head_titles, SiteNames.of("", "")) == ("Mud banks move", "opengraph")


def test_a_title_that_a_system_filled_in_gives_way() -> None:
    head_titles = [("Home", "opengraph"), ("The tides of Skarrow", "title")]
    assert choose_title([], head_titles, SiteNames.of("", "")) == ("The tides of Skarrow", "title")
    assert choose_title([], head_titles[:1], SiteNames.of("", "")) == ("Home", "opengraph")


def test_bars_of_other_scripts_separate_the_site_too() -> None:
    assert without_site_name("갯벌은 움직인다ㅣ조수일보", SiteNames.of("조수일보", "")) == "갯벌은 움직인다"
