"""What a model file may say, and which other files it names."""

from __future__ import annotations

import os
import xml.etree.ElementTree as tree

from .. import _native

_PICTURES = ("file", "fileright", "fileup", "fileleft", "filedown", "filefront", "fileback")


def mj_printSchema(flg_html: bool, flg_pad: bool) -> str:
    """All elements with the attributes they take, as text or as an HTML table, indented by style or by blanks."""
    return _native.schema_text(flg_html, flg_pad)


def mju_getXMLDependencies(filename: str) -> list[str]:
    """The names of all files that a model depends on, its own among them."""
    found: dict[str, None] = {}
    open_ = [filename]
    while open_:
        path = open_.pop()
        if path not in found:
            found[path] = None
            models, assets = _named(path)
            open_ += models
            found.update(dict.fromkeys(assets))
    return list(found)


def _named(path: str) -> tuple[list[str], list[str]]:
    """Files that a model names: other models, and assets."""
    try:
        root = tree.parse(path).getroot()
    except (OSError, tree.ParseError) as error:
        raise ValueError(f"Problem reading XML file '{path}': {error}") from None
    folder = os.path.dirname(path)
    folders: dict[str, str] = {}
    models, pictures, meshes, fields = [], [], [], []
    lists = {"include": models, "model": models, "mesh": meshes, "flexcomp": meshes, "skin": meshes, "hfield": fields}
    for element in root.iter():
        if element.tag == "compiler":
            folders.update({name: element.get(name, "") for name in element.keys() if name.endswith("dir")})
        elif element.tag == "texture":
            pictures += [element.get(name, "") for name in _PICTURES if element.get(name)]
        elif element.tag in lists and element.get("file"):
            lists[element.tag].append(element.get("file", ""))
    common = folders.get("assetdir", "")

    def within(inner: str, files: list[str]) -> list[str]:
        return [os.path.normpath(os.path.join(folder, inner, file)) for file in files]

    assets = within(folders.get("texturedir", common), pictures) + within(folders.get("meshdir", common), meshes)
    return within("", models), assets + within(common, fields)


FILES = mj_printSchema, mju_getXMLDependencies
