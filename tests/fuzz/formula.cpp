// formula.cpp — any bytes as decisions by which formulas grow, for the slots of a typed encoding: each is read, written in every
// notation and read back, and their encoding is written as programs and drawn as one picture of any figure, or refused with a
// sentence. The first twelve bytes choose slots, shapes, sizes, figure and mouse; the figure is drawn in every mode it has.
#include "core/code/code.hpp"
#include "core/encodings/own.hpp"
#include "core/formula/evaluate.hpp"
#include "core/formula/write.hpp"
#include "tests/figures/any_drawing.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace posiscope;

namespace {

[[noreturn]] void complain(const std::string& what, const std::string& of) {
    std::fprintf(stderr, "%s: %s\n", of.c_str(), what.c_str());
    std::abort();
}

class Grower {
public:
    Grower(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

    std::size_t decide(std::size_t of) {
        if (left_ == 0) return 0;
        --left_;
        return *data_++ % of;
    }
    // In the shapes that people paste: a bush, a long chain, a chain of chains, a deep nest, long names.
    std::string grow(std::size_t shape, std::span<const std::string_view> names, int depth) {
        switch (shape) {
            case 4: return chain([&] { return grow(names, 0); });
            case 5: return chain([&] { return "(" + chain([&] { return grow(names, 0); }) + ")"; });
            case 6: return nest(names);
            case 7: return chain([&] { return std::string(20 + decide(8), "abxz"[decide(4)]); });
            default: return grow(names, depth);
        }
    }

private:
    template <class Link>
    std::string chain(Link link) {
        static constexpr std::array kSigns = {"*", "+", "-", "/", " ", " < ", " && ", "^"};
        std::string text = link();
        const bool same = decide(2) == 0;
        const char* sign = kSigns[decide(kSigns.size())];
        for (std::size_t left = decide(128); left > 0 && text.size() < formula::kMostBytes - 4; --left) {
            if (!same) sign = kSigns[decide(kSigns.size())];
            text += sign + link();
        }
        return text;
    }
    std::string nest(std::span<const std::string_view> names) {
        static constexpr std::array<std::array<const char*, 2>, 10> kAround = {{{"(", ")"},
                                                                                {"-(", ")"},
                                                                                {"!", ""},
                                                                                {"|", "|"},
                                                                                {"sin(", ")"},
                                                                                {"min(1, ", ")"},
                                                                                {"2^", ""},
                                                                                {"c[", "]"},
                                                                                {"sum(m, 0, 1, m + ", ")"},
                                                                                {"1 ? 2 : ", ""}}};
        std::string before, after;
        for (std::size_t left = decide(80); left > 0; --left) {
            const auto& [open, close] = kAround[decide(kAround.size())];
            before += open;
            after = close + after;
        }
        return before + grow(names, 1) + after;
    }
    std::string grow(std::span<const std::string_view> names, int depth) {
        const auto inner = [&] { return grow(names, depth - 1); };
        const auto in_brackets = [&] { return "(" + inner() + ")"; };
        const std::size_t kind = depth == 0 ? decide(4) : decide(24);
        switch (kind) {
            case 0:
            case 1: return std::string(names[decide(names.size())]);
            case 2: {
                static constexpr std::array kNumbers = {"1",  "2", "0.5", "0",     "1e-3",  "100",
                                                        "pi", "e", "7",   "1e300", "1e-320"};
                return kNumbers[decide(kNumbers.size())];
            }
            case 3: {
                static constexpr std::array kOwn = {"a", "s", "a", "w", "b", "n", "L", "a_2"};
                return kOwn[decide(kOwn.size())];
            }
            case 4: return "-" + in_brackets();
            case 5: return in_brackets() + " ? " + inner() + " : " + inner();
            case 6:
            case 7: {
                const auto functions = formula::functions();
                const formula::FunctionEntry& function = functions[decide(functions.size())];
                std::string text = std::string(function.name) + "(" + inner();
                for (int more = 1; more < function.least; ++more) text += ", " + inner();
                return text + ")";
            }
            case 8:
                return "sum(m, " + std::to_string(decide(3)) + ", " + grow(names, 0) + ", m*" +
                       in_brackets() + ")";
            case 9: return "c[" + inner() + "]";
            case 10: return "|" + grow(names, 0) + "|";
            case 11: return "2" + grow(names, 0);
            case 12: return inner() + " " + inner();  // a product, or a mistake
            default: {
                static constexpr std::array kSigns = {
                    "+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"};
                return in_brackets() + kSigns[decide(kSigns.size())] + in_brackets();
            }
        }
    }

    const std::uint8_t* data_;
    std::size_t left_;
};

// Its value, and what each notation has of it.
void check(const std::string& text) {
    const auto parsed = formula::parse(text, "slot");
    if (!parsed) {
        if (parsed.error().key.empty()) complain("refused without a reason", text);
        return;
    }
    const std::vector<double> list = {1.0, -2.0, 0.5};
    const auto value = [&](const formula::Formula& of) {
        std::vector<formula::Binding> names;
        for (const formula::Name& name : of.names())
            names.push_back(name.list ? formula::Binding{.list = list} : formula::Binding{.one = 1.25});
        const double made = formula::value_of(of, names);
        if (!std::isfinite(made) && !formula::why_not_finite(of, names))
            complain("no reason for what is not finite", text);
        for (std::size_t by = 0; by < names.size(); ++by) {
            if (of.names()[by].bound) continue;
            double again = 0.0, slope = 0.0;
            formula::evaluate(of, names, by, std::span(&again, 1), std::span(&slope, 1));
            if (again != made && !(std::isnan(again) && std::isnan(made)))
                complain("its value beside a slope is another", text);
        }
        return made;
    };
    const double was = value(*parsed);
    const std::string typed = formula::write(*parsed, formula::Notation::typed);
    if (const auto again = formula::parse(typed, "slot")) {
        const double is = value(*again);
        if (was != is && !(std::isnan(was) && std::isnan(is))) complain("reads back as another value", typed);
    } else if (typed.size() <= formula::kMostBytes) {
        complain("what is written is refused: " + to_string(again.error()), typed);
    }
    for (const auto notation : {formula::Notation::latex, formula::Notation::screen, formula::Notation::numpy,
                                formula::Notation::jax, formula::Notation::pytorch, formula::Notation::cpp})
        if (formula::write(*parsed, notation).empty()) complain("a notation has nothing", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kChosen = 12;
    if (size <= kChosen) return 0;
    Grower grower(data + kChosen, size - kChosen);
    Json encoding{{"kind", "own"}, {"values", {{"a", 0.1}, {"c", {1.0, -2.0, 0.5, 3.0}}}}};
    const std::size_t typed = data[0] % 128 == 0 ? 2 : data[0];  // at least the frequency
    std::size_t n = 0;
    for (const OwnSlot& slot : own_slots()) {
        if ((typed >> n++ & 1U) == 0) continue;
        const std::string text = grower.grow(data[2] >> 5U, slot.names, 1 + data[1] % 4);
        check(text);
        // Rates below 0 are refused: most are made positive, and most axes are one of the three.
        encoding[std::string(slot.key)] = data[1] >= 200            ? text
                                          : slot.key == "frequency" ? "abs(" + text + ")"
                                          : slot.key == "axis"      ? "mod(floor(abs(" + text + ")), 3)"
                                                                    : text;
    }
    if (typed >= 128 && data[11] % 2 == 0) encoding["grid"] = {1 + data[9] % 3, 1 + data[10] % 5, 4};
    const std::int64_t widths[] = {8, 16, 64, 2}, lengths[] = {16, 64, 1000, kLastPosition, 1};
    const std::int64_t width = widths[data[2] % std::size(widths)];
    const Json partial{{"encoding", encoding},
                       {"d_model", width},
                       {"num_heads", width > 2 ? 1 + (data[2] >> 4U) % 2 : 1},
                       {"length", lengths[data[3] % std::size(lengths)]},
                       {"position", data[4]},
                       {"offset", data[5] - std::min<int>(data[4], 128)},
                       {"pair", width > 4 ? data[2] % 2 : 0}};
    auto laid = overlay(Scene(), partial);
    if (!laid) {
        if (laid.error().key.empty()) complain("refused without a reason", encoding.dump());
        return 0;
    }
    for (const CodeForm& form : code_forms())
        if (const auto written = form.write(laid->scene); !written && written.error().key.empty())
            complain("no program, and no reason", encoding.dump());
    test::Drawing drawing;
    drawing.scene = std::move(laid->scene);
    drawing.figure = data[6], drawing.mode = data[7], drawing.theme = data[8];
    const figures::Figure& figure = *figures::figures()[drawing.figure % figures::figures().size()];
    const std::size_t modes = figure.modes != nullptr ? figure.modes(drawing.scene).size() : 1;
    drawing.language = data[8] < 128 ? Language::english : Language::chinese;
    drawing.area = {0.0F, 0.0F, 60.0F + 4.0F * static_cast<float>(data[9]),
                    60.0F + 3.0F * static_cast<float>(data[10])};
    drawing.mouse = {static_cast<float>(data[11]) / 255.0F * drawing.area.x1, 0.5F * drawing.area.y1};
    drawing.pressed = data[11] % 2 == 1;
    for (std::size_t mode = 0; mode < modes; ++mode, ++drawing.mode)
        if (const std::string complaint = test::complaint_of(drawing); !complaint.empty())
            complain(complaint, partial.dump());
    return 0;
}
