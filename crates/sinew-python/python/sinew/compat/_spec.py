"""``MjSpec``: a model under construction."""

from __future__ import annotations

import dataclasses
import functools
import lzma
import os
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import IO, Any

import numpy as np

from .. import _native
from ..errors import LoadError
from . import _spec_elements, _spec_parts  # noqa: F401
from ._data import MjData
from ._functions import mj_forward
from ._model import MjModel
from ._saving import check_regular
from ._spec_elements import ELEMENTS, Arena, Element, added, plural
from ._spec_fields import TABLES, field

_VISUAL = ("global", "quality", "headlight", "map", "scale", "rgba")
_LISTED = (
    "flex", "mesh", "hfield", "skin", "texture", "material", "pair", "exclude", "equality", "tendon", "actuator",
    "sensor", "numeric", "text", "tuple", "key", "plugin",
)  # fmt: skip
_FOUND = ("body", "frame", "joint", "geom", "site", "camera", "light", *_LISTED)


class _Visual:
    """Visual settings, in six parts."""

    __slots__ = (*_VISUAL, "global_")


class MjSpec:
    """A model under construction: elements are added, changed and deleted, then the whole is compiled."""

    _kind = "model"
    _prefix = ""

    def __init__(self):
        self._begin(Arena(_native.Draft()))

    def _begin(self, arena: Arena, assets: Mapping[str, Any] | None = None) -> MjSpec:
        self._arena = arena
        self._model = 0
        self._assets: dict[str, Any] = dict(assets or {})
        self._parent: MjSpec | None = None
        self._copies = False
        self._compiled: dict[str, Any] | None = None
        self.override_assets = True
        arena.specs.append(self)
        return self

    @classmethod
    def from_file(cls, filename: str, include: Mapping[str, bytes] | None = None, assets=None) -> MjSpec:
        """Reads a file; ``include`` has files that it includes, ``assets`` those that it names."""
        draft = _native.Draft.read(os.fspath(filename), "", _files(include))
        return cls.__new__(cls)._begin(Arena(draft), assets)

    @classmethod
    def from_string(cls, xml: str, include: Mapping[str, bytes] | None = None, assets=None) -> MjSpec:
        """Reads text."""
        text = xml.decode() if isinstance(xml, bytes) else xml
        draft = _native.Draft.read(None, text, _files(include))
        return cls.__new__(cls)._begin(Arena(draft), assets)

    @classmethod
    def from_zip(cls, file: str | IO[bytes]) -> MjSpec:
        """Reads an archive with a model and its assets."""
        return from_zip(file)

    def to_zip(self, file: str | IO[bytes]) -> None:
        """Writes an archive with the model and its assets."""
        to_zip(self, file)

    def to_xml(self) -> str:
        """The text of the compiled model: macros expanded, angles in radians, numbers with six digits."""
        return self._draft.to_text(self.compile()._native)

    def to_file(self, file: str) -> None:
        """Writes the text of the compiled model."""
        text = self.to_xml()
        with open(file, "w", encoding="utf-8") as opened:
            opened.write(text)

    @property
    def _draft(self) -> _native.Draft:
        return self._arena.draft

    @property
    def _id(self) -> int:
        return self._draft.setting(self._model, "model")

    @property
    def _address(self) -> int:
        return id(self._arena)

    @property
    def parent(self) -> MjSpec | None:
        """The model that this one was attached to."""
        return self._parent

    @property
    def copy_during_attach(self):
        """Whether what is attached to this model is a copy."""
        raise ValueError("copy_during_attach can only be set.")

    @copy_during_attach.setter
    def copy_during_attach(self, copies: bool) -> None:
        self._copies = bool(copies)

    @property
    def assets(self) -> dict[str, Any]:
        """Files in memory, by name."""
        return self._assets

    @assets.setter
    def assets(self, assets: Mapping[str, Any]) -> None:
        self._assets.update(assets)

    @property
    def worldbody(self):
        """The world body."""
        return self._arena.element(self._draft.world(self._model))

    @property
    def default(self):
        """The default class ``main``."""
        return self._arena.element(self._draft.main_class(self._model))

    def find_default(self, classname: str):
        """The default class with a name."""
        return self._arena.element(self._draft.find(self._model, "default", classname))

    def add_default(self, classname: str, parent=None):
        """Adds a default class below another."""
        if parent is not None and not isinstance(parent, ELEMENTS["default"]):
            raise TypeError("parent is an MjsDefault")
        if self.find_default(classname) is not None:
            return None
        above = None if parent is None else parent._id
        return self._arena.element(self._draft.add_class(classname, self._model, above))

    def delete(self, element: Element) -> None:
        """Deletes an element; with a body everything in it and what refers to that."""
        if not isinstance(element, Element):
            raise TypeError("delete takes an element of a model")
        if element._arena is not self._arena:
            raise ValueError("the element belongs to another model")
        self._draft.delete(element._id)

    def activate_plugin(self, name: str) -> None:
        """Lets a plugin be used."""
        self._draft.activate_plugin(self._model, name)

    def _setting(self, kind: str):
        return self._arena.element(self._draft.setting(self._model, kind))

    @property
    def option(self):
        """Physics options."""
        return self._setting("option")

    @property
    def stat(self):
        """Statistics; NaN where they are to be computed."""
        return self._setting("statistic")

    @property
    def compiler(self):
        """How the model is compiled."""
        return self._setting("compiler")

    @property
    def visual(self) -> _Visual:
        """Visual settings."""
        made = _Visual()
        for part in _VISUAL:
            setattr(made, part, self._setting(part))
        made.global_ = getattr(made, "global")
        return made

    @property
    def meshdir(self) -> str:
        """The folder of meshes."""
        return self.compiler.meshdir

    @meshdir.setter
    def meshdir(self, folder: str) -> None:
        self.compiler.meshdir = folder

    @property
    def texturedir(self) -> str:
        """The folder of textures."""
        return self.compiler.texturedir

    @texturedir.setter
    def texturedir(self, folder: str) -> None:
        self.compiler.texturedir = folder

    def copy(self) -> MjSpec:
        """A model of its own with the same elements."""
        made = MjSpec.__new__(MjSpec)._begin(Arena(self._draft.copy()), self._assets)
        made._model = self._model
        return made

    __copy__ = copy

    def __deepcopy__(self, memo) -> MjSpec:
        return self.copy()

    def compile(self) -> MjModel:
        """Compiles the model."""
        if self._parent is not None and self._model > 0:
            raise ValueError("Error: cannot compile child spec if attached by reference to a parent spec")
        try:
            model = MjModel._wrap(*self._draft.compile(_files(self._assets)))
        except LoadError as error:
            raise self._explained(error) from None
        self._compiled = {
            "signature": model.signature,
            **{kind: self._draft.list(0, kind) for kind in ("joint", "actuator", "body")},
        }
        return model

    def _explained(self, error: LoadError) -> LoadError:
        """The error with the elements that it is about, instead of lines of a file."""
        return LoadError([_explain(self._arena, diagnostic) for diagnostic in error.diagnostics])

    def recompile(self, model: MjModel, data: MjData) -> tuple[MjModel, MjData]:
        """Compiles the model again; the state of what was there before is kept."""
        before = self._compiled
        if before is None or before["signature"] != model.signature:
            raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
        made = self.compile()
        simulation = MjData(made)
        _keep_state(before, self._compiled, model, data, made, simulation)
        return made, simulation

    def attach(self, child: MjSpec, prefix=None, suffix=None, site=None, frame=None):
        """Attaches another model to a site or a frame."""
        if frame is None and site is None:
            raise ValueError("One of frame or site must be specified.")
        if frame is not None and site is not None:
            raise ValueError("Only one of frame or site can be specified.")
        place, word = (frame, "frame") if site is None else (site, "site")
        if isinstance(place, str):
            place = getattr(self, word)(place)
        if place is None:
            raise ValueError(f"{word.capitalize()} not found.")
        if not isinstance(place, ELEMENTS[word]):
            raise TypeError(f"{word} is a name or an {ELEMENTS[word].__name__}")
        if place._arena is not self._arena:
            raise ValueError(f"{word.capitalize()} spec does not match parent spec.")
        prefix = "/" if prefix is None else prefix
        suffix = "" if suffix is None else suffix
        files = {_renamed(name, prefix, suffix): content for name, content in child._assets.items()}
        if not self.override_assets:
            for name, new in zip(child._assets, files, strict=True):
                if new in self._assets:
                    raise ValueError(f"Asset {name} already exists in parent spec.")
        rename = functools.partial(_renamed, prefix=prefix, suffix=suffix) if files else None
        attached = _spec_elements.attach(place, child.worldbody, prefix, suffix, rename)
        self._assets.update(files)
        if not self._copies:
            child._parent = self
        return attached

    def _give(self, arena: Arena, element: Element, copies: bool) -> Element:
        """Moves the model, or a copy of it, into another draft; the element there."""
        if copies:
            moved = Arena(self._draft.copy()).move_to(arena)
            return arena.element(element._id + moved)
        self._arena.move_to(arena)
        self._parent = arena.specs[0]
        return element

    @staticmethod
    def resolve_orientation(degree: bool, sequence=None, orientation=None) -> list[float]:
        """The quaternion of an orientation."""
        spec = MjSpec()
        spec.compiler.degree = int(degree)
        if sequence is not None:
            spec.compiler.eulerseq = list(sequence)
        body = spec.worldbody.add_body()
        for name in ("type", "axisangle", "xyaxes", "zaxis", "euler"):
            setattr(body.alt, name, getattr(orientation, name))
        return [float(number) for number in spec.compile().body_quat[1]]


