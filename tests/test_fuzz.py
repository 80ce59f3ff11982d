"""A few hundred made-up pages with any options, methods, formats and sites; `scripts/stress fuzz` makes more."""

import pytest

from tests.fuzzing import check_case


@pytest.mark.parametrize("first", range(0, 400, 40))
def test_nothing_that_is_made_up_raises(first: int) -> None:
    for seed in range(first, first + 40):
        check_case(seed)
