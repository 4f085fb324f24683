#include "core/recognise/recognise.hpp"

#include "core/encodings/rope_settings.hpp"
#include "core/recognise/bias.hpp"
#include "core/recognise/rates.hpp"
#include "core/recognise/slips.hpp"
#include "core/recognise/spectra.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace posiscope {

using namespace recognition;

namespace {

constexpr double kNoise = 0.02;          // of the amplitude: larger differences are not noise
constexpr double kTelling = 0.1;         // differences are below this part of the dump's own size
constexpr std::int64_t kLeastRows = 16;  // fewer say too little for noise
constexpr double kApart = 9.0;           // in mean square, from the next candidate

// What was compared, with how near it came.
struct Tried {
    Likeness like;
    Difference off;
    double amplitude = 1.0;
    bool typed = false;  // with a base near the fitted one
    int rank = 0;        // the config's first, then what needs no slip

    // Another base for the same answer.
    bool varies(const Tried& other) const {
        return typed && like.what.key == other.like.what.key &&
               std::equal(like.slips.begin(), like.slips.end(), other.like.slips.begin(),
                          other.like.slips.end(),
                          [](const Problem& a, const Problem& b) { return a.key == b.key; });
    }
};

bool says(const std::string& name, std::string_view word) { return name.find(word) != std::string::npos; }

// The string of what an arrangement with these functions is.
std::string kind_of(const Arrangement& a, Order order, bool stacked) {
    const bool cosine = order == Order::cosine_sine;
    if (a.single) return cosine ? "cos_single" : "sin_single";
    if (a.duplicated)
        return fmt::format("{}_{}", cosine ? "cos" : "sin",
                           a.layout == PairLayout::halves ? "halves" : "pairs");
    if (a.layout == PairLayout::halves) return cosine ? "both_halves" : "table_halves";
    return cosine ? (stacked ? "both_stacked" : "both_pairs") : "table";
}

Problem cut_slip(const Known& known) {
    return {"slip.columns_cut",
            {{"pairs", std::to_string(known.frequency.size())}, {"whole", std::to_string(known.cut_of)}}};
}

struct Search {
    const StoredTensor& dump;
    const Matrix matrix;
    const Precision precision;
    bool rope_config = false, stacked = false;
    std::vector<Tried> tried;
    double best_square = HUGE_VAL;
    double largest = 0.0, square = 0.0;  // of the dump: numbers near 0 are like a slow sine, and say nothing

    // Slips of the arrangement itself, which no number of the waves shows.
    std::vector<Problem> arrangement_slips(const Arrangement& a, Order order, const Known& known) const {
        std::vector<Problem> made;
        const bool cosine = order == Order::cosine_sine;
        if (a.single || a.duplicated) {
            const bool named_cos = says(dump.name, "cos") && !says(dump.name, "sin"),
                       named_sin = says(dump.name, "sin") && !says(dump.name, "cos");
            if ((named_cos && !cosine) || (named_sin && cosine)) made.push_back({"slip.exchanged", {}});
        } else if (a.layout == PairLayout::interleaved && cosine && !stacked && !rope_config) {
            made.push_back({"slip.exchanged", {}});
        } else if (!cosine && rope_config) {
            made.push_back({"slip.exchanged", {}});
        }
        if (known.cut_of > 0) made.push_back(cut_slip(known));
        if (known.given && a.duplicated && known.layout == PairLayout::halves && a.layout != known.layout)
            made.push_back({"slip.layout", {}});
        return made;
    }

    void look(const Arrangement& a, Order order, const Known& known, const Slip& slip) {
        Waves waves{known.frequency, known.factor, 0.0, 1.0, Rounding::none};
        if (!slip.apply(known, waves)) return;
        // Positions that the rounding keeps are no slip.
        const std::int64_t kept = waves.positions == Rounding::bfloat16 ? 256 : 2048;
        if (waves.positions != Rounding::none && matrix.rows - 1 <= kept) return;
        const bool one_sided = a.single || a.duplicated;
        if (slip.name == "backwards" && one_sided && order == Order::cosine_sine) return;  // cos is even
        const double enough = std::max(0.05, 40.0 * std::sqrt(best_square));
        const Difference off = compare(matrix, a, order, waves, precision, enough);
        if (!std::isfinite(off.square) || (off.largest > enough && tried.size() > 64)) return;
        Tried one{{}, off, waves.amplitude, known.typed, 0};
        one.off.fits = off.fits && off.largest <= kTelling * largest;
        if (matrix.rows < kLeastRows || off.square > kTelling * kTelling * square) one.amplitude = 0.0;
        one.like.what = {"recognised." + kind_of(a, order, stacked),
                         {{"pairs", std::to_string(a.pairs)}, {"spectrum", known.words}}};
        one.like.slips = arrangement_slips(a, order, known);
        if (!slip.name.empty())
            one.like.slips.push_back({"slip." + std::string(slip.name), {{"spectrum", known.words}}});
        one.like.key = fmt::format("{}/{}/{}", one.like.what.key, known.words, slip.name);
        for (const Problem& extra : one.like.slips) one.like.key += "/" + extra.key;
        one.like.largest = off.largest;
        one.like.row = off.row;
        one.like.column = off.column;
        one.rank = (known.given ? 0 : 2) + (one.like.slips.empty() ? 0 : 1);
        if (off.largest <= enough) best_square = std::min(best_square, off.square);
        tried.push_back(std::move(one));
    }