def _files(files: Mapping[str, Any] | None) -> dict[str, bytes]:
    """Files by name, and by name without folder."""
    content = {name: text.encode() if isinstance(text, str) else bytes(text) for name, text in (files or {}).items()}
    short = {name.replace("\\", "/").rsplit("/", 1)[-1]: text for name, text in content.items()}
    return {**short, **content}


def _renamed(file: str, prefix: str, suffix: str) -> str:
    """A file name with a prefix before the name and a suffix before its ending."""
    slash = max(file.rfind("/"), file.rfind("\\")) + 1
    file = file[:slash] + prefix + file[slash:]
    dot = file.rfind(".")
    return file + suffix if dot < 0 else file[:dot] + suffix + file[dot:]


def _explain(arena: Arena, diagnostic):
    message = f"Error: {diagnostic.message}"
    if diagnostic.line > 0 and not diagnostic.file:
        element = arena.element(diagnostic.line - 1)
        if element._kind in _FOUND:
            info, where = element.info, f" in {element._kind}"
            if diagnostic.code.startswith("mjcf::") and where not in message:
                message += where
            message += f"\nElement name '{element.name}', id {element.id}" + (f", {info}" if info else "")
        diagnostic = dataclasses.replace(diagnostic, line=0, column=0)
    return dataclasses.replace(diagnostic, text=message, rendered=message)


