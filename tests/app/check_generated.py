#!/usr/bin/env python3
"""Tables at random, with and without mistakes, through `posiscope check`: how many are found wrong and named, called right, or not
known, and how many clean tables are accused. Every table comes from its seed alone.

    check_generated.py PROGRAM [--seed N] [--slips N] [--clean N] [--keep FOLDER] [--show]
"""
import argparse
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

options = argparse.ArgumentParser()
options.add_argument("program")
options.add_argument("--seed", type=int, default=29)
options.add_argument("--slips", type=int, default=400)
options.add_argument("--clean", type=int, default=200)
options.add_argument("--pairs", type=int, default=60)
options.add_argument("--keep")
options.add_argument("--show", action="store_true")
options.add_argument("--only")
options.add_argument("--least", type=float, default=0.95)
options = options.parse_args()
folder = pathlib.Path(options.keep or tempfile.mkdtemp())
folder.mkdir(exist_ok=True)


# ---- Numbers as other programs compute them -----------------------------------------------------------------------
def bf16(x):
    bits = np.asarray(x, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def f16(x):
    return np.asarray(x).astype(np.float16).astype(np.float32)


def ramp(config):
    """What a scaling does to the frequencies, pair by pair, and the attention factor."""
    h, base, scaling = config["head_dim"] // 2, config["rope_theta"], config.get("rope_scaling")
    i = np.arange(h)
    if not scaling:
        return np.ones(h), 1.0
    s = scaling["factor"]
    if scaling["rope_type"] == "linear":
        return np.full(h, 1.0 / s), 1.0
    original = scaling["original_max_position_embeddings"]
    w = base ** (-i / h)
    if scaling["rope_type"] == "yarn":
        low, high = (2 * h * math.log(original / (r * 2 * math.pi)) / (2 * math.log(base)) for r in (32, 1))
        low, high = max(math.floor(low), 0), min(math.ceil(high), 2 * h - 1)
        keep = 1 - np.clip((i - low) / (high - low), 0, 1)
        return keep + (1 - keep) / s, 0.1 * math.log(s) + 1
    t = np.clip((original * w / (2 * np.pi) - 1) / 3, 0, 1)
    return (1 - t) / s + t, 1.0


class Table:
    """The stages of a table; a slip changes one or two of them."""

    def __init__(self, rng, form):
        self.rng, self.form = rng, form
        self.head_dim = int(rng.choice([32, 64, 64, 80, 96, 128, 128, 128, 256]))
        self.heads = int(rng.choice([8, 12, 16, 32]))
        base = float(rng.choice([1e4, 1e4, 1e4, 5e5, 5e5, 1e6, 1e6, 2e4, 1.5e5, 3e6, 25000.0]))
        self.config = {"model_type": "llama", "hidden_size": self.heads * self.head_dim, "head_dim": self.head_dim,
                       "num_attention_heads": self.heads, "rope_theta": base, "max_position_embeddings": 8192}
        if rng.random() < 0.3 and form not in ("interleaved", "table_halves"):
            s = float(rng.choice([2, 4, 8, 16]))
            kind = str(rng.choice(["linear", "yarn", "llama3"]))
            original = int(rng.choice([2048, 4096, 8192]))
            self.config["rope_scaling"] = {"rope_type": kind, "factor": s}
            if kind != "linear":
                self.config["rope_scaling"]["original_max_position_embeddings"] = original
                self.config["max_position_embeddings"] = int(original * s)
            if kind == "llama3":
                self.config["rope_scaling"].update(low_freq_factor=1.0, high_freq_factor=4.0)
        self.with_config = form not in ("interleaved", "table_halves") and rng.random() < 0.75
        if not self.with_config:
            self.config.pop("rope_scaling", None)
            self.config["rope_theta"] = base = float(rng.choice([1e4, 5e5, 1e6]))
        self.base = base
        self.n = int(rng.choice([96, 200, 300, 512, 777, 1024, 2048]))
        self.arithmetic = np.float32 if rng.random() < 0.6 else np.float64
        self.dtype = str(rng.choice(["float32", "float32", "float32", "float64", "float16", "bfloat16", "bf16 in float32"]))
        h = self.head_dim // 2
        self.exponents = np.arange(0, self.head_dim, 2) / self.head_dim
        self.scale, self.factor = ramp(self.config)
        self.change = lambda rates: rates
        self.logarithm = math.log
        self.positions = np.arange(self.n, dtype=np.float64)
        self.round_angle = lambda x: x
        self.round_position = lambda x: x
        self.sign, self.cos, self.sin = 1.0, np.cos, np.sin
        self.after = lambda table: table
        self.second_exponents = None
        self.name = None
        self.transpose = False

    def rates(self, exponents):
        if self.arithmetic is np.float32:
            rates = (1 / np.float32(self.base) ** exponents.astype(np.float32)).astype(np.float32)
            if self.logarithm is not math.log:
                rates = np.exp(-exponents * self.logarithm(self.base)).astype(np.float32)
        else:
            rates = np.exp(-exponents * self.logarithm(self.base))
        return self.change(rates * self.scale.astype(self.arithmetic))

    def waves(self, exponents, function):
        rates = np.asarray(self.rates(exponents), dtype=self.arithmetic)
        p = np.asarray(self.round_position(self.positions), dtype=self.arithmetic)
        angle = np.asarray(self.round_angle(p[:, None] * rates[None, :]), dtype=self.arithmetic)
        return function(angle) * self.factor

    def made(self):
        form = self.form
        if form == "inv_freq":
            return self.after(self.rates(self.exponents))
        cos = self.waves(self.exponents, self.cos)
        sin = self.sign * self.waves(self.exponents if self.second_exponents is None else self.second_exponents, self.sin)
        if form == "cos":
            table = np.concatenate([cos, cos], 1)
        elif form == "sin":
            table = np.concatenate([sin, sin], 1)
        elif form == "cos_single":
            table = cos
        elif form == "both":
            table = np.concatenate([cos, sin], 1)
        elif form == "stacked":
            table = np.stack([cos, sin], -1)
        elif form == "apart":
            table = np.stack([cos, sin])
        elif form == "apart_twice":  # as transformers gives them
            table = np.stack([np.concatenate([cos, cos], 1), np.concatenate([sin, sin], 1)])
        elif form == "table_halves":
            table = np.concatenate([sin, cos], 1)
        elif form == "interleaved":
            table = np.stack([sin, cos], -1).reshape(self.n, -1)
        table = self.after(np.array(table))
        return np.ascontiguousarray(table.T) if self.transpose else table

    def save(self, stem):
        table = self.made()
        name = self.name or {"cos": "cos_cached", "sin": "sin_cached", "cos_single": "cos"}.get(self.form, "table")
        if self.dtype == "bfloat16":
            path = folder / f"{stem}.safetensors"
            data = (bf16(table).view(np.uint32) >> 16).astype("<u2").tobytes()
            header = json.dumps({name: {"dtype": "BF16", "shape": list(table.shape), "data_offsets": [0, len(data)]}})
            path.write_bytes(struct.pack("<Q", len(header)) + header.encode() + data)
        else:
            path = folder / f"{stem}_{name}.npy"
            np.save(path, bf16(table) if self.dtype == "bf16 in float32" else table.astype(self.dtype))
        if not self.with_config:
            return path, []
        config = folder / f"{stem}_config.json"
        config.write_text(json.dumps(self.config))
        return path, ["--config", str(config)]


# ---- Slips --------------------------------------------------------------------------------------------------------
WAVES = ("cos", "sin", "cos_single", "both", "stacked", "apart", "apart_twice", "table_halves", "interleaved")
BOTH = ("both", "stacked", "apart", "apart_twice", "table_halves", "interleaved")
RATES = WAVES + ("inv_freq",)
SLIPS = {}


def slip(names, forms=WAVES, plain=False, config=False, scaled=None):
    """names: what may be said; plain: without a scaling; config: only with one."""
    def keep(function):
        SLIPS[function.__name__] = (function, names.split(), forms, plain, config, scaled)
        return function
    return keep


@slip("inv_freq_bfloat16", RATES)
def inv_freq_bf16(t):
    t.change = bf16


@slip("inv_freq_float16", RATES, plain=True)
def inv_freq_f16(t):
    t.change = f16


@slip("bfloat16_angles")
def angle_bf16(t):
    t.round_angle = bf16


@slip("bfloat16_all")
def all_bf16(t):
    t.change = t.round_angle = t.round_position = bf16
    t.dtype = "bf16 in float32"


@slip("bfloat16_positions")
def position_bf16(t):
    t.round_position = bf16


@slip("own_frequencies", BOTH, plain=True)
def own(t):
    h = t.head_dim // 2
    if t.form in ("interleaved", "stacked"):
        t.exponents, t.second_exponents = np.arange(0, 2 * h, 2) / (2 * h), np.arange(1, 2 * h, 2) / (2 * h)
    else:
        t.exponents, t.second_exponents = np.arange(h) / (2 * h), np.arange(h, 2 * h) / (2 * h)
    if t.form in ("interleaved", "table_halves"):  # whose first columns are sines
        t.exponents, t.second_exponents = t.second_exponents, t.exponents


@slip("exponent_half", RATES, plain=True)
def exponent_half(t):
    t.exponents = t.exponents / 2


@slip("exponent_doubled", RATES, plain=True)
def exponent_double(t):
    t.exponents = t.exponents * 2


@slip("exponent_positive inverted", RATES, plain=True)
def positive(t):
    t.exponents, t.arithmetic = -t.exponents, np.float64


@slip("frequencies_reversed", RATES)
def reversed_rates(t):
    t.change = lambda rates: rates[::-1].copy()


@slip("denominator_two_more", RATES, plain=True)
def plus_two(t):
    t.exponents = t.exponents * t.head_dim / (t.head_dim + 2)


@slip("denominator_two_less", RATES, plain=True, config=True)
def minus_two(t):
    t.exponents = t.exponents * t.head_dim / (t.head_dim - 2)


@slip("denominator_model columns_cut", RATES, plain=True, config=True)
def for_d_model(t):
    t.exponents = t.exponents / t.heads


@slip("log10", RATES, plain=True)
def log10(t):
    t.logarithm = math.log10


@slip("frequencies_from_one", RATES, plain=True)
def from_one(t):
    t.exponents = t.exponents + 2 / t.head_dim


@slip("frequencies_repeated", RATES, plain=True)
def repeated(t):
    i = np.arange(t.head_dim // 2)
    way = t.rng.integers(3)
    t.exponents = ([2 * (i // 2), 4 * (i // 2), 4 * (i % max(len(i) // 2, 1))][way]) / t.head_dim


@slip("wavelengths", RATES, plain=True)
def wavelengths(t):
    t.change = lambda rates: 2 * np.pi / rates
    t.arithmetic = np.float64


@slip("raw_angles")
def raw(t):
    t.cos = t.sin = lambda angle: angle
    if t.dtype not in ("float64",):
        t.dtype = "float32"


@slip("ramp_inverted", RATES, config=True, scaled="yarn")
def ramp_inverted(t):
    t.scale = 1 + 1 / t.config["rope_scaling"]["factor"] - t.scale


@slip("unscaled", RATES, config=True, scaled="any")
def no_scaling(t):
    t.scale, t.factor = np.ones_like(t.scale), 1.0


@slip("scaled_inverse", RATES, config=True, scaled="any")
def scaling_inverted(t):
    t.scale = 1 / t.scale


@slip("scaled_twice", RATES, config=True, scaled="any")
def twice(t):
    t.scale = t.scale ** 2


@slip("factor_missing", config=True, scaled="yarn")
def no_factor(t):
    t.factor = 1.0


@slip("left_padding")
def padding(t):
    k = int(t.rng.integers(2, t.n // 3))
    t.positions = np.concatenate([np.full(k, float(t.rng.integers(2))), np.arange(t.n - k)])


@slip("positions_stuck")
def stuck(t):
    if t.rng.random() < 0.5:
        t.positions = np.full(t.n, float(t.rng.integers(1, 50)))
    else:
        t.positions = np.minimum(t.positions, float(t.rng.integers(t.n // 4, 3 * t.n // 4)))


@slip("positions_reversed")
def backwards_positions(t):
    t.positions = t.positions[::-1].copy()


@slip("offset_one")
def one_later(t):
    t.positions = t.positions + 1


@slip("offset_two")
def two_later(t):
    t.positions = t.positions + 2


@slip("offset_minus", BOTH + ("sin",))
def one_before(t):
    t.positions = t.positions - 1


@slip("exchanged", ("cos", "sin", "stacked", "apart", "apart_twice"))
def sine_for_cosine(t):
    if t.form in ("cos", "sin"):
        t.form, t.name = ("sin", "cos_cached") if t.form == "cos" else ("cos", "sin_cached")
    else:
        t.cos, t.sin = np.sin, np.cos


@slip("sine_for_cosine", ("stacked", "apart", "apart_twice"))
def sines_alone(t):
    t.cos = np.sin


@slip("backwards", BOTH)
def sign(t):
    t.sign = -1.0


@slip("two_pi", RATES)
def two_pi(t):
    t.change = lambda rates: 2 * np.pi * rates


@slip("degrees", RATES)
def degrees(t):
    t.change = lambda rates: rates * 180 / np.pi


@slip("radians", RATES)
def radians(t):
    t.change = lambda rates: rates * np.pi / 180


@slip("other_base", RATES, config=True, plain=True)
def other_base(t):
    t.base = float(t.rng.choice([b for b in (1e4, 5e5, 1e6) if b != t.base]))


@slip("rows damaged")
def bad_row(t):
    def change(table):
        row, other = t.rng.integers(t.n // 4, t.n, 2)
        way = t.rng.integers(3)
        view = table.reshape(t.n, -1) if not t.form.startswith("apart") else np.moveaxis(table, 1, 0)
        if way == 0:
            view[row] = view[row - 1]
        elif way == 1:
            view[row] = 0
        else:
            view[row] = np.sin(t.rng.uniform(0, 7, view[row].shape))
        return table
    t.after = change


@slip("columns damaged")
def bad_column(t):
    def change(table):
        column = int(t.rng.integers(t.head_dim // 4))
        way = t.rng.integers(3)
        view = table.reshape(t.n, -1) if not t.form.startswith("apart") else table[0]
        if way == 0:
            view[:, column] = view[:, column + 2]
        elif way == 1:
            view[:, column] = 0
        else:
            view[:, column] = np.sin(t.rng.uniform(0, 7, t.n))
        return table
    t.after = change


@slip("all_zero")
def nothing(t):
    t.after = lambda table: 0 * table


@slip("empty_rows")
def not_filled(t):
    def change(table):
        rows = int(t.rng.integers(2, t.n // 3))
        (table[:, -rows:] if t.form.startswith("apart") else table[-rows:])[...] = 0
        return table
    t.after = change


@slip("transposed", ("cos_single", "both"))
def transposed(t):
    t.transpose = True


@slip("layout", ("cos", "sin"), config=True)
def layout(t):
    t.after = lambda table: np.repeat(table[:, :t.head_dim // 2], 2, axis=1)


def alibi(rng, heads, way):
    def slopes(n):
        p = 2 ** int(math.log2(n))
        return np.array([2 ** (-8 * k / p) for k in range(1, p + 1)] +
                        [2 ** (-4 * (2 * k - 1) / p) for k in range(1, n - p + 1)])
    k = np.arange(1, heads + 1)
    made = {"": slopes(heads), "alibi_from_zero": 2 ** (-8 * (k - 1) / heads), "alibi_exponent": 2 ** (-16 * k / heads),
            "alibi_reversed": slopes(heads)[::-1], "alibi_naive": 2 ** (-8 * k / heads), "alibi_sign": slopes(heads)}[way]
    if rng.random() < 0.5 and way != "alibi_sign":
        return made
    n = int(rng.integers(16, 48))
    distance = np.arange(n)[:, None] - np.arange(n)
    return (1 if way == "alibi_sign" else -1) * made[:, None, None] * distance


# ---- Judging ------------------------------------------------------------------------------------------------------
# What may be said of a mistake; of the others any measurement that differs.
SAID = {
    "inv_freq_bfloat16": "rates_narrowed narrowed", "inv_freq_float16": "rates_narrowed narrowed", "bfloat16_angles": "narrowed",
    "bfloat16_all": "narrowed", "bfloat16_positions": "narrowed rows_narrowed", "exponent_half": "exponent_halved base",
    "exponent_doubled": "exponent_doubled base", "frequencies_reversed": "pairs_reversed", "denominator_two_less": "exponent_minus_one base",
    "ramp_inverted": "ramp_upside_down", "unscaled": "unscaled", "scaled_inverse": "inverse", "scaled_twice": "scaled_twice",
    "factor_missing": "amplitude_missing", "positions_stuck": "rows_stuck rows_all_one", "positions_reversed": "rows_reversed",
    "offset_one": "rows_begins", "offset_two": "rows_begins", "offset_minus": "rows_begins", "backwards": "sine_negated",
    "two_pi": "two_pi angles_times", "radians": "degrees angles_divided", "other_base": "base", "all_zero": "all_zero",
    "transposed": "transposed", "layout": "layout other_layout", "alibi_reversed": "alibi_reversed", "alibi_naive": "alibi_naive",
    "alibi_sign": "alibi_sign", "alibi_from_zero": "alibi_from_zero", "alibi_exponent": "alibi_exponent"}
# Rows may be pads, a kernel may take the angles, a list may hold reciprocals, and two matrices be a batch; without a config another
# base is as right.
FREE = {"left_padding", "raw_angles", "exponent_positive inverted", "sine_for_cosine"}


def answer(path, arguments):
    """The verdict, and the names of what is wrong."""
    command = [options.program, "check", str(path), "--lang", "en", "--json", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600)
    said = json.loads(run.stdout)
    assert run.returncode == {"right": 0, "noisy": 5, "wrong": 4, "unknown": 1}[said["verdict"]], (run.returncode, run.stdout)
    return said["verdict"], [one["name"] for one in said["findings"] if one["wrong"]]


def one_case(number):
    kind, seed, wanted = number
    rng = np.random.default_rng([options.seed, {"clean": 0, "slip": 1, "pair": 2}[kind], seed])
    stem = f"{kind}_{seed}"
    if wanted and wanted[0].startswith("alibi"):
        heads = int(rng.choice([8, 16, 32, 12, 20] if wanted[0] != "alibi_naive" else [12, 20, 24]))
        if wanted[0] == "alibi_exponent" and heads not in (8, 16, 32):
            heads = 16
        path = folder / f"{stem}.npy"
        np.save(path, alibi(rng, heads, wanted[0]).astype(str(rng.choice(["float32", "float64"]))))
        return path, [], [[wanted[0]]], wanted[0]
    for _ in range(1000):
        forms = RATES if kind == "clean" else set.intersection(*(set(SLIPS[name][2]) for name in wanted))
        table = Table(rng, str(rng.choice(sorted(forms))))
        scaling = table.config.get("rope_scaling")
        if table.form == "inv_freq" and (table.dtype in ("bfloat16", "bf16 in float32", "float16")):
            table.dtype = "float32"
        needs = [SLIPS[name] for name in wanted]
        if any(plain and scaling for _, _, _, plain, _, _ in needs) or \
           any(config and not table.with_config for _, _, _, _, config, _ in needs) or \
           any(s and (not scaling or s not in ("any", scaling["rope_type"])) for _, _, _, _, _, s in needs):
            continue
        # Rounded positions need rows that they change; wide steps need numbers that tell them.
        if any(name.startswith(("position_bf16", "all_bf16")) for name in wanted) and table.n < 512:
            continue
        if "no_factor" in wanted and table.factor < 1.02:
            continue
        if any(name in ("all_bf16", "angle_bf16", "inv_freq_bf16", "inv_freq_f16") for name in wanted) and \
           table.dtype in ("bfloat16", "bf16 in float32", "float16") and table.n < 300:
            continue
        for function, *_ in needs:
            function(table)
        break
    with np.errstate(all="ignore"):
        path, arguments = table.save(stem)
    about = f"{'+'.join(wanted)} {table.form} n={table.n} d={table.head_dim} b={table.base:g} {table.dtype} " \
            f"{table.arithmetic.__name__} {'config' if table.with_config else ''} {scaling or ''}"
    return path, arguments, [SLIPS[name][1] for name in wanted], about


def judge(number):
    path, arguments, wanted, about = one_case(number)
    said, found = answer(path, arguments)
    if not wanted:
        verdict = {"wrong": "accused", "right": "right"}.get(said, "unknown")
    elif said == "wrong":
        expected = [SAID.get(names[0], "").split() for names in wanted]
        verdict = "named" if any(not one or any(name in found for name in one) for one in expected) else "misnamed"
    else:
        free = not arguments or any(" ".join(names) in FREE for names in wanted)
        verdict = "unknown" if said != "right" else "free" if free else "called right"
    return number[0], verdict, f"{path.name}: {about}: {said} {found}"


cases = [("clean", i, ()) for i in range(options.clean)]
names = sorted(SLIPS) + ["alibi_from_zero", "alibi_exponent", "alibi_reversed", "alibi_naive", "alibi_sign"]
if options.only:
    names = options.only.split(",")
cases += [("slip", i, (names[i % len(names)],)) for i in range(options.slips)]
STAGES = [["inv_freq_bf16", "exponent_half", "exponent_double", "plus_two", "from_one", "log10", "reversed_rates", "two_pi",
           "unscaled_any"], ["one_later", "two_later", "position_bf16", "padding", "stuck", "backwards_positions"],
          ["sign", "sine_for_cosine", "bad_row", "bad_column", "other_base", "transposed"]]
pair_rng = np.random.default_rng([options.seed, 3])
while sum(case[0] == "pair" for case in cases) < options.pairs:
    first, second = pair_rng.choice(3, 2, replace=False)
    pair = (str(pair_rng.choice(STAGES[first])), str(pair_rng.choice(STAGES[second])))
    if all(name in SLIPS for name in pair) and set(SLIPS[pair[0]][2]) & set(SLIPS[pair[1]][2]):
        cases.append(("pair", len(cases), pair))
with ThreadPoolExecutor(2) as pool:
    results = list(pool.map(judge, cases))
counts = {}
for kind, verdict, about in results:
    counts[kind, verdict] = counts.get((kind, verdict), 0) + 1
    if options.show and verdict not in ("right", "named", "free") or verdict in ("accused", "called right"):
        print(f"{kind} {verdict}: {about}")
for kind in ("clean", "slip", "pair"):
    print(kind, {verdict: count for (of, verdict), count in sorted(counts.items()) if of == kind})
good = counts.get(("slip", "named"), 0) + counts.get(("slip", "free"), 0) >= options.least * options.slips and \
    not any(counts.get((kind, verdict)) for kind in ("clean", "slip", "pair") for verdict in ("accused", "called right"))
sys.exit(not good)
