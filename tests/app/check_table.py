#!/usr/bin/env python3
"""Dumps with and without mistakes, made in NumPy, through `posiscope check`: every slip is named, and none is invented.

    check_table.py PROGRAM
"""
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy as np

PROGRAM = sys.argv[1]
SEED = 20261122
MARKS = {
    "fine": "No slip was found", "offset_one": "first row is position 1", "offset_two": "first row is position 2",
    "offset_minus": "first row is position −1", "exponent_doubled": "exponent is −4i/d", "two_pi": "multiplied by 2π",
    "degrees": "angles in degrees were given", "radians": "multiplied by π/180", "backwards": "rotates the wrong way",
    "bfloat16_positions": "positions were rounded to bfloat16", "float16_positions": "positions were rounded to float16",
    "unscaled": "scaling of the config is missing", "scaled_inverse": "scaling is inverted",
    "scaled_twice": "scaling is applied twice", "factor_twice": "attention factor is applied twice",
    "factor_missing": "attention factor is missing", "exchanged": "sin and cos are exchanged",
    "layout": "pairs are interleaved where", "other_base": "but the config has", "inverted": "inverses of the frequencies",
    "empty_rows": "are zero", "alibi_heads": "are the first", "alibi_naive": "is not a power of two",
    "alibi_reversed": "in reverse order", "alibi_sign": "grows with the distance", "damaged": "compared numbers fit",
    "transposed": "the table is transposed", "rows": "rows that do not match", "columns": "columns that do not match",
    "positions_reversed": "rows are in reverse order",
}
random = np.random.default_rng(SEED)
folder = pathlib.Path(tempfile.mkdtemp())


def bf16(x):
    bits = np.asarray(x, dtype=np.float32).view(np.uint32)
    rounded = bits + 0x7FFF + ((bits >> 16) & 1)
    return (rounded & 0xFFFF0000).astype(np.uint32).view(np.float32)


def omega(base, d):
    return float(base) ** (-np.arange(0, d, 2) / d)


def positions(n, first=0):
    return np.arange(first, first + n, dtype=np.float64)


def save(name, array, dtype="float32"):
    """.npy, or .safetensors for bfloat16."""
    if dtype != "bfloat16":
        path = folder / (name + ".npy")
        np.save(path, np.ascontiguousarray(array, dtype=dtype))
        return path
    path = folder / (name + ".safetensors")
    data = (bf16(array).view(np.uint32) >> 16).astype("<u2").tobytes()
    header = json.dumps({name: {"dtype": "BF16", "shape": list(np.shape(array)), "data_offsets": [0, len(data)]}})
    path.write_bytes(struct.pack("<Q", len(header)) + header.encode() + data)
    return path


def config(name, **settings):
    path = folder / (name + ".json")
    path.write_text(json.dumps({"model_type": "llama", "hidden_size": 1024, "num_attention_heads": 16,
                                "max_position_embeddings": 4096, **settings}))
    return path


bare = subprocess.run([PROGRAM, "check", "--lang", "en"], capture_output=True, text=True, timeout=600)
assert bare.returncode == 2 and bare.stderr.startswith("TABLE is missing."), bare.stderr

tally = {"right": 0, "named": 0, "mistakes": 0, "wrong": []}


def check(path, expected, *options):
    """expected: what must be among the answers; nothing else may stand alone."""
    run = subprocess.run([PROGRAM, "check", str(path), "--lang", "en", *map(str, options)], capture_output=True, text=True,
                         timeout=600)
    found = {slip for slip, mark in MARKS.items() if mark in run.stdout} if run.returncode in (0, 4) else {"none"}
    mistake = expected not in ("fine", "none")
    wanted = {"none": 1, "fine": 0}.get(expected, 0 if "No slip was found" in run.stdout else 4)
    if run.returncode not in (1, wanted):
        tally["wrong"].append(f"{path.name}: exit code {run.returncode}\n{run.stdout}")
    tally["mistakes"] += mistake
    if found == {expected} or (mistake and expected in found and "answers fit" in run.stdout):
        tally["named" if mistake else "right"] += 1
    elif mistake and found == {"none"}:
        print(f"not named: {path.name}: {expected}\n{run.stdout}{run.stderr}")
    else:
        tally["wrong"].append(f"{path.name}: {expected}, said {sorted(found)}\n{run.stdout}{run.stderr}")


def halves(angle, what):
    return np.concatenate([what(angle), what(angle)], axis=1)


def pairs(angle, what):
    return np.repeat(what(angle), 2, axis=1)


