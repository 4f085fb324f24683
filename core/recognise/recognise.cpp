#include "core/recognise/recognise.hpp"

#include "core/encodings/rope_settings.hpp"
#include "core/recognise/bias.hpp"
#include "core/recognise/rates.hpp"
#include "core/recognise/scaled.hpp"
#include "core/recognise/search.hpp"
#include "core/recognise/spectra.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace posiscope {

using namespace recognition;

namespace {

constexpr double kNoise = 0.02;  // of the amplitude: larger differences are not noise
constexpr std::string_view kConfigWords = "config, ";
constexpr double kMostDeviations = 8.0;         // that noise of a million numbers reaches
constexpr std::int64_t kMostTransposed = 1024;  // features
constexpr int kOddest = 2;                      // cost of a base that somebody chose
constexpr double kApart = 9.0;                  // in mean square, from the next candidate,
constexpr double kApartOfSlips = 2.0;           // or from one with more slips
constexpr std::int64_t kLeastNumbers = 200;     // fewer say too little for damage
constexpr std::int64_t kLeastEntries = 12;      // of a list
constexpr std::size_t kMostSlipsSaid = 3;
constexpr double kLeastDigits = 3.9;  // that a list needs before one of many spectra explains it

// b of ω_i = b^(−i/h), each number weighted by how precise it is; 0 where one is not positive.
double base_of(std::span<const double> rates, const Precision& precision) {
    double product = 0.0, square = 0.0;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        if (rates[i] == 0.0) continue;  // below the least number of its type
        if (!(rates[i] > 0.0)) return 0.0;
        const double off = precision.relative + precision.absolute / rates[i];
        const double part = static_cast<double>(i) / static_cast<double>(rates.size()) / off;
        product -= part * std::log(rates[i]) / off;
        square += part * part;
    }
    return square > 0.0 ? std::exp(product / square) : 0.0;
}

bool scaled_differs(const Known& known) { return known.frequency != known.unscaled; }

// The slip of inverse frequencies that were rounded to a narrower type than the dump's, or null. Where the dump has that type,
// it may have been stored so.
const char* rounded_list(const StoredTensor& dump, std::span<const double> wanted,
                         const Precision& precision) {
    if (precision.name == dump.dtype || (precision.name != "bfloat16" && precision.name != "float16"))
        return nullptr;
    const bool whole = std::equal(wanted.begin(), wanted.end(), dump.values.begin(), dump.values.end(),
                                  [&](double a, double b) { return std::abs(a - b) <= 1e-6 * std::abs(a); });
    if (whole) return nullptr;  // powers of two have that many digits anyway
    return precision.name == "bfloat16" ? "slip.inv_freq_bfloat16" : "slip.inv_freq_float16";
}

// Numbers of a list that fit nothing, where the others do.
void add_misfits(Tried& one, const StoredTensor& dump, std::span<const double> wanted,
                 const Precision& precision) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Difference off = compare(std::span(dump.values).subspan(i, 1), wanted.subspan(i, 1), precision);
        if (off.fits) continue;
        one.like.details.push_back({"recognised.number_is",
                                    {{"row", std::to_string(i)},
                                     {"found", fmt::format("{:.6g}", dump.values[i])},
                                     {"wanted", fmt::format("{:.6g}", wanted[i])}}});
    }
    one.like.slips.push_back({"slip.damaged",
                              {{"count", std::to_string(one.off.misfits)},
                               {"all", std::to_string(one.off.numbers)},
                               {"row", std::to_string(one.off.first_row)},
                               {"column", "0"}}});
    one.cost += kSlipCost + 1;
    one.off.fits = true;
}

// The decimal digits of the numbers that rounding leaves.
double digits_of(std::span<const double> values, const Precision& precision) {
    double digits = 0.0;
    for (const double value : values) {
        const double size = std::abs(value), unit = precision.absolute + size * precision.relative;
        if (size > unit) digits += std::log10(size / unit);
    }
    return digits;
}

