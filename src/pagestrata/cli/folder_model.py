"""A folder of one site is learned before its pages are read."""

from functools import partial
from pathlib import Path

import msgspec

from pagestrata.cli.jobs import why_failed
from pagestrata.cli.learn import counted
from pagestrata.options import Options
from pagestrata.page.text import without_controls
from pagestrata.sites.choice import RunModel
from pagestrata.work.guard import Failure, Guard, GuardLimits
from pagestrata.work.learn_job import FirstLook, Lesson, learn_first
from pagestrata.work.read_page import Job


def look_first(
    folder: Path, some: tuple[Job, ...], there: int, options: Options, limits: GuardLimits
) -> tuple[RunModel | None, str]:
    """Learn the site of a folder from some of the pages there; and what to say of it.

    It happens in a worker that can be killed, as every reading of pages that nobody vouches for.
    """
    look = FirstLook(some, folder.resolve().name or "site")
    enough = GuardLimits(seconds=limits.seconds * max(1, len(look.jobs)))
    with Guard(partial(learn_first, options=options), 1, enough, name=lambda look: look.name) as guard:
        [(_, outcome)] = guard.map([look])
    if isinstance(outcome, Failure):
        return None, f"nothing was learned of {folder}: {why_failed(outcome)}"
    lesson = msgspec.msgpack.decode(outcome, type=Lesson)
    if lesson.why_not:
        return None, without_controls(f"nothing was learned of {folder}: {lesson.why_not}")
    of = f"{lesson.pages:,} of {counted(there, 'page')}, {counted(lesson.layouts, 'layout')}"
    told = f"learned {lesson.site} from {of}; --no-learn reads each page by itself"
    return RunModel(lesson.model), without_controls(told)
