// Thousands of scenes that nobody would write, each at one size, scale and mouse, in one figure and mode: none may throw,
// hang, draw at infinity or hand back a Scene that does not hold. The same ones in every run.
#include "core/encodings/encodings.hpp"
#include "core/positions/positions.hpp"
#include "core/scene/content.hpp"
#include "tests/figures/any_drawing.hpp"
#include "tests/sanitized.hpp"

#include <gtest/gtest.h>
#include <random>

namespace posiscope::test::generated_test {
namespace {

std::string_view figure_of(std::size_t n) { return figures::figures()[n % figures::figures().size()]->id; }

class Any {
public:
    explicit Any(std::uint32_t seed) : bits_(seed) {}

    std::size_t below(std::size_t end) { return static_cast<std::size_t>(bits_() % end); }
    bool once_in(std::size_t times) { return below(times) == 0; }
    double part() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
    double between(double low, double high) { return low + (high - low) * part(); }
    // As often from 1 to 10 as from a million to ten million.
    std::int64_t magnitude(double most) { return std::llround(std::pow(most, std::min(1.0, 1.02 * part()))); }
    template <class List>
    auto one_of(const List& list) {
        return *std::next(std::begin(list), static_cast<std::ptrdiff_t>(below(std::size(list))));
    }

    double number() {
        static constexpr double kOdd[] = {0.0,  -1.0, 0.5, 1e-300, 1e15, -1e15, 9007199254740993.0,
                                          1e29, 1e300};
        return once_in(2) ? one_of(kOdd) : between(-10.0, 200.0);
    }
    Json value() {
        switch (below(8)) {
            case 0: return nullptr;
            case 1: return "text";
            case 2: return number();
            case 3: return static_cast<std::int64_t>(bits_());
            case 4: return Json::array({number(), number()});
            case 5: return Json::array({0, std::abs(number())});
            case 6: return Json::array({number(), number(), number()});
            default: return Json::object({{"a", number()}});
        }
    }
    Json of(const Parameter& p) {
        switch (p.kind) {
            case Parameter::Kind::integer: {
                const double most = std::min(p.maximum, 64.0 * std::max(1.0, std::abs(p.minimum)));
                return std::clamp<std::int64_t>(magnitude(once_in(4) ? p.maximum : most),
                                                static_cast<std::int64_t>(p.minimum),
                                                static_cast<std::int64_t>(p.maximum));
            }
            case Parameter::Kind::number: return between(p.minimum, once_in(2) ? p.minimum + 1.0 : p.maximum);
            case Parameter::Kind::boolean: return once_in(2);
            case Parameter::Kind::choice: return std::string(one_of(p.choices));
            default: return p.fallback;
        }
    }
    Json choice(std::string_view kind, std::span<const Parameter> parameters) {
        Json json{{"kind", std::string(kind)}};
        for (const Parameter& p : parameters)
            if (once_in(4)) json[std::string(p.key)] = of(p);
        return json;
    }

    Scene scene() {
        Scene made;
        const auto edit = [&](const char* key, Json value) {
            if (const auto laid = overlay(made, {{key, std::move(value)}})) made = laid->scene;
        };
        // How long a frame of a wide scene may take is asked elsewhere.
        edit("d_model", 2 * magnitude(once_in(16) ? 1024.0 : 64.0));
        edit("num_heads", magnitude(16.0));
        const auto kind = one_of(encoding_kinds());
        edit("encoding", choice(kind, find_encoding(kind)->parameters));
        const auto content = one_of(content_kinds());
        edit("content", choice(content, content_parameters(content)));
        edit("base", std::pow(10.0, between(0.01, 18.0)));
        edit("layout", once_in(2) ? "half" : "interleaved");
        edit("length", magnitude(once_in(2) ? 2147483647.0 : 300.0));
        edit("position", magnitude(once_in(2) ? 2147483647.0 : 300.0));
        edit("offset", (once_in(2) ? 1 : -1) * magnitude(once_in(2) ? 2147483647.0 : 300.0));
        edit("pair", magnitude(64.0));
        edit("shift", magnitude(1e6));
        edit("causal", once_in(2));
        if (once_in(2)) edit("trained", {{"length", magnitude(100000.0)}});
        if (once_in(2)) edit("compare", {{"base", std::pow(10.0, between(0.01, 18.0))}});
        Json view = Json::object();
        static constexpr const char* kKeys[] = {"range", "rows", "columns", "window", "row",   "second",
                                                "word",  "head", "first",   "log",    "units", "mode"};
        for (const figures::Figure* figure : figures::figures())
            for (int n = 0; n < 3; ++n) view[std::string(figure->id)][one_of(kKeys)] = value();
        if (once_in(8)) view[std::string(figure_of(below(1000)))] = value();
        const auto policy = one_of(policy_kinds());
        view["ids"] = choice(policy, policy_parameters(policy));
        if (!ids_in(view)) view.erase("ids");  // rules between its settings
        edit("view", std::move(view));
        return made;
    }

    Drawing drawing() {
        static constexpr float kScales[] = {0.25F, 0.5F, 1.0F, 1.25F, 1.5F, 2.0F, 4.0F};
        Drawing made;
        made.scene = scene();
        made.figure = below(1000), made.mode = below(1000), made.theme = below(1000);
        made.language = once_in(2) ? Language::english : Language::chinese;
        const auto x = static_cast<float>(between(-20.0, 20.0)), y = static_cast<float>(between(-20.0, 20.0));
        made.area = {x, y, x + static_cast<float>(between(1.0, once_in(3) ? 60.0 : 1400.0)),
                     y + static_cast<float>(between(1.0, once_in(3) ? 60.0 : 900.0))};
        made.scale = one_of(kScales);
        made.mouse = {static_cast<float>(between(0.0, 1.0)) * made.area.x1,
                      static_cast<float>(between(0.0, 1.0)) * made.area.y1};
        made.wheel = once_in(2) ? 0.0F : static_cast<float>(between(-40.0, 40.0));
        made.pressed = once_in(3);
        made.double_clicked = once_in(8);
        made.difference = once_in(2);
        return made;
    }

private:
    std::mt19937_64 bits_;
};

TEST(Generated, NoSceneSizeScaleFigureOrModeThrows) {
    const std::uint32_t kCases = kSanitized ? 2'500 : 10'000 / static_cast<std::uint32_t>(one_in(4));
    for (std::uint32_t seed = 0; seed < kCases; ++seed) {
        Drawing drawing = Any(seed).drawing();
        const std::string scene = to_partial_json(drawing.scene).dump();
        SCOPED_TRACE(fmt::format("seed {} {} {}×{} at {}: {}", seed, figure_of(drawing.figure),
                                 drawing.area.width(), drawing.area.height(), drawing.scale, scene));
        try {
            ASSERT_EQ(complaint_of(std::move(drawing)), "");
        } catch (const std::exception& error) {
            FAIL() << error.what();
        }
    }
}

}  // namespace
}  // namespace posiscope::test::generated_test
