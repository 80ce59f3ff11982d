"""Prices as texts write them: an amount beside its currency."""

import re
from typing import Final

_CURRENCY = (
    r"(?:(?:US|CA|AU|NZ|R|C|A)?\$|[€£¥₹₽₱₩₺₫₴₦₪฿₡₸৳]|(?<![A-Za-z])(?:USD|EUR|GBP|CHF|CAD|AUD|JPY|INR|SEK|NOK|DKK|PLN|"
    r"CZK|HUF|RON|ZAR|BRL|MXN|AED|SAR|TRY|RUB|UAH|VND|IDR|MYR|SGD|PHP|THB|KES|NGN|F?CFA|KSh|Rs\.?|RM|Rp|kr|Ft|lei)"
    r"(?![A-Za-z])|zł|Kč|лв|руб\.?|грн|円|元)"
)
_AMOUNT = r"\d(?:[\d.,'’]*\d)?(?:[ \u00a0\u202f]\d{3}(?:[.,]\d+)?)*(?:,-)?"
_BLANK = r"[ \u00a0\u202f]?"
_ONE_PRICE = rf"(?:(?<![-−]){_CURRENCY}{_BLANK}{_AMOUNT}|{_AMOUNT}{_BLANK}{_CURRENCY}(?!{_BLANK}\d))"
PRICE: Final = re.compile(rf"{_ONE_PRICE}(?:{_BLANK}[–—-]{_BLANK}{_ONE_PRICE})?")
"""An amount beside its currency, or a range of two."""

_ISO = {
    "€": "EUR",
    "£": "GBP",
    "₹": "INR",
    "₽": "RUB",
    "₱": "PHP",
    "₩": "KRW",
    "₺": "TRY",
    "₫": "VND",
    "₴": "UAH",
}
_ISO |= {"₦": "NGN", "₪": "ILS", "฿": "THB", "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "US$": "USD", "R$": "BRL"}
_CODE = re.compile(r"(?<![A-Z])[A-Z]{3}(?![A-Z])")


def currency_of(price: str) -> str | None:
    """Return the currency of a price as ISO 4217 writes it; None if its sign stands for several.

    >>> currency_of("21,99 €"), currency_of("$5 CAD"), currency_of("$5")
    ('EUR', 'CAD', None)
    """
    code = _CODE.search(price)
    return code[0] if code else next((name for sign, name in _ISO.items() if sign in price), None)
