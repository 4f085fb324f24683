#!/usr/bin/env python3
"""The manual's snippet for notebooks, run as it is printed: Posiscope shows the attention that NumPy computes.

    notebook_test.py PROGRAM PAGE
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

program, manual = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
snippet = re.search(r"```python\n(.*?)```", manual, re.S).group(1)
folder = tempfile.mkdtemp()
os.chdir(folder)

random = np.random.default_rng(1)
n, heads, key_heads, width = 20, 4, 2, 16
q = random.normal(size=(n, heads, width)).astype(np.float32)
k = random.normal(size=(n, key_heads, width)).astype(np.float32)
tokens = [f"token{i}" for i in range(n)]
exec(snippet, {"q": q, "k": k, "tokens": tokens})


def rotated(x, base=1e4):
    angle = (np.arange(n)[:, None] * base ** (-np.arange(0, width, 2) / width))[:, None, :]
    a, b = np.float64(x[..., : width // 2]), np.float64(x[..., width // 2:])
    return np.concatenate([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)], -1)


def weights(base=1e4):
    logits = np.einsum("ihd,jhd->hij", rotated(q, base), np.repeat(rotated(k, base), heads // key_heads, 1)) / np.sqrt(width)
    logits[:, ~np.tri(n, dtype=bool)] = -np.inf
    made = np.exp(logits - logits.max(-1, keepdims=True))
    return made / made.sum(-1, keepdims=True)


def shown(*settings):
    subprocess.run([program, "data", "attention", "-s", "qk.json", "-o", "a.npy", *settings], check=True, capture_output=True)
    return np.load("a.npy")


assert np.abs(shown() - weights()).max() < 1e-14
assert np.abs(shown("--set", "base=500") - weights(500.0)).max() < 1e-14, "another base moves them"
print("the snippet's q and k are shown")
