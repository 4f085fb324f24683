#!/usr/bin/env python3
"""The package's notebook, executed as it is shipped by a kernel of this Python, and made a page: every cell runs, its checks say
what is wrong and its pictures are drawn, none with the letters of another. Exits with 77, skipped, where nbclient or ipykernel
is not installed.

    jupyter_test.py PROGRAM [PAGE.html]
"""
import os
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree as xml

try:
    import ipykernel  # noqa: F401
    import nbclient
    import nbformat
    import numpy  # noqa: F401
    from nbconvert import HTMLExporter
except ImportError as missing:
    print(f"{missing.name} is not installed: not tried")
    sys.exit(77)

tree = pathlib.Path(__file__).resolve().parents[2]
os.environ["POSISCOPE"] = os.path.abspath(sys.argv[1])
os.environ["PYTHONPATH"] = str(tree / "app/python")
os.environ["IPYTHONDIR"] = os.environ["JUPYTER_RUNTIME_DIR"] = tempfile.mkdtemp()
for display in ("DISPLAY", "WAYLAND_DISPLAY"):
    os.environ.pop(display, None)

notebook = nbformat.read(tree / "app/python/posiscope.ipynb", as_version=4)
assert not any(cell.get("outputs") for cell in notebook.cells), "the notebook is shipped as nobody has run it"
nbclient.NotebookClient(notebook, timeout=300).execute()  # raises where a cell fails

said, pictures = "", []
for cell in notebook.cells:
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        said += data.get("text/plain", "") + output.get("text", "")
        if "image/svg+xml" in data:
            pictures.append(data["image/svg+xml"])
assert "(64,)" in said and "No slip was found" in said and "position 1" in said, said
assert len(pictures) == 3
names = []
for picture in pictures:
    root = xml.fromstring(picture.encode())
    assert root.tag.endswith("svg") and len(list(root.iter())) > 50
    own = set(re.findall(r'\bid="([^"]+)"', picture))
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', picture))
    assert used and used <= own, f"names that are not there: {used - own}"
    names.append(own)
assert not names[0] & names[1] and not names[1] & names[2] and not names[0] & names[2], "one name in two pictures"
if len(sys.argv) > 2:  # to be looked at: what a notebook shows, which the filter of nbconvert 6.5 keeps out of pages
    exporter = HTMLExporter()
    exporter.register_filter("clean_html", lambda element: element)
    pathlib.Path(sys.argv[2]).write_text(exporter.from_notebook_node(notebook)[0], encoding="utf-8")
print(f"{len(pictures)} pictures stand in the notebook")
