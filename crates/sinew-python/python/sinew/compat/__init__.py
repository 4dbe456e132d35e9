"""MuJoCo's Python module, under the same names, on sinew.

Code written for ``import mujoco`` works with ``import sinew.compat as mujoco``, as far as the names
exist here; after ``sinew.compat.install()`` libraries that import it run on sinew, too. ``__version__`` is the release of MuJoCo that the numbers agree with.
"""

from typing import Union

from .. import _native
from ..errors import BusyError, CallError, Diagnostic, FatalError, InternalError, LoadError, StepError
from . import (
    _arguments,
    _bind,  # noqa: F401
    _cache,
    _change,
    _constants,
    _context,
    _derivative,
    _drawing,
    _drawing_names,
    _functions,
    _history,
    _hooks,
    _missing,
    _model_files,
    _mouse,
    _records,
    _saving,
    _scene,
    _state,
    _text,
    _utility,
)
from ._change import MjLROpt
from ._constants import *  # noqa: F403
from ._data import MjData
from ._enums import ENUMS as _ENUMS
from ._functions import REFERENCE_VERSION as __version__
from ._install import install, is_installed, uninstall
from ._lists import MjContact, MjSolverStat, MjTimerStat, MjWarningStat
from ._model import MjModel
from ._records import MjOption, MjStatistic, MjVisual
from ._renderer import Renderer
from ._spec import MjSpec, from_zip, to_zip
from ._spec_parts import CLASSES as _SPEC_CLASSES

UnexpectedError = InternalError

_GROUPS = (
    _functions.FUNCTIONS,
    _state.STATE,
    _change.CHANGES,
    _history.HISTORIES,
    _records.DEFAULTS,
    _text.TEXTS,
    _hooks.CALLBACKS,
    _derivative.DERIVATIVES,
    _saving.SAVING,
    _model_files.FILES,
    _cache.CACHES,
    _utility.UTILITIES,
)
_CLASSES = {kind.__name__: kind for kind in (MjContact, MjData, MjLROpt, MjModel, MjOption, MjVisual)}
_FUNCTIONS = {function.__name__: function for group in _GROUPS for function in group}
_arguments.register(_CLASSES)
_FUNCTIONS = {name: _arguments.checked(function) for name, function in _FUNCTIONS.items()}
_FUNCTIONS.update({name: getattr(_functions, name) for name in _functions.STAGES})
_FUNCTIONS.update({name: getattr(_native, name) for name in _native.SIGNATURES})
_DRAWING = {
    **_drawing_names.ENUMS,
    **_drawing_names.CONSTANTS,
    **{part.__name__: part for module in (_drawing, _scene, _context) for part in module.CLASSES},
    **{part.__name__: part for part in (Renderer, *_drawing.DEFAULTS, *_context.MISSING)},
    **{part.__name__: part for module in (_scene, _mouse, _context) for part in module.FUNCTIONS},
}
_SPEC = {part.__name__: part for part in _SPEC_CLASSES}
# What can be bound to a model.
MjStruct = Union[tuple(_SPEC_CLASSES)]  # noqa: UP007
globals().update(_SPEC)
globals().update(_ENUMS)
globals().update(_FUNCTIONS)
globals().update(_DRAWING)


def __getattr__(name: str):
    raise AttributeError(_missing.message(__name__, name))


from . import _errors, _specs, _structs, gl_context, renderer  # noqa: E402, F401 - they have what is above

__all__ = [
    "BusyError",
    "CallError",
    "Diagnostic",
    "FatalError",
    "InternalError",
    "LoadError",
    "MjContact",
    "MjData",
    "MjLROpt",
    "MjModel",
    "MjOption",
    "MjSpec",
    "MjSolverStat",
    "MjStatistic",
    "MjStruct",
    "MjTimerStat",
    "MjVisual",
    "MjWarningStat",
    "StepError",
    "UnexpectedError",
    "__version__",
    "from_zip",
    "install",
    "is_installed",
    "to_zip",
    "uninstall",
    *_constants.__all__,
    *_ENUMS,
    *_FUNCTIONS,
    *_DRAWING,
    *_SPEC,
]
