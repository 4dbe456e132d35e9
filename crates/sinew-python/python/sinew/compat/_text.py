"""Models, simulations and numbers as text."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ._data import COUNTS, ROW_FIELDS, MjData, check_fits
from ._model import MjModel
from ._target import vector

_Ints = npt.NDArray[np.int32]
_FORMAT = "% -9.2g"


def _lines(array: np.ndarray, float_format: str) -> Iterator[str]:
    """The rows of an array."""
    table = array.reshape(len(array), -1) if array.ndim > 1 else array.reshape(-1, 1)
    for number, row in enumerate(table):
        values = (float_format % value if array.dtype.kind == "f" else str(value) for value in row.tolist())
        yield f"  {number:5d}: {' '.join(values)}"


def _section(name: str, value, float_format: str) -> Iterator[str]:
    if isinstance(value, np.ndarray):
        if value.size:
            yield name
            yield from _lines(value, float_format)
            yield ""
    elif isinstance(value, float):
        yield f"{name:20s} {float_format % value}"
    else:
        yield f"{name:20s} {value}"


def _check_format(float_format: str) -> None:
    """Raises before a file is made."""
    try:
        float_format % 1.0
    except (TypeError, ValueError):
        raise ValueError(f"{float_format!r} is no format of one number, such as '%.6g'") from None


def _save(filename: str, sections) -> None:
    with open(filename, "w", encoding="utf-8") as file:
        for lines in sections:
            file.writelines(f"{line}\n" for line in lines)


def mj_printModel(m: MjModel, filename: str) -> None:
    """Writes all sizes, options and arrays of a model into a file, for people to read."""
    mj_printFormattedModel(m, filename, _FORMAT)


def mj_printFormattedModel(m: MjModel, filename: str, float_format: str) -> None:
    """As ``mj_printModel``, with floats in a format such as ``"%.6g"``."""
    _check_format(float_format)
    fields = [(name, getattr(m, name)) for name in m._size_fields]
    for group in (m.opt, m.stat):
        fields += [(name, getattr(group, name)) for name in group._names]
    others = {*m._size_fields, "names", "paths", "text_data"}
    fields += [(name, getattr(m, name)) for name in m._all_fields if name not in others]
    _save(filename, (_section(name, value, float_format) for name, value in fields))


def mj_printData(m: MjModel, d: MjData, filename: str) -> None:
    """Writes all arrays of a simulation into a file, for people to read."""
    mj_printFormattedData(m, d, filename, _FORMAT)


def mj_printFormattedData(m: MjModel, d: MjData, filename: str, float_format: str) -> None:
    """As ``mj_printData``, with floats in a format such as ``"%.6g"``."""
    check_fits(m, d)
    _check_format(float_format)
    names = ["time", *COUNTS, *d._all_fields, *(name for name, _ in ROW_FIELDS)]
    fields = [(name, getattr(d, name)) for name in names]
    fields += [(f"contact.{name}", getattr(d.contact, name)) for name in dir(d.contact)]
    fields += [(f"warning.{name}", getattr(d.warning, name)) for name in dir(d.warning)]
    _save(filename, (_section(name, value, float_format) for name, value in fields))


def mju_printMat(mat: npt.ArrayLike) -> None:
    """Prints a matrix."""
    for row in np.atleast_2d(np.asarray(mat, dtype=np.float64)):
        print("".join(f"{value:.8f} " for value in row))
    print()


def mju_printMatSparse(mat: npt.ArrayLike, rownnz: _Ints, rowadr: _Ints, colind: _Ints) -> None:
    """Prints the entries of a sparse matrix with their places."""
    values = vector("mat", mat)
    for row, (count, address) in enumerate(zip(rownnz, rowadr, strict=True)):
        entries = range(address, address + count)
        print("".join(f"({row} {colind[k]}): {values[k]:9.6f}  " for k in entries))
    print()


def mju_writeNumBytes(nbytes: int) -> str:
    """A number of bytes with a unit, where it is a whole number of them."""
    for power in range(6, 0, -1):
        unit = 1 << (10 * power)
        if nbytes >= unit and nbytes % unit == 0:
            return f"{nbytes // unit}{' KMGTPE'[power]}"
    return str(nbytes)


def mju_writeLog(type: str, msg: str) -> None:
    """Hands a message to Python's logger ``sinew``; no file is written."""
    logging.getLogger("sinew").info("%s: %s", type, msg)


TEXTS = tuple(value for name, value in list(globals().items()) if name.startswith(("mj_", "mju_")))