// A fitted base or divisor explains as many digits as it has itself.
double digits_needed(const Known& known) {
    if (known.given) return 0.0;
    const auto own =
        std::count_if(known.words.begin(), known.words.end(), [](char c) { return c >= '0' && c <= '9'; });
    return kLeastDigits + (known.typed ? static_cast<double>(own) : 0.0);
}

// The inverse frequencies themselves. True where some fit, but the numbers have too few digits to say so.
bool look_for_frequencies(const StoredTensor& dump, const Precision& precision, std::span<const Known> config,
                          std::span<const Known> models, std::vector<Tried>& tried) {
    if (static_cast<std::int64_t>(dump.values.size()) > kMostColumns) return false;
    const double digits = digits_of(dump.values, precision);
    bool doubtful = false;
    const auto pairs = static_cast<std::int64_t>(dump.values.size());
    std::vector<double> falling = dump.values;
    if (falling.size() > 1 && falling.front() < falling.back())
        for (double& value : falling) value = 1.0 / value;
    std::vector<Known> all = scaled_spectra({falling, 0.0, 0.0, false});
    for (Known& known : spectra(pairs, config, models, fitted(falling))) all.push_back(std::move(known));
    if (const double base = base_of(falling, precision); base > 0.0)
        for (Known& known : typed_spectra(pairs, {base, 1.0})) all.push_back(std::move(known));
    for (const Known& known : all)
        for (const Slipped& slipped : slips_at(known, false)) {
            if (slipped.of_positions != nullptr || slipped.of_values != nullptr || slipped.rounds()) continue;
            for (const bool inverted : {false, true}) {
                if (inverted && slipped.count() > 0) continue;
                Waves waves{known.frequency, known.factor, 0.0, 1.0, Rounding::none};
                if (!slipped.apply(known, waves) || !waves.second_rate.empty()) continue;
                if (inverted)
                    for (double& rate : waves.rate) rate = 1.0 / rate;
                if (slipped.key() == "exponent_positive" && !scaled_differs(known))
                    continue;  // they are inverted
                const Difference off = compare(dump.values, waves.rate, precision);
                Tried one{{}, off, 0.0, known.typed};  // noise is not looked for
                if (!std::isfinite(one.off.square) || (slipped.count() > 0 && !off.fits)) continue;
                if (off.fits && digits < digits_needed(known)) {
                    doubtful = true;
                    continue;
                }
                one.like.what = {"recognised.inv_freq",
                                 {{"pairs", std::to_string(pairs)}, {"spectrum", known.words}}};
                if (known.cut_of > 0) one.like.slips.push_back(cut_slip(known));
                if (inverted) one.like.slips.push_back({"slip.inverted", {}});
                for (Problem& slip : slipped.problems(known)) one.like.slips.push_back(std::move(slip));
                if (const char* rounded = rounded_list(dump, known.frequency, precision);
                    rounded != nullptr && slipped.count() == 0)
                    one.like.slips.push_back({rounded, {}});
                one.like.key =
                    fmt::format("inv_freq/{}/{}/{}/{}", known.words, known.cut_of, slipped.key(), inverted);
                one.like.largest = one.off.largest, one.like.row = one.off.row;
                one.like.given = known.given;
                one.like.unscaled = known.frequency == known.unscaled;
                one.like.bits = off.bits, one.like.exact = off.exact;
                one.usual = known.usual || known.given;
                one.beside = known.plain && slipped.count() == 1;
                one.cost = cost_of(known, one.like.slips.size(), !config.empty());
                if (4 * off.misfits <= off.numbers && off.misfits > 0 && off.numbers >= kLeastEntries &&
                    slipped.count() == 0 && !inverted && (known.given || known.usual))
                    add_misfits(one, dump, waves.rate, precision);
                tried.push_back(std::move(one));
            }
        }
    return doubtful;
}

