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
    print(f"without {missing.name}: Debian's jupyter-nbconvert, python3-nbclient and python3-ipykernel have all of it")
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

page = pathlib.Path(tempfile.mkdtemp())
(page / "index.html").write_text("<!DOCTYPE html>", encoding="utf-8")
os.environ["POSISCOPE_PAGE"] = str(page)
FRAMED = r"""
import json, pathlib, subprocess, tempfile, urllib.error, urllib.request
import numpy as np, posiscope
q, k = np.random.default_rng(3).standard_normal((2, 2, 6, 16))
config = {"model_type": "llama", "hidden_size": 32, "num_attention_heads": 2, "rope_theta": 500.0, "max_position_embeddings": 64}
frame = posiscope.show(q, k, tokens="we read what they wrote here".split(), config=config)
page, scene = frame.address.split("#")
address, names = page.split("?given=")
assert urllib.request.urlopen(address).read() == b"<!DOCTYPE html>"
given = pathlib.Path(tempfile.mkdtemp())
for name, array in zip(names.split(","), (q, k)):
    (given / name).write_bytes(urllib.request.urlopen(address + "given/" + name).read())
    assert np.array_equal(np.load(given / name), array)
secret = address.split("/")[-2]
for wrong in ("", "index.html", "given/" + names.split(",")[0], secret, secret + "/given/", secret + "/given/../index.html",
              secret + "/given/%2e%2e/index.html", secret + "//index.html", secret + "/given/..%2findex.html"):
    try:
        urllib.request.urlopen(address.replace(secret + "/", "") + wrong)
        raise SystemExit(f"{wrong!r} is given")
    except urllib.error.HTTPError as error:
        assert error.code == 404, (wrong, error)
# What stands in the address is what the program draws: the model's base, the words and the weights.
said = json.loads(subprocess.run([posiscope.program(), "data", "attention", "#" + scene, "--allow-files"], cwd=given, capture_output=True, check=True).stdout)
assert said["scene"]["base"] == 500 and said["scene"]["content"]["text"][5] == "here", said["scene"]
angle = np.arange(6)[:, None] * 500.0 ** (-np.arange(8) / 8)
turned = [np.concatenate([x[..., :8] * np.cos(angle) - x[..., 8:] * np.sin(angle), x[..., 8:] * np.cos(angle) + x[..., :8] * np.sin(angle)], -1)
          for x in (q, k)]
logits = np.einsum("hid,hjd->hij", *turned) / 4
made = np.exp(np.where(np.tri(6, dtype=bool), logits, -np.inf))
assert np.abs(np.array(said["attention"], dtype=float) - made / made.sum(-1, keepdims=True)).max() < 1e-12
assert posiscope.show(q, k, figure="spectrum").address.endswith("&figure=spectrum")
try:
    posiscope.show(q, k, port=int(address.split(":")[2].split("/")[0]))
    raise SystemExit("a port is used twice")
except posiscope.Error as error:
    assert "Give another one" in str(error)
frame
"""
framed = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(FRAMED)])
nbclient.NotebookClient(framed, timeout=300).execute()
shown = framed.cells[0]["outputs"][-1]["data"]["text/html"]
assert re.fullmatch(r'<iframe src="http://127\.0\.0\.1:\d+/[\w-]+/\?given=[^"]+#scene=[^"]+" width="100%" height="600" [^<>]*></iframe>', shown), shown
print(f"{len(pictures)} pictures and a frame stand in the notebook")
