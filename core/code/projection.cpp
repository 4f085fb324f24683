#include "core/code/program.hpp"

#include "core/scene/stored_side.hpp"
#include "core/scene/tensors.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope {
namespace {

constexpr std::string_view kReading = R"(

import json
import os
import struct
{}

def array(path, name):
    """An array of a .safetensors file, of the index of its shards, or of a .npy file, as float64."""
    if path.endswith(".npy"):
        return np.load(path).astype(float)
    if path.endswith(".index.json"):
        with open(path, encoding="utf-8") as file:
            shard = json.load(file)["weight_map"][name]
        return array(os.path.join(os.path.dirname(path), shard), name)
    with open(path, "rb") as file:
        size, = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size))
        entry = header[name] if name else next(v for k, v in header.items() if k != "__metadata__")
        begin, end = entry["data_offsets"]
        file.seek(8 + size + begin)
        data = file.read(end - begin)
    if entry["dtype"] == "BF16":  # the upper half of a float32
        values = (np.frombuffer(data, "<u2").astype("<u4") << 16).view("<f4")
    else:
        values = np.frombuffer(data, {{"F16": "<f2", "F32": "<f4", "F64": "<f8"}}[entry["dtype"]])
    return values.astype(float).reshape(entry["shape"])

)";

// The numbers of core/scene/content.cpp, in NumPy.
constexpr std::string_view kSeeded = R"(
def scattered(x):
    """SplitMix64's last step."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def seeded(seed, rows, columns):
    """Uniform numbers of variance 1."""
    state = scattered(scattered(np.array([[seed]], dtype=np.uint64)) ^ np.uint64({}))
    state = scattered(state ^ np.arange(rows, dtype=np.uint64)[:, None])
    unit = (scattered(state ^ np.arange(columns, dtype=np.uint64)) >> np.uint64(11)) * 2.0 ** -53
    return (2.0 * unit - 1.0) * 3.0 ** 0.5

)";

std::string quoted(const std::string& text) { return Json(text).dump(); }

std::string array_of(const std::string& path, const std::string& name) {
    return fmt::format("array({}, {})", quoted(path), quoted(name));
}

// The norm applied to y, [length, heads, head_dim].
std::string norm_text(const Choice& content) {
    const std::string& norm = text_of(content, "norm");
    const std::string epsilon = code_number(content.parameters.at("norm_eps").get<double>());
    std::string text = "\ndef norm(y, weight, bias=0.0):\n";
    if (norm == "layer") text += "    y = y - y.mean(-1, keepdims=True)\n";
    return text + fmt::format("    return y / np.sqrt((y * y).mean(-1, keepdims=True) + {}) * {} + bias\n\n",
                              epsilon, norm == "rms_plus_one" ? "(1.0 + weight)" : "weight");
}

std::string side_text(const StoredSide& side, std::string_view letter) {
    std::string text = fmt::format("{0} = x @ W_{0}.T\n", letter);
    if (side.bias) text += fmt::format("{} += {}.reshape(-1)\n", letter, array_of(side.path, side.bias_name));
    text += fmt::format("{0} = {0}.reshape(length, -1, head_dim)\n", letter);
    if (!side.norm) return text;
    text += fmt::format("{0} = norm({0}, {1}", letter, array_of(side.path, side.norm_name));
    if (!side.norm_bias_name.empty()) text += ", " + array_of(side.path, side.norm_bias_name);
    return text + ")\n";
}

}  // namespace

Result<std::string> projection_text(const Scene& scene, Arrays arrays) {
    if (const auto problem = stored_problem(scene)) return tl::unexpected(*problem);
    const Choice& content = scene.content;
    const auto query = stored_side(content, Tensor::query), key = stored_side(content, Tensor::key);
    if (!query) return tl::unexpected(query.error());
    if (!key) return tl::unexpected(key.error());
    std::string text = fmt::format(kReading, arrays != Arrays::numpy ? "\nimport numpy as np\n" : "");
    const std::string& input = text_of(content, "input");
    if (input.empty()) text += fmt::format(kSeeded, static_cast<unsigned>(Tensor::input));
    if (query->norm || key->norm) text += norm_text(content);
    text += fmt::format("\nhead_dim = {}\nW_q = {}  # [heads * head_dim, d_model]\nW_k = {}\n",
                        query->head_dim, array_of(query->path, query->name), array_of(key->path, key->name));
    text += input.empty()
                ? fmt::format("x = seeded({}, length, W_q.shape[1])", content.parameters.at("seed").dump())
                : fmt::format("x = {}.reshape(-1, W_q.shape[1])[:length]",
                              array_of(input, text_of(content, "input_name")));
    text += "  # [length, d_model], as the projections receive it\n";
    text += side_text(*query, "q") + side_text(*key, "k");
    if (arrays == Arrays::pytorch) text += "q, k = torch.from_numpy(q), torch.from_numpy(k)\n";
    return text + "\n\ndef head_logits(head):  # [length, length], of queries and keys, without a mask\n"
                  "    own = head * k.shape[1] // q.shape[1]  # several heads may share keys\n"
                  "    return logits(q[:, head], k[:, own], head)\n";
}

}  // namespace posiscope
