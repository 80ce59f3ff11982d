import pytest
from tests.metadata.helpers import page_of

from pagestrata import parse
from pagestrata.metadata.language import detect, language_tag

TEXTS = {
    "en": "The tide comes about fifty minutes later each day, and nobody on the quay has ever been able to say why.",
    "de": "Das Wasser kommt jeden Tag etwa fünfzig Minuten später und niemand am Kai konnte je sagen, warum.",
    "fr": "La marée arrive chaque jour environ cinquante minutes plus tard, et personne n'a su dire pourquoi.",
    "ru": "Прилив приходит каждый день примерно на пятьдесят минут позже, и никто не знает, почему это так.",
    "ja": "潮は毎日およそ五十分ずつ遅れてやって来るが、その理由を説明できる人は波止場には一人もいなかった。" * 3,
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("en", "en"),
        ("EN-gb", "en-GB"),
        ("en_US", "en-US"),
        ("pt_BR.UTF-8", "pt-BR"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("de-CH-1996", "de-CH-1996"),
        ("en, fr", "en"),
        ("de-x-private", "de"),
        ("en-u-ca-gregory", "en"),
        (" cy ", "cy"),
        ("English", None),
        ("x-default", None),
        ("", None),
        ("{{ lang }}", None),
        ("e" * 100_000, None),
    ],
)
def test_tags_are_spelled_as_the_standard_wants(text: str, expected: str | None) -> None:
    assert language_tag(text) == expected


@pytest.mark.parametrize("code", TEXTS)
def test_the_language_of_a_text_is_detect(code: str) -> None:
    assert detect(page_of(body=f"<p>{TEXTS[code]}</p><nav>Home Menu Login</nav>")) == code


def test_too_little_text_has_no_language() -> None:
    assert detect(page_of(body="<p>Hello")) is None
    assert detect(parse("")) is None
