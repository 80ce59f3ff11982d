"""Doors for switchers: our answers behind the calls of other extractors. Nothing of theirs is needed, or imported."""
