"""Models as files: text of compiled values, and bytes in a format of sinew's own."""

from __future__ import annotations

import os

import numpy as np

from .. import _native
from . import _model
from ._model import MjModel
from ._target import Array


def mj_saveLastXML(filename: str, m: MjModel) -> None:
    """Writes the model that was loaded last from a file or from text, with the values that ``m`` has."""
    last = _model.LAST
    if last is None:
        raise ValueError("no model was loaded from a file or from text yet")
    path, xml, assets = last
    text = _native.Draft.read(path, xml, assets).to_text(m._native)
    with open(filename, "w", encoding="utf-8") as file:
        file.write(text)


def mj_sizeModel(m: MjModel) -> int:
    """How many bytes a saved model has."""
    return len(_native.model_bytes(m._native))


def mj_saveModel(m: MjModel, filename: str | None = None, buffer: Array | None = None) -> None:
    """Writes a model to a file, or into an array of bytes. The format is sinew's own."""
    content = _native.model_bytes(m._native)
    if buffer is not None:
        if buffer.dtype != np.uint8 or buffer.ndim != 1:
            raise TypeError("buffer is an array of bytes")
        if buffer.size < len(content):
            raise ValueError(f"buffer has {buffer.size} bytes, the model needs {len(content)}: see mj_sizeModel")
        buffer[: len(content)] = np.frombuffer(content, np.uint8)
    elif filename:
        with open(filename, "wb") as file:
            file.write(content)
    else:
        raise ValueError("give a filename or a buffer")


def check_regular(name: str) -> None:
    """Refuses devices, pipes and folders, which may have no end. That there is nothing is said by who opens it."""
    if os.path.exists(name) and not os.path.isfile(name):
        raise ValueError(f"{name} is no regular file")


def _from_binary_path(filename: str | os.PathLike, assets=None) -> MjModel:
    """Loads a model that was saved by ``mj_saveModel``; the name may be a key of ``assets``."""
    name = os.fspath(filename)
    if assets is not None and name in assets:
        content = bytes(assets[name])
    else:
        check_regular(name)
        with open(name, "rb") as file:
            content = file.read()
    return MjModel._wrap(_native.model_from_bytes(content))


MjModel.from_binary_path = staticmethod(_from_binary_path)
SAVING = mj_saveLastXML, mj_sizeModel, mj_saveModel