// The table that all but a few numbers are within rounding of.
const Tried* damaged_one(std::span<const Tried> tried) {
    const Tried* found = nullptr;
    for (const Tried& one : tried) {
        const auto most = static_cast<std::int64_t>(
            std::min(kDamaged * static_cast<double>(one.off.numbers), kMostDamaged));
        if (!one.off.whole || one.off.misfits > most || one.off.numbers < kLeastNumbers ||
            one.amplitude == 0.0)
            continue;
        if (found == nullptr || one.off.misfits < found->off.misfits) found = &one;
    }
    return found;
}

// Whether an answer that costs more is said too: another spectrum that somebody may have chosen, or a slip where the base
// without one is unusual.
bool beside(const Tried& first, const Tried& one) {
    if (!first.like.slips.empty()) return false;
    return one.like.slips.empty() ? one.cost <= kOddest
                                  : !first.usual && one.beside && one.cost <= first.cost + kSlipCost + 1;
}

// Those that fit, the likeliest first; where none does, those within noise that
// nothing else comes near.
void decide(std::vector<Tried>& tried, bool with_config, Recognition& made) {
    // Nobody makes so many at once, but they fit much.
    std::erase_if(tried, [&](const Tried& one) {
        const std::size_t base = with_config && !one.like.given ? 1 : 0;
        return one.like.slips.size() + base > kMostSlipsSaid;
    });
    std::stable_sort(tried.begin(), tried.end(),
                     [](const Tried& a, const Tried& b) { return a.cost < b.cost; });
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
        const Tried* first = good.empty() ? nullptr : good.front();
        if (first != nullptr && one.cost > first->cost) {
            if (with_config) break;  // as the config says: other names add nothing
            if (!beside(*first, one)) continue;
        }
        good.push_back(&one);
    }
    take();
    if (!made.fits.empty() || tried.empty()) return;
    if (const Tried* damaged = damaged_one(tried)) {
        made.fits.push_back(damaged->like);
        const Difference& off = damaged->off;
        made.fits[0].slips.push_back({"slip.damaged",
                                      {{"count", std::to_string(off.misfits)},
                                       {"all", std::to_string(off.numbers)},
                                       {"row", std::to_string(off.first_row)},
                                       {"column", std::to_string(off.first_column)}}});
        return;
    }
    const auto nearer = [](const Tried& a, const Tried& b) { return a.off.square < b.off.square; };
    const Tried& best = *std::min_element(tried.begin(), tried.end(), nearer);
    const double square = best.off.square;
    // A difference that grows along the table is none of noise.
    bool alone = best.off.whole && best.amplitude > 0.0 && std::sqrt(square) <= kNoise * best.amplitude &&
                 best.off.largest <= kMostDeviations * std::sqrt(square);
    const auto near = [&](const Tried& one) { return one.off.square <= 1.2 * square; };
    const int least = std::find_if(tried.begin(), tried.end(), near)->cost;  // sorted by it
    for (Tried& one : tried) {
        if (near(one)) {
            one.like.noisy = true;
            if (good.empty() || one.cost == good.front()->cost || beside(*good.front(), one))
                good.push_back(&one);
        } else if (one.off.square <= (one.cost > least ? kApartOfSlips : kApart) * square &&
                   !one.varies(best)) {
            alone = false;
        }
    }
    if (alone) take();
    if (!made.fits.empty()) return;
    // A slip is not named where it does not fit.
    std::stable_sort(tried.begin(), tried.end(), nearer);
    for (Tried& one : tried) {
        if (!one.like.slips.empty()) continue;
        const bool known = std::any_of(made.nearest.begin(), made.nearest.end(),
                                       [&](const Likeness& l) { return l.key == one.like.key; });
        if (known || !std::isfinite(one.off.largest)) continue;
        if (one.in_full) one.like.largest = one.in_full().largest;
        made.nearest.push_back(one.like);
        if (made.nearest.size() == 3) break;
    }
}

