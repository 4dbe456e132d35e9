"""The rule for actuator length ranges that the reference finds by simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.tolerances import DOUBLE


def check_simulated_range(reference: Any, candidate: Any) -> list[str]:
    """Rule `simulated-range`: each row agrees, or is zero where the reference ran a simulation.

    Only muscles are simulated, and only if the model does not state their range; a range that comes from the
    limits of the actuator's own joint or tendon is not simulated either.
    """
    muscle = reference.actuator_gaintype == _MUSCLE
    problems = []
    for actuator in range(reference.nu):
        expected, actual = reference.actuator_lengthrange[actuator], candidate.actuator_lengthrange[actuator]
        if np.allclose(expected, actual, rtol=0, atol=DOUBLE.relative):
            continue
        if not (muscle[actuator] and not actual.any()):
            problems.append(f"actuator {actuator}: {expected.tolist()} became {actual.tolist()}")
    return problems


# The reference's code of the muscle gain type.
_MUSCLE = 2
