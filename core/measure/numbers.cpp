#include "core/measure/numbers.hpp"

#include "core/encodings/encodings.hpp"
#include "core/measure/conventions.hpp"
#include "core/measure/fit.hpp"
#include "core/measure/show.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace posiscope::measuring {

namespace {

constexpr double kDigits = 3.9;  // a slip must explain about four decimal digits

// ---- Reading ------------------------------------------------------------------------------------------------------

bool digit(char c) { return c >= '0' && c <= '9'; }

// Ends at what is no number; its unit is that of its last digit.
std::optional<TypedNumber> number_at(std::string_view text, std::size_t& at) {
    std::size_t end = at;
    if (end < text.size() && (text[end] == '-' || text[end] == '+')) ++end;
    const std::size_t first = end;
    int decimals = 0, digits = 0;
    bool point = false;
    for (; end < text.size() && (digit(text[end]) || (text[end] == '.' && !point)); ++end) {
        if (text[end] == '.') point = true;
        else ++digits, decimals += point ? 1 : 0;
    }
    if (digits == 0) return std::nullopt;
    int power = 0;
    if (end + 1 < text.size() && (text[end] == 'e' || text[end] == 'E')) {
        std::size_t from = end + 1;
        if (text[from] == '+') ++from;
        const auto read = std::from_chars(text.data() + from, text.data() + text.size(), power);
        if (read.ec == std::errc()) end = static_cast<std::size_t>(read.ptr - text.data());
    }
    double value = 0.0;
    const std::string_view written = text.substr(first, end - first);
    if (std::from_chars(written.data(), written.data() + written.size(), value).ec != std::errc())
        return std::nullopt;
    if (text[at] == '-') value = -value;
    at = end;
    // Nobody means more than a rounded whole number of what lies between −1 and 1; past 400 every unit is 0 or infinite.
    const double unit = std::pow(10.0, std::clamp(power, -400, 400) - decimals);
    return TypedNumber{value, std::min(unit, 0.5)};
}

// Minus signs as people paste them, and separators of numbers, as ASCII.
std::string plain(std::string_view text) {
    static constexpr std::pair<std::string_view, std::string_view> kReplaced[] = {
        {"\u2212", "-"}, {"\u2013", "-"}, {"\u2026", " "}, {"\u00a0", " "},
        {"\u2009", ""},  {"\uff0c", ","}, {"\uff1a", ":"}, {"\u3001", ","},
        {"\u3000", " "}, {"...", " "},    {"array(", "("}, {"tensor(", "("}};  // as NumPy and PyTorch print
    std::string made;
    text = text.substr(0, text.find("dtype"));
    for (std::size_t at = 0; at < text.size();) {
        const auto found = std::find_if(std::begin(kReplaced), std::end(kReplaced), [&](const auto& one) {
            return text.substr(at).starts_with(one.first);
        });
        if (found == std::end(kReplaced)) {
            made += text[at++];
        } else {
            made += found->second;
            at += found->first.size();
        }
    }
    return made;
}

// "p = 5:", "pos=5", "position 5:", "PE(5) =", "5:"; empty where a row begins with its numbers.
std::optional<std::int64_t> position_at(std::string_view text, std::size_t& at) {
    std::size_t end = at;
    while (end < text.size() && ((text[end] | 0x20) >= 'a' && (text[end] | 0x20) <= 'z')) ++end;
    const bool named = end > at;
    while (end < text.size() &&
           (text[end] == ' ' || text[end] == '=' || text[end] == '(' || text[end] == '['))
        ++end;
    std::int64_t position = 0;
    const auto read = std::from_chars(text.data() + end, text.data() + text.size(), position);
    if (read.ec != std::errc() || position < 0 || position > kLastPosition) return std::nullopt;
    end = static_cast<std::size_t>(read.ptr - text.data());
    if (end < text.size() && (text[end] == '.' || digit(text[end]))) return std::nullopt;
    const std::size_t after = end;
    while (end < text.size() && (text[end] == ' ' || text[end] == ')' || text[end] == ']')) ++end;
    const bool closed = end < text.size() && (text[end] == ':' || text[end] == '=');
    if (!closed && !named) return std::nullopt;
    at = closed ? end + 1 : after;
    return position;
}

// ---- Comparing ----------------------------------------------------------------------------------------------------

// The row of a position: amplitude · cos or sin of rate · (position + offset), each number of a pair in its column.
struct Candidate {
    std::vector<double> rate;
    double amplitude = 1.0, offset = 0.0, sine_sign = 1.0;
    Narrow positions = Narrow::none, angles = Narrow::none;
    bool raw = false;          // the angles, without cos and sin
    bool own_columns = false;  // a rate for each column
    bool sine_first = false;
    PairLayout layout = PairLayout::interleaved;

