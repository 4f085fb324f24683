
#include "core/attention/sight.hpp"
#include "core/code/code_sketch.hpp"
#include "core/encodings/as_formulas.hpp"
#include "core/encodings/axes.hpp"
#include "core/encodings/own.hpp"
#include "core/formula/write.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace posiscope {
namespace {

using formula::Formula;
using formula::Notation;

// A name of somebody's own that would hide one of Python's, or of these programs.
std::string python_name(std::string_view name) {
    constexpr std::string_view taken[] = {
        "and",       "as",       "assert", "async",    "await",     "break",     "class",    "continue",
        "def",       "del",      "elif",   "else",     "except",    "finally",   "float",    "for",
        "from",      "global",   "if",     "import",   "in",        "int",       "is",       "lambda",
        "len",       "map",      "math",   "not",      "nonlocal",  "np",        "or",       "pass",
        "raise",     "range",    "return", "torch",    "try",       "while",     "with",     "yield",
        "None",      "True",     "False",  "length",   "heads",     "batch",     "head_dim", "score",
        "d_model",   "inv_freq", "rotate", "product",  "logits",    "table",     "cos",      "position",
        "sin",       "at",       "added",  "distance", "amplitude", "frequency", "bias",     "scale",
        "score_mod", "mask_mod"};
    const bool is = std::find(std::begin(taken), std::end(taken), name) != std::end(taken);
    return std::string(name) + (is ? "_" : "");
}

// C++'s words end in no _, so that these hide none of them.
std::string cpp_name(std::string_view name) {
    constexpr std::string_view arguments = "pijDqkhd";
    return name.size() == 1 && arguments.find(name) != std::string_view::npos ? std::string(name)
                                                                              : std::string(name) + "_";
}

// How a language writes a list of numbers.
struct ListWords {
    std::string_view before, after;
};
constexpr ListWords kNumpyList{"np.array([", "])"}, kFlexList{"torch.tensor([", "])"},
    kTorchList{"torch.tensor([", "], dtype=torch.float64)"};

class Sheet {
public:
    Sheet(const Scene& scene, OwnFormulas formulas, Notation notation)
        : scene_(scene), formulas_(std::move(formulas)), notation_(notation) {}

    const Formula* slot(std::string_view name) const { return formulas_.find(name); }

    // `tensors`: names that stand for tensors; of PyTorch alone.
    std::string text(const Formula& formula, std::string_view tensors = {}) const {
        const auto tensor = [&](std::string_view name) {
            return list(name) != nullptr ||
                   (name.size() == 1 && tensors.find(name) != std::string_view::npos);
        };
        return formula::write(
            formula, notation_,
            {.name = notation_ == Notation::cpp ? cpp_name : python_name, .tensor = tensor});
    }

    // Sizes, and the numbers of all names that the formulas use.
    std::string constants(const ListWords& words) const {
        std::string made = fmt::format("length, heads, head_dim, d_model = {}, {}, {}, {}\n", scene_.length,
                                       scene_.num_heads, head_dim(scene_), scene_.d_model);
        each_constant(
            [&](std::string_view name, double value) {
                made += fmt::format("{} = {}\n", python_name(name), floating(value));
            },
            [&](std::string_view name, const std::string& numbers) {
                made += fmt::format("{} = {}{}{}\n", python_name(name), words.before, numbers, words.after);
            });
        return made;
    }

    std::string cpp_constants() const {
        std::string made =
            fmt::format("constexpr int length = {}, heads = {}, head_dim = {}, d_model = {};\n",
                        scene_.length, scene_.num_heads, head_dim(scene_), scene_.d_model);
        each_constant(
            [&](std::string_view name, double value) {
                made += fmt::format("const double {} = {};\n", cpp_name(name), floating(value));
            },
            [&](std::string_view name, const std::string& numbers) {
                made += fmt::format("const double {}[] = {{{}}};\n", cpp_name(name), numbers);
            });
        return made;
    }

