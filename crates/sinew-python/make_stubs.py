"""Writes the type stubs of ``sinew.compat`` from its tables: ``python make_stubs.py``.

The classes are made when the module is imported, which type checkers cannot see. A test compares
the file with what this script makes.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import sinew.compat as compat
from sinew import _native
from sinew.compat import (
    _arguments,
    _constants,
    _context,
    _data,
    _drawing,
    _drawing_names,
    _hooks,
    _mouse,
    _records,
    _scene,
    _spec_fields,
    _views,
)

TARGET = Path(__file__).parent / "python" / "sinew" / "compat" / "__init__.pyi"

HEADER = '''\
"""MuJoCo's Python module, under the same names, on sinew.

Made by ``make_stubs.py`` from the tables of the native module.
"""

import enum
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar, overload

import numpy as np
import numpy.typing as npt

from ..errors import BusyError as BusyError
from ..errors import CallError as CallError
from ..errors import Diagnostic as Diagnostic
from ..errors import FatalError as FatalError
from ..errors import InternalError as InternalError
from ..errors import LoadError as LoadError
from ..errors import StepError as StepError

__version__: str

UnexpectedError = InternalError

_Vector = npt.NDArray[np.float64]
_Matrix = _Vector | None
_Like = npt.ArrayLike
_Ints = npt.NDArray[np.int32]
Hook = Callable[..., Any]
_Number = TypeVar("_Number", bound=np.generic)

class _Array(Generic[_Number]):
    """An array that can also be assigned to as a whole, in place."""

    def __get__(self, owner: Any, kind: Any = ...) -> npt.NDArray[_Number]: ...
    def __set__(self, owner: Any, value: npt.ArrayLike) -> None: ...
'''

MODEL_METHODS = """\
    load_warnings: tuple[Diagnostic, ...]
    opt: MjOption
    stat: MjStatistic
    vis: MjVisual
    @classmethod
    def from_xml_path(cls, filename: str | os.PathLike[str], assets: Mapping[str, bytes] | None = ...) -> MjModel: ...
    @classmethod
    def from_xml_string(cls, xml: str | bytes, assets: Mapping[str, bytes] | None = ...) -> MjModel: ...
    @staticmethod
    def from_binary_path(filename: str | os.PathLike[str], assets: Mapping[str, bytes] | None = ...) -> MjModel: ...
    @property
    def signature(self) -> int: ...
    def bind(self, specs: Any) -> Any: ...
    def __copy__(self) -> MjModel: ...
    def __deepcopy__(self, memo: Any) -> MjModel: ...
"""

DATA_METHODS = """\
    model: MjModel
    hooks: Hooks
    time: float
    @property
    def contact(self) -> _ContactList: ...
    @property
    def warning(self) -> _WarningList: ...
    @property
    def solver(self) -> _SolverList: ...
    @property
    def timer(self) -> _TimerList: ...
    @property
    def nJ(self) -> int: ...
    @property
    def nA(self) -> int: ...
    def __init__(self, model: MjModel) -> None: ...
    @property
    def signature(self) -> int: ...
    def bind(self, specs: Any) -> Any: ...
    def __copy__(self) -> MjData: ...
    def __deepcopy__(self, memo: Any) -> MjData: ...
