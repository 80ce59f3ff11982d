"""Labels say which blocks the truth has, short lines and moved text included."""

from tests.build import page_of

from pagestrata.train.block_labels import labels_of

TEXT = "The tide turned before the boats were in"
MORE = "and nobody on the quay had seen it coming that day"


def labels(body: str, truth: str) -> list[float]:
    return [round(float(label), 2) for label in labels_of(page_of(body), truth)[0]]


def test_what_the_truth_has_is_one_and_all_else_is_nothing() -> None:
    assert [0, 1, 1, 0] == labels(
        f"<nav>Home News About us all</nav><p>{TEXT}<p>{MORE}<footer>Rights</footer>", f"{TEXT}\n{MORE}"
    )


def test_a_short_line_counts_near_matched_text_only() -> None:
    body = f"<nav><a>Tides</a></nav><p>x y z w<p>q r s t<p>k l m n<h2>Tides</h2><p>{TEXT}<p>{MORE}"
    assert [0, 0, 0, 0, 1, 1, 1] == labels(body, f"Tides\n{TEXT}\n{MORE}")


def test_moved_text_is_found() -> None:
    assert [1, 1] == labels(f"<p>{MORE}<p>{TEXT}", f"{TEXT}\n{MORE}")


def test_a_block_that_is_half_main_is_half_labelled() -> None:
    (label,) = labels(f"<p>{TEXT} one two three four five six seven eight", TEXT)
    assert 0.5 == label


def test_no_truth_labels_nothing() -> None:
    assert [0, 0] == labels(f"<p>{TEXT}<p>{MORE}", "")
