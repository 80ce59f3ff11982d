"""A guard without processes, for tests that are not about them; it does the same work only once."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self

from pagestrata.batch.sources import Placed
from pagestrata.work.guard import Failure

_PATH = re.compile(r"PosixPath\('[^']*'\)")  # where models and samples are does not matter
_done: dict[tuple[str, str], bytes | Failure] = {}


class InlineGuard:
    """Does the work here; an exception of ours is a failure, as with the real one."""

    def __init__(self, work: Callable[[Any], bytes], *_: object, **__: object) -> None:
        self._work = work

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def map(self, jobs: Iterable[Any]) -> Iterator[tuple[Any, bytes | Failure]]:
        for job in jobs:
            key = _PATH.sub("", repr(self._work)), job.record.name if isinstance(job, Placed) else str(job)
            if key not in _done:
                _done[key] = self._outcome(job)
            yield job, _done[key]

    def _outcome(self, job: Any) -> bytes | Failure:
        try:
            return self._work(job)
        except Exception as error:
            return Failure(str(job), "", "work", "exception", "", str(error))
