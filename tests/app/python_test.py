#!/usr/bin/env python3
"""The Python package as people get it: a wheel made of this program, or this wheel, installed with pip in a fresh environment, used
with and without NumPy, and removed. With torch installed, q and k of a small attention layer are captured.

    python_test.py PROGRAM|WHEEL
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

tree = pathlib.Path(__file__).resolve().parents[2]
folder = pathlib.Path(tempfile.mkdtemp())


def made(into):
    return pathlib.Path(subprocess.run([sys.executable, tree / "app/python/wheel", sys.argv[1], into], capture_output=True, text=True,
                                       check=True).stdout.strip())


wheel = pathlib.Path(sys.argv[1]).resolve()
if wheel.suffix != ".whl":
    wheel = made(folder)
    assert wheel.read_bytes() == made(folder / "again").read_bytes(), "the same program gives the same wheel"


def used(name, options, code):
    subprocess.run([sys.executable, "-m", "venv", *options, folder / name], check=True)
    python = folder / name / "bin/python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index", wheel], check=True)
    subprocess.run([python, "-c", code], check=True, cwd=folder)
    subprocess.run([python, "-m", "pip", "uninstall", "--quiet", "--yes", "posiscope"], check=True)
    left = [path for path in (folder / name).rglob("*") if "posiscope" in path.name and path.is_file()]
    assert not left, f"the wheel leaves {left[0]}"


PLAIN = r"""
import math, posiscope
config = {"model_type": "llama", "hidden_size": 1024, "num_attention_heads": 16, "rope_theta": 10000.0,
          "max_position_embeddings": 4096}
assert "site-packages/posiscope/bin" in posiscope.program(), posiscope.program()
rates = posiscope.data("frequencies", model=config)["inv_freq"]
assert len(rates) == 32 and abs(rates[1] - 10000 ** (-1 / 32)) < 1e-12
cos = [[math.cos(p * w) for w in rates] for p in range(80)]
report = posiscope.check(cos, config, name="cos")
assert report and report.verdict == "right" and "No slip" in str(report), report
report = posiscope.check(cos[1:], config, name="cos")
assert not report and report.slips == ["rows_begins"] and "position 1" in str(report) and report.positions[0] == 1, report
assert posiscope.check([[0.3 * (7 * i * j % 11) for i in range(1, 20)] for j in range(1, 20)]).verdict == "unknown"
for wrong, word in ((lambda: posiscope.data("tables"), "tables"), (lambda: posiscope.check("missing.npy"), "missing.npy"),
                    (lambda: posiscope.check("--json"), "./--json"),
                    (lambda: posiscope.data("frequencies", settings={"d_model": 511}), "511"),
                    (lambda: posiscope.check([[1.0], [1.0, 2.0]]), "different lengths")):
    try:
        wrong()
        raise SystemExit("not refused")
    except posiscope.Error as error:
        assert word in str(error) and error.code in (1, 2, 3), error
picture = posiscope.render({"encoding": "rope", "d_model": 64}, figure="spectrum")
assert posiscope.data("cache", settings={"encoding": "rope", "d_model": 8, "length": 4})["cos"].__len__() == 4
assert picture._repr_svg_().startswith("<svg") and picture._repr_png_() is None
picture.save("picture.svg")
import os, pathlib, subprocess, sys, tempfile
# One process answers all calls, wherever this one has gone, and another one where it has ended.
at_work = posiscope._program._at_work.child.pid
pathlib.Path("config.json").write_text(__import__("json").dumps(config))
os.mkdir("below"), os.chdir("below")
assert posiscope.data("frequencies", model="../config.json")["inv_freq"] == rates
assert posiscope._program._at_work.child.pid == at_work
os.chdir("..")
os.kill(at_work, 9), posiscope._program._at_work.child.wait()
assert posiscope.data("frequencies", model=config)["inv_freq"] == rates
posiscope.check(cos, config, name="../posiscope-outside")
assert not (pathlib.Path(tempfile.gettempdir()) / "posiscope-outside.npy").exists(), "a name leads out of its folder"
hidden = posiscope.data("logits", settings={"encoding": "alibi", "num_heads": 2, "d_model": 4, "length": 2})["logits"][1][0]
assert hidden[1] == -math.inf, hidden
assert posiscope.data("turns", settings={"encoding": "rope", "d_model": 4})["turns_trained"] == [None, None]
for words in ([sys.executable, "-m", "posiscope"], [os.path.join(os.path.dirname(sys.executable), "posiscope")]):
    said = subprocess.run([*words, "--version"], capture_output=True, text=True, check=True).stdout
    assert said.split()[1] == posiscope.__version__, said
    assert subprocess.run([*words, "data", "tabel"], capture_output=True).returncode == 2
