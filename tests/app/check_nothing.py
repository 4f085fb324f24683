#!/usr/bin/env python3
"""Arrays that are no tables, of which nothing may be named, and right tables in twelve arithmetics and all axes, of which none may be
accused. Every array comes from its seed alone.

    check_nothing.py PROGRAM [--count N] [--seed N] [--keep FOLDER]
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

options = argparse.ArgumentParser()
options.add_argument("program")
options.add_argument("--count", type=int, default=60)
options.add_argument("--seed", type=int, default=44)
options.add_argument("--keep")
options = options.parse_args()
folder = pathlib.Path(options.keep or tempfile.mkdtemp())
folder.mkdir(exist_ok=True)
f32 = np.float32


# ---- No tables ----------------------------------------------------------------------------------------------------
def smooth(rng, shape):
    """Like a photograph: strong low frequencies, and edges."""
    spectrum = np.fft.rfft2(rng.normal(size=shape))
    y, x = np.meshgrid(np.fft.fftfreq(shape[0]), np.fft.rfftfreq(shape[1]), indexing="ij")
    made = np.fft.irfft2(spectrum / (0.01 + np.hypot(x, y)), s=shape)
    made = (made - made.min()) / np.ptp(made)
    made[: rng.integers(1, shape[0])] *= rng.uniform(0.3, 1.0)
    return np.round(255 * made) / 255 if rng.random() < 0.5 else made


def weights(rng, shape):
    rank = int(rng.integers(2, 12))
    made = rng.normal(size=(shape[0], rank)) @ rng.normal(size=(rank, shape[1])) * 0.02
    made += 0.02 * rng.normal(size=shape)
    return made * np.exp(rng.normal(size=shape[1]))


def nothing(rng):
    shape = (int(rng.choice([40, 96, 200, 400])), int(rng.choice([32, 48, 64, 96, 128, 256])))
    kind = rng.choice(["normal", "uniform", "signs", "photograph", "weights", "walk", "softmax", "rounded", "circle", "levels"])
    x = rng.normal(size=shape)
    if kind == "uniform":
        x = rng.uniform(-1, 1, size=shape)
    elif kind == "signs":
        x = np.sign(x)
    elif kind == "photograph":
        x = smooth(rng, shape)
    elif kind == "weights":
        x = weights(rng, shape)
    elif kind == "walk":
        x = np.cumsum(x, 0) / np.sqrt(shape[0])
    elif kind == "softmax":
        x = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    elif kind == "rounded":
        x = np.round(x, 2)
    elif kind == "circle":  # points of unit circles that go nowhere
        a = rng.uniform(-np.pi, np.pi, size=(shape[0], shape[1] // 2))
        x = np.concatenate([np.cos(a), np.sin(a)], 1)
    elif kind == "levels":
        x = np.round(4 * x) / 4
    return kind, x.astype(rng.choice([f32, f32, np.float16, np.float64]))


# ---- Right ones ---------------------------------------------------------------------------------------------------
def bf16(x):
    bits = np.asarray(x, dtype=f32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(f32)


ARITHMETICS = ("exact", "pow", "exp", "exp2", "quotient", "product", "power", "fast", "complex", "float16", "bfloat16", "float64")


def cos_sin(rng, arithmetic, p, h, base):
    i = np.arange(h)
    exact = p[:, None] * base ** (-i / h)
    if arithmetic in ("exact", "float64"):
        c, s = np.cos(exact), np.sin(exact)
        return (c, s) if arithmetic == "float64" else (c.astype(f32), s.astype(f32))
    x = (2 * i).astype(f32) / f32(2 * h)
    if arithmetic == "exp":
        w = np.exp(-x * f32(np.log(base))).astype(f32)
    elif arithmetic == "exp2":
        w = np.exp2(-x * f32(np.log2(base))).astype(f32)
    else:
        w = (f32(1) / np.power(f32(base), x)).astype(f32)
    a = p.astype(f32)[:, None] * w
    if arithmetic == "quotient":
        a = p.astype(f32)[:, None] / np.power(f32(base), x)
    elif arithmetic == "product":  # llama.cpp
        step, a = f32(base ** (-1 / h)), np.empty((len(p), h), f32)
        a[:, 0] = p
        for k in range(1, h):
            a[:, k] = a[:, k - 1] * step
    elif arithmetic == "power":
        a = p.astype(f32)[:, None] * np.power(f32(base ** (-1 / h)), i.astype(f32))
    if arithmetic == "complex":
        z = np.exp(1j * a.astype(np.complex64)).astype(np.complex64)
        return z.real, z.imag
    c, s = np.cos(a).astype(f32), np.sin(a).astype(f32)
    if arithmetic == "fast":
        c, s = (v + f32(2.0 ** -21.5) * rng.uniform(-1, 1, v.shape).astype(f32) for v in (c, s))
    if arithmetic == "float16":
        return c.astype(np.float16), s.astype(np.float16)
    return (bf16(c), bf16(s)) if arithmetic == "bfloat16" else (c, s)


def places(rng, n, longest):
    """The position of each row, and how many rows behind hold none."""
    kind = rng.choice(["counted", "counted", "far", "padded", "padded behind", "unused", "packed", "window"])
    if kind == "far":
        return int(rng.integers(3, longest - n)) + np.arange(n), 0
    if kind == "padded":
        pads = int(rng.integers(1, n // 3))
        return np.r_[np.ones(pads, int), np.arange(n - pads)], 0
    if kind == "padded behind":
        pads = int(rng.integers(2, n // 3))
        return np.r_[np.arange(n - pads), np.full(pads, rng.integers(0, 2))], 0
    if kind == "unused":
        return np.arange(n), int(rng.integers(2, n // 2))
    if kind == "packed":
        at = int(rng.integers(n // 4, n // 2)), int(rng.integers(n // 2 + 3, n - 4))
        return np.concatenate([np.arange(at[0]), np.arange(at[1] - at[0]), np.arange(n - at[1])]), 0
    if kind == "window":
        return 4096 + np.arange(n), 0
    return np.arange(n), 0


def right(rng, arithmetic):
    h, n = int(rng.choice([16, 32, 40, 64])), int(rng.choice([48, 160, 300]))
    base = float(rng.choice([1e4, 5e5, 1e6]))
    p, unused = places(rng, n, 8192)
    c, s = cos_sin(rng, arithmetic, p, h, base)
    for v in (c, s):
        v[n - unused :] = 0
    axes = rng.choice(["cos", "halves", "pairs", "stacked", "apart", "rotations", "twice", "twice_pairs", "batch", "inner", "complex"])
    x = {"cos": lambda: c, "halves": lambda: np.concatenate([c, s], 1), "pairs": lambda: np.stack([c, s], -1).reshape(n, 2 * h),
         "stacked": lambda: np.stack([c, s], -1), "apart": lambda: np.stack([c, s]),
         "rotations": lambda: np.stack([c, -s, s, c], -1).reshape(n, h, 2, 2), "twice": lambda: np.concatenate([c, c], 1),
         "twice_pairs": lambda: np.repeat(c, 2, 1), "batch": lambda: np.stack([np.concatenate([c, s], 1)] * 3),
         "inner": lambda: np.concatenate([c, s], 1)[:, None, None], "complex": lambda: np.stack([c, s], -1)}[axes]()
    config = {"model_type": "llama", "hidden_size": 16 * h, "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 2 * h,
              "rope_theta": base, "max_position_embeddings": 8192}
    if unused:  # past all positions
        config["max_position_embeddings"] = n - unused
    # A table with neighbours is one of a model that rotates neighbours.
    if axes in ("pairs", "twice_pairs"):
        config |= {"model_type": "cohere"}
    # Documents of one length each are told from positions modulo it by their ids alone.
    begins = np.flatnonzero(p == 0)
    even = not unused and len(begins) > 1 and p[0] == 0 and set(np.diff(begins)) == {begins[1]} and n - begins[-1] <= begins[1]
    return f"{arithmetic} {axes}", x, config, ["--ids", " ".join(map(str, p))] if even else []


# ---- Asked --------------------------------------------------------------------------------------------------------
def verdicts(paths, config, ids=()):
    """Of arrays that are checked one after another."""
    more = [*(["--config", str(config)] if config else []), *ids]
    run = subprocess.run([options.program, "check", *map(str, paths), "--as", "table", "--json", *more], capture_output=True,
                         text=True, timeout=600)
    return [json.loads(line) for line in run.stdout.splitlines()]


def saved(name, x):
    path = folder / f"{name}.npy"
    np.save(path, x)
    return path


bad, step = [], 20
llama = folder / "llama.json"
llama.write_text(json.dumps({"model_type": "llama", "hidden_size": 1024, "num_attention_heads": 8, "head_dim": 128,
                             "rope_theta": 5e5, "max_position_embeddings": 8192}))
for first in range(0, options.count, step):
    numbers = range(first, min(first + step, options.count))
    arrays = [nothing(np.random.default_rng([options.seed, n])) for n in numbers]
    paths = [saved(f"nothing{n}", x) for n, (_, x) in zip(numbers, arrays)]
    for config in (None, llama):
        answers = verdicts(paths, config)
        assert len(answers) == len(paths), paths
        for (kind, x), path, answer in zip(arrays, paths, answers):
            if answer["verdict"] != "unknown":
                bad.append(f"{kind} {x.shape} {path}: {answer['text']}")
named = len(bad)
for n in range(options.count):
    kind, x, config, ids = right(np.random.default_rng([options.seed, 1, n]), ARITHMETICS[n % len(ARITHMETICS)])
    path = folder / f"right{n}.json"
    path.write_text(json.dumps(config))
    answer = verdicts([saved(f"right{n}", x)], path, ids)[0]
    if answer["verdict"] != "right":
        bad.append(f"{kind} {x.shape} {path}: {answer['text']}")
for line in bad:
    print(line)
print(f"{named} of {options.count} arrays that are no tables named, twice asked; {len(bad) - named} of {options.count} right ones accused")
sys.exit(bool(bad))
