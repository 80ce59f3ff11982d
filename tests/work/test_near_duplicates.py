"""Keys of near-duplicates: the same anywhere, near for texts that are near, far for others."""

import pytest
import random
import subprocess
import sys
import time

import numpy as np

from pagestrata.page.text import words
from pagestrata.work.near_duplicates import BITS, LONGEST_PIECE, bit_sums, distance, keys_of, lower_words
from tests.batch.corpus import WORDS
from tests.build import ROOT


def key(text: str) -> str:
    return keys_of([text], [True])[1]


def text_of(seed: int, words: int) -> list[str]:
    chance = random.Random(seed)
    return [f"{chance.choice(WORDS)}{chance.randrange(50)}" for _ in range(words)]


def test_a_key_is_the_same_in_every_process() -> None:
    code = (
        "from pagestrata.work.near_duplicates import keys_of; print(keys_of(['Warm the pot, then wait.'], [True])[1])"
    )
    made = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "src")},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    ]
    assert [key("Warm the pot, then wait.")] * 2 == made


def test_case_marks_and_spaces_do_not_count() -> None:
    assert key("Warm the pot, then wait.") == key("  warm THE pot\n– then: wait!")


@pytest.mark.parametrize(
    "texts",
    [
        ["Don't panic", "", "_a_ 42", " "],
        ["Größe – “quoted”", "ΟΔΥΣΣΕΥΣ İstanbul", "naïve e\u0301 \u00aa"],
        ["emoji 😀 between", "𝗕𝗼𝗹𝗱 letters", "\ud800 lone"],
        ["東京 Tokyo", "plain"],
        ["\U00020000 beyond the second plane", "a\U000e0100b"],
        [],
    ],
)
def test_words_of_all_texts_are_those_of_each(texts: list[str]) -> None:
    expected = [words(text.lower()) for text in texts]
    spoken, counts = lower_words(texts)
    assert [word for each in expected for word in each] == spoken
    assert [len(each) for each in expected] == counts.tolist()


def test_one_word_of_a_thousand_is_few_bits_and_other_texts_are_far() -> None:
    near, far = [], []
    for seed in range(20):
        words = text_of(seed, 1000)
        near.append(distance(key(" ".join(words)), key(" ".join([*words[:500], "changed", *words[501:]]))))
        far.append(distance(key(" ".join(words)), key(" ".join(text_of(seed + 100, 1000)))))
    assert sorted(near)[10] <= 3
    assert max(near) < 8 < 16 < min(far)


def test_the_whole_is_that_of_the_chosen_texts() -> None:
    keys, whole = keys_of(["one two three four", "", "five six"], [False, True, True])
    assert whole == keys[2] == key("five six")
    assert "" == keys[1]
    assert ([], "") == keys_of([], [])


def test_bits_are_counted_beyond_what_a_byte_holds() -> None:
    counts = np.array([1, LONGEST_PIECE, 3 * LONGEST_PIECE + 1, 2], np.int32)
    sums = bit_sums(np.full(counts.sum(), 7, np.uint64), counts)
    ratios = sums / counts[:, None]
    assert {0.0, 1.0} == set(ratios.ravel().tolist())
    assert (ratios == ratios[0]).all()


def test_the_bits_are_spread() -> None:
    bits = np.array([[int(bit) for bit in f"{int(key(' '.join(text_of(n, 60))), 16):064b}"] for n in range(400)])
    assert (400, BITS) == bits.shape
    assert 0.35 < bits.mean(axis=0).min() < bits.mean(axis=0).max() < 0.65


def test_a_long_text_costs_in_proportion() -> None:
    words = text_of(1, 5000)
    times = []
    for repeated in (8, 64):
        started = time.process_time()
        keys_of([" ".join(words * repeated)], [True])
        times.append(time.process_time() - started)
    assert times[1] < 16 * times[0]
