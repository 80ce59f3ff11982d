"""Many pages on one machine: records in, shards of rows out, in a run that can be killed and resumed."""