def interleaved(first, second):
    out = np.empty((first.shape[0], 2 * first.shape[1]))
    out[:, 0::2], out[:, 1::2] = first, second
    return out


def noisy(x, size):
    return x + size * random.standard_normal(np.shape(x))


# ---- nothing wrong -----------------------------------------------------------------------------------------------
for d, n, base, dtype in ((64, 512, 1e4, "float32"), (128, 300, 5e5, "float16"), (96, 1024, 1e6, "bfloat16"),
                          (128, 64, 12345.0, "float64")):
    angle = np.outer(positions(n), omega(base, d))
    check(save(f"cos_{d}_{dtype}", halves(angle, np.cos), dtype), "fine")
    check(save(f"sin_pairs_{d}_{dtype}", pairs(angle, np.sin), dtype), "fine")
    check(save(f"vllm_{d}_{dtype}", np.concatenate([np.cos(angle), np.sin(angle)], 1), dtype), "fine")
    check(save(f"table_{d}_{dtype}", interleaved(np.sin(angle), np.cos(angle)), dtype), "fine")
    check(save(f"inv_freq_{d}_{dtype}", omega(base, d), dtype), "fine")
angle = np.outer(positions(400), omega(1e4, 64))
check(save("noisy_table", noisy(interleaved(np.sin(angle), np.cos(angle)), 1e-3)), "fine")
check(save("stacked", np.stack([np.cos(angle), np.sin(angle)], -1)), "fine")
check(save("cropped", interleaved(np.sin(angle), np.cos(angle))[:37]), "fine")
for d, n, base in ((72, 300, 1e3), (64, 40, 1e8)):  # b = 10⁴ of a wider head, or with doubled exponents, is the same table
    run = subprocess.run([PROGRAM, "check", str(save(f"two_answers_{d}", halves(np.outer(positions(n), omega(base, d)), np.cos))),
                          "--lang", "en"], capture_output=True, text=True, timeout=600)
    assert "2 answers fit" in run.stdout and "No slip was found" in run.stdout, run.stdout
check(save("random", random.standard_normal((64, 64))), "none")
check(save("random_list", random.uniform(0.1, 3.0, 32)), "none")
q = random.standard_normal(64)


def rotated(angle, q, sign=1.0, half=True):
    h = angle.shape[1]
    a, b = (q[:h], q[h:]) if half else (q[0::2], q[1::2])
    c, s = np.cos(angle), sign * np.sin(angle)
    first, second = a * c - b * s, a * s + b * c
    return np.concatenate([first, second], 1) if half else interleaved(first, second)


check(save("query", rotated(angle, q)), "fine")
check(save("query_pairs", rotated(angle, q, half=False)), "fine")


def slopes(n):
    p = 2 ** math.floor(math.log2(n))
    return np.array([2 ** (-8 * k / p) for k in range(1, p + 1)] +
                    [2 ** (-8 * (2 * k - 1) / (2 * p)) for k in range(1, n - p + 1)])


def bias(s, n, sign=-1.0):
    distance = np.arange(n)[:, None] - np.arange(n)[None, :]
    return sign * s[:, None, None] * distance


for heads in (8, 12, 16):
    check(save(f"slopes_{heads}", slopes(heads)), "fine")
    check(save(f"bias_{heads}", bias(slopes(heads), 24)), "fine")

# ---- without a config --------------------------------------------------------------------------------------------
for d, n, base, dtype in ((64, 512, 1e4, "float32"), (128, 400, 1e4, "float16"), (64, 700, 5e5, "float32"),
                          (128, 600, 1e6, "bfloat16"), (48, 900, 6e5, "bfloat16"), (160, 800, 3.2e7, "float64")):
    w = omega(base, d)
    tag = f"{d}_{int(base)}_{dtype}"

    def cache(rate, p=None, name="cos", what=np.cos):
        return save(f"{name}_{tag}", halves(np.outer(positions(n) if p is None else p, rate), what), dtype)

    def table(rate, name, p=None, sign=1.0):
        a = np.outer(positions(n) if p is None else p, rate)
        return save(f"{name}_{tag}", interleaved(sign * np.sin(a), np.cos(a)), dtype)

    check(cache(w, positions(n, 1), "one_cos"), "offset_one")
    check(table(w, "two", positions(n, 2)), "offset_two")
    check(table(w, "minus", positions(n, -1)), "offset_minus")
    check(cache(w ** 2, None, "doubled_cos"), "exponent_doubled")
    check(table(2 * np.pi * w, "two_pi"), "two_pi")
    check(table(w * 180 / np.pi, "degrees"), "degrees")
    check(cache(w * np.pi / 180, None, "radians_cos"), "radians")
    check(table(w, "backwards", None, -1.0), "backwards")
    check(cache(w, bf16(positions(n)).astype(np.float64), "bf_positions_cos"), "bfloat16_positions")
    check(cache(w, None, "exchanged_cos", np.sin), "exchanged")
    a = np.outer(positions(n), w)
    check(save(f"exchanged_{tag}", interleaved(np.cos(a), np.sin(a)), dtype), "exchanged")
    check(save(f"doubled_inv_freq_{tag}", w ** 2, "float32"), "exponent_doubled")
    check(save(f"inverted_inv_freq_{tag}", 1 / w, "float32"), "inverted")
    check(save(f"query_back_{tag}", rotated(a, random.standard_normal(d), -1.0), "float32"), "backwards")
