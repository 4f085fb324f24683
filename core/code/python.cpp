// python.cpp — a Program in NumPy, JAX and PyTorch: one text with the words of each, and FlexAttention's functions.
#include "core/attention/sight.hpp"
#include "core/code/writing.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope {
namespace {

using formula::Formula;
using formula::Notation;
using formula::Op;

struct Dialect {
    Notation notation;
    std::string_view import, module, floating, stack, join, axis;
};
constexpr Dialect kDialects[] = {
    {Notation::numpy, "import numpy as np\n", "np", "float", "stack", "concatenate", "axis"},
    {Notation::jax,
     "import jax\nimport jax.numpy as jnp\n\njax.config.update(\"jax_enable_x64\", True)  # before any "
     "array\n",
     "jnp", "float", "stack", "concatenate", "axis"},
    {Notation::pytorch, "import math\n\nimport torch\n", "torch", "torch.float64", "stack", "cat", "dim"},
};

// A name of somebody's own that would hide one of Python's, or of these programs.
std::string python_name(std::string_view name) {
    constexpr std::string_view taken[] = {
        "and",      "as",      "assert",     "async",         "await",    "break",     "class",
        "continue", "def",     "del",        "elif",          "else",     "except",    "finally",
        "float",    "for",     "from",       "global",        "if",       "import",    "in",
        "int",      "is",      "lambda",     "len",           "map",      "math",      "not",
        "nonlocal", "np",      "jnp",        "jax",           "or",       "pass",      "raise",
        "range",    "return",  "sum",        "torch",         "try",      "while",     "with",
        "yield",    "None",    "True",       "False",         "length",   "heads",     "batch",
        "head_dim", "score",   "rotary_dim", "rotary_offset", "d_model",  "pairs",     "inv_freq",
        "rotate",   "product", "logits",     "table",         "biases",   "places",    "cos",
        "position", "sin",     "at",         "added",         "distance", "amplitude", "frequency",
        "bias",     "scale",   "score_mod",  "mask_mod",      "angle",    "start",     "min",
        "max",      "abs",     "round"};
    const bool is = std::find(std::begin(taken), std::end(taken), name) != std::end(taken);
    return std::string(name) + (is ? "_" : "");
}

class Sheet {
public:
    Sheet(const Program& program, const Scene& scene, Arrays arrays)
        : program_(program),
          scene_(scene),
          words_(kDialects[static_cast<std::size_t>(arrays)]),
          width_(rotary_width(program, scene)) {}

    bool has(std::string_view slot) const { return program_.find(slot) != nullptr; }
    bool rotates() const { return has("frequency"); }
    bool meets() const { return rotates() && (has("distance") || has("amplitude")); }
    bool whole() const { return program_.rotary_offset == 0 && width_ == head_dim(scene_); }

    std::string head(bool for_scores = false) const {
        std::string text = fmt::format("# Posiscope: {}\n{}", program_.title, words_.import);
        if (words_.notation == Notation::jax && varies_anywhere()) text += "import numpy as np\n";
        const std::int64_t length = has("add") ? scene_.length : content_length(scene_);
        text += fmt::format("\nlength, heads, head_dim, d_model = {}, {}, {}, {}\n", length, scene_.num_heads,
                            head_dim(scene_), scene_.d_model);
        if (rotates()) text += fmt::format("rotary_dim, pairs = {}, {}\n", width_, width_ / 2);
        if (program_.rotary_offset != 0)
            text += fmt::format("rotary_offset = {}  # features before those that rotate\n",
                                program_.rotary_offset);
        const KnownNumbers known = known_numbers(program_, scene_);
        for (const char* letter : {"b", "n", "L", "H"})
            if (used(letter)) text += fmt::format("{} = {}\n", letter, floating_number(known.at(letter)));
        if (std::any_of(program_.constants.begin(), program_.constants.end(),
                        [](const ProgramLine& line) { return parsed(line.value).uses("d"); }))
            text += "d = float(rotary_dim)\n";
        for (const ProgramLine& line : program_.constants)
            text += fmt::format("{} = {}\n", python_name(line.name), written(parsed(line.value), {}));
        for (const auto& [name, numbers] : program_.lists)
            text += fmt::format("{} = {}\n", python_name(name), list(name, numbers, for_scores));
        return text;
    }

