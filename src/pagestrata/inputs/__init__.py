"""Where pages come from; every input gives a `RawPage`."""