    void look(const Arrangement& a, std::span<const Known> config, std::span<const Known> models) {
        const std::vector<Known> all = spectra(a.pairs, config, models, fitted(rates_of(matrix, a)));
        for (const Order order : {Order::cosine_sine, Order::sine_cosine})
            for (const Known& known : all)
                for (const Slip& slip : slips()) {
                    if (!slip.name.empty() && !known.given && (slip.needs_config || !known.plain)) continue;
                    look(a, order, known, slip);
                }
    }
};

// Pairs of one length are sines and cosines, from whatever position on: unless all of them begin alike, as those of ones.
bool is_table(const Matrix& m, const Arrangement& a, const Precision& precision) {
    double least = HUGE_VAL, most = 0.0;
    bool alike = true, turned = false;
    for (std::int64_t i = 0; i < a.pairs; ++i) {
        const double x = m.at(0, a.first(i)), y = m.at(0, a.second(i));
        least = std::min(least, std::hypot(x, y));
        most = std::max(most, std::hypot(x, y));
        alike = alike && x == m.at(0, a.first(0)) && y == m.at(0, a.second(0));
        turned = turned || (x != 0.0 && y != 0.0);  // (0, A) or (A, 0) in every pair is position 0
    }
    return !turned || (!alike && most - least <= (4.0 * precision.relative + 1e-6) * most);
}

// A query that is rotated: every pair keeps its length, and turns from its
// first row on.
void look_for_query(Search& search, std::span<const Known> config, std::span<const Known> models) {
    const Matrix& m = search.matrix;
    for (const Arrangement& a : arrangements(m)) {
        if (a.single || a.duplicated) continue;
        double longest = 0.0;
        bool keeps = true;
        for (std::int64_t i = 0; i < a.pairs; ++i) {
            const double before = std::hypot(m.at(0, a.first(i)), m.at(0, a.second(i)));
            longest = std::max(longest, before);
            for (std::int64_t row = 1; row < std::min<std::int64_t>(m.rows, 64) && keeps; ++row) {
                const double now = std::hypot(m.at(row, a.first(i)), m.at(row, a.second(i)));
                keeps = std::abs(now - before) <= 1e-6 + 4.0 * search.precision.relative * before;
            }
        }
        if (!keeps || is_table(m, a, search.precision)) continue;
        for (const Known& known : spectra(a.pairs, config, models, fitted(rates_of(m, a))))
            for (const double sign : {1.0, -1.0}) {
                Difference off;
                off.fits = true;
                for (std::int64_t row = 0; row < std::min<std::int64_t>(m.rows, 512); ++row)
                    for (std::int64_t i = 0; i < a.pairs; ++i) {
                        const double angle =
                            sign * known.frequency[static_cast<std::size_t>(i)] * static_cast<double>(row);
                        const double x = m.at(0, a.first(i)), y = m.at(0, a.second(i));
                        const double wanted[] = {x * std::cos(angle) - y * std::sin(angle),
                                                 x * std::sin(angle) + y * std::cos(angle)};
                        const std::int64_t columns[] = {a.first(i), a.second(i)};
                        for (int c = 0; c < 2; ++c) {
                            const double difference = std::abs(m.at(row, columns[c]) - wanted[c]);
                            off.square += difference * difference;
                            if (difference > off.largest)
                                off.largest = difference, off.row = row, off.column = columns[c];
                            if (!(difference <= longest * (2.5 * search.precision.relative + 4e-7 +
                                                           2.5e-7 * std::abs(angle))))
                                off.fits = false;
                        }
                    }
                off.square /= static_cast<double>(2 * a.pairs * std::min<std::int64_t>(m.rows, 512));
                if (!std::isfinite(off.square)) continue;
                Tried one{{}, off, m.rows < kLeastRows ? 0.0 : longest, known.typed, 0};
                const bool interleaved = a.layout == PairLayout::interleaved;
                one.like.what = {interleaved ? "recognised.query_pairs" : "recognised.query_halves",
                                 {{"pairs", std::to_string(a.pairs)}, {"spectrum", known.words}}};
                if (sign < 0.0) one.like.slips.push_back({"slip.backwards", {{"spectrum", known.words}}});
                if (known.cut_of > 0) one.like.slips.push_back(cut_slip(known));
                if (known.given && known.layout != a.layout) one.like.slips.push_back({"slip.layout", {}});
                one.like.key = fmt::format("{}/{}/{}/{}", one.like.what.key, known.words, known.cut_of, sign);
                one.like.largest = off.largest, one.like.row = off.row, one.like.column = off.column;
                one.rank = (known.given ? 0 : 2) + (one.like.slips.empty() ? 0 : 1);
                search.tried.push_back(std::move(one));
            }
    }
}

// The inverse frequencies themselves.
void look_for_frequencies(const StoredTensor& dump, const Precision& precision, std::span<const Known> config,
                          std::span<const Known> models, std::vector<Tried>& tried) {
    const auto pairs = static_cast<std::int64_t>(dump.values.size());
    std::vector<double> falling = dump.values;
    if (falling.size() > 1 && falling.front() < falling.back())
        for (double& value : falling) value = 1.0 / value;
    for (const Known& known : spectra(pairs, config, models, fitted(falling)))
        for (const Slip& slip : slips()) {
            const bool rates_only = slip.name == "exponent_doubled" || slip.name == "two_pi" ||
                                    slip.name == "degrees" || slip.name == "radians" ||
                                    slip.name.starts_with("scaled_") || slip.name == "unscaled";
            if (!slip.name.empty() && (!rates_only || (!known.given && (slip.needs_config || !known.plain))))
                continue;
            for (const bool inverted : {false, true}) {
                if (inverted && !slip.name.empty()) continue;
                Waves waves{known.frequency, known.factor, 0.0, 1.0, Rounding::none};
                if (!slip.apply(known, waves)) continue;
                if (inverted)
                    for (double& rate : waves.rate) rate = 1.0 / rate;
                Tried one{{},
                          compare(dump.values, waves.rate, precision),
                          0.0,
                          known.typed,
                          0};  // noise is not looked for
                if (!std::isfinite(one.off.square)) continue;
                one.like.what = {"recognised.inv_freq",
                                 {{"pairs", std::to_string(pairs)}, {"spectrum", known.words}}};
                if (known.cut_of > 0) one.like.slips.push_back(cut_slip(known));
                if (inverted) one.like.slips.push_back({"slip.inverted", {}});
                if (!slip.name.empty())
                    one.like.slips.push_back({"slip." + std::string(slip.name), {{"spectrum", known.words}}});
                one.like.key =
                    fmt::format("inv_freq/{}/{}/{}/{}", known.words, known.cut_of, slip.name, inverted);
                one.like.largest = one.off.largest, one.like.row = one.off.row;
                one.rank = (known.given ? 0 : 2) + (one.like.slips.empty() ? 0 : 1);
                tried.push_back(std::move(one));
            }
        }
}

// Those that fit, the likeliest first; where none does, those within noise that
// nothing else comes near.
void decide(std::vector<Tried>& tried, bool with_config, Recognition& made) {
    std::stable_sort(tried.begin(), tried.end(),
                     [](const Tried& a, const Tried& b) { return a.rank < b.rank; });
    std::vector<const Tried*> good;
    const auto take = [&] {
        // Of bases near each other those that people use, else the roundest: it came first.
        for (const Tried* one : good) {
            const bool again = std::any_of(good.begin(), good.end(), [&](const Tried* other) {
                return other != one && one->varies(*other) && (!other->typed || other < one);
            });
            const bool known = std::any_of(made.fits.begin(), made.fits.end(),
                                           [&](const Likeness& like) { return like.key == one->like.key; });
            if (!again && !known) made.fits.push_back(one->like);
        }
    };
    for (const Tried& one : tried) {
        if (!one.off.fits) continue;
        if (!good.empty() && with_config && one.rank > good.front()->rank)
            break;  // as the config says: other names add nothing
        good.push_back(&one);
    }
    take();
    if (!made.fits.empty() || tried.empty()) return;
    const auto nearer = [](const Tried& a, const Tried& b) { return a.off.square < b.off.square; };
    const Tried& best = *std::min_element(tried.begin(), tried.end(), nearer);
    const double square = best.off.square;
    bool alone = std::sqrt(square) <= kNoise * best.amplitude;
    for (Tried& one : tried) {
        if (one.off.square <= 1.2 * square) {
            one.like.noisy = true;
            good.push_back(&one);
        } else if (one.off.square <= kApart * square && !one.varies(best)) {
            alone = false;
        }
    }
    if (alone) take();
    if (!made.fits.empty()) return;
    std::stable_sort(tried.begin(), tried.end(), nearer);
    if (!made.fits.empty()) return;
    for (const Tried& one : tried) {
        const bool known = std::any_of(made.nearest.begin(), made.nearest.end(),
                                       [&](const Likeness& l) { return l.key == one.like.key; });
        if (!known && std::isfinite(one.off.largest)) made.nearest.push_back(one.like);
        if (made.nearest.size() == 3) break;
    }
}

// A config's spectrum that the dump is not, although it is another one's.
void name_other_base(Recognition& made, std::span<const Known> config) {
    if (config.empty()) return;
    for (Likeness& like : made.fits) {
        const std::string* spectrum = value_of(like.what, "spectrum");
        if (spectrum == nullptr) continue;
        const bool given =
            std::any_of(config.begin(), config.end(), [&](const Known& k) { return k.words == *spectrum; });
        if (!given)
            like.slips.insert(
                like.slips.begin(),
                Problem{"slip.other_base", {{"found", *spectrum}, {"wanted", config[0].words}}});
    }
}

// Rows at the end that hold nothing.
std::int64_t empty_rows(const Matrix& m) {
    std::int64_t rows = 0;
    while (rows < m.rows) {
        bool empty = true;
        for (std::int64_t c = 0; c < m.columns && empty; ++c) empty = m.at(m.rows - 1 - rows, c) == 0.0;
        if (!empty) break;
        ++rows;
    }
    return rows;
}

}  // namespace

