"""Recognition of dates in text, independent of clock and locale.

ISO 8601, RFC 2822, Unix time, numbers (`17.05.2024`) and month names of many languages become ISO 8601. A time is
kept if it follows the date, with its offset if it has one; fractions of a second are dropped. The order of day and
month in `05/06/2024` is ambiguous, unless the caller knows what is usual in the language of the page.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
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
# The same for languages that hardly abbreviate them, or whose abbreviations mean other months elsewhere.
_FULL_MONTH_NAMES = (
    "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
    "januarja februarja marca aprila maja junija julija avgusta septembra oktobra novembra decembra",
    "januar februar mart april maj jun jul avgust septembar oktobar novembar decembar",
    "јануар фебруар март април мај јун јул август септембар октобар новембар децембар",
    "януари февруари март април май юни юли август септември октомври ноември декември",
    "január február március április május június július augusztus szeptember október november december",
    "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
    "janvāris februāris marts aprīlis maijs jūnijs jūlijs augusts septembris oktobris novembris decembris",
    "sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio",
    "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta "
    "marraskuuta joulukuuta",
    "janar shkurt mars prill maj qershor korrik gusht shtator tetor nëntor dhjetor",
    "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου "
    "νοεμβρίου δεκεμβρίου",
    "januari februari mac april mei jun julai ogos september oktober november disember",
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר",
    "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
)
_MIN_MONTH_LENGTH = 3


def _month_numbers() -> dict[str, int]:
    """The number of each month name, and of each abbreviation that is unambiguous across the languages."""
    abbreviations: dict[str, set[int]] = {}
    for names in _MONTH_NAMES:
        for number, name in enumerate(names.split(), 1):
            for length in range(min(_MIN_MONTH_LENGTH, len(name)), len(name)):
                abbreviations.setdefault(name[:length], set()).add(number)
    short = {name: min(numbers) for name, numbers in abbreviations.items() if len(numbers) == 1}
    all_names = (*_FULL_MONTH_NAMES, *_MONTH_NAMES)
    return short | {name: number for names in all_names for number, name in enumerate(names.split(), 1)}


_MONTHS: Final = _month_numbers()
# A letter, and vowel signs too, which are no letters in Indic scripts.
_NAME = r"(?P<name>[^\W\d_](?:[^\W\d_]|[\u0900-\u0dff\u0e00-\u0eff]){2,13})\.?"
_DAY = r"(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?"
_YEAR = r"(?P<year>\d{4})(?!\d)"
_GAP = r"(?:[\s,/-]|\b(?:de|del|of)\b){1,6}"
_FORMS: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?<!\d)(?P<year>\d{4})(?P<mark>[-/.]) ?(?P<month>\d{1,2})(?P=mark) ?(?P<day>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<year>\d{4}) ?[年년] ?(?P<month>\d{1,2}) ?[月월] ?(?P<day>\d{1,2})(?!\d)[日일]?",
        rf"(?<!\d)(?P<year>\d{{4}})(?:\.?\s|[/-])(?:m\. )?{_NAME}(?:\s|[/-]){_DAY}(?!\d)",
        r"(?<!\d)(?P<day>\d{1,2}) tháng (?P<month>\d{1,2}),? (?:năm )?(?P<year>\d{4})(?!\d)",
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
_URL_DATE = re.compile(
    r"[/_-](?P<year>(?:19|20)\d\d)(?P<mark>[/_-]?)(?P<month>0[1-9]|1[012]|(?<=[/_-])[1-9])(?P=mark)"
    r"(?P<day>\d\d|(?<=[/_-])\d)(?!\d)"
)
# "Mon Aug 03 12:45:00 EDT 2015", as the `date` command and Java write.
_YEAR_LAST = re.compile(r"(?:[A-Z][a-z]{2} )?([A-Z][a-z]{2} [ \d]\d) (\d\d:\d\d:\d\d [A-Z]{3,4}) (\d{4})")
_UNIX_TIME = re.compile(r"\d{10}(?P<thousandths>\d{3})?")


class DateMatch(NamedTuple):
    """A date in a text: its span, including a time if there is one, and its ISO 8601 form."""

    start: int
    end: int
    iso: str


def read_date(text: str, day_first: bool | None = None) -> str | None:
    """The first date in a text as ISO 8601; None without an unambiguous one.

    `day_first` is the order of day and month in numbers, if it is known.

    >>> read_date("Fri, 17 May 2024 10:00:00 GMT"), read_date("le 17 mai 2024"), read_date("soon")
    ('2024-05-17T10:00:00+00:00', '2024-05-17', None)
    >>> read_date("Fri May 17 10:00:00 EDT 2024")
    '2024-05-17T10:00:00-04:00'
    >>> read_date("05/06/2024"), read_date("05/06/2024", day_first=True)
    (None, '2024-06-05')
    """
    text = text[:MAX_LENGTH].strip()
    year_last = _YEAR_LAST.fullmatch(text)
    if year_last:
        text = " ".join(year_last.group(1, 3, 2))
    compact = _COMPACT.fullmatch(text)
    if compact:
        return _iso_date(compact)
    if text.isdecimal():
        return _iso_of_unix_time(text)
    first = _YEAR_FIRST.match(text)  # by far the most common form; no other match can begin before it
    day = _iso_date(first) if first else None
    if first and day:
        return day + _iso_time(_TIME.match(text, first.end()))
    return next((match.iso for match in find_dates(text, day_first)), None)


def _iso_of_unix_time(text: str) -> str | None:
    """The time that a number of seconds or thousandths since 1970 stands for."""
    match = _UNIX_TIME.fullmatch(text)
    if not match:
        return None
    seconds = int(text) // (1000 if match["thousandths"] else 1)
    time = datetime.fromtimestamp(seconds, UTC)
    return time.isoformat() if MIN_YEAR <= time.year <= MAX_YEAR else None


def find_dates(text: str, day_first: bool | None = None) -> Iterator[DateMatch]:
    """The dates in a text, in order and without overlaps; see `read_date` for the order of day and month."""
    text = text[:MAX_LENGTH]
    if not _HAS_YEAR.search(text):
        return
    end = 0
    for match in sorted((match for form in _FORMS for match in form.finditer(text)), key=re.Match.start):
        day = _iso_date(match, day_first) if match.start() >= end else None
        if day:
            time = _TIME.match(text, match.end())
            end = time.end() if time else match.end()
            yield DateMatch(match.start(), end, day + _iso_time(time))


def date_in_address(url: str) -> str | None:
    """The date in the path of an address, where many sites put it.

    >>> date_in_address("https://tidewater.example/2024/05/17/mud"), date_in_address("/mud-20240517.html")
    ('2024-05-17', '2024-05-17')
    """
    match = _URL_DATE.search(url)
    return _iso_date(match) if match else None


def local_day(iso: str, address_day: str | None) -> str | None:
    """The day in the address of a page, if it is the same day as a time in UTC, in the time zone of the site.

    >>> local_day("2024-05-18T02:18:00+00:00", "2024-05-17"), local_day("2024-05-18", "2024-05-17")
    ('2024-05-17', None)
    """
    if not address_day or not iso.endswith("+00:00"):
        return None
    apart = abs((date.fromisoformat(iso[:10]) - date.fromisoformat(address_day)).days)
    return address_day if apart == 1 else None


def _iso_date(match: re.Match[str], day_first: bool | None = None) -> str | None:
    parts = match.groupdict()
    day, month = _day_and_month(parts, day_first)
    year = int(parts["year"])
    if not MIN_YEAR <= year <= MAX_YEAR:
        return None
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _day_and_month(parts: dict[str, str], day_first: bool | None) -> tuple[int, int]:
    """The day and the month; the month is 0, which is never valid, if their order is ambiguous."""
    if "name" in parts:
        return int(parts["day"]), _MONTHS.get(parts["name"].lower(), 0)
    if "first" not in parts:
        return int(parts["day"]), int(parts["month"])
    first, second = int(parts["first"]), int(parts["second"])
    if parts["mark"] == "." or first > 12 or first == second:
        return first, second
    if second > 12 or day_first is False:
        return second, first
    return (first, second) if day_first else (0, 0)


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
