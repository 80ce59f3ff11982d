"""Title, author, dates and the like, each with the place it came from."""