    // `tensors`: the arguments that stand for arrays, single letters.
    std::string function(std::string_view slot, std::string_view arguments, std::string_view tensors,
                         std::string_view width) const {
        const ProgramSlot* of = program_.find(slot);
        if (of == nullptr) return {};
        std::string text = fmt::format("\n\n{}def {}({}):\n", varies(*of) ? "@np.vectorize\n" : "",
                                       slot == "add" ? "added" : slot, arguments);
        if (uses(*of, "d")) text += fmt::format("    d = float({})\n", width);
        if (arguments == "q, k, h" && uses(*of, "D")) text += "    D = q - k\n";
        return text + lines(*of, tensors);
    }

    std::string arange(std::string_view from_to) const {
        return fmt::format("{}.arange({}, dtype={})", words_.module, from_to, words_.floating);
    }
    std::string broadcast(std::string_view value, std::string_view shape) const {
        return fmt::format("{}.broadcast_to({}{}{}, ({}))", words_.module, torch() ? "torch.as_tensor(" : "",
                           value, torch() ? ", dtype=torch.float64)" : "", shape);
    }
    // inv_freq, from the pairs.
    std::string frequencies() const {
        const std::string made = fmt::format("frequency({})", arange("pairs"));
        return uses(*program_.find("frequency"), "i") ? made : broadcast(made, "pairs,");
    }
    std::string mapped(std::string_view places) const {
        if (!has("position")) return std::string(places);
        const std::string made = fmt::format("position({})", places);
        return uses(*program_.find("position"), "p") ? made
                                                     : broadcast(made, fmt::format("len({}),", places));
    }
    // The body of a function that rotates x by cos and sin.
    std::string rotation() const {
        std::string text = filled(R"(    u, v = x[..., FIRST], x[..., SECOND]
)",
                                  {{"FIRST", components(0)}, {"SECOND", components(1)}});
        if (torch()) text += "    c, s = cos.to(x.dtype), sin.to(x.dtype)\n";
        const std::string_view c = torch() ? "c" : "cos", s = torch() ? "s" : "sin";
        const std::string both =
            fmt::format("[u * {0} - v * {1}, u * {1} + v * {0}], {2}=-1", c, s, words_.axis);
        text += scene_.layout == PairLayout::halves
                    ? fmt::format("    turned = {}.{}({})\n", words_.module, words_.join, both)
                    : fmt::format("    turned = {}.{}({}).reshape(*u.shape[:-1], rotary_dim)\n",
                                  words_.module, words_.stack, both);
        if (whole()) return text.replace(text.rfind("turned ="), 8, "return");
        return text +
               (program_.rotary_offset == 0
                    ? fmt::format("    return {}.{}([turned, x[..., rotary_dim:]], {}=-1)\n", words_.module,
                                  words_.join, words_.axis)
                    : fmt::format("    return {}.{}([x[..., :rotary_offset], turned, x[..., rotary_offset "
                                  "+ rotary_dim:]], {}=-1)\n",
                                  words_.module, words_.join, words_.axis));
    }
    // The features of a head that come first in their pairs, or second.
    std::string components(int which) const {
        const std::string_view from = program_.rotary_offset == 0 ? "" : "rotary_offset + ";
        const std::string end = fmt::format("{}rotary_dim", from);
        if (scene_.layout != PairLayout::halves) return fmt::format("{}{}:{}:2", from, which, end);
        const std::string middle = fmt::format("{}pairs", from);
        if (which == 1) return middle + ":" + end;
        return fmt::format("{}:{}", program_.rotary_offset == 0 ? "" : "rotary_offset", middle);
    }
    // " * attention_factor", where there is one.
    std::string factor() const {
        return program_.attention_factor == 1.0 ? "" : " * " + code_number(program_.attention_factor);
    }
    // The value of a slot inside a function of its own arguments.
    std::string lines(const ProgramSlot& of, std::string_view tensors) const {
        std::string text, arrays(tensors);
        std::vector<std::string> made;  // lines that hold arrays
        for (const ProgramLine& line : of.lines) {
            const Formula value = parsed(line.value);
            const auto is_array = [&](std::string_view name) {
                return is_list(name) || (name.size() == 1 && arrays.find(name) != std::string_view::npos) ||
                       std::find(made.begin(), made.end(), name) != made.end();
            };
            const std::string result =
                formula::write(value, words_.notation, {.name = python_name, .tensor = is_array});
            if (&line == &of.lines.back()) return text + "    return " + result + "\n";
            if (std::any_of(value.names().begin(), value.names().end(),
                            [&](const formula::Name& name) { return !name.bound && is_array(name.text); }))
                made.push_back(line.name);
            text += fmt::format("    {} = {}\n", python_name(line.name), result);
        }
        return text;
    }
    bool torch() const { return words_.notation == Notation::pytorch; }
    const Dialect& words() const { return words_; }

