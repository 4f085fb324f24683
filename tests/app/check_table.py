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
# What may be said of a mistake, by the names of the record; of the others any measurement that differs.
SAID = {
    "offset_one": "rows_begins", "offset_two": "rows_begins", "offset_minus": "rows_begins", "exponent_doubled": "exponent_doubled",
    "two_pi": "two_pi", "degrees": "angles_times", "radians": "degrees", "backwards": "sine_negated backwards",
    "bfloat16_positions": "narrowed rows_narrowed", "float16_positions": "narrowed rows_narrowed", "unscaled": "unscaled",
    "scaled_inverse": "inverse", "scaled_twice": "scaled_twice", "factor_twice": "amplitude_squared",
    "factor_missing": "amplitude_missing", "exchanged": "sine_first named_other", "layout": "layout other_layout", "other_base": "base",
    "transposed": "transposed", "alibi_heads": "alibi_heads", "alibi_naive": "alibi_naive", "alibi_reversed": "alibi_reversed",
    "alibi_sign": "alibi_sign", "damaged": "numbers_off column_off rows_off"}
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
assert bare.returncode == 2 and bare.stderr.startswith("FILE is missing."), bare.stderr

tally = {"right": 0, "named": 0, "mistakes": 0, "wrong": []}


def check(path, expected, *options):
    """expected: "fine", "noisy", "none" (nothing known), or the mistake that is named."""
    run = subprocess.run([PROGRAM, "check", str(path), "--lang", "en", "--json", *map(str, options)], capture_output=True, text=True,
                         timeout=600)
    said = json.loads(run.stdout)
    found = [one["name"] for one in said["findings"] if one["wrong"]]
    mistake = expected not in ("fine", "none", "noisy")
    tally["mistakes"] += mistake
    if run.returncode != {"right": 0, "noisy": 5, "wrong": 4, "unknown": 1}[said["verdict"]]:
        tally["wrong"].append(f"{path.name}: exit code {run.returncode}\n{run.stdout}")
    wanted = {"none": "unknown", "fine": "right", "noisy": "noisy"}.get(expected, "wrong")
    if expected == "odd":  # no table that anybody knows: measured, but never right
        tally["mistakes"] -= 1
        tally["right"] += said["verdict"] in ("wrong", "unknown")
        if said["verdict"] not in ("wrong", "unknown"):
            tally["wrong"].append(f"{path.name}: said {said['verdict']}")
        return
    names = SAID.get(expected, "").split()
    if said["verdict"] == wanted and (not mistake or not names or any(name in found for name in names)):
        tally["named" if mistake else "right"] += 1
    elif mistake and said["verdict"] != "right":
        print(f"not named: {path.name}: {expected}, {said['verdict']} {found}")
    else:
        tally["wrong"].append(f"{path.name}: {expected}, said {said['verdict']} {found}")


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
check(save("noisy_table", noisy(interleaved(np.sin(angle), np.cos(angle)), 1e-3)), "noisy")
check(save("stacked", np.stack([np.cos(angle), np.sin(angle)], -1)), "fine")
check(save("cropped", interleaved(np.sin(angle), np.cos(angle))[:37]), "fine")
check(save("random", random.standard_normal((64, 64))), "none")
check(save("random_list", random.uniform(0.1, 3.0, 32)), "none")
q = random.standard_normal(64)


def rotated(angle, q, sign=1.0, half=True):
    h = angle.shape[1]
    a, b = (q[:h], q[h:]) if half else (q[0::2], q[1::2])
    c, s = np.cos(angle), sign * np.sin(angle)
    first, second = a * c - b * s, a * s + b * c
    return np.concatenate([first, second], 1) if half else interleaved(first, second)




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

    check(cache(w, positions(n, 1), "one_cos"), "offset_one" if base != 6e5 else "odd")
    check(table(w, "two", positions(n, 2)), "offset_two")
    check(table(w, "minus", positions(n, -1)), "offset_minus")
    check(table(2 * np.pi * w, "two_pi"), "odd")
    check(table(w * 180 / np.pi, "degrees"), "odd")
    check(cache(w * np.pi / 180, None, "radians_cos"), "odd")
    check(table(w, "backwards", None, -1.0), "backwards")
    check(cache(w, bf16(positions(n)).astype(np.float64), "bf_positions_cos"), "odd")
    check(cache(w, None, "exchanged_cos", np.sin), "exchanged")
