"""Elements of a model under construction: ``MjsBody``, ``MjsGeom`` and so on.

An element is a number in a native draft. Drafts hand out one object per element, so that elements can be
compared by identity; when a model is attached to another, its elements move to the draft of that one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

from .. import _native
from ._enums import ENUMS
from ._spec_fields import TABLES, as_array, field

# The classes by the kinds of elements.
ELEMENTS: dict[str, type] = {}

_ORIENTATIONS = {"axisangle": (1, 4), "xyaxes": (2, 6), "zaxis": (3, 3), "euler": (4, 3)}


class Arena:
    """A native draft with the objects that stand for its elements."""

    __slots__ = ("draft", "handles", "specs")

    def __init__(self, draft: _native.Draft):
        self.draft = draft
        # The model, then those attached to it; elements keep them alive.
        self.specs: list[Any] = []
        self.handles: dict[int, Element] = {}

    def element(self, number: int | None) -> Any:
        """The object of an element; None for none."""
        if number is None:
            return None
        found = self.handles.get(number)
        if found is None:
            kind = self.draft.about(number)[0]
            made = ELEMENTS[kind]._make(self, number)
            found = self.handles.setdefault(number, made)
        return found

    def elements(self, numbers: list[int]) -> list:
        """The objects of elements."""
        return [self.element(number) for number in numbers]

    def move_to(self, other: Arena) -> int:
        """Moves all elements into another draft; by how much their numbers grow."""
        elements, models = other.draft.absorb(self.draft)
        for number, handle in self.handles.items():
            handle._arena, handle._id = other, number + elements
            other.handles[handle._id] = handle
        for spec in self.specs:
            spec._arena = other
            spec._model += models
        other.specs += self.specs
        self.handles, self.specs = {}, []
        return elements


class Element:
    """Something in a model under construction."""

    __slots__ = ("__weakref__", "_arena", "_id", "_prefix")
    _kind = ""
    _names: tuple[str, ...] = ()

    def __init__(self, *_args):
        raise TypeError(f"{type(self).__name__}: No constructor defined!")

    @classmethod
    def _make(cls, arena: Arena, number: int, prefix: str = ""):
        self = cls.__new__(cls)
        self._arena, self._id, self._prefix = arena, number, prefix
        return self

    @property
    def _draft(self) -> _native.Draft:
        return self._arena.draft

    def _about(self, which: int):
        return self._draft.about(self._id)[which]

    @property
    def name(self) -> str:
        """The element's name; empty when it has none."""
        return self._about(1)

    @name.setter
    def name(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError("name is the wrong type.")
        self._draft.set_name(self._id, name)

    @property
    def id(self) -> int:
        """The id in the compiled model; -1 where there is none."""
        position = self._draft.position(self._id)
        return -1 if position is None else position

    @property
    def signature(self) -> int:
        """The number of the element in its model."""
        return self._id

    def _apply(self, values: dict[str, Any]) -> None:
        """Sets fields by name, as given to an ``add_`` function."""
        for prefix in ("", "i") if self._kind == "body" else ("",):
            given = [name for name in _ORIENTATIONS if prefix + name in values]
            if len(given) > 1:
                axes = [prefix + name for name in _ORIENTATIONS]
                raise ValueError(f"Only one of: {', '.join(axes[:-1])}, or {axes[-1]} can be set.")
        for name, value in values.items():
            self._put(name, value)

    def _put(self, name: str, value) -> None:
        for prefix in ("", "i"):
            base = name[len(prefix) :]
            if name.startswith(prefix) and base in _ORIENTATIONS and hasattr(type(self), prefix + "alt"):
                code, length = _ORIENTATIONS[base]
                numbers = as_array(name, value, "float64", length)
                self._draft.set(self._id, f"{prefix}alt.{base}", numbers)
                self._draft.set(self._id, f"{prefix}alt.type", code)
                return
        if name == "size" and self._kind in ("geom", "site"):
            numbers = as_array(name, value, "float64", None)
            if not 1 <= len(numbers) <= 3:
                raise ValueError("size should be a list/array of size 1, 2, or 3.")
            value = numbers + [0.0] * (3 - len(numbers))
        if name not in self._names:
            raise TypeError(f"Invalid {name} keyword argument. Valid options are: {', '.join(sorted(self._names))}.")
        setattr(self, name, value)


def _group(name: str, kind: str) -> property:
    """Fields with a name before theirs: another orientation, the plugin of an element."""

    def get(self):
        return ELEMENTS[kind]._make(self._arena, self._id, f"{name}.")

    def set_(self, value):
        mine = get(self)
        for field_name in ELEMENTS[kind]._names:
            setattr(mine, field_name, getattr(value, field_name))

    return property(get, set_)


def _fields(kind: str, rows) -> dict[str, Any]:
    groups = {"alt": "orientation", "ialt": "orientation", "plugin": "plugin"}
    made: dict[str, Any] = {}
    for name, word, length in rows:
        made[name] = _group(name, groups[name]) if word == "group" else field(kind, name, word, length)
    return made


def element_class(name: str, kind: str, base: type = Element, rows=None) -> type:
    body = _fields(kind, TABLES[kind] if rows is None else rows)
    body = {field_name: made for field_name, made in body.items() if field_name not in vars(base)}
    names = tuple(row[0] for row in (TABLES[kind] if rows is None else rows))
    doc = f"A {kind} of a model under construction."
    named = () if kind in _UNNAMED else ("name",)
    body.update(__slots__=(), __doc__=doc, __module__="sinew.compat", _kind=kind, _names=(*names, *named))
    return type(name, (base,), body)


_UNNAMED = {"orientation", "wrap", "compiler", "option", "statistic", "lengthrange"}


class InBody(Element):
    """Something in a body."""

    __slots__ = ()

    @property
    def parent(self):
        """The body it stands in."""
        return self._arena.element(self._about(3))

    @property
    def frame(self):
        """The frame it stands in."""
        return self._arena.element(self._about(4))

    def set_frame(self, frame) -> None:
        """Puts it into a frame of its body."""
        if not isinstance(frame, ELEMENTS["frame"]):
            raise TypeError("set_frame takes an MjsFrame")
        self._draft.set_frame(self._id, frame._id)


def _class_of(self):
    return self._arena.element(self._about(2))


def _set_class_of(self, default) -> None:
    if not isinstance(default, ELEMENTS["default"]):
        raise TypeError("classname is an MjsDefault")
    self._draft.set_class(self._id, default._id)


class Classed(Element):
    """Something with a default class."""

    __slots__ = ()
    classname = property(_class_of, _set_class_of, doc="The default class it was made with.")


class Standing(InBody):
    __slots__ = ()
    classname = property(_class_of, _set_class_of, doc="The default class it was made with.")


def added(arena: Arena, number: int, values: dict[str, Any]):
    """An element that was just added, with values; it goes again if they are refused."""
    element = arena.element(number)
    try:
        element._apply(values)
    except Exception:
        arena.draft.delete(number)
        raise
    return element


def _class_number(default) -> int | None:
    if default is None:
        return None
    if not isinstance(default, ELEMENTS["default"]):
        raise TypeError("default is an MjsDefault")
    return default._id


def _class_around(place: Element) -> int | None:
    """The class of what is added in a place without one: that of the innermost body or frame around which has one."""
    draft, number = place._draft, place._id
    while number is not None:
        _, _, _, parent, frame, model = draft.about(number)
        name = draft.get(number, "childclass")
        if name:
            return draft.find(model, "default", name)
        number = parent if frame is None else frame
    return None


def _adder(kind: str):
    def add(self, default=None, **values):
        draft = self._draft
        if isinstance(default, ELEMENTS["frame"]) and kind in ("body", "frame"):
            number = draft.add(kind, self._id, None)
            draft.set_frame(number, default._id)
        elif kind in ("body", "frame"):
            number, given = draft.add(kind, self._id, None), _class_number(default)
            if given is not None:
                draft.set_class(number, given)
                draft.set(number, "childclass", default.name)
        else:
            given = _class_number(default)
            number = draft.add(kind, self._id, _class_around(self) if given is None else given)
        return added(self._arena, number, values)

    add.__name__ = add.__qualname__ = f"add_{kind}"
    add.__doc__ = f"Adds a {kind}; keywords set its fields."
    return add


_IN_TREE = ("body", "frame", "joint", "geom", "site", "camera", "light")
_PLURALS = {"body": "bodies", "mesh": "meshes", "flex": "flexes", "equality": "equalities"}


def plural(kind: str) -> str:
    """The name of a list of elements."""
    return _PLURALS.get(kind, kind + "s")


class Body(Standing):
    """Methods of bodies."""

    __slots__ = ()

    @property
    def childclass(self) -> str:
        """The class of what is added to the body: its own, or that of the body or frame around it."""
        number = _class_around(self)
        return "main" if number is None else self._arena.element(number).name

    @childclass.setter
    def childclass(self, name: str) -> None:
        self._draft.set(self._id, "childclass", name)

    def add_freejoint(self, **values):
        """Adds a free joint."""
        for name in values:
            if name not in ("align", "group", "name"):
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: align, group, name.")
        joint = added(self._arena, self._draft.add("joint", self._id, _class_around(self)), {})
        joint.type = ENUMS["mjtJoint"]["mjJNT_FREE"]
        joint._apply(values)
        return joint

    def find_all(self, kind) -> list:
        """All elements of a kind in the body and the bodies below it."""
        if not isinstance(kind, str):
            codes = {code: word for word in _IN_TREE if (code := _object_code(word)) is not None}
            kind = codes.get(int(kind), "")
        if kind not in _IN_TREE:
            raise ValueError("body.find_all supports the types: body, frame, geom, site, joint, light, camera.")
        return self._arena.elements(self._draft.descendants(self._id, kind))

    def find_child(self, name: str):
        """The body below this one that has a name."""
        for body in self.find_all("body"):
            if body.name == name:
                return body
        return None

    def attach_frame(self, frame, prefix: str | None = None, suffix: str | None = None):
        """Attaches a frame of another model."""
        return attach(self, frame, prefix or "", suffix or "")

    def to_frame(self):
        """Turns the body into a frame."""
        return self._arena.element(self._draft.body_to_frame(self._id))


def _object_code(kind: str) -> int | None:
    member = ENUMS["mjtObj"].__members__.get(f"mjOBJ_{kind.upper()}")
    return None if member is None else int(member)


def _first(kind: str):
    def first(self):
        found = self._draft.children(self._id, kind)
        return self._arena.element(found[0]) if found else None

    first.__name__ = f"first_{kind}"
    first.__doc__ = f"The first {kind} in the body."
    return first


def _next(kind: str):
    def next_(self, child):
        found = self._draft.children(self._id, kind)
        place = found.index(child._id) + 1 if child._id in found else len(found)
        return self._arena.element(found[place]) if place < len(found) else None

    next_.__name__ = f"next_{kind}"
    next_.__doc__ = f"The {kind} after another one in the body."
    return next_


class Frame(InBody):
    """Methods of frames."""

    __slots__ = ()

    def attach_body(self, body, prefix: str | None = None, suffix: str | None = None):
        """Attaches a body of another model; its world becomes a body."""
        if isinstance(body, ELEMENTS["body"]) and body.parent is None:
            return _attach_world(self, body, prefix or "", suffix or "")
        return attach(self, body, prefix or "", suffix or "")


class Site(Standing):
    """Methods of sites."""

    __slots__ = ()
    attach_body = Frame.attach_body


for _kind in _IN_TREE:
    setattr(Body, f"add_{_kind}", _adder(_kind))
    setattr(Frame, f"add_{_kind}", _adder(_kind))
    setattr(Body, f"first_{_kind}", _first(_kind))
    setattr(Body, f"next_{_kind}", _next(_kind))

    def _children(self, kind=_kind):
        return self._arena.elements(self._draft.children(self._id, kind))

    setattr(Body, plural(_kind), property(_children, doc=f"Those in the body: {plural(_kind)}."))


def attach(place: Element, what: Element, prefix: str, suffix: str, rename: Callable[[str], str] | None = None):
    """Attaches a body, a frame or a world; its model, or a copy of it, moves to the draft of the place. Its files can get
    other names."""
    if not isinstance(what, (ELEMENTS["body"], ELEMENTS["frame"])):
        raise TypeError("only bodies and frames can be attached")
    arena = place._arena
    copies = _spec_of(place)._copies
    if copies or what._arena is not arena:
        is_own = what._arena is arena
        what = what._arena.specs[0]._give(arena, what, copies)
        if is_own:
            # Its keyframes are there already.
            for number in arena.draft.list(what._about(5), "key"):
                arena.draft.delete(number)
    _name_files(what, rename or (lambda file: file))
    return arena.element(arena.draft.attach(place._id, what._id, prefix, suffix))


def _attach_world(place: Element, world: Element, prefix: str, suffix: str):
    """Attaches the world of another model as a body, by way of a model that has nothing but that body."""
    spec = _spec_of(place)
    between = type(spec)()
    between.copy_during_attach = spec._copies
    body = between.worldbody.add_body(name=f"{prefix}{world.name}{suffix}")
    attach(body.add_frame(), world, prefix, suffix)
    return attach(place, body, "", "")


def _spec_of(element: Element):
    """The model that an element belongs to."""
    specs, model = element._arena.specs, element._about(5)
    return next((spec for spec in specs if spec._model == model), specs[0])


def _name_files(element: Element, rename: Callable[[str], str]) -> None:
    """Gives meshes, textures and the like the names of their files where they have none, so that these can change."""
    draft, model = element._draft, element._about(5)
    for kind in ("mesh", "hfield", "texture", "skin"):
        for number in draft.list(model, kind):
            file = draft.get(number, "file")
            if not file:
                continue
            if not draft.about(number)[1]:
                draft.set_name(number, os.path.splitext(re.split(r"[/\\]", file)[-1])[0])
            if kind in ("mesh", "texture"):
                draft.set(number, "file", rename(file))