// A config's spectrum that the dump is not, although it is another one's.
void name_other_base(Recognition& made, std::span<const Known> config) {
    if (config.empty()) return;
    for (Likeness& like : made.fits) {
        const std::string* spectrum = value_of(like.what, "spectrum");
        const std::string* pairs = value_of(like.what, "pairs");
        if (spectrum == nullptr || pairs == nullptr || like.given) continue;
        const std::string own = std::to_string(config[0].frequency.size());
        const std::string wanted = config[0].words.substr(kConfigWords.size());
        const auto base = [](std::string_view words) { return words.substr(0, words.find(',')); };
        Problem slip{"slip.other_base", {{"found", *spectrum}, {"wanted", wanted}}};
        if (like.unscaled && scaled_differs(config[0]) && base(*spectrum) == base(wanted))
            slip = {"slip.unscaled", {}};
        if (*pairs != own) {
            const bool model = *pairs == std::to_string(config[0].model_width / 2);
            slip = {model ? "slip.width_model" : "slip.width", {{"found", *pairs}, {"wanted", own}}};
        }
        like.slips.insert(like.slips.begin(), std::move(slip));
    }
}

// Rows at the end that hold nothing. One alone may be the sines of position 0.
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

// The order of sines and cosines in a cache of both, as the config implies it.
CacheOrder cache_order(std::span<const Scene> config) {
    CacheOrder order = CacheOrder::unknown;
    for (const Scene& scene : config) {
        if (!takes_scalings(scene)) continue;
        if (scene.layout == PairLayout::halves) return CacheOrder::cosine_first;
        order = CacheOrder::either;
    }
    return order;
}

// Each with the words of its scaling. LongRoPE has one list of divisors for short texts and one for long ones: a table is of
// either.
std::vector<std::pair<Scene, std::string>> with_lists(std::span<const Scene> config) {
    std::vector<std::pair<Scene, std::string>> made;
    for (const Scene& scene : config) {
        const auto settings = takes_scalings(scene) ? rope_settings(scene) : Result<RopeSettings>();
        const std::string_view type =
            settings && settings->chosen.scaling != nullptr ? settings->chosen.scaling->rope_type : "default";
        const auto original = type == "longrope"
                                  ? original_length(settings->context, settings->chosen.settings)
                                  : Result<double>(0.0);
        if (!original || !(*original >= 1.0)) {
            made.emplace_back(scene, type == "default" ? "" : fmt::format(", {}", type));
            continue;
        }
        const auto length = static_cast<std::int64_t>(*original);
        for (const std::int64_t one : {length + 1, length}) {
            made.emplace_back(scene, one > length ? ", long_factor" : ", short_factor");
            made.back().first.length = one;
        }
    }
    return made;
}

// Positions in columns: only what fits exactly is said.
void look_at_transposed(const StoredTensor& dump, const Matrix& matrix, const Precision& precision,
                        std::span<const Known> config, std::span<const Known> models, CacheOrder cache,
                        Recognition& made) {
    Search search(dump, matrix, precision, cache, !config.empty());
    search.look(config, models);
    if (!search.fits()) return;
    std::vector<Tried> tried = search.take();
    Recognition found;
    decide(tried, !config.empty(), found);
    for (Likeness& like : found.fits) {
        std::swap(like.row, like.column);
        like.slips.insert(like.slips.begin(), Problem{"slip.transposed", {}});
        made.fits.push_back(std::move(like));
    }
    made.nearest.clear();
}

}  // namespace

bool Recognition::slipped() const {
    return !fits.empty() &&
           std::all_of(fits.begin(), fits.end(), [](const Likeness& like) { return like.slipped(); });
}

std::optional<Problem> start_of(const Likeness& like) {
    if (like.start == 0) return std::nullopt;
    return Problem{"recognised.start", {{"position", std::to_string(like.start)}}};
}