a = np.outer(positions(300), omega(1e4, 64))
unfinished = interleaved(np.sin(a), np.cos(a))
unfinished[256:] = 0
check(save("unfinished", unfinished), "odd")
p = positions(4096).astype(np.float16).astype(np.float64)
check(save("half_positions_cos", halves(np.outer(p, omega(1e4, 64)), np.cos)), "odd")
check(save("slopes_12_of_16", slopes(16)[:12]), "alibi_heads")
check(save("slopes_naive", 2 ** (-8 * np.arange(1, 13) / 12)), "alibi_naive")
check(save("slopes_reversed", slopes(8)[::-1]), "alibi_reversed")
check(save("bias_sign", bias(slopes(8), 20, 1.0)), "alibi_sign")
check(save("bias_12_of_32", bias(slopes(32)[:12], 20)), "alibi_heads")

# ---- cut from the middle, of a base that only all numbers tell, in other shapes ----------------------------------
def begins(path, position, *words):
    run = subprocess.run([PROGRAM, "check", str(path), "--lang", "en"], capture_output=True, text=True, timeout=600)
    for word in (f"The first row is position {position}.", *words):
        if word not in run.stdout:
            tally["wrong"].append(f"{path.name}: not '{word}'\n{run.stdout}{run.stderr}")


a = np.outer(positions(60, 1000), omega(1e4, 64))
begins(save("middle_cos", np.cos(a)), 1000, "b = 10000", "No slip")
begins(save("middle_sin", halves(np.outer(positions(40, 70000), omega(5e5, 128)), np.sin), "float16"), 70000, "b = 500000")
check(save("odd_cos", np.cos(np.outer(positions(300), omega(15302.0, 128))), "float16"), "fine")
check(save("odd_inv_freq", omega(6824317.0, 64), "float16"), "fine")
check(save("apart", np.stack([np.cos(a), np.sin(a)]), "bfloat16"), "fine")
check(save("batch", np.stack([halves(a, np.cos)] * 3)), "fine")
check(save("transposed", np.ascontiguousarray(np.cos(np.outer(positions(80), omega(1e4, 64))).T)), "transposed")
damaged = halves(np.outer(positions(100), omega(1e4, 64)), np.cos)
damaged[50, 7] += 0.3
check(save("damaged", damaged), "damaged")
damaged[50, 7] = math.nan
check(save("nan", damaged), "damaged")
check(save("reversed", np.cos(a)[::-1]), "odd")
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
    check(save(f"linear_inverse_cos_{dtype}", halves(np.outer(p, w * 4), np.cos), dtype), "odd", "--config",
          linear)
    check(save(f"linear_twice_cos_{dtype}", halves(np.outer(p, w / 16), np.cos), dtype), "odd", "--config",
          linear)
    check(save(f"base_cos_{dtype}", halves(np.outer(p, w), np.cos), dtype), "other_base", "--config", plain)
    check(save(f"pairs_cos_{dtype}", pairs(np.outer(p, omega(5e5, 64)), np.cos), dtype), "layout", "--config", plain)
    check(save(f"yarn_cos_{dtype}", factor * halves(np.outer(p, y), np.cos), dtype), "fine", "--config", yarn)
    check(save(f"yarn_bare_cos_{dtype}", halves(np.outer(p, y), np.cos), dtype), "factor_missing", "--config", yarn)
    check(save(f"yarn_double_cos_{dtype}", factor ** 2 * halves(np.outer(p, y), np.cos), dtype), "factor_twice",
          "--config", yarn)
    check(save(f"yarn_two_cos_{dtype}", factor * halves(np.outer(positions(n, 2), y), np.cos), dtype), "offset_two",
          "--config", yarn)

# ---- of a model, without a config -------------------------------------------------------------------------------------
def says(path, *words, options=()):
    run = subprocess.run([PROGRAM, "check", str(path), "--lang", "en", *map(str, options)], capture_output=True, text=True,
                         timeout=600)
    if run.returncode != 0 or not all(word in run.stdout for word in ("No slip was found", *words)):
        tally["wrong"].append(f"{path.name}: not {words}\n{run.stdout}{run.stderr}")


def float32_rates(base, d):
    """As PyTorch computes them."""
    return (1.0 / np.float32(base) ** (np.arange(0, d, 2, dtype=np.float32) / np.float32(d))).astype(np.float32)


def llama3_rates(base, d, s, low, high, original):
    rates = omega(base, d)
    t = np.clip((original * rates / (2 * np.pi) - low) / (high - low), 0, 1)
    return (1 - t) * rates / s + t * rates