a = np.outer(positions(300), omega(1e4, 64))
unfinished = interleaved(np.sin(a), np.cos(a))
unfinished[256:] = 0
check(save("unfinished", unfinished), "empty_rows")
p = positions(4096).astype(np.float16).astype(np.float64)
check(save("half_positions_cos", halves(np.outer(p, omega(1e4, 64)), np.cos)), "float16_positions")
check(save("noisy_doubled", noisy(interleaved(np.sin(np.outer(positions(512), omega(1e4, 64) ** 2)),
                                              np.cos(np.outer(positions(512), omega(1e4, 64) ** 2))), 1e-3)),
      "exponent_doubled")
check(save("slopes_12_of_16", slopes(16)[:12]), "alibi_heads")
check(save("slopes_naive", 2 ** (-8 * np.arange(1, 13) / 12)), "alibi_naive")
check(save("slopes_reversed", slopes(8)[::-1]), "alibi_reversed")
check(save("bias_sign", bias(slopes(8), 20, 1.0)), "alibi_sign")
check(save("bias_12_of_32", bias(slopes(32)[:12], 20)), "alibi_heads")

# ---- cut from the middle, of a base that only all numbers tell, in other shapes ----------------------------------
def begins(path, position, *words):
    run = subprocess.run([PROGRAM, "check", str(path), "--lang", "en"], capture_output=True, text=True, timeout=600)
    for word in (f"begin at position {position}.", *words):
        if word not in run.stdout:
            tally["wrong"].append(f"{path.name}: not '{word}'\n{run.stdout}{run.stderr}")


a = np.outer(positions(60, 1000), omega(1e4, 64))
begins(save("middle_cos", np.cos(a)), 1000, "b = 10000", "No slip")
begins(save("middle_sin", halves(np.outer(positions(40, 70000), omega(5e5, 128)), np.sin), "float16"), 70000, "b = 500000")
begins(save("middle_table", noisy(interleaved(np.sin(a), np.cos(a)), 1e-4)), 1000, "No slip")
begins(save("middle_doubled", np.cos(np.outer(positions(60, 17), omega(1e4, 64) ** 2)), "bfloat16"), 17, "exponent is")
begins(save("middle_odd", halves(np.outer(positions(100, 200), omega(23456.0, 96)), np.cos), "float16"), 200, "b = 23")
check(save("odd_cos", np.cos(np.outer(positions(300), omega(15302.0, 128))), "float16"), "fine")
check(save("odd_inv_freq", omega(6824317.0, 64), "float16"), "fine")
check(save("apart", np.stack([np.cos(a), np.sin(a)]), "bfloat16"), "fine")
check(save("apart_exchanged", np.stack([np.sin(a), np.cos(a)])), "exchanged")
check(save("batch", np.stack([halves(a, np.cos)] * 3)), "fine")
check(save("transposed", np.ascontiguousarray(np.cos(np.outer(positions(80), omega(1e4, 64))).T)), "transposed")
damaged = halves(np.outer(positions(100), omega(1e4, 64)), np.cos)
damaged[50, 7] += 0.3
check(save("damaged", damaged), "damaged")
damaged[50, 7] = math.nan
check(save("nan", damaged), "damaged")
check(save("stretched", np.cos(np.outer(0.87 * positions(300), omega(1e6, 64)))), "fine")
for name, rate in (("exponent_doubled", omega(1e4, 64) ** 2), ("two_pi", 2 * np.pi * omega(1e4, 64))):
    check(save(f"query_{name}", rotated(np.outer(positions(200), rate), q)), name)
