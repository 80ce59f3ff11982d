"""Learns the site of a folder before its pages are read."""

from functools import partial
from pathlib import Path

import msgspec

from pagestrata.cli.jobs import why_failed
from pagestrata.cli.learn import counted
from pagestrata.options import Options
from pagestrata.page.text import without_controls
from pagestrata.sites.choice import RunModel
from pagestrata.work.guard import Failure, Guard, GuardLimits
from pagestrata.work.job import Job
from pagestrata.work.learn_job import LearnJob, LearnResult, run_learn_job


def learn_folder(
    folder: Path, sample: tuple[Job, ...], total: int, options: Options, limits: GuardLimits
) -> tuple[RunModel | None, str]:
    """Learn the site of a folder from some of its `total` pages; also returns a message for the user.

    It runs in a worker that can be killed, because the pages are not trusted.
    """
    job = LearnJob(sample, folder.resolve().name or "site")
    learn_limits = GuardLimits(seconds=limits.seconds * max(1, len(sample)))
    with Guard(partial(run_learn_job, options=options), 1, learn_limits, name=lambda job: job.name) as guard:
        [(_, outcome)] = guard.map([job])
    if isinstance(outcome, Failure):
        return None, f"nothing was learned of {folder}: {why_failed(outcome)}"
    result = msgspec.msgpack.decode(outcome, type=LearnResult)
    if result.why_not:
        return None, without_controls(f"nothing was learned of {folder}: {result.why_not}")
    extent = f"{result.pages:,} of {counted(total, 'page')}, {counted(result.layouts, 'layout')}"
    message = f"learned {result.site} from {extent}; --no-learn reads each page by itself"
    return RunModel(result.model), without_controls(message)
