"""The command line: reads arguments, calls the API, prints."""
