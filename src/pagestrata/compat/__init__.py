"""The interfaces of other extractors, implemented with our engine; none of them is needed or imported."""
