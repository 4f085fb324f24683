"""Runs the programs that `posiscope code` writes: their results equal those of `posiscope data`, to 1e-12.

code_test.py PROGRAM COMPILER
"""
import importlib.util
import json
import math
import os
import subprocess
import sys
import tempfile
import types
from pathlib import Path

import numpy as np

import latex

posiscope, compiler = sys.argv[1:3]
TOLERANCE = 1e-12

LISTS = {"short_factor": [1 + i / 16 for i in range(32)], "long_factor": [1 + i for i in range(32)]}


def rope(**scaling):
    return {"encoding": {"kind": "rope", "max_position_embeddings": 64, "rope_scaling": scaling}}


def scenes():
    for variant in "paper halves tensor2tensor fairseq two_pi double_exponent".split():
        for width in (4, 64):
            yield f"sinusoidal {variant} {width}", {"encoding": {"kind": "sinusoidal", "variant": variant}, "d_model": width}
    yield "sinusoidal base", {"base": 500000.5}
    for name, scaling in {
        "default": {"rope_type": "default"},
        "linear": {"rope_type": "linear", "factor": 3},
        "ntk": {"rope_type": "ntk", "alpha": 8},
        "dynamic, longer": {"rope_type": "dynamic", "factor": 2},
        "yarn": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 64},
        "yarn, its own": {"rope_type": "yarn", "factor": 16, "original_max_position_embeddings": 4096, "beta_fast": 20,
                          "beta_slow": 2, "mscale": 0.7, "mscale_all_dim": 0.5, "truncate": False},
        "yarn, paper": {"rope_type": "yarn", "factor": 16, "original_max_position_embeddings": 4096, "ramp": "paper",
                        "extrapolation_factor": 0.5, "attn_factor": 1.5},
        "llama3": {"rope_type": "llama3", "factor": 8},
        "llama3, equal bounds": {"rope_type": "llama3", "factor": 16, "low_freq_factor": 1, "high_freq_factor": 1},
        "longrope": {"rope_type": "longrope", "factor": 4, "original_max_position_embeddings": 64, **LISTS},
        "longrope, long": {"rope_type": "longrope", "factor": 4, "original_max_position_embeddings": 32, **LISTS},
        "proportional": {"rope_type": "proportional", "factor": 2, "partial_rotary_factor": 0.25},
        "by parts": {"rope_type": "ntk_by_parts", "factor": 8, "original_max_position_embeddings": 2048},
        "by parts, code": {"rope_type": "ntk_by_parts", "factor": 8, "original_max_position_embeddings": 2048,
                           "ramp": "code"},
        "by parts, repo": {"rope_type": "ntk_by_parts", "factor": 8, "original_max_position_embeddings": 2048,
                           "variant": "repo", "ntk_factor": 0.9, "extrapolation_factor": 0.8},
        "dynamic, alpha": {"rope_type": "dynamic", "alpha": 1000},
        "yarn, log": {"rope_type": "yarn_log", "factor": 16, "original_max_position_embeddings": 4096},
        "yarn, TeleChat3": {"rope_type": "telechat3-yarn", "factor": 16, "original_max_position_embeddings": 4096},
        "longrope, mscales": {"rope_type": "longrope", "factor": 4, "original_max_position_embeddings": 64,
                              "short_mscale": 1.2, "long_mscale": 1.3, **LISTS},
        "fope": {"rope_type": "fope"},
        "fope, counted": {"rope_type": "fope", "num_inv_freq": 20},
        "theta scale": {"rope_type": "theta_scale", "factor": 4, "original_max_position_embeddings": 64},
        "query temperature": {"rope_type": "default", "llama_4_scaling_beta": 0.1},
    }.items():
        yield f"rope {name}", {**rope(**scaling), "d_model": 64, "base": 500000}
        yield f"rope {name}, half", {**rope(**scaling), "d_model": 64, "layout": "half"}
    yield "rope in chunks", {"encoding": {"kind": "rope", "dual_chunk_attention_config": {"chunk_size": 8, "local_size": 3}},
                             "d_model": 16}
    yield "rope partial", {"encoding": {"kind": "rope", "partial_rotary_factor": 0.25}, "d_model": 128}
    for layout in ("half", "interleaved"):  # a nope part comes first
        yield f"rope after others, {layout}", {"encoding": {"kind": "rope", "rotary_dim": 16, "rotary_offset": 8},
                                               "d_model": 24, "layout": layout}
    yield "rope of one pair", {"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "ntk", "alpha": 4}}, "d_model": 2}
    for variant in ("alibi", "bloom", "mpt"):
        for heads in (1, 8, 12):
            for causal in (True, False):
                yield (f"alibi {variant} {heads} {causal}",
                       {"encoding": {"kind": "alibi", "variant": variant}, "num_heads": heads, "causal": causal,
                        "d_model": 24 * heads})
    yield "alibi mpt 16", {"encoding": {"kind": "alibi", "variant": "mpt", "alibi_bias_max": 16}, "num_heads": 6,
                           "d_model": 144}
    yield "alibi of words", {"encoding": {"kind": "alibi"}, "num_heads": 2,
                             "content": {"kind": "tokens", "text": ["dog", "bites", "man"]}}
    for variant in ("log", "power"):
        yield f"kerple {variant}", {"encoding": {"kind": "kerple", "variant": variant, "bias_a": 0.7, "bias_p": 1.3}}


def typed():
    """Encodings that somebody typed, and built-in ones that become formulas: name, encoding, more of the scene."""
    rope = "b^(-2i/d)"
    for name, slots in {
        "rotation and bias": {"frequency": rope + "(1 + a cos i)", "bias": "-log(1 + |D|)", "values": {"a": 0.1}},
        "scaled by the query": {"frequency": rope, "scale": "log(q + 2)/log(L)", "bias": "q > k ? -s*D : 0"},
        "positions bent": {"frequency": rope, "position": "log(1 + p)"},
        "names of Python": {"frequency": rope, "bias": "lambda*c[min(|D|, 3)] + in",
                            "values": {"lambda": 2, "in": 0.5, "c": [1, 2.5, -3, 4]}},
        "clipped": {"frequency": rope, "distance": "min(|D|, 5)*sign(D)"},
        "grouped": {"frequency": rope, "distance": "D <= 8 ? D : floor(q/4) - floor(k/4) + 6"},
        "growing": {"frequency": rope, "amplitude": "((2i + 0.4d)/(1.4d))^(D/9)", "position": "p/2"},
        "a sum": {"bias": "sum(m, 1, 4, cos(D*b^(-m/4)) - 1)*clamp(h, 1, 2)"},
        "functions": {"bias": "sqrt(|D|) + exp(-|D|) - log2(1 + |D|)/log1p(2 + q) + tan(D/50)*sign(D) + ceil(D/3)^2 - 3e-5*D",
                      "scale": "max(q, k, 3)/n + min(|D| + 1, floor(q/2))*!(D < 0)", "position": "round(p/3) + pi"},
        "tests": {"bias": "if(D > 3 && q < 20 || !(k == 2), round(D/3), tanh(D))*mod(q, 3)"},
    }.items():
        yield name, {"kind": "own", **slots}, {}
        yield name + ", half", {"kind": "own", **slots}, {"layout": "half"}
    for kind in ("rope", "alibi", "kerple", "sandwich", "t5", "xpos", "none"):
        yield kind, {"kind": kind}, {}
    yield "yarn", rope_of(rope_type="yarn", factor=4, original_max_position_embeddings=64), {"layout": "half"}


def hidden():
    """Layers and masks that hide keys: name, encoding, more of the scene."""
    for causal in (True, False):
        more = {"causal": causal}
        yield "all keys", {"kind": "rope"}, more
        yield "a window", {"kind": "rope", "sliding_window": 5}, more
        yield "chunks", {"kind": "rope", "attention_chunk_size": 7}, more
        yield "a window of one kind", {"kind": "rope", "layer_type": "sliding_attention", "rope_scaling": {
            "full_attention": {"rope_theta": 1e6}, "sliding_attention": {"rope_theta": 1e4, "sliding_window": 3}}}, more
        yield "ALiBi", {"kind": "alibi"}, more


def rope_of(**scaling):
    return rope(**scaling)["encoding"]


class Tensor(np.ndarray):
    """What score_mod needs of PyTorch's tensors, in float64."""

    def float(self):
        return self.astype(np.float64)

    def long(self):
        return np.asarray(self).astype(int)

    def to(self, _):
        return self

    def cos(self):
        return np.cos(self)

    def sin(self):
        return np.sin(self)


def stand_in():
    """What programs need of PyTorch, in NumPy."""
    module = types.ModuleType("torch")
    for name in "log abs floor ceil sqrt exp log2 log1p sin cos tan tanh sign round where minimum maximum".split():
        setattr(module, name, lambda *values, made=getattr(np, name): tensor(made(*values)))
    tensor = lambda values, dtype=None: np.asarray(values, dtype=np.float64).view(Tensor)
    module.float64 = np.float64
    module.outer = lambda a, b: tensor(np.outer(a, b))
    module.tensor = module.as_tensor = module.from_numpy = tensor
    module.arange = lambda *ends, dtype=None: tensor(np.arange(*ends))
    module.stack = lambda parts, dim=0: tensor(np.stack(list(parts), axis=dim))
    module.cat = lambda parts, dim: tensor(np.concatenate(parts, axis=dim))
    module.broadcast_to = lambda values, shape: tensor(np.broadcast_to(values, shape))
    module.clamp = lambda x, min=None, max=None: np.clip(x, min, max)
    return module


def jax_stand_in():
    """NumPy as jax.numpy, where no array can be written to."""
    module, module.config = types.ModuleType("jax"), types.SimpleNamespace(update=lambda *_: None)
    module.numpy = types.ModuleType("jax.numpy")
    vars(module.numpy).update({name: getattr(np, name) for name in dir(np) if not name.startswith("__")})

    def fixed(make):
        def made(*arguments, **words):
            array = make(*arguments, **words)
            array.flags.writeable = False
            return array
        return made

    for name in ("arange", "array", "stack", "concatenate"):
        setattr(module.numpy, name, fixed(getattr(np, name)))
    return {"jax": module, "jax.numpy": module.numpy}


def said(*arguments):
    return subprocess.run([posiscope, *arguments], check=True, capture_output=True, text=True).stdout


def bf16(x):
    return np.asarray(x, dtype="<f4").view("<u4") & np.uint32(0xFFFF0000)


def checkpoints(folder):
    """Small checkpoints of every form that is read: name, scene."""
    rng = np.random.default_rng(13)

    def save(name, arrays, dtype="F32"):
        header, body = {}, b""
        for key, values in arrays.items():
            raw = (bf16(values) >> 16).astype("<u2").tobytes() if dtype == "BF16" else values.astype(
                {"F16": "<f2", "F32": "<f4", "F64": "<f8"}[dtype]).tobytes()
            header[key] = {"dtype": dtype, "shape": values.shape, "data_offsets": [len(body), len(body) + len(raw)]}
            body += raw
        text = json.dumps(header).encode()
        Path(folder, name).write_bytes(len(text).to_bytes(8, "little") + text + body)
        return name

    at = "model.layers.3.self_attn."
    plain = {at + "q_proj.weight": rng.normal(size=(32, 12)), at + "k_proj.weight": rng.normal(size=(16, 12))}
    biased = {**plain, at + "q_proj.bias": rng.normal(size=32), at + "k_proj.bias": rng.normal(size=16)}
    normed = {**biased, at + "q_norm.weight": rng.normal(size=8), at + "k_norm.weight": rng.normal(size=(2, 8))}
    layered = {**normed, at + "q_norm.bias": rng.normal(size=8)}
    np.save(Path(folder, "x.npy"), rng.normal(size=(9, 12)))
    Path(folder, "split.safetensors.index.json").write_text(json.dumps({"weight_map": {
        key: save(f"part{n % 2}.safetensors", {k: v for m, (k, v) in enumerate(plain.items()) if m % 2 == n % 2}, "BF16")
        for n, key in enumerate(plain)}}))
    rope = {"encoding": "rope", "layout": "half", "base": 10000}
    yarn = {**rope, "layout": "interleaved",
            "encoding": {"kind": "rope", "rope_scaling": {"rope_type": "yarn", "factor": 4, "mscale": 1, "mscale_all_dim": 0.5,
                                                          "original_max_position_embeddings": 16}}}
    warm = {**rope, "encoding": {"kind": "rope", "rope_scaling": {"rope_type": "default", "llama_4_scaling_beta": 0.5,
                                                                  "original_max_position_embeddings": 4}}}
    for name, scene, content in [
        ("plain", rope, {"file": save("plain.safetensors", plain)}),
        ("bias, another seed", rope, {"file": save("biased.safetensors", biased, "F64"), "seed": 5}),
        ("RMS norm, YaRN", yarn, {"file": save("normed.safetensors", normed)}),
        ("RMS norm plus one, a start", rope, {"file": "normed.safetensors", "norm": "rms_plus_one", "start": 100}),
        ("layer norm, ALiBi", {"encoding": "alibi"}, {"file": save("layered.safetensors", layered, "F16"), "norm": "layer"}),
        ("a given input", rope, {"file": "plain.safetensors", "input": "x.npy"}),
        ("shards", rope, {"file": "split.safetensors.index.json"}),
        ("query temperature, a start", warm, {"file": "plain.safetensors", "start": 6}),
    ]:
        yield name, {**scene, "num_heads": 4, "head_dim": 8, "d_model": 32, "length": 11, "causal": False,
                     "content": {"kind": "checkpoint", "layer": 3, "head_dim": 8, **content}}


def data(quantity, scene):
    answer = json.loads(said("data", quantity, "-s", scene))
    return {name: np.array(value, dtype=float) for name, value in answer.items() if isinstance(value, (list, float, int))}


failures = []
np.seterr(all="ignore")  # of branches that are not taken
forms = ["numpy", "pytorch", "jax"]
real = [form for form, module in (("numpy", "numpy"), ("pytorch", "torch"), ("jax", "jax")) if importlib.util.find_spec(module)]
if "pytorch" not in real:
    sys.modules["torch"] = stand_in()
if "jax" not in real:
    sys.modules.update(jax_stand_in())


def program_of(form, path):
    """The names that the program of a form leaves."""
    program, real_torch = {}, sys.modules.get("torch")
    if form == "flex_attention":  # computes in float32, but for the stand-in
        sys.modules["torch"] = stand_in()
    exec(said("code", form, "-s", str(path)), program)
    if real_torch is not None:
        sys.modules["torch"] = real_torch
    return program


def as_array(form, x):
    if form == "flex_attention":
        return np.asarray(x).view(Tensor)
    if form == "pytorch":
        import torch
        return torch.from_numpy(x)
    return x


def compare(name, what, computed, expected):
    computed, expected = np.asarray(computed), np.asarray(expected)
    if computed.shape != expected.shape:
        failures.append(f"{name}: {what} has shape {computed.shape}, not {expected.shape}")
        return
    error = float(np.max(np.abs(computed - expected)))
    if not error <= TOLERANCE * max(1.0, float(np.max(np.abs(expected)))):
        failures.append(f"{name}: {what} is off by {error:.3g}")


def compare_formula(name, path, program):
    """What `code latex` writes, evaluated, against the NumPy functions of the slots."""
    known = latex.equations(said("code", "latex", "-s", str(path)))
    known.update({letter: program[letter] for letter in "bnLH" if letter in program}, e=math.e,
                 d=float(program["d_model"] if "added" in program else program["head_dim"]))
    known.update({letter: list(program[letter]) for letter in program
                  if isinstance(program[letter], np.ndarray) and len(letter) == 1})
    pairs = [(float(q), float(k)) for q in (0, 1, 2, 7, 20, 23) for k in (0, 2, 5, 19)]
    heads = sorted({0.0, float(program["heads"] - 1)})
    for slot, left, letters, places in (
            ("position", "p'", "p", [(float(p),) for p in range(24)]),
            ("frequency", "\\omega'_i" if "\\omega'_i" in known else "\\omega_i", "i",
             [(float(i),) for i in range(program.get("pairs", 0))]),
            ("distance", "\\Delta'", "Dqk", [(q - k, q, k) for q, k in pairs]),
            ("amplitude", "a_i", "iD", [(float(i), q - k) for q, k in pairs for i in range(8)]),
            ("bias", "\\beta", "qkh", [(q, k, h) for q, k in pairs for h in heads]),
            ("scale", "\\sigma", "qkh", [(q, k, h) for q, k in pairs for h in heads]),
            ("added", "PE_{(p,j)}", "pj",
             [(float(p), float(j)) for p in (0, 3, 23) for j in range(program["d_model"])])):
        if slot not in program:
            continue
        for place in places:
            given = dict(zip(letters, place))
            given["\\Delta"] = given["D"] if "D" in given else given["q"] - given["k"] if "q" in given else 0.0
            compare(f"{name} at {place}", f"formula of {slot}", latex.value_of(left, {**known, **given}),
                    program[slot](*map(np.float64, place)))
    matrix = next((right for left, right in known.items() if "pmatrix" in left), None)
    if matrix is not None and "cos" in program:
        factor = matrix.partition("\\begin")[0].strip().removesuffix("\\,")
        compare(name, "formula's factor", float(factor or 1), program["cos"][0, 0])


with tempfile.TemporaryDirectory() as folder:
    cases, sources, calls = [], [], []
    for number, (name, scene) in enumerate(scenes()):
        path = Path(folder, f"{number}.json")
        path.write_text(json.dumps({"length": 40, "pair": 0, **scene}))
        programs = {form: program_of(form, path) for form in forms}
        compare_formula(name, path, programs["numpy"])
        kind = scene.get("encoding", {"kind": "sinusoidal"})["kind"]
        source = said("code", "cpp", "-s", str(path)).replace("namespace position", f"namespace case{number}")
        sources.append(source)
        if kind == "rope":
            plain = Path(folder, f"{number}-cache.json")  # chunks take their angles from the same table, by other places
            plain.write_text(json.dumps({"length": 40, "pair": 0, **scene, "encoding": {
                key: value for key, value in scene["encoding"].items() if key != "dual_chunk_attention_config"}}))
            cache = data("cache", str(plain))
            frequencies = data("frequencies", str(path))["inv_freq"]
            for form, program in programs.items():
                compare(name, f"{form} inv_freq", program["inv_freq"], frequencies)
                if "cos" in program:
                    compare(name, f"{form} cos", program["cos"], cache["cos"])
                    compare(name, f"{form} sin", program["sin"], cache["sin"])
            if "product" in programs["numpy"]:  # no query and key is rotated alone
                continue
            turning = 2 * len(frequencies)
            offset = scene["encoding"].get("rotary_offset", 0)
            features = offset + turning
            rng = np.random.default_rng(number)
            x = rng.normal(size=(40, features))
            first = offset + (np.arange(turning // 2) if scene.get("layout") == "half" else np.arange(0, turning, 2))
            second = first + (turning // 2 if scene.get("layout") == "half" else 1)
            turned = x.copy()
            turned[:, first] = x[:, first] * cache["cos"] - x[:, second] * cache["sin"]
            turned[:, second] = x[:, first] * cache["sin"] + x[:, second] * cache["cos"]
            for form, program in programs.items():
                compare(name, f"{form} rotate", program["rotate"](as_array(form, x)), turned)
            x.tofile(Path(folder, f"{number}.in"))
            calls.append(f'  {{ auto x = read("{folder}/{number}.in"); '
                         f'for (long p = 0; p < 40; ++p) case{number}::rotate(x.data() + p * {features}, p); '
                         f'write("{folder}/{number}.out", x); }}')
            cases.append((number, name, turned))
        else:
            bias = kind in ("alibi", "kerple")
            what, made = ("bias", "biases") if bias else ("table", "table")
            expected = data(what, str(path))[what]
            hidden_keys = np.triu(np.ones(expected.shape[1:], bool), 1) if bias and scene.get("causal", True) else None
            for form, program in programs.items():
                computed = np.array(program[made])
                if hidden_keys is not None:
                    computed[:, hidden_keys] = expected[:, hidden_keys]
                compare(name, f"{form} {made}", computed, expected)
            calls.append(f'  write("{folder}/{number}.out", case{number}::{made}());')
            if hidden_keys is not None:
                expected = np.array(programs["numpy"][made])
            cases.append((number, name, expected))

    made = 0
    for name, scene in checkpoints(folder):
        path = Path(folder, "checkpoint.json")
        path.write_text(json.dumps(scene))
        expected = data("logits", str(path))["logits"]
        for form in forms:
            before = os.getcwd()
            os.chdir(folder)  # a program names its files as the scene does
            program = program_of(form, "checkpoint.json")
            os.chdir(before)
            logits = [np.asarray(program["head_logits"](head)) for head in range(4)]
            compare(f"checkpoint, {name}", f"{form} logits", logits, expected)
        made += 1

    typed_sources, typed_calls, typed_cases = [], [], []

    def in_cpp(name, path, expected, call):
        number = f"typed{len(typed_cases)}"
        typed_sources.append(said("code", "cpp", "-s", str(path)).replace("namespace position", f"namespace {number}"))
        typed_calls.append(f'  write("{folder}/{number}.out", ' + call.format(number) + ");")
        typed_cases.append((number, name, np.array(expected)))

    rng, length = np.random.default_rng(7), 24
    q, k = rng.normal(size=(length, 16)), rng.normal(size=(length, 16))
    np.save(Path(folder, "q.npy"), q), np.save(Path(folder, "k.npy"), k)
    q.tofile(Path(folder, "q.in")), k.tofile(Path(folder, "k.in"))
    for name, encoding, more in typed():
        path = Path(folder, "typed.json")
        path.write_text(json.dumps({"length": length, "d_model": 16, "pair": 0, "causal": False, "encoding": encoding,
                                    "content": {"kind": "tensors", "query": "q.npy", "key": "k.npy"}, **more}))
        expected = data("logits", str(path))["logits"][0]
        for form in forms:
            program = program_of(form, path)
            compare(name, f"{form} logits", program["logits"](as_array(form, q), as_array(form, k)), expected)
            if form == "numpy":
                compare_formula(name, path, program)
        in_cpp(name, path, expected, f'all<{length}, 16>({{}}::logit, "{folder}")')
        if "distance" in encoding or "amplitude" in encoding or encoding["kind"] == "xpos":
            refused = subprocess.run([posiscope, "code", "flex_attention", "-s", str(path)], capture_output=True)
            if refused.returncode == 0:
                failures.append(f"{name}: a score_mod cannot rotate where query and key meet")
            continue
        program = program_of("flex_attention", path)
        rotate = program.get("rotate", lambda x: x)
        scores = rotate(as_array("flex_attention", q)) @ rotate(as_array("flex_attention", k)).T / 4
        at, head = as_array("flex_attention", np.arange(float(length))), as_array("flex_attention", np.zeros((1, 1)))
        shaped = program["score_mod"](as_array("flex_attention", scores), 0, head, at[:, None], at[None, :])
        compare(name, "score_mod", shaped, expected)
    for name, encoding, more in hidden():
        path = Path(folder, "hidden.json")
        path.write_text(json.dumps({"length": length, "d_model": 16, "pair": 0, "encoding": encoding, **more}))
        program = program_of("flex_attention", path)
        at = np.arange(length)
        seen = program["mask_mod"](0, 0, at[:, None], at[None, :]) if "mask_mod" in program else np.ones((length, length), bool)
        if not np.array_equal(seen, data("attention", str(path))["attention"][0] > 0):
            failures.append(f"{name}: mask_mod sees other keys than the layer")
        made += 1
    for name, text in (("sines", "mod(j, 2) == 0 ? sin(p*b^(-j/d)) : cos(p*b^(-(j - 1)/d))"), ("octaves", "sin(2^floor(j/2)*pi*p/n)")):
        path = Path(folder, "typed.json")
        path.write_text(json.dumps({"length": length, "d_model": 8, "pair": 0, "encoding": {"kind": "own", "add": text}}))
        expected = data("table", str(path))["table"]
        for form in forms:
            compare(name, f"{form} table", program_of(form, path)["table"], expected)
        compare_formula(name, path, program_of("numpy", path))
        in_cpp(name, path, expected, "{}::table()")
    main = Path(folder, "main.cpp")
    main.write_text("\n".join(sources + typed_sources) + """
#include <fstream>
#include <iterator>
#include <string>
static std::vector<double> read(const char* path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  std::vector<double> values(static_cast<std::size_t>(in.tellg()) / sizeof(double));
  in.seekg(0);
  in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(double)));
  return values;
}
static void write(const char* path, const std::vector<double>& values) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(double)));
}
template <int length, int width, class Logit>
static std::vector<double> all(const Logit& logit, const std::string& folder) {
  const auto q = read((folder + "/q.in").c_str()), k = read((folder + "/k.in").c_str());
  std::vector<double> made;
  for (int m = 0; m < length; ++m)
    for (int j = 0; j < length; ++j) made.push_back(logit(&q[std::size_t(m * width)], &k[std::size_t(j * width)], m, j, 0));
  return made;
}
int main() {
""" + "\n".join(calls + typed_calls) + "\n}\n")
    subprocess.run([compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-o", f"{folder}/main", str(main)], check=True)
    subprocess.run([f"{folder}/main"], check=True)
    for number, name, expected in cases + typed_cases:
        compare(name, "C++", np.fromfile(Path(folder, f"{number}.out")).reshape(expected.shape), expected)

print(f"{len(cases)} scenes and {made} checkpoints in {', '.join(forms)} and C++")
for form in set(forms) - set(real):
    print(f"{form}'s arrays are stood in for by NumPy's, since this Python does not have them")
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
