"""The Python code in the README runs."""

import re

from conftest import REPOSITORY


def test_python_quick_start_runs(monkeypatch, capsys):
    monkeypatch.chdir(REPOSITORY)
    blocks = re.findall(r"```python\n(.*?)```", (REPOSITORY / "README.md").read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out
