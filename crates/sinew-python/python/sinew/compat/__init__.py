"""MuJoCo's Python module, under the same names, on sinew.

Code written for ``import mujoco`` works with ``import sinew.compat as mujoco``, as far as the names
exist here. ``__version__`` is the release of MuJoCo that the numbers agree with.
"""

from ..errors import BusyError, Diagnostic, InternalError, LoadError
from . import _functions
from ._data import MjData
from ._enums import ENUMS as _ENUMS
from ._functions import REFERENCE_VERSION as __version__
from ._functions import mj_id2name, mj_name2id, mj_resetDataKeyframe, mj_step, mj_version, mj_versionString
from ._lists import MjContact, MjWarningStat
from ._model import MjModel
from ._queries import QUERIES as _QUERIES
from ._records import MjOption, MjStatistic, MjVisual

globals().update(_ENUMS)
globals().update({name: getattr(_functions, name) for name in _functions.STAGES})
globals().update({query.__name__: query for query in _QUERIES})

__all__ = [
    "BusyError",
    "Diagnostic",
    "InternalError",
    "LoadError",
    "MjContact",
    "MjData",
    "MjModel",
    "MjOption",
    "MjStatistic",
    "MjVisual",
    "MjWarningStat",
    "__version__",
    "mj_id2name",
    "mj_name2id",
    "mj_resetDataKeyframe",
    "mj_step",
    "mj_version",
    "mj_versionString",
    *_ENUMS,
    *_functions.STAGES,
    *(query.__name__ for query in _QUERIES),
]
