#!/usr/bin/env python3
"""One table in every file that people have, tables of images, and ids of batches and caches, through `posiscope check`: the same
answer from each, or one sentence why not.

    check_files.py PROGRAM
"""
import io
import json
import pathlib
import pickle
import struct
import subprocess
import sys
import tempfile
import types
import zipfile
from collections import OrderedDict

import numpy as np

PROGRAM = sys.argv[1]
folder = pathlib.Path(tempfile.mkdtemp())
angle = np.outer(np.arange(60), 1e4 ** (-np.arange(0, 64, 2) / 64))
cos, sin = np.cos(angle), np.sin(angle)
wrong = []


def piped(name, words, code, place):
    run = subprocess.run([PROGRAM, "check", place, "--lang", "en"], input=(folder / name).read_bytes(), capture_output=True)
    if run.returncode != code or words not in (run.stdout + run.stderr).decode():
        wrong.append(f"{place} < {name}: {run.returncode} {run.stdout} {run.stderr}")


def check(name, words, *options, code=0):
    run = subprocess.run([PROGRAM, "check", str(folder / name), "--lang", "en", *options], capture_output=True, text=True,
                         timeout=120)
    said = run.stdout + run.stderr
    if run.returncode != code or words not in said:
        wrong.append(f"{name}: {run.returncode}, not '{words}'\n{said}")


COS, BOTH, PAIRS = "cos of 32 pairs, a column each", "32 columns of cos, then of sin", "32 pairs (cos, sin)"

# ---- NumPy --------------------------------------------------------------------------------------------------------
for name, array, words in (
        ("fortran", np.asfortranarray(np.concatenate([cos, sin], 1)), BOTH), ("big", cos.astype(">f4"), COS),
        ("big_fortran", np.asfortranarray(cos.astype(">f2")), COS), ("complex64", np.exp(1j * angle).astype("c8"), PAIRS),
        ("complex128", np.exp(1j * angle), PAIRS), ("complex_big", np.asfortranarray(np.exp(1j * angle).astype(">c8")), PAIRS)):
    np.save(folder / f"{name}.npy", array)
    check(f"{name}.npy", words)
np.save(folder / "int.npy", np.arange(12).reshape(3, 4))
check("int.npy", "Plain ids")
np.save(folder / "words.npy", np.array(["a"]))
check("words.npy", "only numbers are read", code=3)
np.save(folder / "objects.npy", np.array([{}], dtype=object), allow_pickle=True)
check("objects.npy", "Python objects", code=3)
np.savez(folder / "two.npz", cos=cos.astype("f4"), sin=sin)
check("two.npz", COS, "--tensor", "cos")
check("two.npz", "sin of 32 pairs, a column each", "--tensor", "sin")
check("two.npz", "cos and sin of 32 pairs, one matrix after the other")
np.savez(folder / "one.npz", cos)
check("one.npz", COS)
np.savez_compressed(folder / "packed.npz", cos=cos)
check("packed.npz", COS)
(folder / "cut.npz").write_bytes((folder / "one.npz").read_bytes()[:-40])
check("cut.npz", "ends early", code=3)

# ---- Text ---------------------------------------------------------------------------------------------------------
np.savetxt(folder / "full.txt", cos)
np.savetxt(folder / "short.csv", cos, fmt="%.4f", delimiter=",")
np.savetxt(folder / "names.csv", cos, fmt="%.6e", delimiter=";", header=";".join(f"w{i}" for i in range(32)), comments="")
for name in ("full.txt", "short.csv", "names.csv"):
    check(name, COS)
np.savetxt(folder / "list.txt", 1e4 ** (-np.arange(0, 64, 2) / 64), fmt="%.8g")
check("list.txt", "The inverse frequencies of 32 pairs")
(folder / "ragged.csv").write_text("1.5,2\n3\n")
check("ragged.csv", "Line 2 has 1 numbers", code=3)
(folder / "word.csv").write_text("1,2\n3,x\n")
check("word.csv", "Line 2 has x", code=3)


rows = [",".join([""] + [str(i) for i in range(32)])] + [f"{i}," + ",".join(map(repr, map(float, row))) for i, row in enumerate(cos)]
(folder / "pandas.csv").write_text("\n".join(rows) + "\n")
check("pandas.csv", COS)
(folder / "empty.npy").write_bytes(b"")
check("empty.npy", "is empty", code=3)
(folder / "folder.npy").mkdir()
check("folder.npy", "is a folder", code=3)
np.save(folder / "batch.npy", np.array([[0, 1, 2, 3], [0, 1, 2, 3]]))
check("batch.npy", "Plain ids")
np.save(folder / "zeros.npy", 0 * cos)
check("zeros.npy", "never filled", str(folder / "zeros.npy"), code=4)

