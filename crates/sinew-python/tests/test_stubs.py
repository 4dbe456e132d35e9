"""The type stubs are those that the tables give, and a type checker's view of them is valid Python."""

import ast
import importlib.util

from conftest import REPOSITORY

from sinew import _native

PACKAGE = REPOSITORY / "crates" / "sinew-python"


def test_stubs_are_up_to_date():
    spec = importlib.util.spec_from_file_location("make_stubs", PACKAGE / "make_stubs.py")
    make_stubs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make_stubs)
    stored = make_stubs.TARGET.read_text()
    assert stored == make_stubs.stubs(), "run: python crates/sinew-python/make_stubs.py"
    ast.parse(stored)


def test_every_array_of_models_and_simulations_is_explained():
    comments = _native.column_comments()
    names = {name for name, *_ in (*_native.model_columns(), *_native.data_columns())}
    assert set(comments) == names
    unfit = {
        name: text for name, text in comments.items() if not text.endswith((".", "…")) or "](" in text or '"' in text
    }
    assert not unfit
    assert comments["jnt_type"].startswith("`mjtJoint`")