_MOTION = ("qvel", "qacc", "qacc_warmstart", "qfrc_applied")


def _keep_state(before, now, old_model, old, model, data) -> None:
    """Copies the state of joints, actuators and mocap bodies that are in both models."""
    data.time = old.time
    places = {kind: {number: place for place, number in enumerate(now[kind])} for kind in ("joint", "actuator", "body")}
    for was, number in enumerate(before["joint"]):
        place = places["joint"].get(number)
        if place is None:
            continue
        mine, theirs = data.joint(place), old.joint(was)
        for name in ("qpos", *_MOTION):
            if getattr(mine, name).shape == getattr(theirs, name).shape:
                setattr(mine, name, getattr(theirs, name))
    for was, number in enumerate(before["actuator"]):
        place = places["actuator"].get(number)
        if place is None:
            continue
        data.ctrl[place] = old.ctrl[was]
        start, count = model.actuator_actadr[place], model.actuator_actnum[place]
        if count > 0 and count == old_model.actuator_actnum[was]:
            first = old_model.actuator_actadr[was]
            data.act[start : start + count] = old.act[first : first + count]
    for was, number in enumerate(before["body"]):
        place = places["body"].get(number)
        if place is not None and model.body_mocapid[place] >= 0 and old_model.body_mocapid[was] >= 0:
            for array, other in ((data.mocap_pos, old.mocap_pos), (data.mocap_quat, old.mocap_quat)):
                array[model.body_mocapid[place]] = other[old_model.body_mocapid[was]]
    np.copyto(data.userdata[: old.userdata.size], old.userdata[: data.userdata.size])
    mj_forward(model, data)


