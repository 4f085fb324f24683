#!/usr/bin/env python3
"""The Python package as people get it: a wheel made of this program, or this wheel, installed with pip in a fresh environment, used
with and without NumPy, and removed. With torch installed, q and k of a small attention layer are captured.

    python_test.py PROGRAM|WHEEL
"""
import pathlib
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
assert not report and report.slips == ["offset_one"] and "position 1" in str(report), report
assert posiscope.check([[0.3 * (7 * i * j % 11) for i in range(1, 20)] for j in range(1, 20)]).verdict == "unknown"
for wrong, word in ((lambda: posiscope.data("tables"), "tables"), (lambda: posiscope.check("missing.npy"), "missing.npy"),
                    (lambda: posiscope.check("--json"), "./--json"),
                    (lambda: posiscope.data("frequencies", settings={"d_model": 511}), "511"),
                    (lambda: posiscope.check([[1.0], [1.0, 2.0]]), "different lengths")):
    try:
        wrong()
        raise SystemExit("not refused")
    except posiscope.Error as error:
        assert word in str(error) and error.code in (1, 2), error
picture = posiscope.render({"encoding": "rope", "d_model": 64}, figure="spectrum")
assert posiscope.data("cache", settings={"encoding": "rope", "d_model": 8, "length": 4})["cos"].__len__() == 4
assert picture._repr_svg_().startswith("<svg") and picture._repr_png_() is None
picture.save("picture.svg")
"""
used("plain", [], PLAIN)

WITH_NUMPY = r"""
import numpy as np, posiscope
table = posiscope.data("table", settings={"d_model": 64, "length": 50})["table"]
assert table.shape == (50, 64) and posiscope.check(table).verdict == "right"
table[7] = table[8]
report = posiscope.check(table)
assert report.slips == ["rows"] and "Row 7 has the values of position 8" in str(report), report
ids = posiscope.check(np.array([[0, 1, 2, 3], [0, 1, 2, 2]]))
assert not ids and "Plain ids" in str(ids).splitlines()[0] and posiscope.check(np.arange(9)).verdict == "right", ids
import os
os.environ.pop("DISPLAY", None), os.environ.pop("WAYLAND_DISPLAY", None)
rng = np.random.default_rng(1)
q, k = rng.standard_normal((2, 4, 6, 32))
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
assert "Inverse frequencies" in str(posiscope.check("made.pt", tensor="rope.inv"))
try:
    torch.save(model, "model.pt")
    posiscope.check("model.pt", tensor="x")
    raise SystemExit("not refused")
except posiscope.Error as error:
    assert "nothing in a file is run" in str(error), error
"""
for module, code in (("numpy", WITH_NUMPY), ("torch", WITH_TORCH)):
    if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode == 0:
        used(module, ["--system-site-packages"], code)
    else:
        print(f"{module} is not installed: not tried")
