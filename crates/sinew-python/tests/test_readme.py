"""The Python code in the READMEs runs, each block by itself."""

import re

import pytest
from conftest import REPOSITORY

import sinew.compat

FILES = ["README.md", "crates/sinew-python/README.md"]


def blocks() -> list[tuple[str, int, str]]:
    """File, number and text of every block of Python code."""
    found = []
    for name in FILES:
        texts = re.findall(r"```python\n(.*?)```", (REPOSITORY / name).read_text(), re.DOTALL)
        assert texts, name
        found += [(name, number, text) for number, text in enumerate(texts)]
    return found


@pytest.mark.parametrize("block", blocks(), ids=lambda block: f"{block[0]}, example {block[1]}")
def test_examples_run(block, monkeypatch):
    name, number, text = block
    monkeypatch.chdir(REPOSITORY)
    try:
        exec(compile(text, f"{name}, example {number}", "exec"), {"__name__": "__main__"})
    finally:
        # Other tests want the reference.
        sinew.compat.uninstall()