"""


def array(name: str, dtype: str, comment: str = "") -> str:
    return f"    {name}: _Array[{dtype}]\n" + documentation(comment)


def documentation(comment: str) -> str:
    """What stands under the declaration of an attribute, where editors look for it."""
    return f'    """{comment}"""\n' if comment else ""


def columns(rows) -> str:
    text = ""
    comments = _native.column_comments()
    for name, _size, dtype, _width in rows:
        comment = comments.get(name, "")
        if name in ("names", "paths", "text_data"):
            text += f"    @property\n    def {name}(self) -> bytes:\n    {documentation(comment)}"
        else:
            text += array(name, f"np.{dtype}", comment)
    return text


def record(kind, indent: str = "") -> str:
    fields = ""
    sample = RECORDS[kind.__name__]
    for name in kind._names:
        view = sample[name]
        if view.size > 1:
            fields += array(name, f"np.{view.dtype.name}")
        else:
            fields += f"    {name}: {'float' if view.dtype.kind == 'f' else 'int'}\n"
    text = f"class {kind.__name__}:\n{fields}"
    return "".join(f"{indent}{line}\n" for line in text.splitlines())


def view(kind) -> str:
    text = f"class {kind.__name__}:\n    id: int\n    @property\n    def name(self) -> str: ...\n"
    names = [name for name in vars(kind) if isinstance(vars(kind)[name], property)]
    return text + "".join(array(name, "Any") for name in names)


def accessors(views) -> str:
    text = ""
    for names, kind in views.items():
        for name in names:
            text += f"    def {name}(self, name: int | str = ...) -> {kind.__name__}: ...\n"
    return text


def lists() -> str:
    """Contacts, warnings and the like: lists whose fields are arrays, of entries whose fields are numbers or arrays."""
    model = compat.MjModel.from_xml_string("<mujoco/>")
    data = compat.MjData(model)
    text = ""
    groups = {"contact": "MjContact", "warning": "MjWarningStat", "solver": "MjSolverStat", "timer": "MjTimerStat"}
    for attribute, entry in groups.items():
        values = getattr(data, attribute)
        group = f"_{attribute.capitalize()}List"
        text += f"class {entry}:\n    def __init__(self) -> None: ...\n"
        for name in dir(values):
            column = getattr(values, name)
            number = "float" if column.dtype.kind == "f" else "int"
            text += f"    {name}: {number}\n" if column.ndim == 1 else array(name, f"np.{column.dtype.name}")
        text += f"\nclass {group}:\n"
        for name in dir(values):
            text += array(name, f"np.{getattr(values, name).dtype.name}")
        text += "    def __len__(self) -> int: ...\n    @overload\n"
        text += f"    def __getitem__(self, index: int | np.integer[Any]) -> {entry}: ...\n    @overload\n"
        text += f"    def __getitem__(self, index: slice | npt.ArrayLike) -> {group}: ...\n"
        text += f"    def __iter__(self) -> Iterator[{entry}]: ...\n\n"
    return text


def annotation(text: str) -> str:
    """A type as the stubs spell it."""
    return re.sub(r"\bArray\b", "_Vector", text)


def function(made) -> str:
    """Signature and documentation of a function."""
    parameters = []
    signature = _arguments.signature(made)
    for parameter in signature.parameters.values():
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        parameters.append(f"{parameter.name}: {annotation(parameter.annotation)}{default}")
    returns = annotation(signature.return_annotation)
    documentation = inspect.getdoc(made).replace("\n", "\n    ").replace("    \n", "\n")
    body = f'    """{documentation}"""\n' if "\n" not in documentation else f'    """{documentation}\n    """\n'
    return f"def {made.__name__}({', '.join(parameters)}) -> {returns}:\n{body}\n"


def hooks() -> str:
    """The functions of a simulation that take part in a step."""
    return "class Hooks:\n" + "".join(f"    {name}: Hook | None\n" for name in _hooks.NAMES)


def length_range_options() -> str:
    """The record that ``mj_setLengthRange`` takes."""
    fields = compat.MjLROpt.__dataclass_fields__.values()
    return "class MjLROpt:\n" + "".join(f"    {field.name}: {field.type}\n" for field in fields)


def constants() -> str:
    """Numbers and lists of names."""
    kinds = {name: type(getattr(_constants, name)).__name__ for name in _constants.__all__}
    return "".join(f"{name}: {'tuple[str, ...]' if kind == 'tuple' else kind}\n" for name, kind in kinds.items())


def drawing() -> str:
    """Codes, strings and plain data of drawing."""
    text = "".join(enum_class(name, kind.__members__.items()) + "\n" for name, kind in _drawing_names.ENUMS.items())
    for name, value in _drawing_names.CONSTANTS.items():
        text += f"{name}: {'int' if isinstance(value, int) else 'tuple[Any, ...]'}\n"
    for kind in (*_drawing.CLASSES, *_scene.CLASSES, *_context.CLASSES):
        text += f"\nclass {kind.__name__}:\n"
        parameters = list(inspect.signature(kind.__init__).parameters.values())
        text += f"    def __init__({', '.join(str(parameter) for parameter in parameters)}) -> None: ...\n"
        for name, first in getattr(kind, "FIELDS", {}).items():
            text += field(name, first)
    text += renderer()
    functions = (_drawing.DEFAULTS, _scene.FUNCTIONS, _mouse.FUNCTIONS, _context.FUNCTIONS, _context.MISSING)
    names = [made.__name__ for group in functions for made in group]
    text += "".join(f"def {name}(*arguments: Any, **options: Any) -> Any: ...\n" for name in names)
    return text + "def install() -> None: ...\ndef is_installed() -> bool: ...\ndef uninstall() -> None: ...\n"


def renderer() -> str:
    """The class that draws."""
    text = "\nclass Renderer:\n"
    for name, made in vars(compat.Renderer).items():
        is_property = isinstance(made, property)
        function = made.fget if is_property else made
        if inspect.isfunction(function) and (not name.startswith("_") or name.startswith("__")):
            decorator = "    @property\n" if is_property else ""
            text += f"{decorator}    def {name}{inspect.signature(function)}: ...\n"
    return text


def field(name: str, first) -> str:
    """A field of plain data."""
    if hasattr(first, "dtype"):
        return array(name, "np.bytes_" if first.dtype.kind == "S" else f"np.{first.dtype.name}")
    return f"    {name}: {'tuple[Any, ...]' if isinstance(first, tuple) else type(first).__name__}\n"


def spec_class(kind) -> str:
    """A class of a model under construction: its fields and methods."""
    words = {"real": "float", "integer": "int", "text": "str", "bytes": "bytes"}
    types = {name: words.get(word, "Any") for name, word, _ in _spec_fields.TABLES.get(kind._kind, ())}
    arrays = {name: word for name, word, _ in _spec_fields.TABLES.get(kind._kind, ()) if word[-1].isdigit()}
    text = f"class {kind.__name__}:\n"
    for name in sorted(set(dir(kind)) - set(dir(object))):
        made = inspect.getattr_static(kind, name)
        if name.startswith("_") and name not in ("__copy__", "__deepcopy__"):
            continue
        if name in arrays:
            text += array(name, f"np.{arrays[name]}")
        elif isinstance(made, property):
            kind_of_value = "str" if name == "name" else types.get(name, "Any")
            text += f"    {name}: {kind_of_value}\n"
        elif isinstance(made, (staticmethod, classmethod)):
            text += f"    @staticmethod\n    def {name}(*arguments: Any, **options: Any) -> Any: ...\n"
        else:
            text += f"    def {name}(self, *arguments: Any, **fields: Any) -> Any: ...\n"
    return text


def spec() -> str:
    """Models under construction."""
    text = "\n".join(spec_class(kind) for kind in (*compat._SPEC_CLASSES, compat.MjSpec))
    text += "\nMjStruct = Any\n"
    return text + "def from_zip(file: Any) -> MjSpec: ...\ndef to_zip(spec: MjSpec, file: Any) -> None: ...\n"


def data_constants() -> str:
    """Fields of the data that do not change yet."""
    data = compat.MjData(compat.MjModel.from_xml_string("<mujoco/>"))
    text = ""
    for name in (*_data.CONSTANTS, *_data.ISLAND_FIELDS, *_data.FLAGS):
        value = getattr(data, name)
        kind = "int" if isinstance(value, int) else f"npt.NDArray[np.{value.dtype.name}]"
        text += f"    @property\n    def {name}(self) -> {kind}: ...\n"
    return text


def enum_class(name: str, members) -> str:
    return f"class {name}(enum.IntEnum):\n" + "".join(f"    {member} = {int(code)}\n" for member, code in members)


samples = _native.Model().records()
RECORDS = {part.rstrip("_").capitalize(): fields for part, fields in samples.items()}
RECORDS.update(MjOption=samples["opt"], MjStatistic=samples["stat"])


def stubs() -> str:
    """The whole file."""
    visual = "class MjVisual:\n"
    for part in _records._PARTS:
        visual += record(getattr(compat.MjVisual, part.rstrip("_").capitalize()), "    ")
    for part in _records._PARTS:
        visual += f"    @property\n    def {part}(self) -> {part.rstrip('_').capitalize()}: ...\n"
    model = "class MjModel:\n" + MODEL_METHODS
    for name in compat.MjModel._size_fields:
        model += f"    {name}: int\n"
    model += columns(_native.model_columns()) + accessors(_views.MODEL_VIEWS)
    data = "class MjData:\n" + DATA_METHODS + columns(_native.data_columns()) + accessors(_views.DATA_VIEWS)
    data += "".join(f"    @property\n    def {name}(self) -> int: ...\n" for name in _data.COUNTS)
    for name, dtype in _data.ROW_FIELDS:
        data += array(name, f"np.{dtype}")
    data += data_constants()
    functions = "".join(function(compat._FUNCTIONS[name]) for name in sorted(compat._FUNCTIONS))
    parts = [HEADER, record(compat.MjOption), record(compat.MjStatistic), visual]
    parts += [view(kind) for views in (_views.MODEL_VIEWS, _views.DATA_VIEWS) for kind in views.values()]
    parts += [lists(), hooks(), model, data, length_range_options(), functions, constants()]
    parts += [enum_class(name, members) for name, members in _native.enums().items()]
    parts += [drawing(), spec()]
    return "\n".join(parts)


if __name__ == "__main__":
    TARGET.write_text(stubs())
    print(f"wrote {TARGET}")
