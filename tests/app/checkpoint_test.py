#!/usr/bin/env python3
"""W_q and W_k of checkpoints, made in NumPy: Posiscope's logits, weights and score curves are those that NumPy computes.

    checkpoint_test.py PROGRAM
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

import numpy as np

program = os.path.abspath(sys.argv[1])
os.chdir(tempfile.mkdtemp())
random = np.random.default_rng(20261123)
BASE = 1e4


def bits(x, dtype):
    """The bytes of an array, and the numbers that they are."""
    if dtype == "BF16":
        whole = np.asarray(x, np.float32).view(np.uint32)
        half = ((whole + 0x7FFF + ((whole >> 16) & 1)) >> 16).astype("<u2")
        return half.tobytes(), (half.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    kept = np.asarray(x, {"F16": "<f2", "F32": "<f4", "F64": "<f8"}[dtype])
    return kept.tobytes(), kept.astype(np.float64)


def save(path, arrays, dtype):
    header, data, kept = {"__metadata__": {"format": "pt"}}, b"", {}
    for name, array in arrays.items():
        raw, kept[name] = bits(array, dtype)
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)
    return kept


def save_index(path, arrays, dtype):
    kept, shard_of = {}, {}
    for i, (name, array) in enumerate(arrays.items()):
        shard_of[name] = f"part-{i}.safetensors"
        kept |= save(shard_of[name], {name: array}, dtype)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"metadata": {}, "weight_map": shard_of}, file)
    return kept


def scattered(x):
    with np.errstate(over="ignore"):
        x = np.uint64(x) + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def seeded(seed, n, d):
    """SplitMix64 of seed, tensor (the input is 4), row and column; uniform with variance 1."""
    row = scattered(scattered(scattered(np.uint64(seed)) ^ np.uint64(4)) ^ np.arange(n, dtype=np.uint64))
    unit = (scattered(row[:, None] ^ np.arange(d, dtype=np.uint64)) >> np.uint64(11)).astype(np.float64) * 2.0 ** -53
    return (2 * unit - 1) * np.sqrt(3)


def rotated(x, position):
    half = x.shape[-1] // 2
    angle = (np.asarray(position, np.float64)[:, None] * BASE ** (-np.arange(half) / half))[:, None, :]
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)], -1)


def rms(y, w, eps):
    return y / np.sqrt((y ** 2).mean(-1, keepdims=True) + eps) * w


def layer_norm(y, w, b, eps):
    y = y - y.mean(-1, keepdims=True)
    return y / np.sqrt((y ** 2).mean(-1, keepdims=True) + eps) * w + b


def attention(q, k, start=0):
    n, heads, width = q.shape
    place = start + np.arange(n)
    logits = np.einsum("ihd,jhd->hij", rotated(q, place), np.repeat(rotated(k, place), heads // k.shape[1], 1)) / np.sqrt(width)
    logits[:, ~np.tri(n, dtype=bool)] = -np.inf
    made = np.exp(logits - logits.max(-1, keepdims=True))
    return made / made.sum(-1, keepdims=True)


def curve(q, k, n):
    """Logits of one query and one key, at the distances 1 − n … n − 1."""
    turned = rotated(np.repeat(q[None, None, :], 2 * n - 1, 0), np.arange(1 - n, n))[:, 0]
    return turned @ k / np.sqrt(len(q))


def run(quantity, scene, *more):
    with open("scene.json", "w", encoding="utf-8") as file:
        json.dump(scene, file)
    return subprocess.run([program, "data", quantity, "--lang", "en", "-s", "scene.json", "-o", "out.npy", *more],
                          capture_output=True, text=True, timeout=600)


def scene(heads, width, n, **content):
    return {"encoding": "rope", "base": BASE, "layout": "half", "num_heads": heads, "head_dim": width,
            "d_model": heads * width, "length": n, "content": {"kind": "checkpoint", **content}}


worst = 0.0


def agrees(quantity, expected, given, *more):
    global worst
    done = run(quantity, given, *more)
    assert done.returncode == 0, done.stderr
    made = np.load("out.npy")
    off = np.abs(made - expected).max() / max(1.0, np.abs(expected).max())
    worst = max(worst, off)
    assert made.shape == expected.shape and off < 2e-14, (quantity, given["content"], off)


def weights(heads, key_heads, width, d, scale=1.0):
    return (random.normal(size=(heads * width, d)) * scale / np.sqrt(d), random.normal(size=(key_heads * width, d)) * scale / np.sqrt(d))


n, heads, key_heads, width, d = 24, 6, 2, 16, 40
folder = "model.layers.{}.self_attn."
x = random.normal(size=(n, d))
np.save("x.npy", x)

# Llama's names, fewer key heads; the second of two layers; seeded and given input; a window onto a long sequence.
for dtype in ("F32", "F16", "BF16", "F64"):
    arrays = {}
    for layer in (0, 1):
        wq, wk = weights(heads, key_heads, width, d)
        arrays |= {folder.format(layer) + "q_proj.weight": wq, folder.format(layer) + "k_proj.weight": wk}
    kept = save("model.safetensors", arrays, dtype)
    wq, wk = (kept[folder.format(1) + name] for name in ("q_proj.weight", "k_proj.weight"))
    of = dict(file="model.safetensors", layer=1, head_dim=width)
    q, k = ((x @ w.T).reshape(n, -1, width) for w in (wq, wk))
    agrees("attention", attention(q, k), scene(heads, width, n, **of, input="x.npy"))
    agrees("attention", attention(q, k, 900), scene(heads, width, n, **of, input="x.npy", start=900))
    for head in (0, 5):
        mean = curve(q[:, head].mean(0), k[:, head // 3].mean(0), n)
        agrees("scores", mean, scene(heads, width, n, **of, input="x.npy", head=head), "--array", "logit")
        row = curve(q[7, head], k[2, head // 3], n)
        agrees("scores", row, scene(heads, width, n, **of, input="x.npy", head=head, query_row=7, key_row=2), "--array", "logit")
    own = seeded(5, n, d)
    q, k = ((own @ w.T).reshape(n, -1, width) for w in (wq, wk))
    agrees("attention", attention(q, k), scene(heads, width, n, **of, seed=5))
    agrees("scores", curve(q[0, 4], k[0, 1], n), scene(heads, width, n, **of, seed=5, head=4), "--array", "logit")
    agrees("scores", curve(q[9, 4], k[3, 1], n), scene(heads, width, n, **of, seed=5, head=4, query_row=9, key_row=3), "--array", "logit")

# Biases, in shards of an index; other names.
for names in ("model.language_model.layers.3.self_attn.", "layers.3.attention."):
    q_name, k_name = ("q_proj", "k_proj") if "self" in names else ("wq", "wk")
    wq, wk = weights(heads, key_heads, width, d)
    arrays = {names + q_name + ".weight": wq, names + k_name + ".weight": wk,
              names + q_name + ".bias": random.normal(size=heads * width) * 3, names + k_name + ".bias": random.normal(size=key_heads * width) * 3,
              "other": np.zeros((2, 2))}
    kept = save_index("model.safetensors.index.json", arrays, "BF16")
    q, k = ((x @ kept[names + name + ".weight"].T + kept[names + name + ".bias"]).reshape(n, -1, width) for name in (q_name, k_name))
    agrees("attention", attention(q, k), scene(heads, width, n, file="model.safetensors.index.json", layer=3, head_dim=width, input="x.npy"))

# qk-norm, of one head and of each; head_dim follows from the first.
for shape in ((width,), (key_heads, width)):
    wq, wk = weights(key_heads, key_heads, width, d, 4.0)
    at = folder.format(0)
    arrays = {at + "q_proj.weight": wq, at + "k_proj.weight": wk, at + "q_norm.weight": random.normal(size=shape), at + "k_norm.weight": random.normal(size=shape)}
    kept = save("normed.safetensors", arrays, "F32")
    q, k = ((x @ kept[at + name].T).reshape(n, -1, width) for name in ("q_proj.weight", "k_proj.weight"))
    a, b = kept[at + "q_norm.weight"], kept[at + "k_norm.weight"]
    given = scene(key_heads, width, n, file="normed.safetensors", input="x.npy", norm_eps=1e-3)
    for norm, expected in (("rms", (rms(q, a, 1e-3), rms(k, b, 1e-3))), ("rms_plus_one", (rms(q, 1 + a, 1e-3), rms(k, 1 + b, 1e-3))),
                           ("layer", (layer_norm(q, a, 0, 1e-3), layer_norm(k, b, 0, 1e-3))), ("none", (q, k))):
        given["content"]["norm"] = norm
        if norm == "none" or len(shape) == 2:
            given["content"]["head_dim"] = width
        agrees("attention", attention(*expected), given)
        agrees("scores", curve(expected[0][:, 1].mean(0), expected[1][:, 1].mean(0), n), given | {"content": given["content"] | {"head": 1}}, "--array", "logit")

# W alone, each in a file.
wq, wk = weights(heads, key_heads, width, d)
np.save("wq.npy", wq), np.save("wk.npy", wk)
q, k = ((x @ w.T).reshape(n, -1, width) for w in (wq, wk))
agrees("attention", attention(q, k), scene(heads, width, n, file="wq.npy", key_file="wk.npy", head_dim=width, input="x.npy"))

# What cannot be used is named.
def refused(word, arrays, heads=heads, **content):
    save("bad.safetensors", arrays, "F32")
    done = run("attention", scene(heads, width, n, **({"file": "bad.safetensors", "head_dim": width} | content)))
    assert done.returncode != 0 and word in done.stderr, (word, done.stderr)


good = {folder.format(0) + "q_proj.weight": wq, folder.format(0) + "k_proj.weight": wk}
fused = np.zeros((3 * heads * width, d))
for name in ("h.0.attn.c_attn.weight", "transformer.h.0.attn.query_key_value.weight", "model.layers.0.self_attn.qkv_proj.weight",
             "model.layers.0.attention.wqkv.weight", "model.layers.0.self_attn.W_pack.weight"):
    refused(f"{name} holds several projections", {name: fused})
    refused(f"{name} holds several projections", {name: fused}, query_name=name, key_name=name)
refused("latent attention", {"model.layers.0.self_attn.kv_a_proj_with_mqa.weight": fused, "model.layers.0.self_attn.q_b_proj.weight": fused})
refused("W_q and W_k of layer 7", good, layer=7)
refused("No checkpoint is chosen", good, file=None)
refused("Set num_heads=6", good, heads=3)
refused("cannot be split into heads of 36", good, head_dim=36)
refused("Set content.head_dim", good, head_dim=None)
refused("Set content.head_dim", good | {folder.format(0) + "q_norm.weight": np.array(1.0)}, head_dim=None)
refused("is not a projection", {name: array[None] for name, array in good.items()})
refused("which must divide", good | {folder.format(0) + "k_proj.weight": np.zeros((4 * width, d))})
refused("does not normalize each head", good | {folder.format(0) + "q_norm.weight": np.ones(heads * width)})
refused("belongs to a LayerNorm", good | {folder.format(0) + "q_norm.bias": np.ones(width)})
np.save("narrow.npy", x[:, :-1])
refused("does not fit W, which has 40 columns", good, input="narrow.npy")
np.save("nan.npy", np.where(np.arange(d) == 3, np.nan, x))
refused("not finite", good, input="nan.npy")
np.save("../away-%d.npy" % os.getpid(), x)
try:
    done = run("attention", scene(heads, width, n, file="bad.safetensors", head_dim=width, input="../away-%d.npy" % os.getpid()))
    assert done.returncode == 1 and "away" in done.stderr, "a file outside the scene's folder is asked for"
finally:
    os.remove("../away-%d.npy" % os.getpid())
print(f"W_q and W_k agree with NumPy within {worst:.1e}")
