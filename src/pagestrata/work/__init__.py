"""One page as a job: reading it, in a process that can be killed, and the row it becomes."""
