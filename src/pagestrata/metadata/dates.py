"""Recognition of dates in text, independent of clock and locale.

ISO 8601, RFC 2822, numbers (`17.05.2024`) and month names of some languages become ISO 8601. A time is kept if it
follows the date, with its offset if it has one; fractions of a second are dropped.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

MIN_YEAR: Final = 1990
"""The web is not older; an earlier date is a default (1970) or belongs to something else."""
MAX_YEAR: Final = 2100
MAX_OFFSET: Final = 14
"""In hours; the largest offset in use is that of Kiribati."""
MAX_LENGTH: Final = 200
"""Characters of a text that are read: dates are near the start of the texts that contain them."""

# The names of the months from January on, in the form used beside a day. Shorter forms of three letters and more are
# derived. From the Unicode CLDR, for languages whose names do not contradict each other.
_MONTH_NAMES = (
    "january february march april may june july august september october november december",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "januar februar marts april maj juni juli august september oktober november december",
    "januar februar mars april mai juni juli august september oktober november desember",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "ledna února března dubna května června července srpna září října listopadu prosince",
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "januari februari maret april mei juni juli agustus september oktober november desember",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
)
_MIN_MONTH_LENGTH = 3


def _month_numbers() -> dict[str, int]:
    """The number of each month name, and of each abbreviation that is unambiguous across the languages."""
    abbreviations: dict[str, set[int]] = {}
    full: dict[str, int] = {}
    for names in _MONTH_NAMES:
        for number, name in enumerate(names.split(), 1):
            full[name] = number
            for length in range(min(_MIN_MONTH_LENGTH, len(name)), len(name)):
                abbreviations.setdefault(name[:length], set()).add(number)
    return {name: min(numbers) for name, numbers in abbreviations.items() if len(numbers) == 1} | full


_MONTHS: Final = _month_numbers()
_NAME = r"(?P<name>[^\W\d_]{3,12})\.?"
_DAY = r"(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?"
_YEAR = r"(?P<year>\d{4})(?!\d)"
_GAP = r"(?:[\s,/-]|\b(?:de|del|of)\b){1,6}"
_FORMS: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?<!\d)(?P<year>\d{4})(?P<mark>[-/.]) ?(?P<month>\d{1,2})(?P=mark) ?(?P<day>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<year>\d{4}) ?[年년] ?(?P<month>\d{1,2}) ?[月월] ?(?P<day>\d{1,2})(?!\d)[日일]?",
        rf"{_DAY}{_GAP}{_NAME}{_GAP}{_YEAR}",
        rf"\b{_NAME}{_GAP}{_DAY}{_GAP}{_YEAR}",
        rf"(?<![\d.])(?P<first>\d{{1,2}})(?P<mark>[./-])(?P<second>\d{{1,2}})(?P=mark){_YEAR}",
    )
)
_YEAR_FIRST: Final = _FORMS[0]
_HAS_YEAR = re.compile(r"\d{4}")
_COMPACT = re.compile(r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)(?:T?\d{4}(?:\d\d)?Z?)?")
_TIME = re.compile(
    r"[T\s,|–-]{0,4}(?:(?:at|um|à)\s)?(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d{1,9})?)?"
    r"\s?(?P<half>[ap]\.?m\b\.?)?\s?(?P<offset>(?:UTC|GMT)?[+-]\d\d:?\d\d|[+-]\d\d\b|(?:Z|UTC|GMT|[ECMP][SD]T)\b)?",
    re.IGNORECASE,
)
_ZONES = {"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}
"""The only named time zones of RFC 2822, as offsets in hours."""
_URL_DATE = re.compile(r"[/-](?P<year>(?:19|20)\d\d)[/-](?P<month>\d{1,2})[/-](?P<day>\d{1,2})(?!\d)")


class DateMatch(NamedTuple):
    """A date in a text: its span, including a time if there is one, and its ISO 8601 form."""

    start: int
    end: int
    iso: str


def read_date(text: str) -> str | None:
    """The first date in a text as ISO 8601; None without an unambiguous one.

    >>> read_date("Fri, 17 May 2024 10:00:00 GMT"), read_date("le 17 mai 2024"), read_date("soon")
    ('2024-05-17T10:00:00+00:00', '2024-05-17', None)
    """
    text = text[:MAX_LENGTH].strip()
    compact = _COMPACT.fullmatch(text)
    if compact:
        return _iso_date(compact)
    first = _YEAR_FIRST.match(text)  # by far the most common form; no other match can begin before it
    day = _iso_date(first) if first else None
    if first and day:
        return day + _iso_time(_TIME.match(text, first.end()))
    return next((match.iso for match in find_dates(text)), None)


def find_dates(text: str) -> Iterator[DateMatch]:
    """The dates in a text, in order and without overlaps."""
    text = text[:MAX_LENGTH]
    if not _HAS_YEAR.search(text):
        return
    end = 0
    for match in sorted((match for form in _FORMS for match in form.finditer(text)), key=re.Match.start):
        day = _iso_date(match) if match.start() >= end else None
        if day:
            time = _TIME.match(text, match.end())
            end = time.end() if time else match.end()
            yield DateMatch(match.start(), end, day + _iso_time(time))


def date_in_address(url: str) -> str | None:
    """The date in the path of an address, where many sites put it.

    >>> date_in_address("https://tidewater.example/2024/05/17/mud")
    '2024-05-17'
    """
    match = _URL_DATE.search(url)
    return _iso_date(match) if match else None


def _iso_date(match: re.Match[str]) -> str | None:
    parts = match.groupdict()
    day, month = _day_and_month(parts)
    year = int(parts["year"])
    if not MIN_YEAR <= year <= MAX_YEAR:
        return None
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _day_and_month(parts: dict[str, str]) -> tuple[int, int]:
    """The day and the month; the month is 0, which is never valid, if their order is ambiguous."""
    if "name" in parts:
        return int(parts["day"]), _MONTHS.get(parts["name"].lower(), 0)
    if "first" not in parts:
        return int(parts["day"]), int(parts["month"])
    first, second = int(parts["first"]), int(parts["second"])
    if parts["mark"] == "." or first > 12 or first == second:
        return first, second
    return (second, first) if second > 12 else (0, 0)


def _iso_time(match: re.Match[str] | None) -> str:
    if not match:
        return ""
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"] or 0)
    if match["half"]:
        hour = hour % 12 + (12 if match["half"][0] in "pP" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return ""
    return f"T{hour:02}:{minute:02}:{second:02}{_iso_offset(match['offset'] or '')}"


def _iso_offset(offset: str) -> str:
    """An offset in the form of ISO 8601; empty if it is out of range."""
    name = offset.upper()
    if name in _ZONES:
        return f"{_ZONES[name]:+03}:00"
    digits = name.removeprefix("UTC").removeprefix("GMT").replace(":", "")
    if digits in ("", "Z"):
        return "+00:00" if name else ""
    hours, minutes = int(digits[1:3]), int(digits[3:] or 0)
    return f"{digits[0]}{hours:02}:{minutes:02}" if hours <= MAX_OFFSET and minutes < 60 else ""
