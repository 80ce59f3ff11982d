"""Leaves out of the tests what needs a package that is not here; their own tests say so by being skipped.

No test fails for being slow: how long things take is measured by benchmarks.
"""

from importlib.util import find_spec

from hypothesis import settings

NEEDS = {
    "datatrove": "src/pagestrata/adapters/datatrove.py",
    "langchain_core": "src/pagestrata/adapters/langchain.py",
    "llama_index": "src/pagestrata/adapters/llama_index.py",
    "pyspark": "src/pagestrata/spark",
    "scrapy": "src/pagestrata/adapters/scrapy.py",
}
collect_ignore = [path for package, path in NEEDS.items() if find_spec(package) is None]

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
