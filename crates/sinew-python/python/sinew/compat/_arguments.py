"""Models, simulations and records among the arguments of functions: what is none is refused before anything runs.

Native functions check theirs themselves and come here for the words.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping

from .. import _native

_CLASSES: dict[str, type] = {}


def register(classes: Mapping[str, type]) -> None:
    """Says which classes the names in signatures stand for."""
    _CLASSES.update(classes)


@functools.cache
def signature(function: Callable) -> inspect.Signature:
    """The signature of a function with its annotations, also of a native one, which Python does not know."""
    text = _native.SIGNATURES.get(function.__name__)
    if text is None or not inspect.isbuiltin(function):
        return inspect.signature(function)
    names: dict = {}
    exec(f"from __future__ import annotations\ndef declared{text}: ...", names)
    return inspect.signature(names["declared"])


def refuse(function: str, given: Mapping[str, object]) -> None:
    """Raises TypeError for the first argument of a native function that is of the wrong class."""
    parameters = signature(getattr(_native, function)).parameters.values()
    check(function, {each.name: _CLASSES.get(each.annotation, object) for each in parameters}, given)


def checked(function: Callable) -> Callable:
    """The function, which raises TypeError where an argument is not of the class that its signature names."""
    parameters = inspect.signature(function).parameters.values()
    kinds = [_CLASSES.get(parameter.annotation, object) for parameter in parameters]
    expected = dict(zip((parameter.name for parameter in parameters), kinds, strict=True))
    if all(kind is object for kind in kinds):
        call = function
    elif list(expected)[:2] == ["m", "d"] and all(kind is object for kind in kinds[2:]):
        call = functools.wraps(function)(_of_model_and_data(function, expected))
    else:
        call = functools.wraps(function)(_of_any(function, expected))
    # Where users, and pickles, find it.
    call.__module__ = "sinew.compat"
    return call


def _of_model_and_data(function: Callable, expected: Mapping[str, type]) -> Callable:
    """The usual case, with as little work as possible: handing on no further arguments is what costs most."""
    model, data = expected["m"], expected["d"]

    def call_with_both(m, d):
        if type(m) is not model or type(d) is not data:
            check(function.__name__, expected, {"m": m, "d": d})
        return function(m, d)

    def call(m, d, *others, **named):
        if type(m) is not model or type(d) is not data:
            check(function.__name__, expected, {"m": m, "d": d})
        return function(m, d, *others, **named) if others or named else function(m, d)

    return call_with_both if len(expected) == 2 else call


def _of_any(function: Callable, expected: Mapping[str, type]) -> Callable:
    def call(*arguments, **named):
        check(function.__name__, expected, {**dict(zip(expected, arguments, strict=False)), **named})
        return function(*arguments, **named)

    return call


def check(caller: str, expected: Mapping[str, type], given: Mapping[str, object]) -> None:
    """Raises TypeError unless all arguments are of the expected classes."""
    for name, value in given.items():
        kind = expected.get(name, object)
        if not isinstance(value, kind):
            found = "None" if value is None else f"'{_name(type(value))}'"
            message = f"{caller}() needs an {kind.__name__} as '{name}', not {found}"
            raise TypeError(message + _advice(expected, given, kind, value))


def _name(kind: type) -> str:
    """The name of a class, with its module if it is neither ours nor Python's."""
    is_known = kind.__module__ == "builtins" or kind.__module__.startswith("sinew.")
    return kind.__qualname__ if is_known else f"{kind.__module__}.{kind.__qualname__}"


def _advice(expected: Mapping[str, type], given: Mapping[str, object], kind: type, value: object) -> str:
    if kind.__name__ == "MjModel" and isinstance(value, str):
        return "; load one with MjModel.from_xml_path or MjModel.from_xml_string"
    for name, other in given.items():
        theirs = expected.get(name, object)
        if isinstance(value, theirs) and isinstance(other, kind) and not isinstance(other, theirs):
            return ": the arguments are swapped"
    return ""