    std::size_t pairs() const { return own_columns ? rate.size() / 2 : rate.size(); }
    bool is_second(std::size_t column) const {
        return layout == PairLayout::halves ? column >= pairs() : column % 2 == 1;
    }
    double angle(std::size_t column, std::int64_t position) const {
        const std::size_t pair = layout == PairLayout::halves ? column % pairs() : column / 2;
        return narrowed(rate[own_columns ? column : pair] *
                            narrowed(static_cast<double>(position) + offset, positions),
                        angles);
    }
    double value(std::size_t column, std::int64_t position) const {
        const double at = angle(column, position);
        const bool sine = is_second(column) != sine_first;
        return amplitude * (raw ? at : sine ? sine_sign * std::sin(at) : std::cos(at));
    }
};

struct Slip {
    Problem said;
    Candidate made;
};
std::vector<Slip> slips_of(const Reference& known, const Candidate& own) {
    std::vector<Slip> all;
    const auto add = [&](const char* key, ProblemValues values, auto change) {
        all.push_back({{key, std::move(values)}, own});
        change(all.back().made);
    };
    const auto rounded = [&](Narrow type, const char* steps, auto change) {
        add("measured.narrowed", {{"type", std::string(name_of(type))}, {"steps", steps}}, change);
    };
    for (const auto& [key, offset] :
         {std::pair("slip.offset_one", 1.0), {"slip.offset_two", 2.0}, {"slip.offset_minus", -1.0}})
        add(key, {}, [by = offset](Candidate& one) { one.offset = by; });
    for (Explanation& one : explanations(known, {})) {
        all.push_back({std::move(one.why[0]), own});
        all.back().made.rate = std::move(one.frequency);
        if (all.back().said.key == "measured.unscaled") all.back().made.amplitude = 1.0;
    }
    for (const double exponent : {1.0, 2.0})
        add("measured.own_frequencies", {{"exponent", exponent == 2.0 ? "2" : ""}}, [&](Candidate& one) {
            const auto columns = static_cast<double>(2 * known.pairs());
            one.own_columns = true;
            one.rate.clear();
            for (double c = 0.0; c < columns; c += 1.0)
                one.rate.push_back(std::pow(known.base, -exponent * c / columns));
        });
    for (const Narrow type : {Narrow::bfloat16, Narrow::float16}) {
        rounded(type, "positions", [=](Candidate& one) { one.positions = type; });
        rounded(type, "angles", [=](Candidate& one) { one.angles = type; });
        rounded(type, "inv_freq, positions, angles", [=](Candidate& one) {
            one.positions = one.angles = type;
            for (double& rate : one.rate) rate = narrowed(rate, type);
        });
    }
    for (const double amplitude : {known.amplitude, 1.0})
        add("slip.raw_angles", {}, [=](Candidate& one) { one.raw = true, one.amplitude = amplitude; });
    for (const auto& [key, found] :
         {std::pair("measured.amplitude_squared", known.amplitude * known.amplitude),
          {"measured.amplitude_missing", 1.0}})
        add(key, {{"found", text(found)}, {"wanted", text(known.amplitude)}},
            [by = found](Candidate& one) { one.amplitude = by; });
    add("measured.sine_negated", {}, [](Candidate& one) { one.sine_sign = -1.0; });
    add("slip.exchanged", {}, [](Candidate& one) { one.sine_first = !one.sine_first; });
    add("slip.layout_typed", {}, [](Candidate& one) {
        one.layout = one.layout == PairLayout::halves ? PairLayout::interleaved : PairLayout::halves;
    });
    return all;
}

struct Held {
    double largest = 0.0;  // difference
    double digits = 0.0;   // of the numbers in which it is not the Scene's
    bool fits = true;
};

Held held(const Candidate& one, const Candidate& own, std::span<const TypedRow> rows, std::int64_t position) {
    Held made;
    for (const TypedRow& row : rows)
        for (std::size_t c = 0; c < row.numbers.size(); ++c) {
            const std::int64_t p = row.position.value_or(position);
            const TypedNumber& typed = row.numbers[c];
            const double wanted = one.value(c, p), off = std::abs(typed.value - wanted);
            const double angle = std::abs(one.angle(c, p));
            const double allowed = std::max(1.0001 * typed.unit, std::min(4e-7 + 1.2e-7 * angle, 1e-3));
            made.largest = std::max(made.largest, off);
            made.fits = made.fits && off <= allowed;
            // 0 and ±1 are what whole turns give, and the row of position 0: they speak for no slip.
            const bool tells = std::abs(wanted) > allowed && std::abs(std::abs(wanted) - 1.0) > allowed;
            if (tells && std::abs(wanted - own.value(c, p)) > 2.0 * allowed)
                made.digits -= std::log10(std::min(allowed, 1.0));
        }
    return made;
}

bool are_frequencies(const Reference& known, std::span<const TypedRow> rows) {
    if (rows.size() != 1 || rows[0].position || rows[0].numbers.size() > known.frequency.size()) return false;
    for (std::size_t i = 0; i < rows[0].numbers.size(); ++i) {
        const TypedNumber& typed = rows[0].numbers[i];
        if (std::abs(typed.value - known.frequency[i]) >
            std::max(1.0001 * typed.unit, 4e-7 * known.frequency[i]))
            return false;
    }
    return true;
}

}  // namespace

