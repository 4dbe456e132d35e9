"""The classic tasks: what they observe, what they reward, when they end and where they begin.

Everything is computed for all worlds at once. The settings have the names and values of gymnasium's v5 tasks; their
model files are those of the gymnasium that is installed.
"""

from ._arms import Pusher, Reacher
from ._balance import InvertedDoublePendulum, InvertedPendulum
from ._plane import HalfCheetah, Hopper, Swimmer, Walker2d
from ._space import Ant, Humanoid, HumanoidStandup
from ._task import Judgement, Task, joined

__all__ = ["TASKS", "Judgement", "Task", "joined"]

TASKS: dict[str, type[Task]] = {
    task.__name__: task
    for task in (
        Ant, HalfCheetah, Hopper, Humanoid, HumanoidStandup, InvertedDoublePendulum, InvertedPendulum, Pusher, Reacher,
        Swimmer, Walker2d,
    )
}  # fmt: skip