    // A function of C++; `arguments` are single letters. `before`: lines that the formula needs.
    std::string cpp_function(std::string_view name, std::string_view slot_name, std::string_view arguments,
                             std::string_view width, std::string_view before = {}) const {
        const Formula* of = slot(slot_name);
        if (of == nullptr) return {};
        std::string list;
        for (const char letter : arguments)
            list += fmt::format("{}[[maybe_unused]] double {}", list.empty() ? "" : ", ", letter);
        return fmt::format("\ninline double {}({}) {{\n{}{}    return {};\n}}\n", name, list, before,
                           of->uses("d") ? fmt::format("    const double d = {};\n", width) : "", text(*of));
    }

    // A function of numbers, one at a time.
    std::string function(std::string_view name, std::string_view arguments, std::string_view width) const {
        const Formula* of = slot(name);
        if (of == nullptr) return {};
        return fmt::format("\n\ndef {}({}):\n{}    return {}\n", name, arguments,
                           of->uses("d") ? fmt::format("    d = float({})\n", width) : "", text(*of));
    }

    // The slice of a head's first components, and that of its second ones.
    std::string components(int which) const {
        if (scene_.layout == PairLayout::halves) return which == 0 ? ":head_dim // 2" : "head_dim // 2:";
        return which == 0 ? "0::2" : "1::2";
    }

private:
    template <class Number, class List>
    void each_constant(const Number& number, const List& list_of) const {
        const auto known = [&](std::string_view name, double value) {
            if (std::any_of(formulas_.typed.begin(), formulas_.typed.end(),
                            [&](const auto& one) { return one.formula.uses(name); }))
                number(name, value);
        };
        known("b", scene_.base);
        known("n", static_cast<double>(scene_.length));
        known("L", static_cast<double>(scene_.trained.length.value_or(scene_.length)));
        known("H", static_cast<double>(scene_.num_heads));
        for (const OwnFormulas::Parameter& one : formulas_.parameters) {
            if (!one.list) {
                number(one.name, one.value);
                continue;
            }
            std::string numbers;
            std::size_t n = 0;
            for (const Json& value : *list(one.name))
                numbers += (n == 0 ? "" : n % 8 == 0 ? ",\n    " : ", ") + floating(value.get<double>()), ++n;
            list_of(one.name, numbers);
        }
    }
    const Json* list(std::string_view name) const {
        const auto found = formulas_.values.find(name);
        return found != formulas_.values.end() && found->is_array() ? &*found : nullptr;
    }
    static std::string floating(double value) {
        const std::string text = code_number(value);
        return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
    }

