"""Physics for articulated bodies with contact, in pure Rust.

``sinew.compat`` has the classes and functions of MuJoCo's Python module under the same names::

    import sinew.compat as mujoco

    m = mujoco.MjModel.from_xml_path("arm.xml")
    print(m.body("hand").pos)
"""

from ._native import __version__
from .errors import BusyError, Diagnostic, InternalError, LoadError, StepError

__all__ = ["BusyError", "Diagnostic", "InternalError", "LoadError", "StepError", "__version__"]