check(save("reversed", np.cos(a)[::-1]), "none")
check(save("shuffled", np.cos(a)[:, random.permutation(32)]), "none")
check(save("squared", np.cos(a) ** 2), "none")

# ---- against a config --------------------------------------------------------------------------------------------
linear = config("linear", rope_theta=10000.0, rope_scaling={"type": "linear", "factor": 4.0})
plain = config("plain", rope_theta=500000.0)
yarn = config("yarn", rope_theta=10000.0, max_position_embeddings=16384,
              rope_scaling={"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 2048})
w = omega(1e4, 64)


def yarn_rates(base, d, s, original):
    low = math.floor(d * math.log(original / (32 * 2 * math.pi)) / (2 * math.log(base)))
    high = math.ceil(d * math.log(original / (2 * math.pi)) / (2 * math.log(base)))
    keep = 1 - np.clip((np.arange(d // 2) - max(low, 0)) / (min(high, d - 1) - max(low, 0)), 0, 1)
    return omega(base, d) * (keep + (1 - keep) / s)


y, factor = yarn_rates(1e4, 64, 8.0, 2048), 0.1 * math.log(8) + 1
for dtype, n in (("float32", 1000), ("float16", 600)):
    p = positions(n)
    check(save(f"linear_cos_{dtype}", halves(np.outer(p, w / 4), np.cos), dtype), "fine", "--config", linear)
    check(save(f"linear_none_cos_{dtype}", halves(np.outer(p, w), np.cos), dtype), "unscaled", "--config", linear)
    check(save(f"linear_inverse_cos_{dtype}", halves(np.outer(p, w * 4), np.cos), dtype), "scaled_inverse", "--config",
          linear)
    check(save(f"linear_twice_cos_{dtype}", halves(np.outer(p, w / 16), np.cos), dtype), "scaled_twice", "--config",
          linear)
    check(save(f"base_cos_{dtype}", halves(np.outer(p, w), np.cos), dtype), "other_base", "--config", plain)
    check(save(f"pairs_cos_{dtype}", pairs(np.outer(p, omega(5e5, 64)), np.cos), dtype), "layout", "--config", plain)
    check(save(f"yarn_cos_{dtype}", factor * halves(np.outer(p, y), np.cos), dtype), "fine", "--config", yarn)
    check(save(f"yarn_bare_cos_{dtype}", halves(np.outer(p, y), np.cos), dtype), "factor_missing", "--config", yarn)
    check(save(f"yarn_double_cos_{dtype}", factor ** 2 * halves(np.outer(p, y), np.cos), dtype), "factor_twice",
          "--config", yarn)
    check(save(f"yarn_two_cos_{dtype}", factor * halves(np.outer(positions(n, 2), y), np.cos), dtype), "offset_two",
          "--config", yarn)
    check(save(f"query_layout_{dtype}", rotated(np.outer(p, omega(5e5, 64)), q, half=False), dtype), "layout",
          "--config", plain)

# ---- scaled, without a config: in words where the numbers decide, else nothing -----------------------------------
def says(path, *words, options=()):
    run = subprocess.run([PROGRAM, "check", str(path), "--lang", "en", *map(str, options)], capture_output=True, text=True,
                         timeout=600)
    good = run.returncode == 0 and "No slip was found" in run.stdout and "Slip:" not in run.stdout
    if words and not (good and all(word in run.stdout for word in words)) or not words and run.returncode != 1:
        tally["wrong"].append(f"{path.name}: not {words}\n{run.stdout}{run.stderr}")


def float32_rates(base, d):
    """As PyTorch computes them."""
    return (1.0 / np.float32(base) ** (np.arange(0, d, 2, dtype=np.float32) / np.float32(d))).astype(np.float32)


def llama3_rates(base, d, s, low, high, original):
    rates = omega(base, d)
    t = np.clip((original * rates / (2 * np.pi) - low) / (high - low), 0, 1)
    return (1 - t) * rates / s + t * rates


for s, original, base, d, dtype in ((4, 4096, 1e4, 128, "float32"), (16, 2048, 1e6, 64, "float32"),
                                    (8, 2048, 1e4, 128, "float16")):
    rates, times = yarn_rates(base, d, s, original), 0.1 * math.log(s) + 1
    words = (f"b = {int(base)}, yarn, factor {s}, original_max_position_embeddings {original}",)
    a = np.outer(positions(3000), rates)
    says(save(f"scaled_yarn_{s}_{dtype}", times * halves(a, np.cos), dtype), *words)
    says(save(f"scaled_yarn_{s}_bare_{dtype}", np.concatenate([np.cos(a), np.sin(a)], 1), dtype), *words, "attention_factor 1")
    says(save(f"scaled_yarn_{s}_inv_freq", rates), *words)
    check(save(f"scaled_yarn_{s}_one_{dtype}", times * halves(np.outer(positions(3000, 1), rates), np.cos), dtype), "offset_one")
a = np.outer(positions(900, 700), yarn_rates(1e4, 128, 8, 2048))
says(save("scaled_yarn_cut", np.concatenate([np.cos(a), np.sin(a)], 1)), "yarn, factor 8", "begin at position 700")
a = np.outer(positions(5000), llama3_rates(5e5, 64, 4, 1, 4, 8192))
says(save("scaled_llama3", halves(a, np.cos)), "b = 500000, llama3, factor 4, low_freq_factor 1, high_freq_factor 4")
says(save("scaled_linear", halves(np.outer(positions(900), omega(1e4, 128) / 4), np.cos)), "b = 10000, ω / 4")
for alpha, d in ((8, 128), (3, 64)):
    rates = float32_rates(1e4 * alpha ** (d / (d - 2)), d)
    says(save(f"scaled_ntk_{alpha}", halves(np.outer(positions(2000, 0).astype(np.float32), rates), np.cos)),
         f"(b = 10000; ntk or dynamic, alpha {alpha})")
models = json.loads((pathlib.Path(__file__).parents[2] / "assets/models.json").read_text())["models"]
phi = next(m for m in models if m["name"] == "microsoft/Phi-3-mini-128k-instruct")["config"]["rope_scaling"]
for factors in ("short_factor", "long_factor"):
    a = np.outer(positions(3000), omega(1e4, 96) / np.array(phi[factors]))
    says(save(f"scaled_{factors}", math.sqrt(1 + math.log(32) / math.log(4096)) * halves(a, np.cos)),
         f"microsoft/Phi-3-mini-128k-instruct (b = 10000; longrope), {factors}")
a = np.outer(positions(4096), llama3_rates(5e5, 128, 8, 1, 4, 8192))
says(save("scaled_as_a_model", halves(a, np.cos)), "meta-llama/Meta-Llama-3.1-8B (b = 500000; llama3, factor 8)")
says(save("scaled_oddly", halves(np.outer(positions(3000), yarn_rates(1e4, 128, 8, 3000)), np.cos)))

# ---- few rows with noise, odd widths in float32, an order that two things have -----------------------------------
for n, base, d, size in ((12, 1e4, 128, 1e-3), (8, 1e4, 128, 2e-3), (10, 5e5, 64, 3e-4)):
    a = np.outer(positions(n), omega(base, d))
    says(save(f"noisy_{n}", noisy(np.concatenate([np.cos(a), np.sin(a)], 1), size)), f"b = {int(base)}", "carries noise")
    check(save(f"noisy_{n}_random", random.standard_normal((n, d))), "none")
    check(save(f"noisy_{n}_ones", noisy(np.ones((n, 4 * d)), 0.01)), "none")
    check(save(f"noisy_{n}_jumps", np.cos(a[random.permutation(n)]) + 1e-3 * random.standard_normal(a.shape)), "none")
for d in (80, 96, 256):
    rates = float32_rates(1e4, d)
    for name, changed in (("fine", rates), ("two_pi", np.float32(2 * np.pi) * rates), ("exponent_doubled", rates * rates)):
        a = np.outer(np.arange(620, dtype=np.float32), changed)
        check(save(f"float32_{name}_{d}", halves(a, np.cos)), name)
a = np.outer(positions(300), omega(1e4, 64))
says(save("sine_first", np.concatenate([np.sin(a), np.cos(a)], 1)), "Sinusoidal table", "RoPE")
gptj = folder / "gptj.json"
gptj.write_text(json.dumps({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": 64, "n_positions": 2048}))
says(save("gptj", np.concatenate([np.sin(a), np.cos(a)], 1)), "config", options=("--config", gptj))
check(save("sine_first_llama", np.concatenate([np.sin(a), np.cos(a)], 1)), "exchanged", "--config",
      config("plain_10000", rope_theta=10000.0))

print(f"{tally['right']} right, {tally['named']} of {tally['mistakes']} slips named, {len(tally['wrong'])} wrong")
for line in tally["wrong"]:
    print("wrong:", line)
sys.exit(tally["named"] < 0.95 * tally["mistakes"] or len(tally["wrong"]) > 0 or tally["mistakes"] < 60)