std::optional<Known> known_spectrum(const Scene& scene, std::string words) {
    if (scene.encoding.kind != "rope" && scene.encoding.kind != "sinusoidal") return std::nullopt;
    const auto spectrum = spectrum_of(scene);
    const auto unscaled = unscaled_spectrum_of(scene);
    if (!spectrum || !unscaled || spectrum->pairs() == 0) return std::nullopt;
    const bool rotates = std::any_of(spectrum->frequency.begin(), spectrum->frequency.end(),
                                     [](double w) { return w != 0.0; });
    if (!rotates) return std::nullopt;
    return Known{std::move(words),
                 spectrum->frequency,
                 unscaled->frequency,
                 spectrum->attention_factor,
                 encoding_of(scene).layout(scene),
                 true,
                 false,
                 false};
}

Recognition recognise(const StoredTensor& dump, std::span<const Scene> config,
                      std::span<const Known> models) {
    Recognition made;
    const Precision precision = precision_of(dump);
    made.notes.push_back(
        {"recognised.precision", {{"dtype", dump.dtype}, {"precision", std::string(precision.name)}}});
    if (dump.cropped)
        made.notes.push_back(
            {"recognised.cropped",
             {{"rows", std::to_string(static_cast<std::int64_t>(dump.values.size()) / dump.row())}}});
    std::vector<Known> wanted;
    for (const Scene& scene : config)
        if (auto known = known_spectrum(scene, fmt::format("config, b = {:.10g}", scene.base))) {
            const auto kind = scene.encoding.parameters.find("layer_type");
            if (kind != scene.encoding.parameters.end() && kind->is_string())
                known->words += ", " + kind->get<std::string>();
            known->given = true;
            wanted.push_back(std::move(*known));
        }
    std::vector<Tried> tried;
    std::optional<Problem> unfinished;
    look_for_bias(dump, precision, config, made.fits);
    auto matrix = matrix_of(dump);
    if (squeezed(dump).size() == 1) look_for_frequencies(dump, precision, wanted, models, tried);
    if (matrix && made.fits.empty()) {
        if (const std::int64_t empty = empty_rows(*matrix); empty > 0 && empty < matrix->rows - 2) {
            unfinished =
                Problem{"slip.empty_rows",
                        {{"count", std::to_string(empty)}, {"first", std::to_string(matrix->rows - empty)}}};
            matrix->rows -= empty;
        }
        Search search{dump, *matrix, precision, false, squeezed(dump).size() == 3, {}, HUGE_VAL, 0.0, 0.0};
        for (const double value : dump.values) {
            search.largest = std::max(search.largest, std::abs(value));
            search.square += value * value / static_cast<double>(dump.values.size());
        }
        for (const Scene& scene : config)
            search.rope_config = search.rope_config || scene.encoding.kind == "rope";
        for (const Arrangement& a : arrangements(*matrix)) search.look(a, wanted, models);
        const bool any =
            std::any_of(search.tried.begin(), search.tried.end(), [](const Tried& t) { return t.off.fits; });
        if (!any) look_for_query(search, wanted, models);
        tried = std::move(search.tried);
    }
    if (!made.fits.empty()) return made;
    decide(tried, !wanted.empty(), made);
    name_other_base(made, wanted);
    if (unfinished)
        for (Likeness& like : made.fits) like.slips.push_back(*unfinished);
    return made;
}

}  // namespace posiscope