# In a container without a desktop the system's loader ends it, in words like these.
lacking = pathlib.Path("lacking.sh").resolve()
lacking.write_text("#!/bin/sh\necho 'posiscope: error while loading shared libraries: libX11.so.6: no such file' >&2\nexit 127\n")
lacking.chmod(0o755)
os.environ["POSISCOPE"] = str(lacking)
try:
    posiscope.data("frequencies")
    raise SystemExit("not refused")
except posiscope.Error as error:
    assert "libX11.so.6: no such file" in str(error) and "apt install libx11-6" in str(error), error
"""
used("plain", [], PLAIN)

WITH_NUMPY = r"""
import numpy as np, posiscope
table = posiscope.data("table", settings={"d_model": 64, "length": 50})["table"]
assert table.shape == (50, 64) and posiscope.check(table).verdict == "right"
rng = np.random.default_rng(3)
table[7] = table[8]
report = posiscope.check(table)
assert report.slips == ["rows_odd"] and "7 → 8" in str(report), report
rows = posiscope.data("table", settings={"d_model": 64, "length": 50})["table"][[4, 9, 2]]
assert posiscope.check(rows, ids=[4, 9, 2]) and posiscope.check(rows, ids=[4, 9, 3]).verdict == "wrong"
config = {"model_type": "llama", "hidden_size": 1024, "num_attention_heads": 16, "rope_theta": 10000.0}
cos = np.cos(np.outer(np.arange(90), posiscope.data("frequencies", model=config)["inv_freq"])) + rng.normal(0, 1e-4, (90, 32))
noisy = posiscope.check(cos, config)
assert noisy.verdict == "noisy" and 5e-5 < noisy.noise < 2e-4 and posiscope.check(cos, config, tolerance=1e-3), noisy
ids = posiscope.check(np.array([[0, 1, 2, 3], [0, 1, 2, 2]]))
assert not ids and "Plain ids" in str(ids).splitlines()[0] and posiscope.check(np.arange(9)).verdict == "right", ids
assert posiscope.data("frequencies", settings={"encoding": "rope", "d_model": np.int64(64), "base": np.float32(100)})["inv_freq"].shape == (32,)
assert posiscope.data("cache", scene={"encoding": "rope", "d_model": np.int32(8), "length": np.uint8(4)})["cos"].flags.aligned
logits = posiscope.data("logits", settings={"encoding": "alibi", "num_heads": 2, "d_model": 4, "length": 3})["logits"]
assert logits.shape == (2, 3, 3) and np.isneginf(logits[0, 0, 1]) and np.isfinite(logits[0, 2]).all()
try:
    import matplotlib
except ImportError:
    print("matplotlib is not installed: plot() is not tried")
else:
    matplotlib.use("Agg")
    ax = posiscope.plot("scores", scene={"encoding": "rope", "length": 16, "d_model": 32}, color="k")
    assert isinstance(ax, matplotlib.axes.Axes) and len(ax.lines[0].get_xdata()) == 31 and "positions" in ax.get_xlabel(), ax.get_xlabel()
    drawn = posiscope.plot("attention", ax=matplotlib.pyplot.figure().subplots(), head=1, scene={"length": 4, "num_heads": 2, "d_model": 8})
    assert drawn.images[0].get_array().shape == (4, 4) and drawn.get_ylabel() == "query"
    for wrong in ({"head": 2}, {"array": "none"}):
        try:
            posiscope.plot("attention", scene={"length": 4, "num_heads": 2, "d_model": 8}, **wrong)
            raise SystemExit("not refused")
        except posiscope.Error as error:
            assert error.code == 2, error