std::optional<Known> known_spectrum(const Scene& scene, std::string words) {
    if (rotation_of(scene) != Rotation::circles) return std::nullopt;
    const auto spectrum = spectrum_of(scene);
    const auto unscaled = unscaled_spectrum_of(scene);
    if (!spectrum || !unscaled || spectrum->pairs() == 0) return std::nullopt;
    const bool rotates = std::any_of(spectrum->frequency.begin(), spectrum->frequency.end(),
                                     [](double w) { return w != 0.0; });
    if (!rotates) return std::nullopt;
    Known known;
    known.words = std::move(words);
    known.frequency = spectrum->frequency;
    known.unscaled = unscaled->frequency;
    known.factor = spectrum->attention_factor;
    known.layout = encoding_of(scene).layout(scene);
    return known;
}

namespace {

// `whole`: no number of the dump was replaced.
Recognition recognise_finite(const StoredTensor& dump, std::span<const Scene> config,
                             std::span<const Known> models, bool whole) {
    Recognition made;
    const Precision precision = precision_of(dump);
    made.precision = precision.name;
    made.notes.push_back(
        {"recognised.precision", {{"dtype", dump.dtype}, {"precision", std::string(precision.name)}}});
    if (dump.cropped)
        made.notes.push_back(
            {"recognised.cropped",
             {{"rows", std::to_string(static_cast<std::int64_t>(dump.values.size()) / dump.row())}}});
    std::vector<Known> wanted;
    for (const auto& [scene, lists] : with_lists(config))
        if (auto known = known_spectrum(scene, fmt::format("{}b = {:.10g}", kConfigWords, scene.base))) {
            const auto kind = scene.encoding.parameters.find("layer_type");
            if (kind != scene.encoding.parameters.end() && kind->is_string())
                known->words += ", " + kind->get<std::string>();
            known->words += lists;
            known->given = true;
            const auto columns = static_cast<std::int64_t>(2 * known->frequency.size());
            if (scene.d_model != columns) known->model_width = scene.d_model;
            if (head_dim(scene) != columns) known->head_width = head_dim(scene);
            wanted.push_back(std::move(*known));
        }
    std::vector<Tried> tried;
    std::optional<Problem> unfinished;
    look_for_bias(dump, precision, config, made.fits);
    const auto zero = [](double value) { return value == 0.0; };
    if (std::all_of(dump.values.begin(), dump.values.end(), zero)) {
        if (!whole) return made;  // NaN, compared as 0
        Likeness like;
        like.key = "zero";
        like.what = {"recognised.zero", {{"count", std::to_string(dump.values.size())}}};
        like.slips.push_back({"slip.all_zero", {}});
        made.fits.push_back(std::move(like));
        return made;
    }
    auto matrix = matrix_of(dump);
    const bool doubtful =
        squeezed(dump).size() == 1 && look_for_frequencies(dump, precision, wanted, models, tried);
    if (matrix && made.fits.empty()) {
        if (const std::int64_t empty = empty_rows(*matrix); empty > 1 && empty < matrix->rows - 2) {
            unfinished =
                Problem{"slip.empty_rows",
                        {{"count", std::to_string(empty)}, {"first", std::to_string(matrix->rows - empty)}}};
            matrix->rows -= empty;
        }
        Search search(dump, *matrix, precision, cache_order(config), !wanted.empty());
        search.look(wanted, models);
        const bool tells = search.tells();
        if (tells && !search.fits()) search.look_scaled();
        if (tells && !search.fits()) search.look_at_rows(wanted, models);
        if (tells && !search.fits()) search.look_for_query(wanted, models);
        if (tells && !search.fits()) search.look_within(wanted, models);
        tried = search.take();
    }
    if (!made.fits.empty()) return made;
    decide(tried, !wanted.empty(), made);
    // A small table may be cut from several places: that says nothing.
    std::optional<std::int64_t> start;
    bool apart = false;
    for (const Likeness& like : made.fits) {
        apart = apart || (start && *start != like.start);
        start = like.start;
    }
    if (apart) std::erase_if(made.fits, [](const Likeness& like) { return like.start != 0; });
    if (made.fits.empty() && matrix && !matrix->stacked && !matrix->apart && matrix->columns > 1 &&
        matrix->rows <= kMostTransposed)
        look_at_transposed(dump, transposed(*matrix), precision, wanted, models, cache_order(config), made);
    name_other_base(made, wanted);
    if (unfinished)
        for (Likeness& like : made.fits) like.slips.push_back(*unfinished);
    if (doubtful && made.fits.empty()) made.notes.push_back({"recognised.few", {}});
    return made;
}

}  // namespace