models = json.loads((pathlib.Path(__file__).parents[2] / "assets/models.json").read_text())["models"]
phi = next(m for m in models if m["name"] == "microsoft/Phi-3-mini-128k-instruct")["config"]["rope_scaling"]
for factors in ("short_factor", "long_factor"):
    a = np.outer(positions(3000), omega(1e4, 96) / np.array(phi[factors]))
    says(save(f"scaled_{factors}", math.sqrt(1 + math.log(32) / math.log(4096)) * halves(a, np.cos)),
         f"microsoft/Phi-3-mini-128k-instruct (b = 10000; longrope), {factors}")
a = np.outer(positions(4096), llama3_rates(5e5, 128, 8, 1, 4, 8192))
says(save("scaled_as_a_model", halves(a, np.cos)), "meta-llama/Meta-Llama-3.1-8B (b = 500000; llama3, factor 8)")


# ---- odd widths in float32, an order that two things have ---------------------------------------------------------
for d in (80, 96, 256):
    rates = float32_rates(1e4, d)
    check(save(f"float32_{d}", halves(np.outer(np.arange(620, dtype=np.float32), rates), np.cos)), "fine")
a = np.outer(positions(300), omega(1e4, 64))
says(save("sine_first", np.concatenate([np.sin(a), np.cos(a)], 1)), "32 columns of sin, then of cos")
gptj = folder / "gptj.json"
gptj.write_text(json.dumps({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": 64, "n_positions": 2048}))
says(save("gptj", np.concatenate([np.sin(a), np.cos(a)], 1)), "what the config says", options=("--config", gptj))
check(save("sine_first_llama", np.concatenate([np.sin(a), np.cos(a)], 1)), "exchanged", "--config",
      config("plain_10000", rope_theta=10000.0))

# ---- options: exit codes, several files, tolerance, axes, what two arrays are -----------------------------------------
def run(*words, code=0, says="", quiet=False):
    done = subprocess.run([PROGRAM, "check", "--lang", "en", *map(str, words)], capture_output=True, text=True, timeout=600)
    if done.returncode != code or says not in done.stdout + done.stderr or (quiet and done.stdout + done.stderr):
        tally["wrong"].append(f"{words}: {done.returncode} for {code}, not '{says}'\n{done.stdout}{done.stderr}")
    return done


ten = config("ten", rope_theta=10000.0)
a = np.outer(positions(60), omega(1e4, 64))
good, bad = save("good_cos", np.cos(a)), save("bad_cos", np.cos(2 * a))
noise, far = save("noise_cos", noisy(np.cos(a), 1e-4)), save("far_cos", np.cos(a) + 0.01)
run(good, "--config", ten, says="right in every number")
run(bad, "--config", ten, code=4)
run(noise, "--config", ten, code=5, says="a tolerance of 0.0005 accepts it")
run(noise, "--config", ten, "--tolerance", "1e-3", says="within the tolerance")
run(noise, "--tolerance", "1e-3", says="within the tolerance")  # of a known table as of a config's
run(noise, "--tolerance", "1e-5", code=5)
run(noise, noise, "--config", ten, code=5)
run(noise, good, "--config", ten, code=5)
run(far, "--config", ten, code=4, says="0.01 is added")
run(far, "--config", ten, "--tolerance", "0.001,0.02", code=4)
run(far, "--config", ten, "--tolerance", "0.0101")
run(save("nobody", random.standard_normal((60, 32))), "--config", ten, code=1)
run(folder / "none.npy", code=3, says="none.npy")
run(good, "--config", folder / "none.json", code=3, says="none.json")
run(good, "--as", "picture", code=2, says="cos-sin")
run(good, "--axes", "xy", code=2, says="--axes xy")
run(good, "--axes", "bnd", code=2, says="60 × 32")
run(good, "--ids", "0 1 2", "--config", ten, code=2, says="3 ids")
run(good, noise, bad, "--config", ten, code=4)
run(good, folder / "none.npy", bad, "--config", ten, code=3, says="60 × 32")
run(good, bad, "--as", "table", "--config", ten, code=4)
run(bad, "--config", ten, "--quiet", code=4, quiet=True)
records = [json.loads(line) for line in run(good, noise, bad, "--config", ten, "--json", code=4).stdout.splitlines()]
assert [one["verdict"] for one in records] == ["right", "noisy", "wrong"], records
assert all(one["kind"] == "check" and one["version"] == 1 for one in records) and 5e-5 < records[1]["noise"] < 2e-4
assert records[2]["findings"][0]["values"]["factor"] == 2, records[2]["findings"]
kinds = folder / "kinds.json"
kinds.write_text(json.dumps({"model_type": "gemma3_text", "hidden_size": 256, "num_attention_heads": 4, "head_dim": 64,
                             "num_hidden_layers": 12, "rope_theta": 1e6, "rope_local_base_freq": 1e4, "sliding_window": 64}))
for layer, code in (("sliding_attention", 0), ("0", 0), ("full_attention", 4), ("5", 4)):
    run(good, "--config", kinds, "--layer", layer, code=code, says="sliding_attention")
run(good, "--config", kinds, "--layer", "12", code=2, says="past the end")
run(good, "--config", kinds, "--layer", "narrow_attention", code=2, says="full_attention")
run(good, "--layer", "sliding_attention", code=2, says="--config")
run(good, "--config", ten, "--layer", "sliding_attention", code=2, says="--layer sliding_attention")
q = random.standard_normal((5, 60, 64)).astype("f4")
turned = np.stack([np.stack([rotated(a, row)[n] for n, row in enumerate(head)]) for head in q])
before, after = save("before", q), save("after", turned)
run(before, after, "--config", ten, says="right in every number")
run(before, after, "--config", ten, "--axes", "hnd", "--as", "rotation", says="right in every number")
# Without a config, in any order of the axes, and where another rotation was expected.
behind = [save(name, array.swapaxes(0, 1)) for name, array in (("before_nhd", q), ("after_nhd", turned))]
for pair, axes in (((before, after), "hnd"), (behind, "nhd")):
    for more in ((), ("--as", "rotation"), ("--axes", axes), ("--as", "rotation", "--axes", axes)):
        run(*pair, *more, says="this is RoPE applied to them")
run(before, before, "--as", "rotation", code=1)
run(before, after, "--set", "encoding=rope", code=4, says="Expected are pairs")
run(*behind, "--axes", "nd", code=2, says="--axes nd")
run(*behind, "--as", "rotation", "--axes", "nd", code=2, says="--axes nd")
# Both are right, each with a base of its own: no one table.
other = save("other_cos", np.cos(np.outer(positions(60), omega(5e5, 64))))
run(good, other, code=4, says="different tables")
run(noise, other, code=4, says="different tables")
run(good, save("twice_cos", np.cos(np.hstack([a, a]))), says="one table")
# More rows than are kept.
long = save("long_cos", np.cos(np.outer(np.arange(300000), omega(1e4, 128))).astype("f2"))
run(long, "--axes", "nd", says="262144 rows")
run(long, long, "--as", "cache", "--axes", "nd", says="as before")
run(before, after, "--config", ten, "--axes", "nhd", code=4)
run(save("packed", np.cos(np.outer([0, 1, 2, 0, 1], omega(1e4, 64)))), "--config", ten, "--ids", "0 1 2 0 1", says="right in every number")
run(save("padded", np.cos(np.outer([1, 1, 0, 1, 2], omega(1e4, 64)))), "--config", ten, "--mask", "0 0 1 1 1", says="right in every number")
run(save("unpadded", np.cos(np.outer([0, 1, 2, 3, 4], omega(1e4, 64)))), "--config", ten, "--mask", "0 0 1 1 1", code=4)

# ---- far into a text: positions that float16 cannot hold, and divided ones that stop; copies that noise has parted ----
with np.errstate(invalid="ignore", over="ignore"):
    a = np.outer(positions(160, 65440).astype(np.float16).astype(np.float64), omega(1e6, 64))
    for name, array in (("overflow", np.concatenate([np.cos(a), np.sin(a)], 1)), ("overflow_cos", np.cos(a))):
        check(save(name, array), "overflow", "--config", config("far", rope_theta=1e6))
for divisor, original in ((8, 8192), (2, 32768)):
    a = np.outer(np.minimum(positions(180, divisor * original - 91) / divisor, original - 1), omega(5e5, 128))
    check(save(f"held_{divisor}", np.cos(a)), "held", "--config",
          config("held", head_dim=128, rope_theta=5e5, max_position_embeddings=divisor * original, rope_scaling={
              "rope_type": "yarn", "factor": divisor, "original_max_position_embeddings": original}))
a = np.outer(positions(300), omega(1e4, 64))
check(save("noisy_copies", noisy(halves(a, np.cos), 1e-3)), "noisy", "--config", config("copies", rope_theta=1e4))

print(f"{tally['right']} right, {tally['named']} of {tally['mistakes']} slips named, {len(tally['wrong'])} wrong")
for line in tally["wrong"]:
    print("wrong:", line)
sys.exit(tally["named"] < 0.9 * tally["mistakes"] or len(tally["wrong"]) > 0 or tally["mistakes"] < 40)