    const Scene& scene_;
    OwnFormulas formulas_;
    Notation notation_;
};

std::string filled(std::string text, std::string_view from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

// Refused where tokens lie on a grid, as of built-in encodings: the programs have one position for each.
Result<OwnFormulas> formulas_of_positions(const Scene& scene) {
    if (pair_axes(scene).parted) return failure("code.on_grid");
    return own_formulas(scene);
}

}  // namespace

Result<Scene> as_typed(const Scene& scene) {
    if (encoding_of(scene).slots.typed != nullptr) return scene;
    auto made = as_formulas(scene);
    if (!made) return tl::unexpected(made.error());
    (*made)["kind"] = std::string(own_encoding().kind);
    auto laid = overlay(scene, {{"encoding", *made}});
    if (!laid) return tl::unexpected(laid.error());
    return std::move(laid->scene);
}

Result<std::string> typed_numpy(const Scene& scene) {
    auto formulas = formulas_of_positions(scene);
    if (!formulas) return tl::unexpected(formulas.error());
    const Sheet sheet(scene, std::move(*formulas), Notation::numpy);
    std::string text =
        "# Posiscope: an encoding as it was typed\nimport numpy as np\n\n" + sheet.constants(kNumpyList) +
        sheet.function("position", "p", "head_dim") + sheet.function("frequency", "i", "head_dim") +
        sheet.function("distance", "D, q, k", "head_dim") + sheet.function("amplitude", "i, D", "head_dim");
    for (const char* slot : {"bias", "scale"}) {
        std::string made = sheet.function(slot, "q, k, h", "head_dim");
        if (!made.empty()) made.insert(made.find("    return"), "    D = q - k\n");
        text += made;
    }
    text += sheet.function("add", "p, j", "d_model");
    text = filled(std::move(text), "def add(", "def added(");
    const bool rotates = sheet.slot("frequency") != nullptr,
               meets = rotates && (sheet.slot("distance") != nullptr || sheet.slot("amplitude") != nullptr);
    const std::string first = sheet.components(0), second = sheet.components(1);
    if (sheet.slot("add") != nullptr)
        text += "\n\ntable = np.array([[added(float(p), float(j)) for j in range(d_model)] for p in "
                "range(length)])\n";
    if (rotates)
        text += fmt::format("\n\ninv_freq = np.array([frequency(float(i)) for i in range(head_dim // 2)])\n"
                            "at = np.array([{} for p in range(length)])\n",
                            sheet.slot("position") != nullptr ? "position(float(p))" : "float(p)");
    if (rotates && !meets)
        text += filled(filled(R"(

def rotate(x):  # [length, head_dim]
    angle = np.outer(at, inv_freq)
    cos, sin = np.cos(angle), np.sin(angle)
    y = np.array(x, dtype=float)
    y[:, FIRST] = x[:, FIRST] * cos - x[:, SECOND] * sin
    y[:, SECOND] = x[:, FIRST] * sin + x[:, SECOND] * cos
    return y
)",
                              "FIRST", first),
                       "SECOND", second);
    if (meets)
        text += filled(filled(filled(filled(R"(

def product(q, k):  # [length, length]: rotated where they meet, since no query and key can be alone
    made = np.zeros((length, length))
    for m in range(length):
        for j in range(length):
            D = at[m] - at[j]
            angle = DISTANCE * inv_freq
            even = q[m, FIRST] * k[j, FIRST] + q[m, SECOND] * k[j, SECOND]
            odd = q[m, FIRST] * k[j, SECOND] - q[m, SECOND] * k[j, FIRST]
            size = AMPLITUDE
            made[m, j] = np.sum(size * (even * np.cos(angle) + odd * np.sin(angle)))
    return made
)",
                                            "FIRST", first),
                                     "SECOND", second),
                              "DISTANCE",
                              sheet.slot("distance") != nullptr ? "distance(D, float(m), float(j))" : "D"),
                       "AMPLITUDE",
                       sheet.slot("amplitude") != nullptr
                           ? "np.array([amplitude(float(i), D) for i in range(head_dim // 2)])"
                           : "1.0");
    const std::string of = meets ? "product(q, k)" : rotates ? "rotate(q) @ rotate(k).T" : "q @ k.T";
    text += fmt::format("\n\ndef logits(q, k, h=0):  # q and k [length, head_dim] of a head; without a mask\n"
                        "    made = {} / np.sqrt(head_dim)\n",
                        of);
    for (const auto& [slot, sign] : {std::pair("scale", "*="), std::pair("bias", "+=")})
        if (sheet.slot(slot) != nullptr)
            text += fmt::format(
                "    made {} np.array([[{}(float(m), float(j), float(h)) for j in range(length)]\n"
                "                      for m in range(length)])\n",
                sign, slot);
    return text + "    return made\n";
}

