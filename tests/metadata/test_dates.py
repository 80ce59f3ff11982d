import pytest

from pagestrata.metadata.dates import date_in_address, find_dates, read_date


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-17", "2024-05-17"),
        ("2024/5/7", "2024-05-07"),
        ("2024. 05. 17.", "2024-05-17"),
        ("20240517", "2024-05-17"),
        ("20240517T101010Z", "2024-05-17"),
        ("2024-05-17T10:00", "2024-05-17T10:00:00"),
        ("2024-05-17T10:00:00Z", "2024-05-17T10:00:00+00:00"),
        ("2024-05-17T10:00:00.123+0200", "2024-05-17T10:00:00+02:00"),
        ("2024-05-17 10:00:00 -05", "2024-05-17T10:00:00-05:00"),
        ("2024-05-17 10:00:00 UTC", "2024-05-17T10:00:00+00:00"),
        ("Fri, 17 May 2024 10:00:00 GMT", "2024-05-17T10:00:00+00:00"),
        ("Fri, 17 May 2024 10:00:00 +0530", "2024-05-17T10:00:00+05:30"),
        ("Fri May 17 2024 10:00:00 GMT+0200 (CEST)", "2024-05-17T10:00:00+02:00"),
        ("May 17, 2024 3:05 pm EST", "2024-05-17T15:05:00-05:00"),
        ("May 17, 2024 at 12:05 a.m.", "2024-05-17T00:05:00"),
        ("Sept. 3rd, 2021", "2021-09-03"),
        ("17 May 2024", "2024-05-17"),
        ("17-May-2024", "2024-05-17"),
        ("17.05.2024", "2024-05-17"),
        ("17/05/2024", "2024-05-17"),
        ("05/17/2024", "2024-05-17"),
        ("05/05/2024", "2024-05-05"),
        ("17 mai 2024", "2024-05-17"),
        ("1er août 2024", "2024-08-01"),
        ("17. März 2024", "2024-03-17"),
        ("17 de mayo de 2024", "2024-05-17"),
        ("17 maggio 2024", "2024-05-17"),
        ("17 października 2024", "2024-10-17"),
        ("17 мая 2024 г.", "2024-05-17"),
        ("2024年5月17日", "2024-05-17"),
        ("2024년 5월 17일", "2024-05-17"),
        ("Posted on Friday, 17 May 2024 by a writer", "2024-05-17"),
        ("2024 Jun 30", "2024-06-30"),
        ("2024. május 17.", "2024-05-17"),
        ("2024 m. gegužės 17 d.", "2024-05-17"),
        ("ngày 17 tháng 5 năm 2024", "2024-05-17"),
        ("17 Μαΐου 2024", "2024-05-17"),
        ("7 أكتوبر 2020", "2020-10-07"),
        ("28 जून 2020", "2020-06-28"),
        ("1676551869", "2023-02-16T12:51:09+00:00"),
        ("1676551869123", "2023-02-16T12:51:09+00:00"),
    ],
)
def test_reads_the_dates_that_pages_write(text: str, expected: str) -> None:
    assert read_date(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "2024",
        "May 2024",
        "2024-02-30",
        "31.04.2024",
        "1989-12-31",
        "2101-01-01",
        "0000-00-00",
        "8.40",
        "1.2.3",
    ],
)
def test_refuses_what_is_no_plausible_date(text: str) -> None:
    assert read_date(text) is None


def test_refuses_to_guess_which_number_is_the_month() -> None:
    assert read_date("05/06/2024") is None


def test_an_impossible_time_or_offset_leaves_the_rest() -> None:
    assert read_date("2024-05-17T25:61:00Z") == "2024-05-17"
    assert read_date("2024-05-17T10:00:00+99:99") == "2024-05-17T10:00:00"


def test_a_date_after_a_wrong_one_is_found() -> None:
    assert read_date("version 99.99.2024 of 17 May 2024") == "2024-05-17"


def test_finds_all_dates_with_their_places() -> None:
    text = "16 August 2019, updated 9 July 2025"
    assert [(text[one.start : one.end], one.iso) for one in find_dates(text)] == [
        ("16 August 2019", "2019-08-16"),
        ("9 July 2025", "2025-07-09"),
    ]


def test_reads_only_the_start_of_a_long_text() -> None:
    assert read_date("x" * 10_000 + " 17 May 2024") is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://tidewater.example/2024/05/17/mud", "2024-05-17"),
        ("https://tidewater.example/blog/2024-05-17-mud", "2024-05-17"),
        ("https://tidewater.example/2024/05/mud", None),
        ("https://tidewater.example/1234/56/78", None),
        ("", None),
    ],
)
def test_the_date_in_an_address(url: str, expected: str | None) -> None:
    assert date_in_address(url) == expected


@pytest.mark.parametrize(("day_first", "expected"), [(None, None), (True, "2024-06-05"), (False, "2024-05-06")])
def test_the_language_decides_the_order_of_day_and_month(day_first: bool | None, expected: str | None) -> None:
    assert expected == read_date("05/06/2024", day_first)
    assert "2024-06-17" == read_date("17/06/2024", day_first)


@pytest.mark.parametrize("text", ["1234567890123456", "0000000001", "99999999999"])
def test_other_numbers_are_no_times(text: str) -> None:
    assert read_date(text) is None


@pytest.mark.parametrize(
    "address", ["/20240517/mud", "/mud-20240517", "/2024-05-17-mud", "/mud_2024_5_17", "/2024/5/17"]
)
def test_forms_of_dates_in_addresses(address: str) -> None:
    assert "2024-05-17" == date_in_address(address)


@pytest.mark.parametrize("address", ["/2024/05/", "/a2024051712345/", "/20241345/", "/mud20240517"])
def test_what_is_no_date_in_an_address(address: str) -> None:
    assert date_in_address(address) is None
