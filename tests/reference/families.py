#!/usr/bin/env python3
"""Writes families.json: configs as families publish them, and what their official code makes of them, in NumPy.

The numbers here are computed from the formulas of that code, written down a second time; nothing of Posiscope is used.
Run it after adding a family:  python3 tests/reference/families.py
"""
import hashlib
import json
import math
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent


def plain(base, width):
    return float(base) ** (-np.arange(0, width, 2, dtype=np.float64) / width)


def mscale(s, x=1.0, c=0.1):
    return 1.0 if s <= 1 else c * x * math.log(s) + 1.0


def yarn(base, width, s, original, fast=32.0, slow=1.0, truncate=True, log=False):
    def turns_at(n):
        return width * math.log(original / (n * 2 * math.pi)) / (2 * math.log(base))
    low, high = turns_at(fast), turns_at(slow)
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, width - 1)
    if low == high:
        high += 0.001
    keep = 1 - np.clip((np.arange(width // 2) - low) / (high - low), 0, 1)
    w = plain(base, width)
    if log:
        return np.exp(np.log(w) * keep + np.log(w / s) * (1 - keep))
    return w / s * (1 - keep) + w * keep


def llama3(base, width, s, low, high, original):
    w = plain(base, width)
    out = []
    for f in w:
        wave = 2 * math.pi / f
        if wave < original / high:
            out.append(f)
        elif wave > original / low:
            out.append(f / s)
        else:
            t = (original / wave - low) / (high - low)
            out.append((1 - t) * f / s + t * f)
    return np.array(out)


CASES = []


def case(name, config, inv_freq=None, kind=None, factor=1.0, softmax=1.0, layout="half", window=0, layers=None,
         length=None, offset=0, encoding="rope", **numbers):
    """One layer kind of one config. layers: which of its layers are of this kind."""
    inputs = {"config": config, "encoding": encoding}
    if kind:
        inputs["kind"] = kind
    if length:
        inputs["length"] = length
    made = {"name": name, "inputs": inputs}
    if encoding == "rope":
        made["interleaved"] = int(layout == "interleaved")
        made["rotates"] = int(inv_freq is not None)
        made["window"] = window
        if inv_freq is not None:
            made["inv_freq"] = [float(x) for x in inv_freq]
            made["attention_factor"] = factor
            made["softmax_factor"] = softmax
            made["rotary_offset"] = offset
        if layers is not None:
            made["layers"] = layers
    made.update(numbers)
    CASES.append(made)


def shape(hidden, heads, **rest):
    return {"hidden_size": hidden, "num_attention_heads": heads, **rest}


def last(n, count):
    """Layers n, 2n, … counted from 1, as indices."""
    return [l for l in range(count) if (l + 1) % n == 0]


def rest(layers, count):
    return [l for l in range(count) if l not in layers]


# ---- the same in every layer -------------------------------------------------------------------------------------
def flat(name, model_type, config, base, width, **more):
    case(name, {"model_type": model_type, **config}, plain(base, width), **more)


flat("Llama 2", "llama", shape(4096, 32, rope_theta=10000.0, max_position_embeddings=4096), 1e4, 128)
flat("Llama without a base", "llama", shape(4096, 32), 1e4, 128)
case("Llama 3.1", {"model_type": "llama", **shape(4096, 32, rope_theta=500000.0, max_position_embeddings=131072),
     "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                      "original_max_position_embeddings": 8192}}, llama3(5e5, 128, 8, 1, 4, 8192))
flat("Mistral 7B v0.1", "mistral", shape(4096, 32, rope_theta=10000.0, sliding_window=4096,
                                        max_position_embeddings=32768), 1e4, 128, window=4096)
flat("Mixtral", "mixtral", shape(4096, 32, rope_theta=1e6, sliding_window=None), 1e6, 128)
flat("Qwen2.5", "qwen2", shape(3584, 28, rope_theta=1e6, use_sliding_window=False, sliding_window=131072,
                              max_window_layers=28), 1e6, 128)
flat("Qwen2 MoE", "qwen2_moe", shape(2048, 16, rope_theta=1e6, use_sliding_window=False, sliding_window=32768), 1e6, 128)
flat("Qwen3", "qwen3", shape(4096, 32, head_dim=128, rope_theta=1e6, use_sliding_window=False), 1e6, 128)
flat("Qwen3 MoE", "qwen3_moe", shape(4096, 64, head_dim=128, rope_theta=1e6), 1e6, 128)
for family in ("qwen2_vl", "qwen2_5_vl"):
    flat(family, family, shape(3584, 28, rope_theta=1e6, max_position_embeddings=32768,
                               rope_scaling={"type": "mrope", "mrope_section": [16, 24, 24]}), 1e6, 128)
flat("Qwen3-VL", "qwen3_vl", {"text_config": {"model_type": "qwen3_vl_text", **shape(
    4096, 32, head_dim=128, rope_theta=5e6,
    rope_scaling={"rope_type": "default", "mrope_interleaved": True, "mrope_section": [24, 20, 20]})}}, 5e6, 128)
flat("Qwen2.5-Omni", "qwen2_5_omni", {"thinker_config": {"model_type": "qwen2_5_omni_thinker", "text_config": {
    "model_type": "qwen2_5_omni_text", **shape(3584, 28, rope_theta=1e6, max_position_embeddings=32768,
                                               rope_scaling={"mrope_section": [16, 24, 24], "rope_type": "default",
                                                             "type": "default"})}}}, 1e6, 128)
flat("Gemma", "gemma", shape(2048, 8, head_dim=256, rope_theta=10000.0), 1e4, 256)
flat("Phi-2 without its part", "phi", shape(2560, 32, rope_theta=10000.0), 1e4, 40)
flat("Phi-3 mini", "phi3", shape(3072, 32, rope_theta=10000.0, sliding_window=2047, max_position_embeddings=4096),
     1e4, 96, window=2047)
flat("Phi-3-small", "phi3small", shape(4096, 32, rope_embedding_base=1000000, rope_position_scale=1.0,
                                       max_position_embeddings=8192), 1e6, 128)
PAIRS = 64
SHORT = [1.0 + 0.01 * i for i in range(PAIRS)]
LONG = [1.0 + 0.5 * i for i in range(PAIRS)]
for length, divisors, factor in ((4096, SHORT, 1.243163121016122), (131072, LONG, 1.3)):
    case(f"Phi-3.5-MoE at {length}",
         {"model_type": "phimoe", **shape(4096, 32, rope_theta=10000.0, max_position_embeddings=131072),
          "rope_scaling": {"type": "longrope", "short_factor": SHORT, "long_factor": LONG,
                           "short_mscale": 1.243163121016122, "long_mscale": 1.3,
                           "original_max_position_embeddings": 4096}},
         plain(1e4, 128) / np.array(divisors), factor=factor, length=length)
flat("StableLM 3B", "stablelm", shape(2560, 32, rope_theta=10000), 1e4, 20)
flat("StableLM epoch", "stablelm_epoch", shape(2560, 32, rope_theta=10000, rope_pct=0.25), 1e4, 20)
flat("Persimmon", "persimmon", {}, 25000.0, 32)
flat("GPT-NeoX", "gpt_neox", shape(6144, 64, rotary_pct=0.25, rotary_emb_base=10000), 1e4, 24)
flat("Falcon", "falcon", shape(4544, 71), 1e4, 64)
flat("Falcon-H1", "falcon_h1", shape(3072, 12, head_dim=128, rope_theta=100000000000.0), 1e11, 128)
flat("Nemotron-4", "nemotron", shape(3072, 24, head_dim=128, rope_theta=10000), 1e4, 64)
flat("ESM-2", "esm", shape(1280, 20, position_embedding_type="rotary", max_position_embeddings=1026), 1e4, 64)
case("ESM-1b", {"model_type": "esm", **shape(1280, 20, position_embedding_type="absolute", pad_token_id=1,
                max_position_embeddings=1026)}, encoding="learned", first_row=2, positions=1024)
case("ESM without a word on positions", {"model_type": "esm", **shape(768, 12)}, encoding="learned", first_row=2,
     positions=1024)
flat("Yi-6B", "Yi", shape(4096, 32, num_key_value_heads=4, max_position_embeddings=4096, rope_theta=5000000.0), 5e6, 128)
flat("Yi without a base", "Yi", shape(4096, 32), 5e6, 128)
flat("Nomic Embed", "nomic_bert", {"n_embd": 768, "n_head": 12, "rotary_emb_base": 1000, "n_positions": 8192}, 1e3, 64)
flat("LLaDA", "llada", {"d_model": 4096, "n_heads": 32, "rope_theta": 500000.0, "max_sequence_length": 4096}, 5e5, 128)
flat("OLMo", "olmo", shape(4096, 32, rope_theta=10000.0), 1e4, 128)
flat("StarCoder2", "starcoder2", shape(3072, 24, rope_theta=999999.4420358813, sliding_window=4096), 999999.4420358813,
     128, window=4096)
flat("Granite MoE", "granitemoe", shape(1536, 24, rope_theta=10000000.0, attention_multiplier=0.015625), 1e7, 64)
flat("Seed-OSS", "seed_oss", shape(5120, 80, head_dim=128, rope_theta=10000000.0, rope_scaling={"rope_type": "default"},
                                   max_position_embeddings=524288), 1e7, 128)
flat("MiMo", "mimo", shape(4096, 32, head_dim=128, rope_theta=640000, sliding_window=32768, max_window_layers=36,
                           max_position_embeddings=32768), 640000, 128)
APERTUS = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
           "original_max_position_embeddings": 8192}
for name, given in (("Apertus", {"rope_theta": 12000000, "rope_scaling": APERTUS, "max_position_embeddings": 65536}),
                    ("Apertus without a base", {})):
    case(name, {"model_type": "apertus", **shape(4096, 32), **given}, llama3(1.2e7, 128, 8, 1, 4, 8192))
flat("OLMo 2", "olmo2", shape(4096, 32, rope_theta=500000), 5e5, 128)
flat("MiniMax-M2", "minimax_m2", shape(3072, 48, head_dim=128, rotary_dim=64, rope_theta=5000000), 5e6, 64)
flat("MiniMax-M1", "minimax", shape(6144, 64, head_dim=128, rotary_dim=64, rope_theta=10000000), 1e7, 64)
flat("GLM-4.5", "glm4_moe", shape(5120, 96, head_dim=128, partial_rotary_factor=0.5, rope_theta=1000000), 1e6, 64)
flat("Granite", "granite", shape(4096, 32, rope_theta=10000000.0), 1e7, 128)
flat("InternLM2", "internlm2", shape(4096, 32, rope_theta=1000000), 1e6, 128)
flat("InternLM3", "internlm3", shape(4096, 32, head_dim=128, rope_theta=50000000), 5e7, 128)
flat("InternLM 1", "internlm", shape(4096, 32, rotary={"base": 10000, "type": "dynamic"}), 1e4, 128)
flat("Baichuan 7B", "baichuan", shape(4096, 32, max_position_embeddings=4096), 1e4, 128)
flat("DBRX", "dbrx", {"d_model": 6144, "n_heads": 48, "max_seq_len": 32768,
                      "attn_config": {"kv_n_heads": 8, "clip_qkv": 8, "rope_theta": 500000}}, 5e5, 128)
flat("Grok, unscaled", "git", {"architectures": ["Grok1ForCausalLM"], **shape(8192, 64, head_dim=128,
                               rope_theta=208533496, rope_type="original", original_max_position_embeddings=8192,
                               scaling_factor=16.0)}, 208533496, 128)
case("Grok, yarn_log", {"model_type": "git", "architectures": ["Grok1ForCausalLM"],
                        **shape(8192, 64, head_dim=128, rope_theta=208533496, rope_type="yarn_log",
                                original_max_position_embeddings=8192, scaling_factor=16.0, extrapolation_factor=1.0,
                                attn_factor=1.0, beta_fast=8, beta_slow=1)},
     yarn(208533496, 128, 16, 8192, fast=8, slow=1, log=True))
case("Grok, theta_scale", {"model_type": "git", "architectures": ["Grok1ForCausalLM"],
                           **shape(8192, 64, head_dim=128, rope_theta=10000, rope_type="theta_scale",
                                   original_max_position_embeddings=8192, scaling_factor=4.0)},
     plain(10000 ** (math.log(8192 * 4 / (2 * math.pi)) / math.log(8192 / (2 * math.pi))), 128))
for family in ("hunyuan_v1_dense", "hunyuan_v1_moe"):
    case(family, {"model_type": family, **shape(4096, 32, head_dim=128, rope_theta=10000.0,
                                                max_position_embeddings=32768,
                                                rope_scaling={"alpha": 1000.0, "beta_fast": 32, "beta_slow": 1,
                                                              "factor": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0,
                                                              "type": "dynamic"})},
         plain(1e4 * 1000.0 ** (128 / 126), 128))
case("HunYuan-VL", {"model_type": "hunyuan_vl", "text_config": {"model_type": "hunyuan_vl_text", **shape(
     1024, 16, head_dim=128, rope_theta=10000.0, max_position_embeddings=32768,
     rope_scaling={"alpha": 1000.0, "factor": 1.0, "type": "xdrope", "xdrope_section": [16, 16, 16, 16]})}},
     plain(1e4 * 1000.0 ** (128 / 126), 128))
fope = plain(5e6, 128)
case("Intern-S1-Pro", {"model_type": "intern_s1_pro", "text_config": {"model_type": "intern_s1_pro_text", **shape(
     4096, 64, head_dim=128, rope_theta=5000000, max_position_embeddings=262144,
     rope_scaling={"rope_type": "default", "fope_init_factor": 0.5, "fope_sep_head": True, "num_inv_freq": None})}},
     np.where(fope > 2 * math.pi / 262144, fope, 0.0))
case("TeleChat3", {"model_type": "telechat3", **shape(6144, 64, head_dim=96, rope_theta=1e6,
                                                     max_position_embeddings=131072,
                                                     rope_scaling={"type": "telechat3-yarn", "factor": 16.0,
                                                                   "beta_fast": 32, "beta_slow": 1,
                                                                   "original_max_position_embeddings": 8192})},
     yarn(1e6, 96, 16, 8192), factor=mscale(16, 1.0, 0.07))
for name, family, extra, width, offset, layout in (
        ("Ministral 3", "ministral3", shape(4096, 32, head_dim=128), 128, 0, "half"),
        ("Mistral Small 4", "mistral4", shape(4096, 32, qk_rope_head_dim=64, qk_nope_head_dim=64), 64, 64,
         "interleaved")):
    case(name, {"model_type": family, **extra, "max_position_embeddings": 262144,
                "rope_parameters": {"rope_type": "yarn", "rope_theta": 1e6, "factor": 16.0, "beta_fast": 32.0,
                                    "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0,
                                    "original_max_position_embeddings": 16384, "llama_4_scaling_beta": 0.1}},
         yarn(1e6, width, 16, 16384), layout=layout, offset=offset, softmax=mscale(16) ** 2 if width == 64 else 1.0,
         query_factors=[1 + 0.1 * math.log(1 + p // 16384) for p in (0, 16383, 16384, 131072)])


def chunk_distances(n, chunk, local):
    """Query tables and key table as dual chunk attention makes them, and their differences for every i ≥ j."""
    length = chunk - local
    key = np.arange(n) % length
    within = np.arange(length)
    after = np.minimum(np.arange(length) + length, chunk)
    far = after[length - 1]
    out = []
    for i in range(n):
        for j in range(i + 1):
            apart = i // length - j // length
            query = within[i % length] if apart == 0 else after[i % length] if apart == 1 else far
            out.append(int(query - key[j]))
    return out


case("Dual chunks of 8", {"model_type": "qwen2", **shape(64, 4, rope_theta=10000.0, max_position_embeddings=40,
     dual_chunk_attention_config={"chunk_size": 8, "local_size": 3, "original_max_position_embeddings": 8})},
     plain(1e4, 16), length=20, distances=chunk_distances(20, 8, 3), key_factor=0.1 * math.log(20 / 8) + 1)
case("Qwen2.5-7B-Instruct-1M",
     {"model_type": "qwen2", **shape(3584, 28, rope_theta=10000000.0, max_position_embeddings=1010000,
                                     use_sliding_window=False, sliding_window=1010000, max_window_layers=28,
                                     dual_chunk_attention_config={"chunk_size": 262144, "local_size": 8192,
                                                                  "original_max_position_embeddings": 262144})},
     plain(1e7, 128), window=0, trained_length=262144, reach=262145, length=1010000,
     key_factor=max(1.0, 0.1 * math.log(1010000 / 262144) + 1.0))
case("GPT-OSS (window)", {"model_type": "gpt_oss", **shape(2880, 64, head_dim=64, rope_theta=150000.0,
                                                          num_hidden_layers=24, sliding_window=128,
                                                          max_position_embeddings=131072,
                                                          rope_scaling={"rope_type": "yarn", "factor": 32.0,
                                                                        "beta_fast": 32.0, "beta_slow": 1.0,
                                                                        "truncate": False,
                                                                        "original_max_position_embeddings": 4096})},
     yarn(150000, 64, 32, 4096, truncate=False), factor=mscale(32), kind="sliding_attention", window=128,
     layers=rest(last(2, 24), 24))

# ---- interleaved -------------------------------------------------------------------------------------------------
flat("GPT-J", "gptj", {"n_embd": 4096, "n_head": 16, "rotary_dim": 64}, 1e4, 64, layout="interleaved")
flat("CodeGen", "codegen", {"n_embd": 1024, "n_head": 16, "rotary_dim": 32}, 1e4, 32, layout="interleaved")
flat("RoFormer", "roformer", shape(768, 12), 1e4, 64, layout="interleaved")
flat("Command R", "cohere", shape(8192, 64, rope_theta=8000000.0), 8e6, 128, layout="interleaved")
flat("GLM-4-0414", "glm4", shape(4096, 32, head_dim=128, rope_theta=10000.0), 1e4, 64, layout="interleaved")
flat("GLM", "glm", shape(4096, 32, head_dim=128, rope_theta=10000.0, partial_rotary_factor=0.5), 1e4, 64,
     layout="interleaved")
flat("GLM-4.1V", "glm4v", {"text_config": {"model_type": "glm4v_text", **shape(4096, 32, rope_theta=10000.0,
     partial_rotary_factor=0.5, rope_scaling={"type": "default", "mrope_section": [8, 12, 12]})}}, 1e4, 64,
     layout="interleaved")
flat("ChatGLM3", "chatglm", shape(4096, 32, kv_channels=128, seq_length=8192), 1e4, 64, layout="interleaved")
flat("glm-4-9b-chat", "chatglm", shape(4096, 32, kv_channels=128, seq_length=131072, rope_ratio=500), 5e6, 64,
     layout="interleaved")
flat("ERNIE 4.5", "ernie4_5", shape(1024, 16, head_dim=128, rope_theta=500000.0), 5e5, 128, layout="interleaved")
flat("ERNIE 4.5 MoE", "ernie4_5_moe", shape(2560, 20, rope_theta=500000.0), 5e5, 128, layout="interleaved")

# ---- latent attention --------------------------------------------------------------------------------------------
DEEPSEEK = dict(qk_rope_head_dim=64, qk_nope_head_dim=128, rope_theta=10000, max_position_embeddings=163840,
                rope_scaling={"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "beta_fast": 32,
                              "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0})
for family, heads in (("deepseek_v2", 128), ("deepseek_v3", 128), ("deepseek_v32", 128), ("kimi_k2", 64),
                      ("kimi_k25", 64)):
    case(family, {"model_type": family, **shape(7168, heads, **DEEPSEEK)}, yarn(1e4, 64, 40, 4096),
         softmax=mscale(40) ** 2, layout="interleaved", offset=128)
flat("LongCat-Flash", "longcat_flash", shape(6144, 64, qk_rope_head_dim=64, qk_nope_head_dim=128,
                                             rope_theta=10000000.0), 1e7, 64, layout="interleaved", offset=128)
flat("GLM-5", "glm_moe_dsa", shape(6144, 64, qk_rope_head_dim=64, qk_nope_head_dim=192, rope_theta=1000000), 1e6, 64,
     offset=192)
V4 = {"model_type": "deepseek_v4", **shape(4096, 64, head_dim=512, qk_rope_head_dim=64, num_hidden_layers=6,
      rope_theta=10000.0, compress_rope_theta=160000.0, compress_ratios=[128, 128, 4, 128, 4, 0], sliding_window=128,
      max_position_embeddings=1048576, rope_scaling={"type": "yarn", "factor": 16, "beta_fast": 32, "beta_slow": 1,
                                                     "original_max_position_embeddings": 65536})}
case("DeepSeek-V4, sliding", V4, plain(1e4, 64), kind="sliding_attention", layout="interleaved", window=128, layers=[5],
     offset=448)
for kind, layers in (("compressed_sparse_attention", [2, 4]), ("heavily_compressed_attention", [0, 1, 3])):
    case("DeepSeek-V4, " + kind, V4, yarn(160000, 64, 16, 65536), kind=kind, layout="interleaved", layers=layers,
         offset=448)

# ---- layers of several kinds -------------------------------------------------------------------------------------
for name, family, config, n, count, window, width, base, local, factor in (
        ("Gemma 3 4B, short config", "gemma3",
         {"text_config": {"model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 34,
                          "rope_scaling": {"factor": 8.0, "rope_type": "linear"}, "sliding_window": 1024}},
         6, 34, 1024, 256, 1e6, 1e4, 8.0),
        ("Gemma 3 1B", "gemma3_text",
         shape(1152, 4, head_dim=256, num_hidden_layers=26, rope_theta=1e6, rope_local_base_freq=10000,
               sliding_window=512, sliding_window_pattern=6, max_position_embeddings=32768),
         6, 26, 512, 256, 1e6, 1e4, 1.0)):
    full = last(n, count)
    case(name, {"model_type": family, **config}, plain(base, width) / factor, kind="full_attention", layers=full)
    case(name + ", sliding", {"model_type": family, **config}, plain(local, width), kind="sliding_attention",
         window=window, layers=rest(full, count))
GEMMA2 = {"model_type": "gemma2", **shape(3584, 16, head_dim=256, rope_theta=10000.0, num_hidden_layers=42,
                                          sliding_window=4096)}
case("Gemma 2", GEMMA2, plain(1e4, 256), kind="full_attention", layers=last(2, 42))
case("Gemma 2, sliding", GEMMA2, plain(1e4, 256), kind="sliding_attention", window=4096, layers=rest(last(2, 42), 42))
GEMMA3N = {"model_type": "gemma3n", "text_config": {"model_type": "gemma3n_text", **shape(
    2048, 8, head_dim=256, rope_theta=1e6, rope_local_base_freq=1e4, num_hidden_layers=35, sliding_window=512)}}
case("Gemma 3n", GEMMA3N, plain(1e6, 256), kind="full_attention", layers=last(5, 35))
GEMMA4 = {"model_type": "gemma4", "text_config": {"model_type": "gemma4_text", **shape(
    5376, 32, head_dim=256, global_head_dim=512, num_hidden_layers=6, sliding_window=1024,
    layer_types=["sliding_attention"] * 5 + ["full_attention"],
    rope_parameters={"full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25,
                                        "rope_theta": 1e6},
                     "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}})}}
proportional = plain(1e6, 512)
proportional[64:] = 0.0
case("Gemma 4", GEMMA4, proportional, kind="full_attention", layers=[5])
OLMO3 = {"model_type": "olmo3", **shape(4096, 32, rope_theta=500000, num_hidden_layers=32, sliding_window=4096,
         max_position_embeddings=65536, rope_scaling={"rope_type": "yarn", "factor": 8.0, "beta_fast": 32.0,
         "beta_slow": 1.0, "attention_factor": 1.2079441541679836, "original_max_position_embeddings": 8192})}
case("OLMo 3, full", OLMO3, yarn(5e5, 128, 8, 8192), kind="full_attention", factor=1.2079441541679836,
     layers=last(4, 32))
case("OLMo 3, sliding", OLMO3, plain(5e5, 128), kind="sliding_attention", layers=rest(last(4, 32), 32), window=4096)
AFMOE = {"model_type": "afmoe", **shape(2048, 16, rope_theta=10000.0, num_hidden_layers=8, sliding_window=2048,
                                        head_dim=128, global_attn_every_n_layers=4)}
case("Trinity, sliding", AFMOE, plain(1e4, 128), kind="sliding_attention", window=2048, layers=rest(last(4, 8), 8))
case("Trinity, full", AFMOE, None, kind="full_attention", layers=last(4, 8))
flat("Helium", "helium", shape(2560, 20, head_dim=128, rope_theta=100000.0), 1e5, 128, layout="interleaved")
flat("Moonshine tiny", "moonshine", {"hidden_size": 288, "decoder_num_attention_heads": 8, "encoder_num_attention_heads": 8,
                                     "partial_rotary_factor": 0.9, "max_position_embeddings": 194}, 1e4, 32,
     layout="interleaved")
for family in ("glm4_moe_lite", "youtu"):
    flat("Latent attention, " + family, family,
         shape(2048, 20, rope_theta=1000000, qk_rope_head_dim=64, qk_nope_head_dim=192, kv_lora_rank=512), 1e6, 64,
         layout="interleaved", offset=192)
COHERE2 = {"model_type": "cohere2", **shape(4096, 32, rope_theta=50000, num_hidden_layers=32, sliding_window=4096,
                                            sliding_window_pattern=4, position_embedding_type="rope_gptj")}
case("Command R7B, sliding", COHERE2, plain(5e4, 128), kind="sliding_attention", layout="interleaved", window=4096,
     layers=rest(last(4, 32), 32))
case("Command R7B, full", COHERE2, None, kind="full_attention", layout="interleaved", layers=last(4, 32))
EXAONE = {"model_type": "exaone4", **shape(5120, 40, head_dim=128, rope_theta=1000000, num_hidden_layers=8,
                                           sliding_window=4096, sliding_window_pattern="LLLG")}
case("EXAONE 4 32B, sliding", EXAONE, plain(1e6, 128), kind="sliding_attention", window=4096, layers=[0, 1, 2, 4, 5, 6])
case("EXAONE 4 32B, full", EXAONE, None, kind="full_attention", layers=[3, 7])
flat("EXAONE 4 1.2B", "exaone4", shape(2048, 32, head_dim=64, rope_theta=1000000, num_hidden_layers=30,
                                       sliding_window=None, sliding_window_pattern=None), 1e6, 64)
SMOL = {"model_type": "smollm3", **shape(2048, 16, rope_theta=5000000.0, num_hidden_layers=36,
                                         no_rope_layers=[1, 1, 1, 0] * 9)}
case("SmolLM3", SMOL, plain(5e6, 128), kind="rope_attention", layers=rest(last(4, 36), 36))
case("SmolLM3, NoPE", SMOL, None, kind="nope_attention", layers=last(4, 36))
LLAMA4 = {"model_type": "llama4", "text_config": {"model_type": "llama4_text", **shape(
    5120, 40, head_dim=128, num_hidden_layers=48, rope_theta=500000.0, attention_chunk_size=8192,
    no_rope_layers=[1, 1, 1, 0] * 12, attn_temperature_tuning=4, floor_scale=8192, attn_scale=0.1,
    rope_scaling={"rope_type": "llama3", "factor": 16.0, "low_freq_factor": 1.0, "high_freq_factor": 1.0,
                  "original_max_position_embeddings": 8192})}}
case("Llama 4 Scout", LLAMA4, llama3(5e5, 128, 16, 1, 1, 8192), kind="chunked_attention", layout="interleaved",
     window=8192, layers=rest(last(4, 48), 48))
case("Llama 4 Scout, NoPE", LLAMA4, None, kind="full_attention", layout="interleaved", layers=last(4, 48))
MIMO = {"model_type": "mimo_v2_flash", **shape(4096, 64, head_dim=192, partial_rotary_factor=0.334, rope_theta=5000000,
        swa_rope_theta=10000, num_hidden_layers=6, hybrid_layer_pattern=[0, 1, 1, 1, 1, 0], sliding_window=128)}
case("MiMo-V2, full", MIMO, plain(5e6, 64), kind="full_attention", layers=[0, 5])
case("MiMo-V2, sliding", MIMO, plain(1e4, 64), kind="sliding_attention", window=128, layers=[1, 2, 3, 4])
MODERN = {"model_type": "modernbert", **shape(768, 12, num_hidden_layers=22, global_rope_theta=160000.0,
          local_rope_theta=10000.0, local_attention=128, global_attn_every_n_layers=3)}
full = [l for l in range(22) if l % 3 == 0]
case("ModernBERT", MODERN, plain(160000, 64), kind="full_attention", layers=full)
case("ModernBERT, local", MODERN, plain(10000, 64), kind="sliding_attention", window=65, layers=rest(full, 22))
NEXT = {"model_type": "qwen3_next", **shape(2048, 16, head_dim=256, rope_theta=10000000, num_hidden_layers=48,
                                            full_attention_interval=4)}
case("Qwen3-Next", NEXT, plain(1e7, 64), kind="full_attention", layers=last(4, 48))
case("Qwen3-Next, linear", NEXT, None, kind="linear_attention", layers=rest(last(4, 48), 48))
case("Qwen3.5", {"model_type": "qwen3_5", "text_config": {"model_type": "qwen3_5_text", **shape(
     4096, 16, head_dim=256, num_hidden_layers=8, full_attention_interval=4,
     rope_parameters={"rope_type": "default", "rope_theta": 1e7, "partial_rotary_factor": 0.25})}},
     plain(1e7, 64), kind="full_attention", layers=[3, 7])
STEP = {"model_type": "step3p5", **shape(4096, 64, head_dim=128, num_hidden_layers=4,
        rope_theta=[5e6, 1e4, 1e4, 1e4], partial_rotary_factors=[0.5, 1.0, 1.0, 1.0], sliding_window=512,
        layer_types=["full_attention"] + ["sliding_attention"] * 3, yarn_only_types=["full_attention"],
        rope_scaling={"rope_type": "llama3", "factor": 2.0, "low_freq_factor": 1.0, "high_freq_factor": 32.0,
                      "original_max_position_embeddings": 131072})}
case("Step-3.5, full", STEP, llama3(5e6, 64, 2, 1, 32, 131072), kind="full_attention", layers=[0])
case("Step-3.5, sliding", STEP, plain(1e4, 128), kind="sliding_attention", window=512, layers=[1, 2, 3])

ZAMBA = {"model_type": "zamba2", **shape(3584, 32, num_hidden_layers=6, rope_theta=10000, use_mem_rope=True, kv_channels=112,
         layers_block_type=["mamba", "mamba", "hybrid", "mamba", "mamba", "hybrid"], max_position_embeddings=4096)}
for name, more in (("Zamba2 7B", {"attention_head_dim": 224}), ("Zamba2 7B without attention_head_dim", {})):
    case(name, {**ZAMBA, **more}, plain(1e4, 224), kind="hybrid", layers=[2, 5])
case("Zamba2, Mamba", ZAMBA, None, kind="mamba", layers=[0, 1, 3, 4])
case("Zamba2, long context", {**ZAMBA, "use_long_context": True}, plain(1e4 * 8 ** (224 / 222), 224), kind="hybrid",
     layers=[2, 5])

# ---- no rotation, tables, biases ---------------------------------------------------------------------------------
case("Granite 4, NoPE", {"model_type": "granitemoehybrid", **shape(4096, 32), "position_embedding_type": "nope",
                         "rope_theta": 10000}, encoding="none", heads=32)
flat("Granite 4, RoPE", "granitemoehybrid", shape(2048, 32, position_embedding_type="rope", rope_theta=10000), 1e4, 64)
case("Nemotron-H", {"model_type": "nemotron_h", **shape(4096, 32, head_dim=128, rope_theta=10000)}, encoding="none",
     heads=32)
case("Zamba2 1.2B without RoPE", {**ZAMBA, "use_mem_rope": False}, encoding="none", heads=32)
case("DeBERTa without relative attention", {"model_type": "deberta-v2", **shape(768, 12, relative_attention=False,
     max_position_embeddings=512)}, encoding="learned", first_row=0, positions=512)
case("DeBERTa without positions", {"model_type": "deberta", **shape(768, 12, position_biased_input=False)}, encoding="none",
     heads=12)
case("Jamba", {"model_type": "jamba", **shape(4096, 32)}, encoding="none", heads=32)
case("Kimi-Linear", {"model_type": "kimi_linear", **shape(2304, 32, qk_rope_head_dim=64, qk_nope_head_dim=128,
                     mla_use_nope=True, rope_theta=10000.0)}, encoding="none", heads=32)


def slopes(n):
    p = 2 ** math.floor(math.log2(n))
    first = [2 ** (-8 * k / p) for k in range(1, p + 1)]
    return first + [2 ** (-8 * (2 * k - 1) / (2 * p)) for k in range(1, n - p + 1)]


case("BLOOM", {"model_type": "bloom", "n_embed": 14336, "num_attention_heads": 112, "n_layer": 70}, encoding="alibi",
     slopes=slopes(112), width=14336)
case("BLOOM 560M", {"model_type": "bloom", "n_embed": 1024, "n_head": 16}, encoding="alibi", slopes=slopes(16),
     width=1024)
case("Baichuan 13B", {"model_type": "baichuan", **shape(5120, 40, model_max_length=4096)}, encoding="alibi",
     slopes=slopes(40), width=5120)
case("Jina v2", {"model_type": "bert", **shape(768, 12, max_position_embeddings=8192,
                 position_embedding_type="alibi")}, encoding="alibi", slopes=slopes(12), width=768)
for name, config, row, rows in (
        ("BART", {"model_type": "bart", "d_model": 1024, "decoder_attention_heads": 16,
                  "max_position_embeddings": 1024}, 2, 1024),
        ("OPT", {"model_type": "opt", "hidden_size": 768, "num_attention_heads": 12, "max_position_embeddings": 2048}, 2, 2048),
        ("mBART", {"model_type": "mbart", "d_model": 1024, "decoder_attention_heads": 16,
                   "max_position_embeddings": 1024}, 2, 1024),
        ("Whisper", {"model_type": "whisper", "d_model": 512, "decoder_attention_heads": 8,
                     "max_target_positions": 448, "max_source_positions": 1500}, 0, 448),
        ("BERT", {"model_type": "bert", **shape(768, 12, max_position_embeddings=512,
                  position_embedding_type="absolute")}, 0, 512),
        # A row for each patch, and for the tokens before them.
        ("ViT", {"model_type": "vit", **shape(192, 3, image_size=224, patch_size=16)}, 0, 197),
        ("DeiT", {"model_type": "deit", **shape(192, 3, image_size=224, patch_size=16)}, 0, 198),
        ("DINOv2", {"model_type": "dinov2", **shape(384, 6, image_size=518, patch_size=14)}, 0, 1370),
        ("CLIP's image tower", {"model_type": "clip_vision_model", **shape(768, 12, image_size=224, patch_size=32)}, 0, 50),
        ("SigLIP's image tower", {"model_type": "siglip_vision_model", **shape(768, 12, image_size=224, patch_size=16)}, 0, 196),
        ("ELECTRA", {"model_type": "electra", **shape(256, 4, embedding_size=128, max_position_embeddings=512)}, 0, 512)):
    case(name, config, encoding="learned", first_row=row, positions=rows)
table = np.zeros((3, 8))
for p in range(3):
    for i in range(4):
        table[p, i], table[p, 4 + i] = math.sin(p * 10000 ** (-2 * i / 8)), math.cos(p * 10000 ** (-2 * i / 8))
case("Pegasus", {"model_type": "pegasus", "d_model": 8, "decoder_attention_heads": 2}, encoding="sinusoidal",
     table=table.ravel().tolist())
case("MPNet", {"model_type": "mpnet", **shape(768, 12, max_position_embeddings=514, relative_attention_num_buckets=32)},
     encoding="t5", buckets=32)

case("DINOv3", {"model_type": "dinov3_vit", **shape(384, 6, image_size=224, patch_size=16, rope_theta=100.0)},
     encoding="rope_2d", inv_freq=None, axes=np.tile(100.0 ** (-4 * np.arange(16) / 64), 2).tolist())
case("Jina v3", {"model_type": "xlm-roberta", **shape(768, 12, max_position_embeddings=8194, position_embedding_type="rotary",
                 rotary_emb_base=20000.0)}, plain(2e4, 64))
case("CSM", {"model_type": "csm", **shape(1024, 16, head_dim=64, rope_theta=500000.0, max_position_embeddings=2048,
             rope_scaling={"rope_type": "llama3", "factor": 32.0, "low_freq_factor": 0.125, "high_freq_factor": 0.5,
                           "original_max_position_embeddings": 1024})}, llama3(5e5, 64, 32, 0.125, 0.5, 1024))

case("Higgs audio v2, silent", {"model_type": "higgs_audio_v2", "max_position_embeddings": 2048},
     llama3(5e5, 128, 32, 0.125, 0.5, 1024))
flat("LLaVA 1.5, converted", "llava", {"text_config": {"model_type": "llama", "max_position_embeddings": 4096}}, 1e4, 128)
flat("XVERSE", "xverse", shape(4096, 32, max_position_embeddings=8192), 1e4, 128)
flat("Qwen3.5, silent", "qwen3_5_text", shape(3584, 28, num_hidden_layers=4, max_position_embeddings=262144), 1e4, 64,
     kind="full_attention", layers=[3])

# ---- found in configs that other projects keep ---------------------------------------------------------------------
flat("LLaVA 1.5", "llava", shape(4096, 32, max_position_embeddings=4096), 1e4, 128)
flat("MiniMax M3", "minimax_m3", shape(6144, 64, head_dim=128, rotary_dim=64, rope_theta=5e6, partial_rotary_factor=0.5), 5e6, 64)
flat("GLM-4.5V", "glm4v_moe", {"text_config": {"model_type": "glm4v_moe_text", **shape(
    4096, 96, head_dim=128, rope_parameters={"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5,
                                             "mrope_section": [8, 12, 12]})}}, 1e4, 64)
flat("Llama 3.2 Vision", "mllama", {"text_config": {"model_type": "mllama_text_model", **shape(
    4096, 32, rope_theta=5e5, max_position_embeddings=131072)}}, 5e5, 128)
flat("Qwen", "qwen", shape(4096, 32, kv_channels=128, rotary_emb_base=10000, rotary_pct=1.0, seq_length=8192,
                           max_position_embeddings=32768), 1e4, 128, trained_length=8192)
flat("EXAONE 3", "exaone", shape(4096, 32, head_dim=128, rope_theta=1e6, max_position_embeddings=32768), 1e6, 128)
flat("LFM2", "lfm2", shape(2048, 32, rope_theta=1e6, max_position_embeddings=128000), 1e6, 64)
flat("dots.llm1", "dots1", shape(4096, 32, head_dim=128, rope_theta=1e7), 1e7, 128)
# Every pair is slowed, by alpha to the power 2 (i + 1) / r.
case("gte large", {"model_type": "new", **shape(1024, 16, max_position_embeddings=8192, rope_theta=160000,
                                                rope_scaling={"type": "ntk", "factor": 2.0})},
     plain(160000 * 2.0, 64) / 2.0 ** (2 / 64))
case("LongChat", {"model_type": "llama", **shape(4096, 32, max_position_embeddings=16384, rope_condense_ratio=8)},
     plain(1e4, 128) / 8)
flat("ERNIE 4.5 VL", "ernie4_5_moe_vl", shape(2560, 20, head_dim=128, rope_theta=500000, max_position_embeddings=131072),
     5e5, 128, layout="interleaved")
flat("GLM-OCR", "glm_ocr", {"text_config": {"model_type": "glm_ocr_text", **shape(
    1536, 16, head_dim=128, rope_parameters={"rope_type": "default", "rope_theta": 10000, "mrope_section": [16, 24, 24]})}},
     1e4, 128, layout="interleaved")
flat("DeepSeek-VL2 tiny", "deepseek_vl_v2", {"language_config": {"model_type": "deepseek_v2", **shape(
    1280, 10, use_mla=False, qk_rope_head_dim=0, qk_nope_head_dim=0, max_position_embeddings=4096)}}, 1e4, 128)
case("Kimi Linear", {"model_type": "kimi_linear", **shape(2304, 32, qk_rope_head_dim=0, qk_nope_head_dim=128)},
     encoding="none", heads=32)
case("Gemma 4, sliding", GEMMA4, plain(1e4, 256), kind="sliding_attention", window=1024, layers=list(range(5)))
LLAMA_PARAMS = {"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "multiple_of": 1024, "rope_theta": 500000.0}
SCOUT = {"dim": 5120, "n_layers": 8, "n_heads": 40, "n_kv_heads": 8, "head_dim": 128, "multiple_of": 2048,
         "rope_theta": 500000.0, "attention_chunk_size": 8192, "nope_layer_interval": 4, "use_qk_norm": True}
flat_params = {**LLAMA_PARAMS, "use_scaled_rope": True}
case("Meta's params.json", flat_params, llama3(5e5, 128, 8, 1, 4, 8192), layout="interleaved")
case("Meta's params.json, not scaled", LLAMA_PARAMS, plain(5e5, 128), layout="interleaved")
case("Llama 4 Scout's params.json", {**SCOUT, "use_scaled_rope": True}, llama3(5e5, 128, 16, 1, 1, 8192),
     kind="chunked_attention", window=8192, layout="interleaved", layers=[0, 1, 2, 4, 5, 6])
case("Llama 4 Maverick's params.json", {**SCOUT, "use_scaled_rope": False}, plain(5e5, 128), kind="chunked_attention", window=8192,
     layout="interleaved", layers=[0, 1, 2, 4, 5, 6])
case("Llama 2's params.json", {"dim": 4096, "n_layers": 32, "n_heads": 32, "multiple_of": 256}, plain(1e4, 128),
     layout="interleaved")
MISTRAL_PARAMS = {"dim": 3072, "n_layers": 26, "n_heads": 32, "n_kv_heads": 8, "head_dim": 128, "hidden_dim": 9216,
                  "rope_theta": 1e6, "max_position_embeddings": 262144, "llama_4_scaling": {
                      "original_max_position_embeddings": 16384, "beta": 0.1}, "yarn": {
                      "original_max_position_embeddings": 16384, "factor": 16, "apply_scale": False, "beta": 32, "alpha": 1}}
case("Mistral's params.json", MISTRAL_PARAMS, yarn(1e6, 128, 16, 16384), layout="interleaved",
     query_factors=[1 + 0.1 * math.log(1 + p // 16384) for p in (0, 16383, 16384, 131072)])
case("Mistral's params.json, latent", {**MISTRAL_PARAMS, "qk_rope_head_dim": 64, "qk_nope_head_dim": 64},
     yarn(1e6, 64, 16, 16384), layout="interleaved", offset=64, softmax=mscale(16) ** 2)
for name, config, axis_base, width in (
        ("Qwen2-VL's tower", {"model_type": "qwen2_vl_vision", "embed_dim": 1280, "hidden_size": 3584, "num_heads": 16}, 1e4, 80),
        ("Qwen2.5-VL's tower", {"model_type": "qwen2_5_vl_vision", "hidden_size": 1280, "num_heads": 16}, 1e4, 80),
        ("Qwen3-VL's tower", {"model_type": "qwen3_vl_vision", "hidden_size": 1152, "num_heads": 16}, 1e4, 72),
        ("SAM 3's tower", {"model_type": "sam3_vit_model", **shape(1024, 16, rope_theta=10000.0)}, 1e4, 64)):
    case(name, config, encoding="rope_2d", axes=np.tile(axis_base ** (-4 * np.arange(width // 4) / width), 2).tolist())

text = json.dumps({"fixture": "families", "cases": CASES}, separators=(",", ":")) + "\n"
(HERE / "families.json").write_text(text)
manifest = json.loads((HERE / "manifest.json").read_text())
entry = {"file": "families.json", "bytes": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest(),
         "repo_commit": "the files that the rows of core/models/families name", "path": "tests/reference/families.py",
         "function": "families", "n_cases": len(CASES), "dtype": "float64, computed by families.py from the formulas",
         "note": "configs as published, shortened; what the official code makes of each layer kind",
         "tolerance": {"abs": 0.0, "rel": 1e-12}}
old = [f for f in manifest["fixtures"] if f["file"] != "families.json"]
manifest["fixtures"] = old + [entry]
(HERE / "manifest.json").write_text(json.dumps(manifest, indent=1, ensure_ascii=False))
print(len(CASES), "cases")
