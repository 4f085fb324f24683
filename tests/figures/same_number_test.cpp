// One question, one answer: what a figure's tip says of a place, and its headline of the Scene, is what `posiscope data` writes.
// Scenes are made at random; a figure or a quantity may refuse, but not say another number.
#include "tests/figures/recorder.hpp"
#include "tests/figures/stage.hpp"
#include "tests/small_scenes.hpp"

#include <gtest/gtest.h>
#include <map>
#include <regex>

namespace posiscope::test::same_number_test {
namespace {

// The place under the mouse.
struct Place {
    const Scene& scene;
    const figures::Link& link;
    std::int64_t pairs, pair;  // pair: −1 where none is linked

    std::int64_t position() const { return link.position.value_or(-1); }
    std::int64_t distance() const { return link.distance.value_or(scene.length); }
};

std::int64_t of_pair(const Place& at) { return at.pair; }
std::int64_t of_block(const Place& at) { return at.pair < 0 ? -1 : 4 * at.pair; }
std::int64_t of_step(const Place& at) { return at.link.distance ? at.distance() - 1 : -1; }
std::int64_t of_distance(const Place& at) {
    return std::abs(at.distance()) < at.scene.length ? at.distance() + at.scene.length - 1 : -1;
}
std::int64_t of_position_and_pair(const Place& at) {
    return at.pair < 0 || at.position() < 0 ? -1 : at.position() * at.pairs + at.pair;
}
std::int64_t of_column(const Place& at) {
    if (at.pair < 0 || at.position() < 0 || !at.link.sine) return -1;
    return at.position() * at.scene.d_model +
           dimension(encoding_of(at.scene).layout(at.scene), at.pairs, {at.pair, *at.link.sine ? 0 : 1});
}
std::int64_t between(const Place& at, std::int64_t query, std::int64_t key) {
    const std::int64_t n = at.scene.length;
    return query < 0 || query >= n || key < 0 || key >= n ? -1 : query * n + key;
}
std::int64_t of_query(const Place& at) {
    return at.link.distance ? between(at, at.position(), at.position() - at.distance()) : -1;
}
std::int64_t of_key(const Place& at) {
    return at.link.distance ? between(at, at.position() + at.distance(), at.position()) : -1;
}
std::int64_t of_last_query(const Place& at) {
    return at.link.distance ? between(at, at.scene.length - 1, at.scene.length - 1 - at.distance()) : -1;
}
bool is_sine(const Place& at) { return at.link.sine == true; }
bool is_cosine(const Place& at) { return at.link.sine == false; }
bool adds(const Place& at) { return encoding_of(at.scene).acts == Acts::input; }
bool turns(const Place& at) { return encoding_of(at.scene).acts == Acts::query_key; }

// Curves by distance have the same q and k at every position.
bool of_one_content(const Place& at) { return at.scene.content.kind == "equal"; }

struct Number {
    std::string_view figure, mode, quantity, array;
    std::int64_t (*entry)(const Place&);  // −1: none
    bool (*of)(const Place&) = nullptr;   // null: every place
};
constexpr std::array kNumbers = {
    Number{"matrix", "value", "table", "table", of_column},
    Number{"matrix", "cache", "cache", "sin", of_position_and_pair, is_sine},
    Number{"matrix", "cache", "cache", "cos", of_position_and_pair, is_cosine},
    Number{"matrix", "phase", "phase", "angle", of_position_and_pair},
    Number{"matrix", "gram", "gram", "gram", of_query, adds},
    Number{"matrix", "gram", "distance", "dot", of_distance, turns},
    Number{"matrix", "logits", "scores", "logit", of_distance},
    Number{"matrix", "attention", "attention", "attention", of_query},
    Number{"matrix", "gap", "gap", "gap", of_step},
    Number{"scores", "logit", "scores", "logit", of_distance},
    Number{"scores", "dot", "distance", "dot", of_distance},
    Number{"scores", "norm", "distance", "norm", of_distance},
    Number{"scores", "weight", "attention", "attention", of_last_query, of_one_content},
    Number{"sum", "logit", "scores", "share", of_pair},
    Number{"waves", "waves", "cache", "sin", of_position_and_pair, turns},
    Number{"spectrum", "wavelength", "frequencies", "wavelength", of_pair},
    Number{"turns", "bars", "turns", "turns", of_pair},
    Number{"turns", "arcs", "turns", "turns", of_pair},
    Number{"layout", "mixed", "mixed", "mixed", of_key},
    Number{"layout", "sign", "distance", "dot", of_distance, turns},
    Number{"shift", "", "rotation", "rotation", of_block},
    Number{"rotations", "clocks", "frequencies", "inv_freq", of_pair},
    Number{"rotations", "plane", "chord", "chord", of_pair},
};

// A number as people read it, and half of its last digit.
struct Said {
    double value = 0.0, within = 0.0;
    bool is(double number) const {
        return std::abs(value - number) <= within + 1e-7 * (1.0 + std::abs(number));
    }
};
std::optional<Said> read(std::string text) {
    const auto replace = [&](std::string_view from, std::string_view to) {
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
            text.replace(at, from.size(), to);
    };
    replace("\u2212", "-");
    replace("\u2009", "");
    replace("×10", "e");
    constexpr std::array kSmall = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    for (std::size_t digit = 0; digit < kSmall.size(); ++digit) replace(kSmall[digit], std::to_string(digit));
    replace("⁻", "-");
    const char* begin = text.c_str();
    char* end = nullptr;
    const double value = std::strtod(begin, &end);
    if (end == begin) return std::nullopt;
    const std::string_view digits(begin, static_cast<std::size_t>(end - begin));
    const std::size_t power = digits.find('e'), point = digits.find('.');
    const std::size_t after =
        point == std::string_view::npos ? 0 : std::min(power, digits.size()) - point - 1;
    const double exponent =
        power == std::string_view::npos ? 0.0 : std::strtod(digits.data() + power + 1, nullptr);
    return Said{value, 0.5001 * std::pow(10.0, exponent - static_cast<double>(after))};
}

std::optional<Said> read_after_equals(const std::string& text) {
    const std::size_t equals = text.rfind("= ");
    return equals == std::string::npos ? std::nullopt : read(text.substr(equals + 2));
}

class Answers {
public:
    explicit Answers(const Scene& scene) : scene_(scene) {}
    // Empty where it is refused.
    std::span<const double> of(std::string_view quantity, std::string_view name) {
        auto [kept, fresh] = arrays_.try_emplace(quantity);
        if (fresh)
            if (auto made = evaluate(*find_quantity(quantity), scene_, std::uint64_t{1} << 30U))
                kept->second = std::move(*made);
        for (const Array& array : kept->second)
            if (array.shape.name == name) return array.values;
        return {};
    }
    std::optional<double> at(std::string_view quantity, std::string_view name, std::int64_t entry) {
        const auto values = of(quantity, name);
        return entry >= 0 && entry < std::ssize(values)
                   ? std::optional(values[static_cast<std::size_t>(entry)])
                   : std::nullopt;
    }
    const Scene& scene() const { return scene_; }

private:
    const Scene& scene_;
    std::map<std::string_view, std::vector<Array>> arrays_;
};

// Of the linked frequency; −1 where none has it, or several.
std::int64_t only_pair(const Result<Spectrum>& spectrum, std::optional<double> frequency) {
    if (!spectrum || !frequency) return -1;
    const auto& all = spectrum->frequency;
    const auto found = std::ranges::find(all, *frequency);
    return found == all.end() || std::find(found + 1, all.end(), *frequency) != all.end()
               ? -1
               : std::distance(all.begin(), found);
}

int scenes_of(int usual) {
    const char* more = std::getenv("POSISCOPE_SCENES");
    return more != nullptr ? std::atoi(more) : usual;
}

TEST(SameNumber, ATipSaysWhatDataWrites) {
    SmallScenes made(20261128);
    std::map<std::string, int> compared, wrong;
    for (int n = 0; n < scenes_of(120); ++n) {
        const Scene scene = made.next();
        const std::int64_t pairs = encoding_of(scene).pairs(scene);
        const auto spectrum = spectrum_of(scene);
        Answers answers(scene);
        for (const Number& number : kNumbers) {
            const figures::Figure& figure = *figures::find_figure(number.figure);
            Scene shown = scene;
            if (!number.mode.empty())
                figures::set_view_value(shown, figure.id, "mode", std::string(number.mode));
            if (!figures::applies(figure, shown) || figures::mode(figure, shown) != number.mode) continue;
            Stage stage;
            stage.area = {0.0F, 0.0F, 640.0F, 480.0F};
            for (int look = 0; look < 16; ++look) {
                stage.point({40.0F + static_cast<float>(made.below(590)),
                             20.0F + static_cast<float>(made.below(450))});
                Recorder canvas;
                stage.draw(canvas, figure, shown);
                const auto said =
                    read_after_equals(stage.tip_value.empty() ? stage.tip_formula : stage.tip_value);
                if (!said) continue;
                const std::int64_t pair = only_pair(spectrum, stage.hovered.frequency);
                const Place at{scene, stage.hovered, pairs, pair};
                if (number.of != nullptr && !number.of(at)) continue;
                const auto written = answers.at(number.quantity, number.array, number.entry(at));
                if (!written) continue;
                const std::string what = fmt::format("{} {}, {}", figure.id, number.mode, number.quantity);
                ++compared[what];
                if (said->is(*written)) continue;
                if (++wrong[what] <= 2)
                    ADD_FAILURE() << what << ": " << stage.tip_formula << " " << stage.tip_value << ", but "
                                  << *written << "\n"
                                  << to_partial_json(shown).dump();
            }
        }
    }
    for (const Number& number : kNumbers)
        if (const std::string what = fmt::format("{} {}, {}", number.figure, number.mode, number.quantity);
            compared[what] < 10)
            ADD_FAILURE() << what << ": compared " << compared[what] << " times";
}

// What headlines say in numbers.
std::int64_t at_offset(const Scene& s) {
    return std::abs(s.offset) < s.length ? s.offset + s.length - 1 : -1;
}
std::optional<double> count_of(std::span<const double> values, bool (*counts)(double value, const Scene&),
                               const Scene& scene) {
    if (values.empty()) return std::nullopt;
    return static_cast<double>(std::ranges::count_if(values, [&](double v) { return counts(v, scene); }));
}
bool is_open(double turns, const Scene&) { return turns < 1.0; }
bool is_longer(double wavelength, const Scene& scene) {
    return wavelength > static_cast<double>(scene.length);
}
bool is_set(double flag, const Scene&) { return flag == 1.0; }
std::int64_t at_cut(const Scene& s) { return s.position * encoding_of(s).pairs(s) + s.pair; }

struct Message {
    std::string_view figure, mode, key, argument;
    std::optional<double> (*written)(Answers&);
};
constexpr std::array kMessages = {
    Message{"scores", "logit", "scores.headline_logits", "value",
            [](Answers& a) { return a.at("scores", "logit", at_offset(a.scene())); }},
    Message{"sum", "dot", "sum.headline", "score",
            [](Answers& a) { return a.at("distance", "dot", at_offset(a.scene())); }},
    Message{"layout", "sign", "layout.headline_sign", "plus",
            [](Answers& a) {
                return encoding_of(a.scene()).acts == Acts::query_key
                           ? a.at("distance", "dot", at_offset(a.scene()))
                           : std::nullopt;
            }},
    Message{"spectrum", "wavelength", "spectrum.headline_typed", "longer",
            [](Answers& a) { return count_of(a.of("frequencies", "wavelength"), is_longer, a.scene()); }},
    Message{"spectrum", "wavelength", "spectrum.headline_plain", "longer",
            [](Answers& a) { return count_of(a.of("frequencies", "wavelength"), is_longer, a.scene()); }},
    Message{"turns", "bars", "turns.headline_untold", "open",
            [](Answers& a) { return count_of(a.of("turns", "turns"), is_open, a.scene()); }},
    Message{"turns", "bars", "turns.headline_new", "count",
            [](Answers& a) { return count_of(a.of("turns", "unseen"), is_set, a.scene()); }},
    Message{"turns", "bars", "turns.headline_some", "count",
            [](Answers& a) { return count_of(a.of("turns", "unseen"), is_set, a.scene()); }},
    Message{"waves", "waves", "waves.headline_rotary", "sine",
            [](Answers& a) { return a.at("cache", "sin", at_cut(a.scene())); }},
    Message{"waves", "waves", "waves.headline_rotary", "cosine",
            [](Answers& a) { return a.at("cache", "cos", at_cut(a.scene())); }},
    Message{"waves", "waves", "waves.headline", "sine",
            [](Answers& a) {
                return std::optional(
                    std::sin(a.at("phase", "angle", at_cut(a.scene())).value_or(std::nan(""))));
            }},
    Message{"trace", "float32", "trace.headline", "value",
            [](Answers& a) { return a.at("trace", "sine", 5); }},
};

// The text of an argument in a sentence that a string of the tables made; none where another made it.
std::optional<std::string> argument_of(const std::string& sentence, std::string_view key,
                                       std::string_view name) {
    const std::string_view all = strings(Language::english).text(key);
    const std::string_view form = all.substr(0, all.find("¦"));
    std::string pattern;
    std::size_t group = 0, wanted = 0;
    for (std::size_t at = 0; at < form.size();) {
        if (form[at] == '{') {
            const std::size_t end = form.find('}', at);
            ++group;
            const bool is = form.substr(at + 1, end - at - 1) == name;
            if (is) wanted = group;
            pattern += is ? "([^ ]+)" : "(.+)";
            at = end + 1;
        } else {
            if (std::string_view("().*+?[]^$|").find(form[at]) != std::string_view::npos) pattern += "\\";
            pattern += form[at++];
        }
    }
    std::smatch found;
    if (wanted == 0 || !std::regex_match(sentence, found, std::regex(pattern))) return std::nullopt;
    return found[wanted].str();
}

TEST(SameNumber, AHeadlineSaysWhatDataWrites) {
    SmallScenes made(20261129);
    std::map<std::string, int> compared, wrong;
    for (int n = 0; n < scenes_of(400); ++n) {
        const Scene scene = made.next();
        Answers answers(scene);
        for (const Message& message : kMessages) {
            const figures::Figure& figure = *figures::find_figure(message.figure);
            Scene shown = scene;
            figures::set_view_value(shown, figure.id, "mode", std::string(message.mode));
            if (!figures::applies(figure, shown) || figures::mode(figure, shown) != message.mode) continue;
            Stage stage;
            Recorder canvas;
            figures::Frame frame = stage.frame(canvas, figure, shown);
            const std::string all(figure.headline(frame));
            const auto words = argument_of(all.substr(0, all.find("¦")), message.key, message.argument);
            const auto written = words ? message.written(answers) : std::nullopt;
            if (!written || std::isnan(*written)) continue;
            const std::string what = fmt::format("{}, {}", message.key, message.argument);
            ++compared[what];
            const auto said = read(*words);
            if (said && said->is(*written)) continue;
            if (++wrong[what] <= 2)
                ADD_FAILURE() << what << ": " << all << ", but " << *written << "\n"
                              << to_partial_json(shown).dump();
        }
    }
    for (const Message& message : kMessages)
        if (const std::string what = fmt::format("{}, {}", message.key, message.argument);
            compared[what] == 0)
            ADD_FAILURE() << what << ": compared " << compared[what] << " times";
}

}  // namespace
}  // namespace posiscope::test::same_number_test
