"""`python -m pagestrata` is the same as `pagestrata`."""

from pagestrata.cli.main import run

run()
