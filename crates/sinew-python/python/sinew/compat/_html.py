"""Small tables for notebooks."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence


def table(title: str, rows: Mapping[str, object]) -> str:
    """A table with a name and a value in each row."""
    body = "".join(f"<tr><th>{_text(name)}</th><td>{_text(value)}</td></tr>" for name, value in rows.items())
    return f"<table><caption>{_text(title)}</caption>{body}</table>"


def grid(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table with named columns."""
    head = "".join(f"<th>{_text(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{_text(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><caption>{_text(title)}</caption><tr>{head}</tr>{body}</table>"


def _text(value: object) -> str:
    return html.escape(str(value))
