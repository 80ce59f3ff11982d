"""The rows of a batch, made on many machines by Spark. Three functions from DataFrame to DataFrame.

from pagestrata.spark import apply_sites, extract_pages, find_files, learn_sites

files = find_files(spark, ["s3a://crawl/*.warc.gz"])
learn_sites(files).write.parquet("s3a://out/models")
apply_sites(files, spark.read.parquet("s3a://out/models")).write.partitionBy("outcome").parquet("s3a://out/rows")
"""

from pagestrata.errors import needs

with needs("pyspark", "spark"):
    import pyspark  # noqa: F401

from pagestrata.spark.page_rows import apply_sites, extract_pages
from pagestrata.spark.pages import find_files
from pagestrata.spark.site_models import learn_sites

__all__ = ["apply_sites", "extract_pages", "find_files", "learn_sites"]