Result<std::vector<TypedRow>> typed_numbers(std::string_view given) {
    const std::string text = plain(given);
    std::vector<TypedRow> rows;
    std::size_t count = 0;
    for (std::size_t line = 0; line < text.size();) {
        const std::size_t end = std::min(text.find('\n', line), text.size());
        const std::string_view words = std::string_view(text).substr(line, end - line);
        line = end + 1;
        std::size_t at = 0;
        const auto skip = [&] {
            while (at < words.size() &&
                   std::string_view(" \t\r,;[](){}|").find(words[at]) != std::string_view::npos)
                ++at;
        };
        skip();
        TypedRow row;
        row.position = position_at(words, at);
        for (skip(); at < words.size(); skip()) {
            const auto number = number_at(words, at);
            if (!number)
                return refuse("numbers.word", {{"text", shown(Json(std::string(words.substr(at, 12))))}});
            row.numbers.push_back(*number);
            if (++count > kMostNumbers)
                return refuse("numbers.many", {{"maximum", std::to_string(kMostNumbers)}});
        }
        // A row may be broken into lines.
        if (!row.position && !rows.empty() && !row.numbers.empty())
            rows.back().numbers.insert(rows.back().numbers.end(), row.numbers.begin(), row.numbers.end());
        else if (row.position || !row.numbers.empty()) rows.push_back(std::move(row));
    }
    if (count < kLeastNumbers) return refuse("numbers.none", {{"minimum", std::to_string(kLeastNumbers)}});
    return rows;
}

bool NumbersFound::slipped() const { return !answers.empty() && !answers[0].key.starts_with("numbers."); }

Result<NumbersFound> compare_numbers(const Scene& scene, std::span<const TypedRow> rows) {
    const auto known = reference_of(scene, fmt::format("b = {:.10g}", scene.base));
    if (!known) return refuse("numbers.no_spectrum", {{"kind", scene.encoding.kind}});
    for (const TypedRow& row : rows)
        if (row.numbers.size() > 2 * known->frequency.size())
            return refuse("numbers.wide", {{"count", std::to_string(row.numbers.size())},
                                           {"maximum", std::to_string(2 * known->frequency.size())}});
    NumbersFound found;
    if (are_frequencies(*known, rows)) {
        found.answers.push_back({"numbers.frequencies", {{"spectrum", known->words}}});
        found.matches = true;
        return found;
    }
    Candidate own;
    own.rate = known->frequency, own.amplitude = known->amplitude;
    own.sine_first = !known->rotary, own.layout = known->layout;
    const Held as_is = held(own, own, rows, scene.position);
    const std::string difference = rounded_up(as_is.largest, 2);
    if (as_is.fits) {
        found.answers.push_back(
            {"numbers.matches", {{"spectrum", known->words}, {"difference", difference}}});
        found.matches = true;
        return found;
    }
    bool doubtful = false;
    for (Slip& slip : slips_of(*known, own)) {
        const Held seen = held(slip.made, own, rows, scene.position);
        doubtful = doubtful || (seen.fits && seen.digits < kDigits);
        if (seen.fits && seen.digits >= kDigits &&
            std::ranges::find(found.answers, slip.said) == found.answers.end())
            found.answers.push_back(std::move(slip.said));
    }
    if (found.answers.empty())
        found.answers.push_back({doubtful ? "numbers.few" : "numbers.neither",
                                 {{"spectrum", known->words}, {"difference", difference}}});
    if (found.answers.back().key == "numbers.neither") found.answers.push_back(describe_conventions(rows));
    return found;
}

}  // namespace posiscope::measuring