def to_zip(spec: MjSpec, file: str | IO[bytes]) -> None:
    """Writes an archive with a model and its assets."""
    files = {**spec.assets, f"{spec.modelname}.xml": spec.to_xml()}
    if isinstance(file, (str, os.PathLike)):
        os.makedirs(os.path.dirname(os.path.abspath(file)), exist_ok=True)
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in files.items():
            # Without the time, so that the same model makes the same archive.
            archive.writestr(zipfile.ZipInfo(name), content)


# Bytes that the files of an archive may have together.
_MOST_BYTES = 1 << 30


def from_zip(file: str | IO[bytes]) -> MjSpec:
    """Reads an archive with a model and its assets."""
    if isinstance(file, (str, os.PathLike)):
        check_regular(os.fspath(file))
    if not zipfile.is_zipfile(file):
        raise ValueError(f"File {file} is not a zip file.")
    xml, folder, assets = None, "", {}
    for name, content in _unpacked(file):
        if name.endswith(".xml"):
            xml, folder = content, os.path.dirname(name)
        else:
            assets[name] = content
    if xml is None:
        raise ValueError("No XML file found in zip file.")
    assets = {os.path.relpath(name, folder or "."): content for name, content in assets.items()}
    return MjSpec.from_string(xml, assets=assets)


def _unpacked(file: str | IO[bytes]) -> list[tuple[str, bytes]]:
    """Names and contents of the files in an archive. One that is broken, locked or too large is a ``ValueError``."""
    try:
        with zipfile.ZipFile(file) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if sum(entry.file_size for entry in entries) > _MOST_BYTES:
                raise ValueError(f"the files of the archive have more than {_MOST_BYTES} bytes")
            return [(entry.filename, archive.read(entry)) for entry in entries]
    except OSError as error:
        if error.errno is not None:
            raise
        raise ValueError(f"the archive is broken: {error}") from error
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, LookupError, struct.error) as error:
        raise ValueError(f"the archive is broken: {error}") from error
    except (NotImplementedError, RuntimeError, OverflowError) as error:
        raise ValueError(f"the archive cannot be read: {error}") from error


def _add(kind: str):
    def add(self, default=None, **values):
        if default is not None and not isinstance(default, ELEMENTS["default"]):
            raise TypeError("default is an MjsDefault")
        number = self._draft.add_listed(kind, self._model, None if default is None else default._id)
        return added(self._arena, number, values)

    add.__name__ = add.__qualname__ = f"add_{kind}"
    add.__doc__ = f"Adds a {kind}; keywords set its fields."
    return add


def _find(kind: str):
    def find(self, name: str):
        if not isinstance(name, str):
            raise TypeError(f"the name of a {kind} is a str")
        return self._arena.element(self._draft.find(self._model, kind, name))

    find.__name__ = find.__qualname__ = kind
    find.__doc__ = f"The {kind} with a name; None if there is none."
    return find


def _list(kind: str) -> property:
    return property(
        lambda self: self._arena.elements(self._draft.list(self._model, kind)), doc=f"All {plural(kind)}, in order."
    )


for _kind in _LISTED:
    setattr(MjSpec, f"add_{_kind}", _add(_kind))
for _kind in _FOUND:
    setattr(MjSpec, _kind, _find(_kind))
    setattr(MjSpec, plural(_kind), _list(_kind))
for _name, _word, _length in TABLES["model"]:
    setattr(MjSpec, _name, field("model", _name, _word, _length))
ELEMENTS["compiler"].LRopt = property(
    lambda self: self._arena.element(self._draft.setting(self._about(5), "lengthrange")),
    doc="How ranges of lengths are found.",
)
