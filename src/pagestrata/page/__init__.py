"""The page model: bytes become a few flat arrays, once."""