    static bool uses(const ProgramSlot& slot, std::string_view name) {
        return std::any_of(slot.lines.begin(), slot.lines.end(),
                           [&](const ProgramLine& line) { return parsed(line.value).uses(name); });
    }

private:
    std::string written(const Formula& value, std::string_view tensors) const {
        return formula::write(value, torch() ? Notation::pytorch : words_.notation,
                              {.name = python_name, .tensor = [&](std::string_view name) {
                                   return is_list(name) ||
                                          (name.size() == 1 && tensors.find(name) != std::string_view::npos);
                               }});
    }
    bool used(std::string_view name) const {
        return std::any_of(
                   program_.slots.begin(), program_.slots.end(),
                   [&](const ProgramSlot& slot) { return slot.slot != "axis" && uses(slot, name); }) ||
               std::any_of(program_.constants.begin(), program_.constants.end(),
                           [&](const ProgramLine& line) { return parsed(line.value).uses(name); });
    }
    bool is_list(std::string_view name) const {
        return std::any_of(program_.lists.begin(), program_.lists.end(),
                           [&](const auto& one) { return one.first == name; });
    }
    // score_mod computes in the scores' own type, rotations in float64.
    std::string list(std::string_view name, const std::vector<double>& numbers, bool for_scores) const {
        std::string text;
        for (std::size_t n = 0; n < numbers.size(); ++n)
            text += (n == 0 ? "" : n % 8 == 0 ? ",\n    " : ", ") + floating_number(numbers[n]);
        if (!torch()) return fmt::format("{}.array([{}])", words_.module, text);
        const ProgramSlot *bias = program_.find("bias"), *scale = program_.find("scale");
        const bool of_score = for_scores && ((bias != nullptr && uses(*bias, name)) ||
                                             (scale != nullptr && uses(*scale, name)));
        return fmt::format("torch.tensor([{}]{})", text, of_score ? "" : ", dtype=torch.float64");
    }
    // True if the bounds of a sum change with an argument: then NumPy computes one element after another.
    bool varies(const ProgramSlot& slot) const {
        if (torch()) return false;
        const KnownNumbers known = known_numbers(program_, scene_);
        for (const ProgramLine& line : slot.lines) {
            const Formula value = parsed(line.value);
            const auto changes = [&](const auto& self, const formula::Node& node) -> bool {
                if (node.op == Op::name) return known.find(value.names()[node.name].text) == known.end();
                for (std::size_t o = 0; o < node.operands; ++o)
                    if (self(self, value.node(node.operand[o]))) return true;
                return false;
            };
            for (const formula::Node& node : value.nodes())
                if (node.op == Op::sum && (changes(changes, value.node(node.operand[0])) ||
                                           changes(changes, value.node(node.operand[1]))))
                    return true;
        }
        return false;
    }
    bool varies_anywhere() const {
        return std::any_of(program_.slots.begin(), program_.slots.end(),
                           [&](const ProgramSlot& slot) { return varies(slot); });
    }