assert noisy.nearest.startswith("cos of 32 pairs") and "noise" in dir(noisy), noisy.nearest
assert posiscope.check(rng.normal(size=(40, 30))).nearest == "" and posiscope.check("config.json").notes
class Elsewhere:  # an array that NumPy reads by DLPack alone, as one of another library's
    def __init__(self, array): self.array = array
    def __dlpack__(self, **how): return self.array.__dlpack__(**how)
    def __dlpack_device__(self): return self.array.__dlpack_device__()
class Config:  # as Hugging Face's
    def to_dict(self): return config
exact = np.cos(np.outer(np.arange(90), posiscope.data("frequencies", model=Config())["inv_freq"]))
assert posiscope.check(Elsewhere(exact), Config(), name="cos")
try:
    import pandas
except ImportError:
    pandas = None
    print("pandas is not installed: only its absence is tried")
else:
    lines = posiscope.dataframe("attention", scene={"encoding": "alibi", "length": 4, "num_heads": 2, "d_model": 8})
    assert list(lines.columns) == ["head", "query", "key", "attention"] and len(lines) == 32
    assert np.allclose(lines.groupby(["head", "query"])["attention"].sum(), 1) and lines.attrs["scene"]["length"] == 4
    lines = posiscope.dataframe("scores", scene={"encoding": "rope", "length": 4, "d_model": 8})
    assert list(lines["distance"]) == [-3, -2, -1, 0, 1, 2, 3] and "logit" in lines and lines.attrs["units"]
    assert list(posiscope.dataframe("cache", array="cos", scene={"encoding": "rope", "length": 2, "d_model": 4}).columns) == ["position", "pair", "cos"]
styled = posiscope.render(figure="scores", scene={"encoding": "rope"}, curves=["RoPE", "half: d_model=64"],
                          style={"size": "2x1in", "bare": True, "curves": ["#123456"]})
assert 'width="192"' in styled._repr_svg_() and "rgb(7.058824%" in styled._repr_svg_(), styled._repr_svg_()[:300]
for wrong, word in ((lambda: posiscope.render(figure="scores", style={"curvs": []}), "nearest is curves"),
                    (lambda: posiscope.show(exact, exact), "heads, positions"),
                    (lambda: posiscope.show([[[1.0]]], exact[None], figure="attenton"), "attention"),
                    (lambda: posiscope.check([[1.0], [1.0, 2.0]]), "different lengths"),
                    (lambda: posiscope.check(np.array(["a"])), "Give numbers"),
                    (lambda: posiscope.dataframe("base"), "single numbers" if pandas else "pandas is not installed")):
    try:
        wrong()
        raise SystemExit("not refused")
    except posiscope.Error as error:
        assert word in str(error) and error.code in (1, 2), error
import os
os.environ.pop("WAYLAND_DISPLAY", None)
os.environ["DISPLAY"] = ":9999"  # no window comes there
try:
    posiscope.show(np.zeros((1, 2, 4)), np.zeros((1, 2, 4)))
    raise SystemExit("not refused")
except posiscope.Error as error:
    assert error.code == 3 and "display" in str(error), error
os.environ.pop("DISPLAY")
rng = np.random.default_rng(1)
q, k = rng.standard_normal((2, 4, 6, 32))
q[1, 2, 3] = np.nan
try:
    posiscope.show(q, k)
    raise SystemExit("not refused")
except posiscope.Error as error:
    assert "not finite" in str(error), error
