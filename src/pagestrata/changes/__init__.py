"""What changed between two versions of a page: the kept text is compared, not the markup around it."""