    const Program& program_;
    const Scene& scene_;
    const Dialect& words_;
    std::int64_t width_;
};

// rotate(x), or where query and key meet product(q, k).
std::string rotating_text(const Sheet& sheet) {
    const std::string module(sheet.words().module);
    const std::string text = fmt::format("inv_freq = {}\n", sheet.frequencies());
    if (!sheet.meets())
        return text +
               filled(R"(angle = NP.outer(AT, inv_freq)
cos, sin = NP.cos(angle)FACTOR, NP.sin(angle)FACTOR


def rotate(x):  # [..., length, features]
)",
                      {{"NP", module}, {"FACTOR", sheet.factor()}, {"AT", sheet.mapped("places")}}) +
               sheet.rotation();
    return text + filled(R"(at = AT


def product(q, k):  # [length, length]: rotated where they meet, since no query and key can be alone
    rows = []
    for m in range(length):
        D = at[m] - at
        angle = SEEN[:, None] * inv_freq
        a, b, c, d = q[m, FIRST], q[m, SECOND], k[:, FIRST], k[:, SECOND]
        made = SIZE((a * c + b * d) * NP.cos(angle) + (a * d - b * c) * NP.sin(angle))
        rows.append(made.sum(-1)FACTORREST)
    return NP.stack(rows)
)",
                         {{"SEEN", sheet.has("distance")
                                       ? sheet.broadcast("distance(D, places[m], places)", "length,")
                                       : "D"},
                          {"SIZE", sheet.has("amplitude")
                                       ? fmt::format("amplitude({}, D[:, None]) * ", sheet.arange("pairs"))
                                       : ""},
                          {"FIRST", sheet.components(0)},
                          {"SECOND", sheet.components(1)},
                          {"FACTOR", sheet.factor().empty() ? "" : sheet.factor() + " ** 2"},
                          {"REST", sheet.whole() ? "" : " + k @ q[m] - (a * c + b * d).sum(-1)"},
                          {"AT", sheet.mapped("places")},
                          {"NP", module}});
}

}  // namespace

std::string python_text(const Program& program, const Scene& scene, Arrays arrays) {
    const Sheet sheet(program, scene, arrays);
    const std::string module(sheet.words().module);
    const bool bias = sheet.has("bias"), scale = sheet.has("scale");
    std::string text = sheet.head() + sheet.function("position", "p", "p", "head_dim") +
                       sheet.function("frequency", "i", "i", "rotary_dim") +
                       sheet.function("distance", "D, q, k", "Dqk", "head_dim") +
                       sheet.function("amplitude", "i, D", "iD", "head_dim") +
                       sheet.function("bias", "q, k, h", "Dqk", "head_dim") +
                       sheet.function("scale", "q, k, h", "Dqk", "head_dim") +
                       sheet.function("add", "p, j", "pj", "d_model");
    const std::int64_t start = is_checkpoint(scene.content) ? stored_start(scene.content) : 0;
    text +=
        fmt::format("\n\nplaces = {}\n", start == 0 ? sheet.arange("length")
                                                    : sheet.arange(fmt::format("{0}, {0} + length", start)));
    if (sheet.has("add"))
        text +=
            fmt::format("table = {}\n",
                        sheet.broadcast(fmt::format("added(places[:, None], {})", sheet.arange("d_model")),
                                        "length, d_model"));
    if (bias)
        text += fmt::format("biases = {}.stack([{} for h in range(heads)])  # hidden keys included\n", module,
                            sheet.broadcast("bias(places[:, None], places, float(h))", "length, length"));
    if (sheet.rotates()) text += rotating_text(sheet);
    return text +
           fmt::format("\n\ndef logits(q, k, h=0):  # q and k [length, head_dim] of a head; without a mask\n"
                       "    return {} / head_dim ** 0.5{}{}\n",
                       sheet.meets()     ? "product(q, k)"
                       : sheet.rotates() ? "rotate(q) @ rotate(k).T"
                                         : "q @ k.T",
                       scale ? " * scale(places[:, None], places, float(h))" : "",
                       bias ? " + bias(places[:, None], places, float(h))" : "");
}