q[1, 2, 3] = 0
shown = posiscope.show(q, k, tokens="we read what they wrote here".split())
assert shown._repr_png_()[:4] == b"\x89PNG"
"""
WITH_TORCH = r"""
import torch, posiscope
class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj, self.k_proj = torch.nn.Linear(64, 64), torch.nn.Linear(64, 32)
    def forward(self, x):
        q, k = self.q_proj(x), self.k_proj(x)
        q, k = (y.view(1, -1, y.shape[-1] // 16, 16).transpose(1, 2) for y in (q, k))
        if hasattr(torch.nn.functional, "scaled_dot_product_attention"):
            torch.nn.functional.scaled_dot_product_attention(q * 2, k.repeat(1, 2, 1, 1), k.repeat(1, 2, 1, 1))
        return x
torch.manual_seed(1)
model = torch.nn.Sequential(Attention(), Attention())
x = torch.randn(1, 7, 64)
made = posiscope.capture(model[1], model, x, head_dim=16)
assert made.q.shape == (4, 7, 16) and made.k.shape == (2, 7, 16)
assert torch.equal(made.q.transpose(0, 1).reshape(7, 64), model[1].q_proj(x)[0])
if hasattr(torch.nn.functional, "scaled_dot_product_attention"):
    assert torch.equal(made.rotated_q, 2 * made.q)
else:
    assert made.rotated_q is None
class Normed(torch.nn.Module):
    def __init__(self, place):
        super().__init__()
        self.q_proj, self.k_proj, self.place = torch.nn.Linear(32, 32), torch.nn.Linear(32, 16), place
        self.q_norm, self.k_norm = (torch.nn.LayerNorm(side if place == "all heads" else 8) for side in (32, 16))
    def forward(self, x):
        def heads(projected, norm):
            if self.place == "all heads":
                projected = norm(projected)
            projected = projected.view(1, x.shape[1], -1, 8)
            if self.place == "before":
                projected = norm(projected)
            projected = projected.transpose(1, 2)
            return norm(projected) if self.place == "after" else projected
        self.q, self.k = heads(self.q_proj(x), self.q_norm), heads(self.k_proj(x), self.k_norm)
        return x
for place in ("all heads", "before", "after"):
    for n in (2, 4, 7):  # as many positions as heads, too
        layer = Normed(place)
        made = posiscope.capture(layer, layer, torch.randn(1, n, 32), head_dim=8)
        assert torch.equal(made.q, layer.q[0]) and torch.equal(made.k, layer.k[0]), (place, n)
a = torch.outer(torch.arange(300.0), 10000 ** (-torch.arange(0, 64, 2) / 64))
assert posiscope.check(torch.cos(a).bfloat16(), name="cos").verdict == "right"
torch.save({"cos": torch.cos(a), "rope": {"inv": 10000 ** (-torch.arange(0, 64, 2) / 64)}, "t": torch.cos(a).T.contiguous().T}, "made.pt")
assert posiscope.check("made.pt", tensor="cos").verdict == "right" and posiscope.check("made.pt", tensor="t").verdict == "right"
assert "inverse frequencies" in str(posiscope.check("made.pt", tensor="rope.inv"))
try:
    torch.save(model, "model.pt")
    posiscope.check("model.pt", tensor="x")
    raise SystemExit("not refused")
except posiscope.Error as error:
    assert "nothing in a file is run" in str(error), error
"""
TYPED = r"""
import posiscope
notes: list[str] = posiscope.check([[1.0]]).notes
nearest: str = posiscope.check([[1.0]]).nearest
picture: posiscope.Picture = posiscope.render(figure="scores", style="paper.json", curves=["RoPE"], size="3.3x2.4in")
rates: dict[str, object] = posiscope.data("frequencies", settings={"base": 100.0})
right: bool = bool(posiscope.check([[1.0]], "config.json", name="cos"))
shown: str | None = posiscope.render({"encoding": "rope"}, figure="matrix")._repr_svg_()
version: str = posiscope.__version__
code: int = posiscope.Error("", 1).code
"""
if shutil.which("mypy"):
    (folder / "typed.py").write_text(TYPED)
    subprocess.run(["mypy", "--strict", "--cache-dir", folder / "mypy", tree / "app/python/posiscope", folder / "typed.py"], check=True)
else:
    print("mypy is not installed: types are not checked")
# The package's page of the manual, as its reader would type it.
MANUAL = f"""
import importlib.util, os, re, posiscope
os.environ.pop("DISPLAY", None), os.environ.pop("WAYLAND_DISPLAY", None)
names = {{}}
for block in {re.findall("^```python$(.*?)^```$", (tree / "assets/manual/en/11-python.md").read_text(encoding="utf-8"), re.M | re.S)!r}:
    missing = [one for one in re.findall(r"^import (\\w+)", block, re.M) if importlib.util.find_spec(one) is None]
    if missing:
        print(f"{{missing[0]}} is not installed: not tried:", block)
    else:
        exec(block, names)
assert os.path.getsize("curves.pdf") > 5000
"""
for module, code in (("numpy", WITH_NUMPY + MANUAL), ("torch", WITH_TORCH)):
    if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode == 0:
        used(module, ["--system-site-packages"], code)
    else:
        print(f"{module} is not installed: not tried")
