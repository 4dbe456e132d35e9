"""Physics for articulated bodies with contact, in pure Rust.

``sinew.compat`` has the classes and functions of MuJoCo's Python module under the same names::

    import sinew.compat as mujoco

    m = mujoco.MjModel.from_xml_path("arm.xml")
    print(m.body("hand").pos)

``sinew.Batch`` steps many worlds of one model together, ``sinew.gym`` has environments for learning made of it.
"""

from ._native import __version__
from .batch import Batch
from .errors import BatchError, BusyError, DeviceError, Diagnostic, InternalError, LoadError, StepError

__all__ = [
    "Batch",
    "BatchError",
    "BusyError",
    "DeviceError",
    "Diagnostic",
    "InternalError",
    "LoadError",
    "StepError",
    "__version__",
]