Result<std::string> typed_pytorch(const Scene& scene) {
    auto formulas = formulas_of_positions(scene);
    if (!formulas) return tl::unexpected(formulas.error());
    const Sheet sheet(scene, std::move(*formulas), Notation::pytorch);
    std::string text = "# Posiscope: an encoding as it was typed\nimport math\n\nimport torch\n\n" +
                       sheet.constants(kTorchList) + sheet.function("position", "p", "head_dim") +
                       sheet.function("frequency", "i", "head_dim");
    const auto on_tensors = [&](std::string_view slot, std::string_view name, std::string_view arguments,
                                std::string_view letters, std::string_view width, std::string_view before) {
        const Formula* of = sheet.slot(slot);
        if (of == nullptr) return;
        text += fmt::format("\n\ndef {}({}):\n{}{}    return {}\n", name, arguments, before,
                            of->uses("d") ? fmt::format("    d = float({})\n", width) : "",
                            sheet.text(*of, letters));
    };
    on_tensors("distance", "distance", "D, q, k", "Dqk", "head_dim", "");
    on_tensors("amplitude", "amplitude", "i, D", "iD", "head_dim", "");
    for (const char* slot : {"bias", "scale"})
        on_tensors(slot, slot, "q, k, h", "Dqkh", "head_dim", "    D = q - k\n");
    on_tensors("add", "added", "p, j", "pj", "d_model", "");
    text += "\n\nplaces = torch.arange(length, dtype=torch.float64)\n";
    const bool rotates = sheet.slot("frequency") != nullptr,
               meets = rotates && (sheet.slot("distance") != nullptr || sheet.slot("amplitude") != nullptr);
    const std::string first = sheet.components(0), second = sheet.components(1);
    if (sheet.slot("add") != nullptr)
        text += "table = added(places[:, None], torch.arange(d_model, dtype=torch.float64)[None, :])\n"
                "table = torch.as_tensor(table, dtype=torch.float64).expand(length, d_model)\n";
    if (rotates)
        text +=
            fmt::format("inv_freq = torch.tensor([frequency(float(i)) for i in range(head_dim // 2)], "
                        "dtype=torch.float64)\n"
                        "at = {}\n",
                        sheet.slot("position") != nullptr
                            ? "torch.tensor([position(float(p)) for p in range(length)], dtype=torch.float64)"
                            : "places");
    if (rotates && !meets)
        text += filled(filled(R"(

def rotate(x):  # [..., length, head_dim]
    angle = torch.outer(at, inv_freq)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    y = torch.empty_like(x)
    y[..., FIRST] = x[..., FIRST] * cos - x[..., SECOND] * sin
    y[..., SECOND] = x[..., FIRST] * sin + x[..., SECOND] * cos
    return y
)",
                              "FIRST", first),
                       "SECOND", second);
    if (meets)
        text += filled(
            filled(filled(filled(R"(

def product(q, k):  # [length, length]: rotated where they meet, since no query and key can be alone
    D = at[:, None] - at[None, :]
    seen = torch.as_tensor(DISTANCE, dtype=torch.float64).expand(length, length)
    angle = seen[..., None] * inv_freq
    a, b = q[:, None, FIRST], q[:, None, SECOND]
    c, d = k[None, :, FIRST], k[None, :, SECOND]
    size = AMPLITUDE
    return (size * ((a * c + b * d) * angle.cos() + (a * d - b * c) * angle.sin())).sum(-1)
)",
                                 "FIRST", first),
                          "SECOND", second),
                   "DISTANCE",
                   sheet.slot("distance") != nullptr ? "distance(D, places[:, None], places[None, :])" : "D"),
            "AMPLITUDE",
            sheet.slot("amplitude") != nullptr
                ? "amplitude(torch.arange(head_dim // 2, dtype=torch.float64), D[..., None])"
                : "1.0");
    const std::string of = meets ? "product(q, k)" : rotates ? "rotate(q) @ rotate(k).T" : "q @ k.T";
    text += fmt::format("\n\ndef logits(q, k, h=0):  # q and k [length, head_dim] of a head; without a mask\n"
                        "    made = {} / math.sqrt(head_dim)\n",
                        of);
    if (sheet.slot("scale") != nullptr || sheet.slot("bias") != nullptr)
        text += "    h = torch.tensor(float(h), dtype=torch.float64)\n";
    for (const auto& [slot, sign] : {std::pair("scale", "*"), std::pair("bias", "+")})
        if (sheet.slot(slot) != nullptr)
            text += fmt::format("    made = made {} {}(places[:, None], places[None, :], h)\n", sign, slot);
    return text + "    return made\n";
}