namespace {

Recognition recognise_one(const StoredTensor& dump, std::span<const Scene> config,
                          std::span<const Known> models) {
    const auto unknown = [](double value) { return !std::isfinite(value); };
    const auto count = std::count_if(dump.values.begin(), dump.values.end(), unknown);
    if (count == 0) return recognise_finite(dump, config, models, true);
    StoredTensor mended = dump;
    std::replace_if(mended.values.begin(), mended.values.end(), unknown, 0.0);
    Recognition made = recognise_finite(mended, config, models, false);
    made.notes.push_back({"recognised.not_finite", {{"count", std::to_string(count)}}});
    return made;
}

// cos and sin whose columns are written twice: what either copy is.
Recognition recognise_copies(const StoredTensor& dump, std::span<const Scene> config,
                             std::span<const Known> models) {
    const auto copies = copies_of(dump);
    // Unless the config has as many pairs as there are columns: then they are alike for another reason.
    const bool pairs =
        copies && std::any_of(config.begin(), config.end(), [&](const Scene& scene) {
            const auto known = known_spectrum(scene, "");
            return known && static_cast<std::int64_t>(known->frequency.size()) == dump.shape.back();
        });
    if (!copies || pairs) return recognise_one(dump, config, models);
    Recognition made = recognise_one(copies->first, config, models);
    if (!copies->alike && !made.fits.empty() && !made.slipped())
        made = recognise_one(copies->second, config, models);
    if (made.fits.empty()) return recognise_one(dump, config, models);
    const bool halves = copies->layout == PairLayout::halves;
    for (Likeness& like : made.fits) {
        if (like.what.key != "recognised.both_apart") continue;
        like.what.key = halves ? "recognised.both_twice_halves" : "recognised.both_twice_pairs";
        if (like.given && !halves && cache_order(config) == CacheOrder::cosine_first)
            like.slips.push_back({"slip.layout", {}});
    }
    return made;
}

// One of two slices that are equal: a batch, or cos and sin of which one was taken for the other.
std::optional<StoredTensor> slice_of_two(const StoredTensor& dump) {
    const auto shape = squeezed(dump);
    if (shape.size() != 3 || shape[0] != 2 || shape[1] < 2 || shape[2] == 2 || names_one(dump))
        return std::nullopt;
    const auto middle = dump.values.begin() + static_cast<std::ptrdiff_t>(dump.values.size() / 2);
    if (!std::equal(dump.values.begin(), middle, middle, dump.values.end())) return std::nullopt;
    return StoredTensor{dump.name, dump.dtype, {shape[1], shape[2]}, {dump.values.begin(), middle}, false};
}

}  // namespace

Recognition recognise(const StoredTensor& dump, std::span<const Scene> config,
                      std::span<const Known> models) {
    const auto slice = slice_of_two(dump);
    if (!slice) return recognise_copies(dump, config, models);
    Recognition made = recognise_one(*slice, config, models);
    for (Likeness& like : recognise_copies(dump, config, models).fits)
        if (std::none_of(made.fits.begin(), made.fits.end(),
                         [&](const Likeness& one) { return one.key == like.key; }))
            made.fits.push_back(std::move(like));
    if (!made.fits.empty()) made.nearest.clear();
    return made;
}

}  // namespace posiscope
