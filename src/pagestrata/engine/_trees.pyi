import numpy as np
import numpy.typing as npt

def sum_leaves(
    feature: npt.NDArray[np.int32],
    threshold: npt.NDArray[np.float32],
    leaf: npt.NDArray[np.int32],
    table: npt.NDArray[np.float32],
    sums: npt.NDArray[np.int64],
) -> None: ...
def add_steps(
    feature: npt.NDArray[np.int32],
    threshold: npt.NDArray[np.float32],
    group: npt.NDArray[np.int32],
    steps: npt.NDArray[np.int64],
    table: npt.NDArray[np.float32],
    found: npt.NDArray[np.int64],
) -> None: ...