Result<std::string> typed_cpp(const Scene& scene) {
    auto formulas = formulas_of_positions(scene);
    if (!formulas) return tl::unexpected(formulas.error());
    const Sheet sheet(scene, std::move(*formulas), Notation::cpp);
    const bool rotates = sheet.slot("frequency") != nullptr,
               meets = rotates && (sheet.slot("distance") != nullptr || sheet.slot("amplitude") != nullptr);
    const bool halves = scene.layout == PairLayout::halves;
    const std::string at = sheet.slot("position") != nullptr ? "position({})" : "{}",
                      first = halves ? "i" : "2 * i", second = halves ? "head_dim / 2 + i" : "2 * i + 1";
    const auto mapped = [&](const char* p) { return filled(at, "{}", p); };
    const char* const apart = "    [[maybe_unused]] const double D = q - k;\n";
    std::string text =
        "// Posiscope: an encoding as it was typed; C++20\n#include <algorithm>\n#include <cmath>\n#include "
        "<cstddef>\n#include <limits>\n#include <numbers>\n#include <vector>\n\nnamespace position {\n\n" +
        sheet.cpp_constants() + sheet.cpp_function("position", "position", "p", "head_dim") +
        sheet.cpp_function("frequency", "frequency", "i", "head_dim") +
        sheet.cpp_function("distance", "distance", "Dqk", "head_dim") +
        sheet.cpp_function("amplitude", "amplitude", "iD", "head_dim") +
        sheet.cpp_function("bias", "bias", "qkh", "head_dim", apart) +
        sheet.cpp_function("scale", "scale", "qkh", "head_dim", apart) +
        sheet.cpp_function("added", "add", "pj", "d_model");
    if (sheet.slot("add") != nullptr)
        text += R"(
// [length, d_model]
inline std::vector<double> table() {
    std::vector<double> values;
    for (int p = 0; p < length; ++p)
        for (int j = 0; j < d_model; ++j) values.push_back(added(p, j));
    return values;
}
)";
    if (rotates && !meets)
        text += filled(filled(filled(R"(
// Rotates one head's features of a token at this position.
inline void rotate(double* x, int p) {
    for (int i = 0; i < head_dim / 2; ++i) {
        const double angle = AT * frequency(i), c = std::cos(angle), s = std::sin(angle);
        double &first = x[FIRST], &second = x[SECOND];
        const double a = first, b = second;
        first = a * c - b * s;
        second = a * s + b * c;
    }
}
)",
                                     "FIRST", first),
                              "SECOND", second),
                       "AT", mapped("p"));
    text += R"(
// One head's logit of a query at m and a key at j, each [head_dim] before the encoding; without a mask.
inline double logit(const double* q, const double* k, [[maybe_unused]] int m, [[maybe_unused]] int j,
                    [[maybe_unused]] int h = 0) {
    double made = 0.0;
)";
    if (rotates)
        text +=
            filled(filled(filled(filled(filled(R"(    const double D = FROM - TO;
    const double seen = DISTANCE;
    for (int i = 0; i < head_dim / 2; ++i) {
        const double a = q[FIRST], b = q[SECOND], c = k[FIRST], d = k[SECOND];
        const double angle = seen * frequency(i);
        made += SIZE((a * c + b * d) * std::cos(angle) + (a * d - b * c) * std::sin(angle));
    }
)",
                                               "FIRST", first),
                                        "SECOND", second),
                                 "DISTANCE", sheet.slot("distance") != nullptr ? "distance(D, m, j)" : "D"),
                          "SIZE", sheet.slot("amplitude") != nullptr ? "amplitude(i, D) * " : ""),
                   "FROM - TO", mapped("m") + " - " + mapped("j"));
    else text += "    for (int f = 0; f < head_dim; ++f) made += q[f] * k[f];\n";
    text += "    made /= std::sqrt(double(head_dim));\n";
    if (sheet.slot("scale") != nullptr) text += "    made *= scale(m, j, h);\n";
    if (sheet.slot("bias") != nullptr) text += "    made += bias(m, j, h);\n";
    return text + "    return made;\n}\n\n}  // namespace position\n";
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

