"""What a model is worth is said in one line."""

from pagestrata.sites.worth import Worth


def test_what_a_model_is_worth() -> None:
    line = "15 pages: 312 recurring words removed per page, 2 paragraphs rescued"
    assert line == str(Worth(15, 312.2, 0.4, 2))
    assert f"{line}; 4 words per page are left out that the engine alone would keep" == str(Worth(15, 312.2, 4.2, 2))
    assert f"{line}; 1 word per page is left out that the engine alone would keep" == str(Worth(15, 312.2, 1.2, 2))
