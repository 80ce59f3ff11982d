"""Limits of the words that are looked at."""

STAMP_WORDS = 16
"""A line of at most this many words may say who wrote something and when."""
LINE_START = 100
"""Characters of a line whose words are looked at one by one."""
NAME_START = 200
"""Characters of a class or id that are looked at."""
BUCKETS = 65_536
"""Words are known by 16 bits of a hash."""
STEP = 0.03125
"""What a word says is told in steps of 1 / 32."""