# ---- Standard input: any of these, or a few numbers ----------------------------------------------------------------
np.save(folder / "later.npy", cos[1:].astype("f4"))
for name, words, code in (("fortran.npy", BOTH, 0), ("one.npz", COS, 0), ("full.txt", COS, 0), ("later.npy", "position 1", 4),
                          ("cut.npz", "ends early", 3)):
    for place in ("-", "/dev/stdin"):
        piped(name, words, code, place)
(folder / "both.json").write_text(json.dumps({"cos": cos.tolist(), "sin": sin.tolist()}))
for name in ("two.npz", "both.json"):
    piped(name, "cos and sin of 32 pairs, one matrix after the other", 0, "-")
check("both.json", "cos and sin of 32 pairs, one matrix after the other")
check("both.json", COS, "--tensor", "cos")
missing = subprocess.run([PROGRAM, "check", str(folder / "none.npy"), str(folder / "one.npz"), "--lang", "en"],
                         capture_output=True, text=True)
if missing.returncode != 3 or missing.stderr != f"{folder}/none.npy does not exist. Check its name and folder.\n":
    wrong.append(f"a file that is not there, beside one: {missing}")


# ---- What torch.save writes: a zip with a pickle of references to storages ------------------------------------------
class Storage:
    def __init__(self, kind, array):
        self.kind, self.array = kind, array


class Tensor:
    def __init__(self, kind, array, base=None):
        self.base = array if base is None else base
        self.storage, self.shape = Storage(kind, np.ascontiguousarray(self.base)), array.shape
        self.strides = tuple(stride // array.itemsize for stride in array.strides)
        self.offset = (array.__array_interface__["data"][0] - self.base.__array_interface__["data"][0]) // array.itemsize

    def __reduce_ex__(self, protocol):
        return (rebuild, (self.storage, self.offset, self.shape, self.strides, False, OrderedDict()))


def fake(module, name):
    def made():
        raise AssertionError
    made.__module__, made.__name__, made.__qualname__ = module, name, name
    sys.modules.setdefault(module, types.ModuleType(module))
    setattr(sys.modules[module], name, made)
    return made


rebuild = fake("torch._utils", "_rebuild_tensor_v2")
KINDS = {name: fake("torch", name) for name in ("FloatStorage", "HalfStorage", "BFloat16Storage", "DoubleStorage",
                                                "ComplexFloatStorage", "QInt8Storage")}


def torch_save(name, value, order=b"little"):
    storages, file = [], io.BytesIO()

    class Pickler(pickle.Pickler):
        def persistent_id(self, one):
            if not isinstance(one, Storage):
                return None
            storages.append(one.array)
            return ("storage", KINDS[one.kind], str(len(storages) - 1), "cpu", one.array.size)

    Pickler(file, protocol=2).dump(value)
    with zipfile.ZipFile(folder / name, "w") as archive:
        archive.writestr("archive/data.pkl", file.getvalue())
        archive.writestr("archive/byteorder", order)
        for n, array in enumerate(storages):
            archive.writestr(f"archive/data/{n}", array.tobytes())
        archive.writestr("archive/version", "3\n")


single = cos.astype("f4")
torch_save("tensor.pt", Tensor("FloatStorage", single))
check("tensor.pt", COS)
torch_save("state.pt", OrderedDict(rotary=OrderedDict(cos=Tensor("DoubleStorage", cos)), steps=3, sin=Tensor("HalfStorage", sin.astype("f2"))))
check("state.pt", COS, "--tensor", "rotary.cos")
check("state.pt", "sin of 32 pairs, a column each", "--tensor", "sin")
check("state.pt", "cos and sin of 32 pairs, one matrix after the other")
whole = np.concatenate([single, single + 2], 1)
torch_save("view.pt", [Tensor("FloatStorage", whole[:, :32], whole)])
check("view.pt", COS)
across = np.ascontiguousarray(single.T)
torch_save("transposed.pt", Tensor("FloatStorage", across.T, across))
check("transposed.pt", COS)
torch_save("big.pt", Tensor("FloatStorage", cos.astype(">f4")), b"big")
check("big.pt", COS)
torch_save("complex.pt", Tensor("ComplexFloatStorage", np.exp(1j * angle).astype("c8")))
check("complex.pt", PAIRS)
torch_save("quantized.pt", Tensor("QInt8Storage", np.zeros((4, 4), "i1")))
check("quantized.pt", "QInt8Storage", code=3)


class Module:
    def __reduce_ex__(self, protocol):
        return (fake("os", "posix_spawn_of_nobody"), ("true",))


torch_save("module.pt", {"model": Module(), "w": Tensor("FloatStorage", single)})
check("module.pt", "needs os.posix_spawn_of_nobody to be run, and nothing in a file is run", code=3)
(folder / "old.pt").write_bytes(pickle.dumps([1, 2], protocol=2))
check("old.pt", "newer torch.save", code=3)


# ---- GGUF ----------------------------------------------------------------------------------------------------------
def gguf(name, tensors, settings=()):
    text = lambda word: struct.pack("<Q", len(word)) + word.encode()
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(settings))
    for key, kind, value in settings:
        head += text(key) + struct.pack("<I" + kind, {"I": 4, "f": 6}[kind], value)
    data = b""
    for tensor, (array, kind) in tensors.items():
        data += b"\0" * (-len(data) % 32)
        head += text(tensor) + struct.pack(f"<I{array.ndim}QIQ", array.ndim, *reversed(array.shape), kind, len(data))
        data += array.tobytes()
    (folder / name).write_bytes(head + b"\0" * (-len(head) % 32) + data)


