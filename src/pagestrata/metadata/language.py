"""Languages: tags normalised to BCP 47, and detection from the text where a page declares none."""

import re
from typing import Final

import numpy as np
from turbohtml.detect import LanguageDetection, detect_language

from pagestrata.page.page import Page

SAMPLE_BLOCKS: Final = 8
SAMPLE_LENGTH: Final = 2_000
"""Characters of the longest blocks in the sample: enough for the trigram detector to be stable."""
MIN_SAMPLE_LENGTH: Final = 100
MIN_CONFIDENCE: Final = 0.95
"""On 1,195 pages of wcxb that declare a language, the detector agrees with 99.8 % at this level, 99.6 % at 0.9."""

# Language, script, region and variants; extensions and private use are omitted, as they do not affect the language.
_TAG = re.compile(
    r"([a-z]{2,3})(?:-[a-z]{3})?(?:-([a-z]{4}))?(?:-([a-z]{2}|\d{3}))?((?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*)"
)
_REST = re.compile(r"(?:[.@,;\s]|-[a-z0-9](?:-|$)).*")
_MAX_TAG_LENGTH = 35
"""The length that BCP 47 requires implementations to support."""
# ISO 639-3 to ISO 639-1 for every language of the detector.
_TWO_LETTER_CODES: Final = dict(
    pair.split(":")
    for pair in (
        "afr:af aka:ak amh:am ara:ar aze:az bel:be ben:bn bul:bg cat:ca ces:cs cmn:zh cym:cy dan:da deu:de ell:el "
        "eng:en epo:eo est:et fin:fi fra:fr guj:gu heb:he hin:hi hrv:hr hun:hu hye:hy ind:id ita:it jav:jv jpn:ja "
        "kan:kn kat:ka khm:km kor:ko lat:la lav:lv lit:lt mal:ml mar:mr mkd:mk mya:my nep:ne nld:nl nob:nb ori:or "
        "pan:pa pes:fa pol:pl por:pt ron:ro rus:ru sin:si slk:sk slv:sl sna:sn spa:es srp:sr swe:sv tam:ta tel:te "
        "tgl:tl tha:th tuk:tk tur:tr ukr:uk urd:ur uzb:uz vie:vi yid:yi zul:zu"
    ).split()
)


def language_tag(text: str) -> str | None:
    """Normalise a language tag to BCP 47; None if it is not a tag.

    >>> language_tag("pt_BR.UTF-8"), language_tag("ZH-hans-cn"), language_tag("de-x-mud"), language_tag("English")
    ('pt-BR', 'zh-Hans-CN', 'de', None)
    """
    first = text[: 2 * _MAX_TAG_LENGTH].strip().lower().replace("_", "-")
    match = _TAG.fullmatch(_REST.sub("", first)[:_MAX_TAG_LENGTH])
    if not match:
        return None
    name, script, region, variants = match.groups()
    return name + (f"-{script.title()}" if script else "") + (f"-{region.upper()}" if region else "") + variants


def writes_day_first(page: Page) -> bool | None:
    """Whether the day comes before the month in numbers on a page; None if its language does not say.

    All but American English does, among the languages that do not begin with the year.
    """
    declared = (page.attribute(0, "lang") if len(page.nodes) else None) or ""
    tag = language_tag(declared)
    if tag is None or tag == "en":
        return None
    return tag != "en-US"


def detect(page: Page) -> str | None:
    """Detect the language of the longest blocks; None if the detector is not confident."""
    sample = _sample(page)
    if len(sample) < MIN_SAMPLE_LENGTH:
        return None
    code = detect_language(sample, LanguageDetection(threshold=MIN_CONFIDENCE)).language
    return _TWO_LETTER_CODES.get(code, code) if code else None


def _sample(page: Page) -> str:
    blocks = page.blocks
    longest = np.argsort(-blocks.characters, kind="stable")[:SAMPLE_BLOCKS].tolist()
    texts = (page.text[blocks.text_start[i] : blocks.text_end[i]][:SAMPLE_LENGTH] for i in longest)
    return "\n".join(texts)[:SAMPLE_LENGTH]
