#include "core/code/typed.hpp"

#include "core/code/program.hpp"
#include "core/encodings/as_formulas.hpp"
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
        "and",     "as",       "assert",   "async",     "await",     "break",   "class",    "continue",
        "def",     "del",      "elif",     "else",      "except",    "finally", "float",    "for",
        "from",    "global",   "if",       "import",    "in",        "int",     "is",       "lambda",
        "len",     "map",      "math",     "not",       "nonlocal",  "np",      "or",       "pass",
        "raise",   "range",    "return",   "torch",     "try",       "while",   "with",     "yield",
        "None",    "True",     "False",    "length",    "heads",     "batch",   "head_dim", "score",
        "d_model", "inv_freq", "rotate",   "product",   "logits",    "table",   "cos",      "position",
        "sin",     "added",    "distance", "amplitude", "frequency", "bias",    "scale",    "score_mod"};
    const bool is = std::find(std::begin(taken), std::end(taken), name) != std::end(taken);
    return std::string(name) + (is ? "_" : "");
}

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
        return formula::write(formula, notation_, {.name = python_name, .tensor = tensor});
    }

    // Sizes, and the numbers of all names that the formulas use.
    std::string constants(bool tensors) const {
        std::string made = fmt::format("length, heads, head_dim, d_model = {}, {}, {}, {}\n", scene_.length,
                                       scene_.num_heads, head_dim(scene_), scene_.d_model);
        const auto number = [&](std::string_view name, double value) {
            if (std::any_of(formulas_.typed.begin(), formulas_.typed.end(),
                            [&](const auto& one) { return one.formula.uses(name); }))
                made += fmt::format("{} = {}\n", name, floating(value));
        };
        number("b", scene_.base);
        number("n", static_cast<double>(scene_.length));
        number("L", static_cast<double>(scene_.trained.length.value_or(scene_.length)));
        number("H", static_cast<double>(scene_.num_heads));
        for (const OwnFormulas::Parameter& one : formulas_.parameters) {
            if (!one.list) {
                made += fmt::format("{} = {}\n", python_name(one.name), floating(one.value));
                continue;
            }
            made += python_name(one.name) + (tensors ? " = torch.tensor([" : " = np.array([");
            std::size_t n = 0;
            for (const Json& value : *list(one.name))
                made += (n == 0 ? "" : n % 8 == 0 ? ",\n    " : ", ") + floating(value.get<double>()), ++n;
            made += "])\n";
        }
        return made;
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
    const Json* list(std::string_view name) const {
        const Json& values = scene_.encoding.parameters.at("values");
        const auto found = values.find(name);
        return found != values.end() && found->is_array() ? &*found : nullptr;
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

}  // namespace

Result<std::string> typed_numpy(const Scene& scene) {
    auto formulas = own_formulas(scene);
    if (!formulas) return tl::unexpected(formulas.error());
    const Sheet sheet(scene, std::move(*formulas), Notation::numpy);
    std::string text =
        "# Posiscope: an encoding as it was typed\nimport numpy as np\n\n" + sheet.constants(false) +
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

Result<std::string> flex_attention(const Scene& whole) {
    Scene scene = whole;
    if (encoding_of(scene).typed == nullptr) {
        auto made = as_formulas(scene);
        if (!made) return failure("code.no_formula", {{"kind", scene.encoding.kind}});
        (*made)["kind"] = std::string(own_encoding().kind);
        auto laid = overlay(scene, {{"encoding", *made}});
        if (!laid) return tl::unexpected(laid.error());
        scene = std::move(laid->scene);
    }
    auto formulas = own_formulas(scene);
    if (!formulas) return tl::unexpected(formulas.error());
    const Sheet sheet(scene, std::move(*formulas), Notation::pytorch);
    for (const char* slot : {"distance", "amplitude", "add"})
        if (sheet.slot(slot) != nullptr) return failure("code.no_score_mod", {{"slot", slot}});
    std::string text = "# Posiscope: an encoding for FlexAttention\n"
                       "#   from torch.nn.attention.flex_attention import flex_attention\n";
    const bool rotates = sheet.slot("frequency") != nullptr;
    text += fmt::format(
        "#   flex_attention({}, v, score_mod=score_mod)  # each [batch, heads, length, head_dim]\n",
        rotates ? "rotate(q), rotate(k)" : "q, k");
    text += "import math\n\nimport torch\n\n" + sheet.constants(true) +
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
    return text;
}

Result<std::string> typed_latex(const Scene& scene) {
    const auto formulas = own_formulas(scene);
    if (!formulas) return tl::unexpected(formulas.error());
    constexpr std::pair<std::string_view, std::string_view> left[] = {
        {"position", "p'"}, {"frequency", "\\omega_i"}, {"distance", "\\Delta'"}, {"amplitude", "a_i"},
        {"bias", "\\beta"}, {"scale", "\\sigma"},       {"add", "e_j(p)"}};
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