gguf("model.gguf", {"cos": (single, 0), "half": (sin.astype("f2"), 1), "packed": (np.zeros((4, 32), "i1"), 12)},
     [("llama.rope.freq_base", "f", 1e4)])
check("model.gguf", COS, "--tensor", "cos")
check("model.gguf", "sin of 32 pairs, a column each", "--tensor", "half")
check("model.gguf", "quantized (Q4_K)", "--tensor", "packed", code=3)
(folder / "cut.gguf").write_bytes((folder / "model.gguf").read_bytes()[:40])
check("cut.gguf", "header of this .gguf", code=3)


# ---- Large text ----------------------------------------------------------------------------------------------------
rows = ["[" + ", ".join(f"{x:.7f}" for x in row) + "]" for row in np.cos(np.outer(np.arange(9000), 1e4 ** (-np.arange(64) / 64)))]
(folder / "large.json").write_text('{"about": {"note": "a } b ] c"}, "cos": [' + ",\n".join(rows) + '], "n": 9000}')
for place in ("-", "/dev/stdin"):
    piped("large.json", "cos of 64 pairs, a column each", 0, place)
(folder / "cut.json").write_text('{"cos": [[1, 2], [3')
check("cut.json", "line 1", code=3)


# ---- Images --------------------------------------------------------------------------------------------------------
# Positions on two axes: facebookresearch/mae util/pos_embed.py, facebookresearch/moco-v3 vits.py.
def patches(high, wide, width, turned=True):
    y, x = np.mgrid[0:high, 0:wide]
    rate = 1e4 ** (-np.arange(width // 4) / (width // 4))
    half = lambda p: np.concatenate([np.sin(np.outer(p.ravel(), rate)), np.cos(np.outer(p.ravel(), rate))], 1)
    return np.concatenate([half(x), half(y)] if turned else [half(y), half(x)], 1).astype("f4")


np.save(folder / "moco.npy", patches(14, 14, 256))
check("moco.npy", "A grid of 14 × 14 patches")
np.save(folder / "mae.npy", np.concatenate([np.zeros((1, 128), "f4"), patches(9, 13, 128)]))
check("mae.npy", "Rows of zeros before it (1)")
check("mae.npy", "A grid of 9 × 13 patches: the first half of the columns turns with a patch’s column")
np.save(folder / "rows_first.npy", patches(8, 12, 64, turned=False))
check("rows_first.npy", "A grid of 8 × 12 patches: the first half of the columns turns with a patch’s row")
damaged = patches(14, 14, 256)
damaged[100] = damaged[101]
np.save(folder / "patch_twice.npy", damaged)
check("patch_twice.npy", "100 → (7, 3)", code=4)


# A learned table of another image size: timm resample_abs_pos_embed, facebookresearch/dino interpolate_pos_encoding.
def resized(table, side, high, wide, more=0.0, a=-0.75, antialias=False):
    def matrix(to):
        scale = side / (to + more)
        stretch = max(scale, 1.0) if antialias else 1.0
        made = np.zeros((to, side))
        for i in range(to):
            centre = (i + 0.5) * scale - 0.5
            for j in range(int(np.floor(centre - 2 * stretch)), int(np.ceil(centre + 2 * stretch)) + 1):
                t = abs(j - centre) / stretch
                weight = (a + 2) * t**3 - (a + 3) * t**2 + 1 if t < 1 else a * (t**3 - 5 * t**2 + 8 * t - 4) if t < 2 else 0.0
                if antialias and not 0 <= j < side:
                    continue
                made[i, min(max(j, 0), side - 1)] += weight
        return made / made.sum(1, keepdims=True)
    grid = table[1:].reshape(side, side, -1).astype(np.float64)
    made = np.einsum("ia,jb,abc->ijc", matrix(high), matrix(wide), grid)
    return np.concatenate([table[:1], made.reshape(high * wide, -1)]).astype("f4")


learned = (np.random.default_rng(5).normal(size=(1 + 14 * 14, 24)) * 0.02).astype("f4")
np.save(folder / "learned.npy", learned)
for name, words, more in (("square", "resizes the 14 × 14 patches of the first to 24 × 24 by bicubic", {"high": 24, "wide": 24}),
                          ("wide", "to 16 × 32 by bicubic interpolation with the scale (size + 0.1)", {"high": 16, "wide": 32, "more": 0.1}),
                          ("timm", "to 7 × 7 by antialiased bicubic", {"high": 7, "wide": 7, "a": -0.5, "antialias": True})):
    np.save(folder / f"{name}.npy", resized(learned, 14, **more))
    check("learned.npy", words, str(folder / f"{name}.npy"), code=4)

# ---- Ids -----------------------------------------------------------------------------------------------------------
chunks = np.arange(64).reshape(8, 8)
for name, ids, words, code in (
        ("zigzag", np.concatenate([chunks[[r, 7 - r]].ravel() for r in range(4)]), "the ids of all 4 devices one after another", 0),
        ("striped", np.arange(64).reshape(16, 4).T.ravel(), "striped: the ids of all 4 devices", 0),
        ("sinks", [*range(4), *range(1021, 2041)], "The first 4 tokens and 1020 recent ones, 1021 to 2040", 0),
        ("ring", [4096 + i if i < 96 else 3072 + i for i in range(1024)], "a ring of 1024 rows with the tokens 3168 to 4191", 0),
        ("decodes", [512, 77, 1030, *range(40)], "A continuous batch of 4 sequences: 3 of them", 0),
        ("graph", [512, 77, 1030, 9, 2044, 0, 0, 0], "The last 3 rows are past the batch", 0),
        ("repeated", [512, 77, 1030, 2044, 2044, 2044, 2044], "The last 3 rows are past the batch", 0),
        ("missing", [*range(4), *range(5, 40)], "Row 4 skips an id", 4)):
    np.save(folder / f"{name}.npy", np.array(ids))
    check(f"{name}.npy", words, code=code)
np.save(folder / "starts.npy", np.array([512, 77, 0, 1, 2, 3, 0, 0]))
check("starts.npy", "The last 2 rows are past the batch", "--cu-seqlens", "0 1 2 6")
check("starts.npy", "A continuous batch of 3 sequences: 2 of them", "--cu-seqlens", "0 1 2 6 6 6")
batch = np.cos(np.outer([512, 77, 1030], 1e4 ** (-np.arange(64) / 64))).astype("f4")
for name, rest, code in (("zeros", np.zeros((5, 64)), 0), ("first", np.ones((5, 64)), 0), ("last", batch[[2] * 5], 0),
                         ("others", batch[[1, 0, 2, 1, 0]], 2)):
    np.save(folder / f"graph_{name}.npy", np.concatenate([batch, rest]).astype("f4"))
    words = "one id for each row" if code else "The last 5 rows are past the batch"
    check(f"graph_{name}.npy", words, "--ids", "512 77 1030", "--set", "layout=half", "--set", "encoding.kind=rope", "--set",
          "d_model=128", code=code)

print(f"{len(wrong)} wrong")
for line in wrong:
    print("wrong:", line)
sys.exit(len(wrong) > 0)
