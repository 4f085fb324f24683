#!/usr/bin/env python3
"""Mistakes that public programs had, each made again in NumPy from what its report or fix says, through `posiscope check`: each has
to be found wrong, and by its own name. After each line the place where it was reported.

    check_public.py PROGRAM [--keep FOLDER] [--show] [--only NAME]
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

options = argparse.ArgumentParser()
options.add_argument("program")
options.add_argument("--keep")
options.add_argument("--show", action="store_true")
options.add_argument("--only")
options = options.parse_args()
folder = pathlib.Path(options.keep or tempfile.mkdtemp())
folder.mkdir(exist_ok=True)
random = np.random.default_rng(2026)


# ---- Right ones ---------------------------------------------------------------------------------------------------
def config(head_dim=128, base=500000.0, heads=8, longest=8192, **more):
    made = {"model_type": "llama", "hidden_size": heads * head_dim, "num_attention_heads": heads, "num_key_value_heads": heads,
            "head_dim": head_dim, "rope_theta": base, "max_position_embeddings": longest}
    return made | more


def rates(pairs, base, over=None):
    return base ** (-np.arange(pairs) / (over or pairs))


def single(x):
    return np.asarray(x, dtype=np.float32)


def angles(positions, w):
    return single(np.asarray(positions, dtype=np.float32)[..., None] * single(w))


def cos_sin(positions, w, amplitude=1.0):
    a = angles(positions, w)
    return single(np.concatenate([np.cos(a), np.sin(a)], -1) * amplitude)


def bf16(x):
    bits = single(x).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def half(x):
    return np.asarray(x).astype(np.float16).astype(np.float32)


def rotate_halves(x):
    h = x.shape[-1] // 2
    return np.concatenate([-x[..., h:], x[..., :h]], -1)


def rotate_neighbours(x):
    return np.stack([-x[..., 1::2], x[..., 0::2]], -1).reshape(x.shape)


def queries(heads=8, rows=40, head_dim=128):
    return single(random.normal(size=(heads, rows, head_dim)))


def yarn(pairs, base, factor, original):
    low, high = (2 * pairs * math.log(original / (r * 2 * math.pi)) / (2 * math.log(base)) for r in (32, 1))
    low, high = max(math.floor(low), 0), min(math.ceil(high), 2 * pairs - 1)
    keep = 1 - np.clip((np.arange(pairs) - low) / (high - low), 0, 1)
    return rates(pairs, base) * (keep + (1 - keep) / factor)


def yarn_config(factor, original, **more):
    return config(longest=int(factor * original),
                  rope_scaling={"rope_type": "yarn", "factor": factor, "original_max_position_embeddings": original} | more)


cases = {}


def case(place, *says):
    """`says`: a regular expression each, all of which the answer has to hold."""
    def add(make):
        cases[make.__name__] = (place, says, make)
        return make
    return add


# ---- Positions ----------------------------------------------------------------------------------------------------
@case("NVIDIA/Megatron-LM 453", "row 30 is at position 30, but its id is 0")
def ids_ignored():
    n = [30, 25, 45]
    ids = np.concatenate([np.arange(k) for k in n])
    np.save(folder / "ids.npy", ids)
    return config(), [cos_sin(np.arange(100), rates(64, 5e5))], ["--ids", str(folder / "ids.npy")]


@case("mlfoundations/open_lm 4", "grows with the head")
def head_axis_rotated():
    q = queries(8, 40)
    a = angles(np.arange(8), rates(64, 5e5))[:, None]
    c, s = (np.concatenate([f(a)] * 2, -1) for f in (np.cos, np.sin))
    return config(), [q, q * c + rotate_halves(q) * s], []


@case("ml-explore/mlx-lm 1553", "2 times")
def positions_doubled():
    return config(), [cos_sin(2 * np.arange(300), rates(64, 5e5))], []


@case("vllm-project/vllm 10403", "at position 100, but its id is 107")
def decode_delta_forgotten():
    ids = np.r_[np.arange(100), np.arange(107, 140)]
    np.save(folder / "delta.npy", ids)
    return config(), [cos_sin(np.arange(133), rates(64, 5e5))], ["--ids", str(folder / "delta.npy")]


@case("chunked prefill whose chunks all begin at 0", "every 64 rows")
def chunk_restarts():
    return config(), [cos_sin(np.arange(256) % 64, rates(64, 5e5))], []


@case("xiangking/ark-nlp 47", "half after half, but neighbours")
def table_halves_pairs_neighbours():
    q = queries()
    a = angles(np.arange(40), rates(64, 5e5))
    c, s = (np.concatenate([f(a)] * 2, -1) for f in (np.cos, np.sin))
    return config(), [q, q * c + rotate_neighbours(q) * s], []


@case("raiyanyahya/how-to-train-your-gpt 7", "each column twice")
def table_twice_pairs_halves():
    q = queries()
    a = np.repeat(angles(np.arange(40), rates(64, 5e5)), 2, -1)
    return config(), [q, q * np.cos(a) + rotate_halves(q) * np.sin(a)], []


@case("jmaczan/tiny-vllm 4; ikawrakow/ik_llama.cpp 2290; paiml/aprender 2084", "neighbours")
def neighbours_for_halves():
    q = queries()
    a = np.repeat(angles(np.arange(40), rates(64, 5e5)), 2, -1)
    return config(), [q, q * np.cos(a) + rotate_neighbours(q) * np.sin(a)], []


@case("sgl-project/SpecForge 414", "row 0 is at position 0, but its id is 7")
def queries_without_their_offset():
    np.save(folder / "offset.npy", np.arange(7, 47))
    return config(), turned(rates(64, 5e5)), ["--ids", str(folder / "offset.npy")]


@case("oarriaga/paz 415", "every row stays at position 256")
def positions_summed_in_bfloat16():
    return config(), [cos_sin(np.minimum(np.arange(400), 256), rates(64, 5e5))], []


@case("pytorch/pytorch 137774", "rounded to bfloat16")
def arange_bfloat16():
    p = np.r_[241:257, 256, 256, 258, 260, 260, 260, 262, 264, 264, 264, 266, 268, 268, 268, 270, 272]
    return config(), [cos_sin(p, rates(64, 5e5))], []


# ---- Types --------------------------------------------------------------------------------------------------------
@case("nkalyanv99/UNI-D2 6; huggingface/transformers 25681", "bfloat16")
def positions_bfloat16():
    p = bf16(np.arange(1024))
    a = single(p[:, None] * bf16(rates(64, 1e4)))
    return config(base=1e4), [single(np.concatenate([np.cos(a), np.sin(a)], -1))], []


@case("EleutherAI/gpt-neox 1003", "float16")
def all_float16():
    w = half(rates(16, 1e4))
    a = half(np.arange(2048, dtype=np.float32)[:, None] * w)
    return config(head_dim=32, base=1e4), [single(np.cos(np.concatenate([a, a], -1)))], []


@case("sgl-project/sglang-jax 1472", "bfloat16")
def rates_bfloat16():
    return config(), [cos_sin(np.arange(512), bf16(rates(64, 5e5)))], []


# ---- Widths -------------------------------------------------------------------------------------------------------
@case("pie-project/pie 602", "256")
def exponent_over_head():
    return config(head_dim=256, base=1e7, partial_rotary_factor=0.25), [cos_sin(np.arange(400), rates(32, 1e7, 128))], []


@case("pie-project/pie 602", "partner of feature i is i \\+ 128")
def exponent_and_partner_over_head():
    q = queries(head_dim=256)
    a = angles(np.arange(40), rates(128, 1e7))
    a[:, 32:] = 0
    c, s = (np.concatenate([f(a)] * 2, -1) for f in (np.cos, np.sin))
    return config(head_dim=256, base=1e7, partial_rotary_factor=0.25), [q, q * c + rotate_halves(q) * s], []


@case("labscommunity/cascadia 69; apple/coreai-models 66", "partner of feature i is i \\+ 128")
def partner_over_head():
    q = queries(head_dim=256)
    a = np.zeros((40, 128), dtype=np.float32)
    a[:, :32] = angles(np.arange(40), rates(32, 1e7))
    c, s = (np.concatenate([f(a)] * 2, -1) for f in (np.cos, np.sin))
    return config(head_dim=256, base=1e7, partial_rotary_factor=0.25), [q, q * c + rotate_halves(q) * s], []


@case("huggingface/transformers 48652; vllm-project/vllm 43770; AI-Hypercomputer/maxtext 4742", "64", "32")
def partial_factor_dropped():
    return config(base=1e4, partial_rotary_factor=0.5), [cos_sin(np.arange(200), rates(64, 1e4))], []


@case("huggingface/transformers 48652", "64", "32")
def partial_factor_dropped_list():
    return config(base=1e4, partial_rotary_factor=0.5), [single(rates(64, 1e4))], []


# ---- Scalings -----------------------------------------------------------------------------------------------------
@case("sgl-project/sglang 33558", "squared")
def attention_factor_squared():
    m = 0.1 * math.log(32) + 1
    return yarn_config(32.0, 4096), [cos_sin(np.arange(300), yarn(64, 5e5, 32.0, 4096), m * m)], []


@case("turboderp-org/exllamav3 259", "attention factor is missing")
def attention_factor_lost():
    return yarn_config(16.0, 4096), [cos_sin(np.arange(300), yarn(64, 5e5, 16.0, 4096))], []


@case("NVIDIA/TensorRT-LLM 16379", "1.588")
def attention_factor_logarithm_twice():
    m = 0.1 * math.log(64) + 1
    return yarn_config(64.0, 4096), [cos_sin(np.arange(300), yarn(64, 5e5, 64.0, 4096), 0.1 * m * math.log(64) + 1)], []


@case("sgl-project/sglang 22711; vllm-project/vllm 48621", "1.277")
def mscale_all_dim_ignored():
    m = 0.1 * math.log(16) + 1
    return (yarn_config(16.0, 4096, mscale=1.0, mscale_all_dim=1.0),
            [cos_sin(np.arange(300), yarn(64, 5e5, 16.0, 4096), m)], [])


@case("ml-explore/mlx-lm 1507", "1.2079")
def attention_factor_not_read():
    m = 0.1 * math.log(8) + 1
    return yarn_config(8.0, 4096, attention_factor=1.0), [cos_sin(np.arange(300), yarn(64, 5e5, 8.0, 4096), m)], []


@case("vllm-project/vllm 41236", "8192")
def dynamic_base_of_all_lengths():
    base = 1e4 * (4.0 * 4.0 - 3.0) ** (128 / 126)
    return (config(base=1e4, longest=2048, rope_scaling={"rope_type": "dynamic", "factor": 4.0}),
            [cos_sin(np.arange(300), rates(64, base))], [])


@case("ml-explore/mlx-lm 1553", "2", "6")
def linear_default_factor():
    return (config(rope_scaling={"rope_type": "linear", "factor": 6.0}),
            [cos_sin(np.arange(300), rates(64, 5e5) / 2.0)], [])


@case("sgl-project/sglang 35171", "from row 300", "missing")
def extended_rows_unscaled():
    m = 0.1 * math.log(8) + 1
    cache = cos_sin(np.arange(300), yarn(64, 5e5, 8.0, 4096), m)
    return yarn_config(8.0, 4096), [np.concatenate([cache, cos_sin(np.arange(300, 400), rates(64, 5e5), m)])], []


@case("sgl-project/sglang 35171", "from row 300")
def extended_rows_not_divided():
    cache = cos_sin(np.arange(300) / 4, rates(64, 1e4))
    return (config(base=1e4, rope_scaling={"rope_type": "linear", "factor": 4.0}),
            [np.concatenate([cache, cos_sin(np.arange(300, 400), rates(64, 1e4))])], [])


@case("huggingface/transformers 32330", "llama3", "missing")
def llama3_returned_unscaled():
    scaling = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
               "original_max_position_embeddings": 8192}
    return config(longest=131072, rope_scaling=scaling), [single(rates(64, 5e5))], []


def gemma3(**more):
    return config(head_dim=256, base=1e6, longest=131072) | {
        "model_type": "gemma3_text", "rope_local_base_freq": 1e4, "num_hidden_layers": 34, "sliding_window": 1024,
        "rope_scaling": {"rope_type": "linear", "factor": 8.0}} | more


@case("antonellof/ferrox 39", "sliding_attention", "divided by 8")
def factor_on_sliding_layers():
    return gemma3(), [cos_sin(np.arange(300), rates(128, 1e4) / 8)], []


@case("lablup/mlxcel 1340; ollama/ollama 13450", "linear", "missing")
def factor_missing_on_global_layers():
    return gemma3(), [cos_sin(np.arange(300), rates(128, 1e6))], []


@case("QwenLM/Qwen 401", "10 ?000", "30527")
def base_of_a_longer_text():
    return config(base=1e4, longest=2048), [cos_sin(np.arange(300), rates(64, 1e4 * 3 ** (128 / 126)))], []


@case("vllm-project/vllm 52665", "times as fast")
def base_of_a_negative_number():
    base = 1000.0 * complex(-0.5) ** (64 / 62)
    w = (complex(base.real) ** (-np.arange(32) / 32)).real
    return (config(head_dim=64, base=1e3, longest=2048, rope_scaling={"rope_type": "dynamic", "factor": 2.0}),
            [cos_sin(np.arange(300), w)], [])


@case("converters that leave rope_theta out", "10 ?000", "1 ?000 ?000|1e6|1e\\+06")
def base_default():
    return config(base=1e6), [cos_sin(np.arange(300), rates(64, 1e4))], []


def turned(w, amplitude=1.0, begin=0):
    q = queries()
    a = angles(begin + np.arange(40), w)
    c, s = (np.concatenate([f(a)] * 2, -1) * amplitude for f in (np.cos, np.sin))
    return [q, q * c + rotate_halves(q) * s]


@case("converters that leave rope_theta out", "base is 10000")
def queries_base_default():
    return config(), turned(rates(64, 1e4)), []


@case("a scaling that the runtime does not read, of q", "not applied|unscaled|scaling")
def queries_unscaled():
    return yarn_config(8.0, 4096), turned(rates(64, 5e5)), []


@case("a factor of the served length in place of the config's, of q", "factor is 7")
def queries_other_factor():
    return yarn_config(8.0, 4096), turned(yarn(64, 5e5, 7.0, 4096), 0.1 * math.log(8) + 1, 300), []


# ---- Several axes -------------------------------------------------------------------------------------------------
def image_ids():
    """A text of 12, an image of 6 × 8 from there, and a text of 20."""
    text = np.tile(np.arange(12), (3, 1))
    y, x = np.mgrid[0:6, 0:8]
    image = 12 + np.stack([np.zeros(48, int), y.ravel(), x.ravel()])
    return np.concatenate([text, image, 20 + np.tile(np.arange(20), (3, 1))], 1)


@case("mlx-node/mlx-node 80; Blaizzy/mlx-vlm 576", "another axis")
def mrope_blocked_for_interleaved():
    ids, axis = image_ids(), np.repeat([0, 1, 2], [24, 20, 20])
    a = single(ids[axis].T * single(rates(64, 5e6)))
    np.save(folder / "mrope.npy", ids)
    text = config(base=5e6, rope_scaling={"rope_type": "default", "mrope_section": [24, 20, 20], "mrope_interleaved": True})
    return (text | {"model_type": "qwen3_vl_text"}, [single(np.concatenate([np.cos(a), np.sin(a)], -1))],
            ["--ids", str(folder / "mrope.npy")])


@case("XPU-Forces/mojo_opset 276", "another axis|axis rest")
def mrope_interleaved_past_its_sections():
    ids = image_ids() + np.array([[9000], [2000], [30]])
    axis = np.arange(64) % 3
    a = single(ids[axis].T * single(rates(64, 5e6)))
    np.save(folder / "far.npy", ids)
    text = config(base=5e6, rope_scaling={"rope_type": "default", "mrope_section": [24, 20, 20], "mrope_interleaved": True})
    return (text | {"model_type": "qwen3_vl_text"}, [single(np.concatenate([np.cos(a), np.sin(a)], -1))],
            ["--ids", str(folder / "far.npy")])


# ---- Sinusoids ----------------------------------------------------------------------------------------------------
@case("flashinfer-ai/flashinfer 3819; huggingface/diffusers 1369", "columns of cos come first")
def sine_and_cosine_exchanged():
    return None, [cos_sin(np.arange(300), rates(64, 1e4))], ["--set", "d_model=128", "--set", "encoding.variant=halves"]


@case("BrianPulfer/PapersReimplementations 9", "exponent is doubled")
def exponent_doubled():
    a = angles(np.arange(200), rates(64, 1e4) ** 2)
    return None, [np.stack([np.sin(a), np.cos(a)], -1).reshape(200, 128)], ["--set", "d_model=128"]


# ---- Weights ------------------------------------------------------------------------------------------------------
@case("huggingface/nanotron 427; jzhang38/TinyLlama 24; ggml-org/llama.cpp 3018", "for 8 heads of 64")
def weights_permuted():
    w = single(random.normal(size=(512, 96)))
    return None, [w, w.reshape(8, 2, 32, 96).swapaxes(1, 2).reshape(512, 96)], []


def said(name):
    place, says, make = cases[name]
    settings, arrays, more = make()
    command = [options.program, "check"]
    for i, array in enumerate(arrays):
        path = folder / f"{name}{i if len(arrays) > 1 else ''}.npy"
        np.save(path, array.astype(np.float32))
        command.append(str(path))
    if settings:
        path = folder / f"{name}.json"
        path.write_text(json.dumps(settings))
        command += ["--config", str(path)]
    done = subprocess.run(command + more, capture_output=True, text=True, timeout=120)
    answer = done.stdout.replace("\u2009", " ").replace("\u202f", " ")
    named = done.returncode == 4 and all(re.search(one, answer.split("\n", 1)[-1], re.I) for one in says)
    if options.show or not named:
        print(f"{name} ({place}): exit {done.returncode}\n{done.stdout}{done.stderr}")
    return named


names = [name for name in cases if not options.only or options.only in name]
named = sum(said(name) for name in names)
print(f"{named} of {len(names)} public mistakes named")
sys.exit(named < len(names))