namespace {

// The keys that the mask and the layer's window or chunks leave a query; empty where it sees all.
std::string mask_mod(const Sight& sight) {
    std::vector<std::string> rules;
    if (sight.causal) rules.emplace_back("(kv_idx <= q_idx)");
    if (sight.window <= kLastPosition) {
        rules.push_back(fmt::format("(q_idx - kv_idx < {})", sight.window));
        if (!sight.causal) rules.push_back(fmt::format("(kv_idx - q_idx < {})", sight.window));
    }
    if (sight.chunk <= kLastPosition) {
        const std::string from = sight.start == 0 ? "" : fmt::format(" + {}", sight.start);
        rules.push_back(fmt::format("((q_idx{1}) // {0} == (kv_idx{1}) // {0})", sight.chunk, from));
    }
    if (rules.empty()) return {};
    return fmt::format("\n\ndef mask_mod(batch, h, q_idx, kv_idx):\n    return {}\n",
                       fmt::join(rules, " & "));
}

}  // namespace

Result<std::string> flex_attention(const Scene& scene) {
    const auto program = program_of(scene);
    if (!program) return tl::unexpected(program.error());
    if (!program->grid.is_null()) return failure("code.on_grid");
    for (const char* slot : {"distance", "amplitude", "add"})
        if (program->find(slot) != nullptr) return failure("code.no_score_mod", {{"slot", slot}});
    const Sheet sheet(*program, scene, Arrays::pytorch);
    const std::string mask = mask_mod(sight_of(scene));
    const ProgramSlot *bias = program->find("bias"), *scale = program->find("scale");
    std::string text = sheet.head(true);
    std::string use = fmt::format("#   from torch.nn.attention.flex_attention import {}flex_attention\n",
                                  mask.empty() ? "" : "create_block_mask, ");
    if (!mask.empty()) use += "#   block_mask = create_block_mask(mask_mod, None, None, length, length)\n";
    use += fmt::format(
        "#   flex_attention({}, v, score_mod=score_mod{})  # each [batch, heads, length, head_dim]\n",
        sheet.rotates() ? "rotate(q), rotate(k)" : "q, k", mask.empty() ? "" : ", block_mask=block_mask");
    text.insert(text.find('\n') + 1, use);
    text += sheet.function("position", "p", "p", "head_dim") +
            sheet.function("frequency", "i", "i", "rotary_dim") +
            sheet.function("bias", "q, k, h", "Dqkh", "head_dim") +
            sheet.function("scale", "q, k, h", "Dqkh", "head_dim");
    if (sheet.rotates())
        text += fmt::format("\n\ninv_freq = {}\n\n\n"
                            "def rotate(x, start=0):  # [..., length, head_dim]; angles in float64, as "
                            "positions may be large\n"
                            "    places = {}\n"
                            "    angle = torch.outer({}, inv_freq)\n"
                            "    cos, sin = angle.cos(){}, angle.sin(){}\n",
                            sheet.frequencies(), sheet.arange("start, start + x.shape[-2]"),
                            sheet.mapped("places"), sheet.factor(), sheet.factor()) +
                sheet.rotation();
    text += "\n\ndef score_mod(score, batch, h, q_idx, kv_idx):\n";
    const std::string_view at = "(q_idx.float(), kv_idx.float(), h)";
    text += fmt::format("    return {}score{}\n", scale != nullptr ? fmt::format("scale{} * ", at) : "",
                        bias != nullptr ? fmt::format(" + bias{}", at) : "");
    return text + mask;
}

}  // namespace posiscope