Result<std::string> flex_attention(const Scene& whole) {
    const auto typed = as_typed(whole);
    if (!typed) return tl::unexpected(typed.error());
    const Scene& scene = *typed;
    const std::string mask = mask_mod(sight_of(whole));  // formulas do not have it
    auto formulas = formulas_of_positions(scene);
    if (!formulas) return tl::unexpected(formulas.error());
    const Sheet sheet(scene, std::move(*formulas), Notation::pytorch);
    for (const char* slot : {"distance", "amplitude", "add"})
        if (sheet.slot(slot) != nullptr) return failure("code.no_score_mod", {{"slot", slot}});
    std::string text = "# Posiscope: an encoding for FlexAttention\n"
                       "#   from torch.nn.attention.flex_attention import {}flex_attention\n";
    text = filled(text, "{}", mask.empty() ? "" : "create_block_mask, ");
    if (!mask.empty()) text += "#   block_mask = create_block_mask(mask_mod, None, None, length, length)\n";
    const bool rotates = sheet.slot("frequency") != nullptr;
    text += fmt::format(
        "#   flex_attention({}, v, score_mod=score_mod{})  # each [batch, heads, length, head_dim]\n",
        rotates ? "rotate(q), rotate(k)" : "q, k", mask.empty() ? "" : ", block_mask=block_mask");
    text += "import math\n\nimport torch\n\n" + sheet.constants(kFlexList) +
            sheet.function("position", "p", "head_dim") + sheet.function("frequency", "i", "head_dim");
    if (rotates)
        text += filled(filled(filled(R"(

inv_freq = torch.tensor([frequency(float(i)) for i in range(head_dim // 2)], dtype=torch.float64)


def rotate(x, start=0):  # [..., length, head_dim]; angles in float64, as positions may be large
    at = torch.tensor([AT for p in range(start, start + x.shape[-2])], dtype=torch.float64)
    angle = torch.outer(at, inv_freq)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    y = torch.empty_like(x)
    y[..., FIRST] = x[..., FIRST] * cos - x[..., SECOND] * sin
    y[..., SECOND] = x[..., FIRST] * sin + x[..., SECOND] * cos
    return y
)",
                                     "FIRST", sheet.components(0)),
                              "SECOND", sheet.components(1)),
                       "AT", sheet.slot("position") != nullptr ? "position(float(p))" : "float(p)");
    text += "\n\ndef score_mod(score, batch, h, q_idx, kv_idx):\n";
    const Formula *bias = sheet.slot("bias"), *scale = sheet.slot("scale");
    if (bias != nullptr || scale != nullptr)
        text += "    q, k = q_idx.float(), kv_idx.float()\n    D = q - k\n";
    text += fmt::format("    return {}score{}\n",
                        scale != nullptr ? "(" + sheet.text(*scale, "Dqkh") + ") * " : "",
                        bias != nullptr ? " + (" + sheet.text(*bias, "Dqkh") + ")" : "");
    return text + mask;
}

Result<std::string> typed_latex(const Scene& scene) {
    const auto formulas = own_formulas(scene);
    if (!formulas) return tl::unexpected(formulas.error());
    constexpr std::pair<std::string_view, std::string_view> left[] = {
        {"position", "p'"}, {"frequency", "\\omega_i"}, {"distance", "\\Delta'"}, {"amplitude", "a_i"},
        {"bias", "\\beta"}, {"scale", "\\sigma"},       {"add", "e_j(p)"},        {"axis", "\\alpha_i"}};
    std::string text = "\\[ ";
    for (const OwnFormulas::Typed& one : formulas->typed)
        for (const auto& [slot, letters] : left)
            if (slot == one.slot->key)
                text += fmt::format("{}{} = {}", text.size() > 3 ? ", \\quad " : "", letters,
                                    formula::write(one.formula, Notation::latex));
    for (const OwnFormulas::Parameter& one : formulas->parameters)
        if (const auto name = formula::parse(one.name, ""); name && !one.list)
            text += fmt::format(", \\quad {} = {}", formula::write(*name, Notation::latex),
                                latex_number(one.value));
    return text + " \\]\n";
}

}  // namespace posiscope
