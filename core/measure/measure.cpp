#include "core/measure/measure.hpp"

#include "core/cost.hpp"
#include "core/measure/beside.hpp"
#include "core/measure/columns.hpp"
#include "core/measure/show.hpp"
#include "core/scaling/frequency_laws.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <numbers>
#include <utility>

namespace posiscope::measuring {
namespace {

constexpr double kReadable = 0.7;  // of some rows
constexpr std::int64_t kMostColumns = 16384, kMostClassRows = 8;

// Columns behind that hold one number, 0 or 1, where what is before them is as wide as a reference: they are taken off.
struct Pads {
    std::int64_t count = 0;
    bool ones = false;
};
Pads pads_of(const Table& table, std::span<const Reference> references) {
    const auto fits = [&](std::int64_t columns) {
        return std::ranges::any_of(
            references, [&](const Reference& r) { return columns == r.pairs() || columns == 2 * r.pairs(); });
    };
    if (table.slices * table.rows < 4) return {};
    std::int64_t left = table.columns;
    const double last = table.at(0, 0, table.columns - 1);
    if (last != 0.0 && last != 1.0) return {};
    const auto same = [&](std::int64_t c) {
        for (std::int64_t n = 0; n < table.slices * table.rows; ++n)
            if (table.at(n, c) != last) return false;
        return true;
    };
    while (left > 1 && same(left - 1)) --left;
    while (left < table.columns && !fits(left)) ++left;
    return {table.columns - left, last == 1.0};
}

Table without(const Table& table, std::int64_t pads) {
    Table made = table;
    made.columns = table.columns - pads;
    made.values.clear();
    for (std::int64_t n = 0; n < table.slices * table.rows; ++n)
        for (std::int64_t c = 0; c < made.columns; ++c) made.values.push_back(table.at(n, c));
    return made;
}

Table rows_of(const Table& table, std::int64_t from, std::int64_t to) {
    Table made = table;
    made.values.clear();
    made.rows = to - from;
    for (std::int64_t s = 0; s < table.slices; ++s)
        for (std::int64_t r = from; r < to; ++r)
            for (std::int64_t c = 0; c < table.columns; ++c) made.values.push_back(table.at(s, r, c));
    return made;
}

Finding finding(const char* key, bool wrong, ProblemValues values = {}) {
    return {{fmt::format("measured.{}", key), std::move(values)}, wrong};
}

constexpr double kOddCost = 14.0;
// The likelier of two explanations has the smaller sum: a parameter of the config before a number of nobody's.
double cost_of(const Finding& finding) {
    if (!finding.wrong) return 0.1;
    static constexpr std::string_view odd[] = {"measured.rows_times", "measured.rows_other_positions",
                                               "measured.base", "measured.ratios"};
    if (std::ranges::find(odd, finding.said.key) != std::end(odd)) return kOddCost;
    return finding.said.key == "measured.angles_divided" || finding.said.key == "measured.angles_times"
               ? 12.0
               : 10.0;
}

double last_position(const Reference& reference) {
    return std::max({static_cast<double>(reference.longest) * 1.01, 300000.0});
}

class Measurer {
public:
    Measurer(const StoredTensor& dump, const Wanted& wanted)
        : dump_(dump), wanted_(wanted), precision_(wanted.precision.value_or(precision_of(dump))) {}

    Measured run() {
        Measured found = strictly();
        const bool asked = wanted_.tolerance > 0.0 || wanted_.relative > 0.0;
        if (asked && found.verdict == Verdict::noisy && wanted_.references.empty()) {
            if (best_ && all_within_tolerance(*best_)) found.verdict = Verdict::right, found.tolerated = true;
        } else if (asked && found.verdict != Verdict::right) {
            if (auto tolerated = within_tolerance()) {
                tolerated->pairs = std::move(found.pairs);
                tolerated->positions = std::move(found.positions);
                found = std::move(*tolerated);
            }
        }
        if (wanted_.beside) lay(found);
        return found;
    }

private:
    struct View {
        Table table;
        std::vector<Form> forms;
        Pads pads;
        std::int64_t zeros = 0;   // rows before it, of class tokens
        std::int64_t unused = 0;  // rows of zeros behind it
    };

    // The dump beside the table that it is, or was measured to be.
    void lay(Measured& found) {
        if (best_) {
            found.beside = lay_beside(*best_, found, wanted_, precision_);
            return;
        }
        if (measured_table_ == nullptr) return;
        const auto of_its_width = [&](const Reference& r) { return r.pairs() == measured_form_.pairs; };
        const auto reference = std::ranges::find_if(wanted_.references, of_its_width);
        if (reference == wanted_.references.end()) return;
        Trial trial;
        trial.table = measured_table_, trial.form = measured_form_, trial.reference = &*reference;
        trial.turning = reference->turning();
        trial.positions = expected_rows(wanted_, *trial.table, trial.turning.axes);
        found.beside = lay_beside(trial, found, wanted_, precision_);
    }

    Measured strictly() {
        made_.precision = precision_.name;
        const bool zero = std::ranges::all_of(dump_.values, [](double x) { return x == 0.0; });
        if (zero || std::ranges::none_of(dump_.values, [](double x) { return std::isfinite(x); })) {
            made_.what = {"recognised.zero", {{"count", std::to_string(dump_.values.size())}}};
            made_.findings.push_back({{zero ? "slip.all_zero" : "slip.none_finite", {}}, true});
            made_.verdict = Verdict::wrong;
            return std::move(made_);
        }
        if (scattered_holes()) return std::move(made_);
        std::vector<Table> tables = tables_of(dump_, wanted_.axes);
        if (wanted_.axes.empty())
            for (Table& flat : flat_tables()) tables.push_back(std::move(flat));
        views_.reserve(4 * tables.size() + 4);  // trials point at them
        for (Table& table : tables) view_of(std::move(table));
        if (auto list = measure_list(dump_, wanted_, precision_)) return std::move(*list);
        return searched();
    }

    Measured searched() {
        if (tries_all()) return finished();
        if (std::optional<Table> turned = wanted_.axes.empty() ? turned_table(dump_) : std::nullopt;
            turned && !part_ && (turned->rows_first || !(best_ && best_->fits))) {
            tried_ = views_.size();
            view_of(std::move(*turned));
            if (tries_all()) return finished();
        }
        // Two lists, or rows at positions that no text has.
        const auto listed = [](const Reference& r) { return !r.list.empty(); };
        const bool odd = best_ && best_->fits && best_cost_ >= kOddCost && wanted_.ids.empty();
        if ((odd || std::ranges::any_of(wanted_.references, listed)) && from_a_row()) return std::move(made_);
        if (raw_angles() || own_frequencies()) return std::move(made_);
        if (other_axes() || shards()) return finished();
        if (from_measured(wanted_.references)) return finished();
        if (narrow(wanted_.references.empty() ? usual_ : wanted_.references)) return finished();
        if (best_ && (best_values_.explained ||
                      (best_values_.fitting > 0.0 && best_values_.noise < HUGE_VAL && goes_on(*best_))))
            return noisy();
        if (!from_a_row()) unknown();
        return std::move(made_);
    }

    // Most rows hold numbers and others that are none: a position that overflowed leaves whole rows of them.
    bool scattered_holes() {
        if (dump_.shape.size() < 2) return false;
        const auto columns = static_cast<std::size_t>(dump_.shape.back());
        std::size_t rows = 0, mixed = 0, holes = 0;
        for (std::size_t at = 0; at + columns <= dump_.values.size(); at += columns, ++rows) {
            const auto row = std::span(dump_.values).subspan(at, columns);
            const auto here = static_cast<std::size_t>(
                std::ranges::count_if(row, [](double x) { return !std::isfinite(x); }));
            holes += here;
            mixed += here > 0 && here < columns ? 1 : 0;
        }
        if (2 * mixed <= rows) return false;
        made_.what = {"measured.unknown", {}};
        made_.findings.push_back({{"measured.holes",
                                   {{"count", std::to_string(holes)},
                                    {"all", std::to_string(dump_.values.size())},
                                    {"rows", std::to_string(mixed)}}},
                                  false});
        return true;
    }

    bool tries_all() {
        return (wanted_.references.empty() ? tries_usual() : tries(wanted_.references)) && best_cost_ < 10.0;
    }

    void view_of(Table table) {
        if (table.columns > kMostColumns) return;
        // A transposed table that no reference is as wide as is none.
        const auto wide = [](std::int64_t d, const Reference& r) {
            return d == r.pairs() || d == 2 * r.pairs();
        };
        const auto is_one = [&, transposed = table.transposed](std::int64_t d) {
            return !transposed || wanted_.references.empty() ||
                   std::ranges::any_of(wanted_.references, [&](const Reference& r) { return wide(d, r); });
        };
        const auto add = [&](Table one, Pads pads) {
            std::vector<Form> forms = is_one(one.columns) ? forms_of(one) : std::vector<Form>{};
            views_.push_back({std::move(one), std::move(forms), pads});
        };
        if (const Pads pads = pads_of(table, wanted_.references); pads.count > 0)
            add(without(table, pads.count), pads);
        // A buffer longer than what it holds; ids are of all rows.
        constexpr std::int64_t kLeast = 2;
        if (const std::int64_t unused = zero_rows(table, true); wanted_.ids.empty() && unused >= kLeast) {
            View view{rows_of(table, 0, table.rows - unused), {}, {}, 0, unused};
            view.forms = forms_of(view.table);
            views_.push_back(std::move(view));
        }
        if (const std::int64_t zeros = zero_rows(table, false); zeros > 0 && zeros <= kMostClassRows) {
            View view{rows_of(table, zeros, table.rows), {}, {}, zeros};
            view.forms = forms_of(view.table);
            std::erase_if(view.forms, [](const Form& form) { return form.blocks == 1; });
            if (!view.forms.empty()) views_.push_back(std::move(view));
        }
        add(std::move(table), {});
    }
    // In every slice.
    static bool is_zero(const Table& table, std::int64_t row) {
        for (std::int64_t s = 0; s < table.slices; ++s)
            for (std::int64_t c = 0; c < table.columns; ++c)
                if (table.at(s, row, c) != 0.0) return false;
        return true;
    }
    // At the beginning of every slice, or at its end.
    static std::int64_t zero_rows(const Table& table, bool behind) {
        std::int64_t count = 0;
        while (count + 4 < table.rows && is_zero(table, behind ? table.rows - 1 - count : count)) ++count;
        return count;
    }

    // [n · c] of a flat cache, as wide as a reference.
    std::vector<Table> flat_tables() const {
        std::vector<Table> made;
        const auto n = static_cast<std::int64_t>(dump_.values.size());
        if (squeezed(dump_).size() != 1) return made;
        for (const Reference& r : wanted_.references)
            for (const std::int64_t columns : {2 * r.pairs(), r.pairs()}) {
                if (n % columns != 0 || n / columns < 2 ||
                    std::ranges::any_of(made, [&](const Table& t) { return t.columns == columns; }))
                    continue;
                Table one;
                one.rows = n / columns, one.columns = columns;
                one.values = dump_.values;
                made.push_back(std::move(one));
            }
        return made;
    }

    static bool alike(const Form& form, const Reference& reference) {
        return form.pairs == reference.pairs() && (form.blocks > 1) == reference.in_blocks;
    }
    bool ids_fit(const Table& table) const { return measuring::ids_fit(wanted_, table); }

    // Takes a trial that fits whole, if it is better than the one so far.
    bool take(Trial trial) {
        const auto cost = [&](const Trial& t) {
            double sum = 0.0;
            for (const Finding& f : judged(t)) sum += cost_of(f);
            return sum;
        };
        const double one = cost(trial);
        if (!best_ || !best_->fits || one < best_cost_) best_ = std::move(trial), best_cost_ = one;
        return best_cost_ < 10.0;
    }
    // Keeps the one of which most fits, where none does; the first of those that noise alone tells apart.
    void keep(Trial trial) {
        constexpr double kMore = 0.01;
        if ((best_ && best_->fits) || !a_few_rows_may_be(trial)) return;
        Values values = judge_values(trial, precision_);
        if (!best_ || (values.explained && !best_values_.explained) ||
            (values.explained == best_values_.explained && values.fitting > best_values_.fitting + kMore))
            best_ = std::move(trial), best_values_ = std::move(values);
    }
    // Rows that are where they are counted, if one change of the numbers explains all of them.
    void keep_explained(Trial trial) {
        trial.positions = expected_rows(wanted_, *trial.table, trial.turning.axes);
        if (std::ranges::any_of(trial.positions.values, [](double p) { return std::isnan(p); })) return;
        if (!a_few_rows_may_be(trial)) return;
        const Values values = judge_values(trial, precision_);
        // A table that nobody asked for is not one with other columns or rows.
        static constexpr std::string_view whole[] = {
            "measured.added",     "measured.times",    "measured.clipped",     "measured.dropout",
            "measured.quantized", "measured.decimals", "measured.sine_negated"};
        const auto of_all = [](const Finding& f) {
            return std::ranges::find(whole, f.said.key) != std::end(whole);
        };
        if (values.explained && (!trial.reference->known || std::ranges::any_of(values.findings, of_all)))
            keep(std::move(trial));
    }
    // False if some rows of many, spread without a step, hold little of the trial, however its numbers were changed.
    bool a_few_rows_may_be(const Trial& trial) const {
        constexpr std::int64_t kLooked = 64;
        const Table& all = *trial.table;
        const std::int64_t count = all.slices * all.rows;
        if (count < 8 * kLooked) return true;
        Table some;
        some.rows = kLooked, some.columns = all.columns;
        Trial few = trial;
        few.positions.values.clear();
        for (std::int64_t i = 0; i < kLooked; ++i) {
            const double place = static_cast<double>(i) * std::numbers::phi;
            const auto n =
                static_cast<std::int64_t>((place - std::floor(place)) * static_cast<double>(count));
            for (std::int64_t c = 0; c < all.columns; ++c) some.values.push_back(all.at(n, c));
            for (int a = 0; a < trial.turning.axes; ++a)
                few.positions.values.push_back(trial.positions.at(static_cast<std::size_t>(n), a));
        }
        few.table = &some;
        const Values values = judge_values(few, precision_);
        return values.explained || values.fitting > 0.5 || values.off < 0.5 * trial.turning.amplitude;
    }
    // True if a row has digits enough to tell a position from all others, where angles may be off by `relative`.
    bool tells_positions(const Trial& trial, double relative) const {
        constexpr double kBits = 30.0;  // of some 3 · 10⁵ positions, and 12 that chance does not give
        const double a = trial.turning.amplitude, own = 2.0 * allowance(a, a, precision_) / a;
        const double angles = relative * static_cast<double>(trial.reference->longest);
        double bits = 0.0;
        for (const double rate : trial.turning.rate)
            bits -= std::log2(std::min(std::max(own, angles * rate), 1.0));
        return bits * (trial.form.both ? 2.0 : 1.0) / trial.turning.axes >= kBits;
    }

    Trial trial_of(const View& view, const Form& form, const Reference& reference, Turning turning) const {
        Trial made;
        made.table = &view.table;
        made.form = form;
        made.reference = &reference;
        made.turning = std::move(turning);
        made.pads = view.pads.count;
        made.pads_are_ones = view.pads.ones;
        made.zeros = view.zeros, made.unused = view.unused;
        // fairseq's tables have zeros at padding_idx, 0 or 1.
        for (std::int64_t row = 0; row < 2 && !reference.rotary && view.table.slices == 1; ++row)
            if (view.table.rows > 4 && is_zero(view.table, row)) made.pad_row = row;
        return made;
    }

    // Positions that are given, counted or read; true if all fits.
    bool place(Trial& trial, double noise = 0.0) {
        const bool given = ids_fit(*trial.table);
        trial.positions = expected_rows(wanted_, *trial.table, trial.turning.axes);
        if (prove(trial, precision_)) return true;
        // llama.cpp's running product drifts.
        constexpr double kRounding = 3e-7, kDrift = 5e-6;
        for (const double relative : {kRounding, kDrift}) {
            if (!tells_positions(trial, relative)) continue;
            const ReadingOptions options{
                .noise = noise, .last = last_position(*trial.reference), .relative = relative};
            if (readable(*trial.table, trial.form, trial.turning, precision_, options) < kReadable) continue;
            const Positions read =
                read_positions(*trial.table, trial.form, trial.turning, precision_, options);
            if (given &&
                std::ranges::any_of(trial.positions.values, [](double p) { return std::isnan(p); })) {
                // Pads have any position.
                for (std::size_t i = 0; i < read.values.size(); ++i)
                    if (std::isnan(trial.positions.values[i])) trial.positions.values[i] = read.values[i];
                if (prove(trial, precision_)) return true;
            }
            trial.positions = read;
            if (prove(trial, precision_)) return true;
        }
        return !given && tells_positions(trial, kRounding) && at_any_times(trial);
    }
    // Sinusoids at times that are no whole numbers.
    bool at_any_times(Trial& trial) const {
        constexpr std::int64_t kLeastPairs = 8;  // of which one tells the time
        const Reference& reference = *trial.reference;
        if (!trial.form.both || trial.form.pairs < kLeastPairs || !(reference.known || !reference.rotary) ||
            trial.turning.axes > 1)
            return false;
        const ReadingOptions options{.last = last_position(reference), .whole = false};
        if (readable(*trial.table, trial.form, trial.turning, precision_, options) < kReadable) return false;
        const Positions whole = std::exchange(
            trial.positions, read_positions(*trial.table, trial.form, trial.turning, precision_, options));
        // Even steps are a scaling.
        const auto& p = trial.positions.values;
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (std::size_t i = 1; i < p.size(); ++i)
            least = std::min(least, p[i] - p[i - 1]), most = std::max(most, p[i] - p[i - 1]);
        if (most - least > 1e-3 && prove(trial, precision_)) return true;
        trial.positions = whole;
        return false;
    }

    bool all_within_tolerance(const Trial& trial) const {
        const Table& table = *trial.table;
        for (std::int64_t n = 0; n < table.slices * table.rows; ++n)
            for (std::size_t c = 0; c < trial.form.cells.size(); ++c) {
                const Cell& cell = trial.form.cells[c];
                if (cell.pair < 0) continue;
                const double p =
                    trial.positions.at(static_cast<std::size_t>(n), trial.turning.axis_of(cell.pair));
                const double angle = p * trial.turning.rate[static_cast<std::size_t>(cell.pair)];
                const double wanted = trial.turning.value(cell, angle);
                if (!(std::abs(table.at(n, static_cast<std::int64_t>(c)) - wanted) <=
                      wanted_.tolerance + wanted_.relative * std::abs(wanted)))
                    return false;
            }
        return true;
    }

    // Every number as near to a reference's as was asked for, at the rows' positions.
    std::optional<Measured> within_tolerance() {
        std::optional<Measured> made;
        any_of(wanted_.references, [&](const View& view, const Form& form, const Reference& reference) {
            Trial trial = trial_of(view, form, reference, reference.turning());
            trial.positions = expected_rows(wanted_, view.table, trial.turning.axes);
            if (!all_within_tolerance(trial)) return false;
            made.emplace();
            made->precision = precision_.name;
            made->what = what_of(trial);
            made->given = made->tolerated = true;
            made->slices = view.table.slices, made->rows = view.table.rows;
            made->findings = judged(trial);
            made->verdict = verdict_of(made->findings);
            const Values values = judge_values(trial, precision_);
            made->largest = values.largest;
            made->slice = values.slice, made->row = values.row, made->column = values.column;
            return true;
        });
        return made;
    }

    // True once an attempt succeeds: of each form of each view, with each reference that is like it.
    template <class Attempt>
    bool any_of(std::span<const Reference> references, Attempt attempt, std::size_t from = 0) {
        for (const View& view : std::span(views_).subspan(from))
            for (const Form& form : view.forms)
                for (const Reference& reference : references)
                    if (alike(form, reference) && attempt(view, form, reference)) return true;
        return false;
    }

    // Each form with each reference, unchanged.
    bool tries(std::span<const Reference> references) {
        bool found = false;
        any_of(
            references,
            [&](const View& view, const Form& form, const Reference& reference) {
                Trial trial = trial_of(view, form, reference, reference.turning());
                if (place(trial)) found = true, take(std::move(trial));
                else if (rows_read(trial)) keep(std::move(trial));
                else keep_explained(std::move(trial));
                // One of the usual tables, wherever its rows are, is no other.
                return best_ && best_->fits && (best_cost_ < 1.0 || reference.known);
            },
            tried_);
        return found;
    }
    // Without a config: tables that many models have.
    bool tries_usual() {
        constexpr std::size_t kMostUsual = 6;
        auto usual = std::make_shared<std::vector<Reference>>();
        for (const View& view : std::span(views_).subspan(tried_))
            for (const Form& form : view.forms) {
                const bool there =
                    std::ranges::any_of(*usual, [&](const Reference& r) { return r.pairs() == form.pairs; });
                if (there || form.pairs < 4) continue;
                const auto pairs = static_cast<double>(form.pairs);
                for (const double base : usual_bases().first(kMostUsual))
                    usual->push_back(plain_reference(base, form.pairs, pairs, true));
                usual->push_back(plain_reference(10000.0, form.pairs, pairs - 1.0, false));
                usual->push_back(grid_reference(form.pairs));
            }
        kept_references_.push_back(usual);
        if (usual_.empty()) usual_ = *usual;
        return tries(*usual);
    }
    // Only some of the pairs, the k-th part of them.
    bool shards() {
        for (const View& view : views_)
            for (const Form& form : view.forms)
                for (const Reference& reference : wanted_.references) {
                    const std::int64_t pairs = form.pairs, whole = reference.pairs();
                    if (pairs < 2 || pairs >= whole || whole % pairs != 0 || !reference.axis.empty())
                        continue;
                    for (std::int64_t first = pairs; first < whole; first += pairs) {
                        Turning turning = reference.turning();
                        turning.unscaled.clear();
                        turning.rate = {reference.frequency.begin() + static_cast<std::ptrdiff_t>(first),
                                        reference.frequency.begin() +
                                            static_cast<std::ptrdiff_t>(first + pairs)};
                        // Pairs that hardly turn say nothing.
                        if (turning.rate[0] * static_cast<double>(view.table.rows) < 0.05) continue;
                        Trial trial = trial_of(view, form, reference, std::move(turning));
                        if (!place(trial)) continue;
                        trial.why.push_back({"measured.shard",
                                             {{"first", text(first)},
                                              {"last", text(first + pairs - 1)},
                                              {"wanted", text(whole)}}});
                        take(std::move(trial));
                        return true;
                    }
                }
        return false;
    }
    // Columns c of b^(−c/d), or of b^(−2c/d), of which alternate ones or halves are sines.
    bool own_frequencies() {
        for (const View& view : views_) {
            const std::int64_t d = view.table.columns;
            std::vector<Reference> usual;
            for (const double base :
                 usual_bases().first(wanted_.references.empty() && d >= 8 ? kMistaken : 0))
                usual.push_back(plain_reference(base, d / 2, static_cast<double>(d / 2), false));
            for (const Reference& reference :
                 wanted_.references.empty() ? std::span<const Reference>(usual) : wanted_.references)
                for (int way = 0; way < 8; ++way) {
                    const bool doubled = (way & 4) != 0, halves = (way & 2) != 0, sine_first = (way & 1) == 0;
                    if (2 * reference.pairs() != d || reference.scaled() || view.table.transposed ||
                        !reference.axis.empty())
                        break;
                    Form form{halves ? "halves" : "pairs", {}, d, std::nullopt, true, sine_first};
                    Turning turning;
                    turning.amplitude = reference.amplitude;
                    for (std::int64_t c = 0; c < d; ++c) {
                        form.cells.push_back({c, (halves ? c < d / 2 : c % 2 == 0) == sine_first, 1.0});
                        turning.rate.push_back(
                            std::pow(reference.base, -(doubled ? 2.0 : 1.0) * static_cast<double>(c) /
                                                         static_cast<double>(d)));
                    }
                    Trial trial = trial_of(view, form, reference, std::move(turning));
                    trial.positions = expected_rows(wanted_, view.table, 1);
                    if (!prove(trial, precision_)) continue;
                    made_.what = {"measured.waves", {{"pairs", text(d)}}};
                    made_.given = !reference.known;
                    made_.findings.push_back(
                        finding("own_frequencies", true, {{"exponent", doubled ? "2" : ""}}));
                    made_.verdict = Verdict::wrong;
                    made_.explained = 1.0;
                    return true;
                }
        }
        return false;
    }
    // Positions that noise leaves must be those of a text: some fit any row.
    bool goes_on(const Trial& trial) const {
        if (ids_fit(*trial.table)) return true;
        std::int64_t steps = 0, even = 0;
        const auto& p = trial.positions;
        for (std::int64_t n = 0; n < trial.table->slices * trial.table->rows; ++n)
            if (n % trial.table->rows > 0) {
                const auto row = static_cast<std::size_t>(n);
                const double by = p.at(row, 0) - p.at(row - 1, 0);
                ++steps, even += by == 1.0 || by == 0.0 ? 1 : 0;
            }
        return 10 * even >= 9 * steps;
    }
    static bool rows_read(const Trial& trial) {
        const auto& p = trial.positions.values;
        const auto read = std::ranges::count_if(p, [](double x) { return !std::isnan(x); });
        return 2 * static_cast<std::size_t>(read) > p.size();
    }

    // p ω itself, as Megatron hands it to a kernel that takes cos and sin.
    bool raw_angles() {
        for (const View& view : views_)
            for (const Reference& reference :
                 wanted_.references.empty() ? wanted_.known : wanted_.references) {
                const Table& table = view.table;
                const std::int64_t pairs = reference.pairs();
                if (table.transposed || reference.axes.size() > 1 ||
                    (table.columns != pairs && table.columns != 2 * pairs) || reference.frequency[0] <= 0.0)
                    continue;
                for (const bool side_by_side : {false, true}) {
                    Trial trial = trial_of(view, {}, reference, reference.turning());
                    trial.positions = {1, {}};
                    trial.form.pairs = pairs;
                    trial.form.both = true;
                    bool all = true;
                    double largest = 0.0;
                    for (std::int64_t n = 0; n < table.slices * table.rows && all; ++n) {
                        const double p = std::round(table.at(n, 0) / reference.frequency[0]);
                        trial.positions.values.push_back(p);
                        all = std::abs(p) < 1e9;
                        for (std::int64_t c = 0; c < table.columns && all; ++c) {
                            const double wanted =
                                p *
                                reference
                                    .frequency[static_cast<std::size_t>(side_by_side ? c / 2 : c % pairs)];
                            const double off = std::abs(table.at(n, c) - wanted);
                            all = off <= precision_.half_unit(wanted) + 1e-6 * std::abs(wanted);
                            largest = std::max(largest, off);
                        }
                    }
                    if (!all || table.rows < 2) continue;
                    made_.what = {"recognised.angles",
                                  {{"pairs", text(pairs)}, {"spectrum", reference.words}}};
                    made_.given = !reference.known;
                    made_.slices = table.slices, made_.rows = table.rows;
                    made_.positions = trial.positions;
                    made_.arithmetic = Arithmetic::single;
                    made_.largest = largest;
                    made_.explained = 1.0;
                    made_.findings = judge_rows(trial, wanted_);
                    if (auto other = other_kind(reference)) made_.findings.push_back(std::move(*other));
                    made_.verdict = verdict_of(made_.findings);
                    return true;
                }
            }
        return false;
    }

    // Each pair by whichever of the given axes fits it.
    bool other_axes() {
        if (wanted_.ids.size() < 2) return false;
        return any_of(
            wanted_.references, [&](const View& view, const Form& form, const Reference& reference) {
                if (reference.axis.empty() || !ids_fit(view.table)) return false;
                Trial trial = trial_of(view, form, reference, reference.turning());
                trial.positions = expected_rows(wanted_, view.table, trial.turning.axes);
                std::int64_t first = -1, count = 0;
                for (std::int64_t i = 0; i < form.pairs; ++i) {
                    int& axis = trial.turning.axis[static_cast<std::size_t>(i)];
                    if (pair_fits(trial, i, axis)) continue;
                    int other = 0;
                    while (other < trial.turning.axes && !pair_fits(trial, i, other)) ++other;
                    if (other == trial.turning.axes) return false;
                    axis = other, first = first < 0 ? i : first, ++count;
                }
                if (count == 0 || !prove(trial, precision_)) return false;
                // "t 24, h 20, w 20", before it the first pairs where they are in no blocks.
                const auto sections = [&](std::vector<int> axis) {
                    const auto name = [&](std::size_t i) {
                        return reference.axes[static_cast<std::size_t>(axis[i])];
                    };
                    std::string shown;
                    for (std::size_t i = 0;
                         i < std::min<std::size_t>(6, axis.size()) && !std::ranges::is_sorted(axis); ++i)
                        shown += name(i) + ' ';
                    if (!shown.empty()) shown += "…: ";
                    std::ranges::sort(axis);
                    for (std::size_t i = 0, end = 0; i < axis.size(); i = end) {
                        while (end < axis.size() && axis[end] == axis[i]) ++end;
                        shown += fmt::format("{}{} {}", i == 0 ? "" : ", ", name(i), end - i);
                    }
                    return shown;
                };
                trial.why.push_back({"measured.axes",
                                     {{"first", text(first)},
                                      {"count", text(count)},
                                      {"found", sections(trial.turning.axis)},
                                      {"wanted", sections(reference.axis)}}});
                return take(std::move(trial)), true;
            });
    }
    bool pair_fits(const Trial& trial, std::int64_t pair, int axis) const {
        std::vector<Sample> samples;
        for (std::int64_t n = 0; n < trial.table->slices * trial.table->rows; ++n)
            for (std::size_t c = 0; c < trial.form.cells.size(); ++c)
                if (const Cell& cell = trial.form.cells[c]; cell.pair == pair)
                    samples.push_back({trial.table->at(n / trial.table->rows, n % trial.table->rows,
                                                       static_cast<std::int64_t>(c)),
                                       trial.positions.at(static_cast<std::size_t>(n), axis), cell.sine,
                                       cell.sign});
        return proved(samples, trial.turning.rate[static_cast<std::size_t>(pair)], trial.turning.amplitude,
                      {}, precision_)
            .fits;
    }

    // Rows of another table behind rows that are right: a cache that was extended, or LongRoPE's short list and then the long one.
    bool from_a_row() {
        constexpr std::int64_t kLeast = 8;
        if (part_) return false;
        return any_of(
            wanted_.references, [&](const View& view, const Form& form, const Reference& reference) {
                const Table& table = view.table;
                if (table.slices != 1 || table.transposed) return false;
                Trial head = trial_of(view, form, reference, reference.turning());
                head.positions = expected_rows(wanted_, table, head.turning.axes);
                const std::int64_t at = rows_before_others(head, precision_);
                if (at < kLeast || table.rows - at < kLeast) return false;
                Wanted wanted = wanted_;
                for (auto& ids : wanted.ids)
                    if (count_in(ids) == table.rows)
                        ids.erase(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(at));
                Measurer tail(dump_, wanted);
                tail.part_ = true;
                tail.views_.push_back({rows_of(table, at, table.rows), {form}, view.pads});
                const Measured found = tail.searched();
                const Reference* other =
                    found.verdict == Verdict::right && tail.best_ ? tail.best_->reference : nullptr;
                // Rows of the same table are a matter of positions, which were looked at before; of a part they have other numbers.
                const auto of_rows = [](const Finding& one) {
                    return one.said.key.starts_with("measured.rows_") || value_of(one.said, "row");
                };
                if (found.verdict == Verdict::wrong &&
                    std::ranges::none_of(found.findings,
                                         [&](const Finding& one) { return one.wrong && !of_rows(one); }))
                    return false;
                const bool moved = other != nullptr && other->frequency == reference.frequency;
                if (moved && !(best_ && best_->fits)) return false;
                say(head);
                const auto add = [&](const char* key, bool wrong, ProblemValues values) {
                    made_.findings.push_back(finding(key, wrong, std::move(values)));
                };
                if (other != nullptr && reference.list == "short_factor" && other->list == "long_factor") {
                    const bool again = found.positions.at(0, 0) == 0.0;
                    add(again ? "two_buffers" : "list_changes", !again,
                        {{"row", text(at)}, {"original", text(reference.original)}});
                } else if (other != nullptr && !moved) {
                    add("from_row_table", true, {{"row", text(at)}, {"table", other->words}});
                } else {
                    add("from_row", true, {{"row", text(at)}});
                    for (const Finding& one : found.findings)
                        if (moved || (one.wrong && !of_rows(one))) made_.findings.push_back(one);
                }
                made_.verdict = verdict_of(made_.findings);
                if (made_.verdict == Verdict::right)
                    made_.arithmetic = found.arithmetic, made_.explained = 1.0;
                return true;
            });
    }

    // A step that was done in a narrow type; rows go on from wherever they begin.
    bool narrow(std::span<const Reference> references) {
        for (const Narrow type : {Narrow::bfloat16, Narrow::float16})
            for (const int mask : {1, 2, 4, 7, 3, 5, 6}) {
                Narrowing narrowing;
                std::string steps;
                for (const auto& [bit, step, name] : {std::tuple(1, &Narrowing::rates, "inv_freq"),
                                                      {2, &Narrowing::positions, "positions"},
                                                      {4, &Narrowing::angles, "angles"}})
                    if ((mask & bit) != 0)
                        narrowing.*step = type, steps += (steps.empty() ? "" : ", ") + std::string(name);
                if (any_of(references, [&](const View& view, const Form& form, const Reference& reference) {
                        if (view.table.transposed || reference.axes.size() > 1) return false;
                        Turning turning = reference.turning();
                        turning.narrowing = narrowing;
                        Trial trial = trial_of(view, form, reference, std::move(turning));
                        if (!place_from(trial)) return false;
                        // A narrow type that changes nothing is none.
                        Trial plain = trial;
                        plain.turning.narrowing = {};
                        if (prove(plain, precision_)) return take(std::move(plain)), true;
                        trial.why.push_back(
                            {"measured.narrowed", {{"type", std::string(name_of(type))}, {"steps", steps}}});
                        add_overflow(trial, type);
                        return take(std::move(trial)), true;
                    }))
                    return true;
            }
        return false;
    }
    // Rows whose position is past the largest number of the type.
    static void add_overflow(Trial& trial, Narrow type) {
        const auto& p = trial.positions.values;
        const auto past = std::ranges::find_if(
            p, [&](double x) { return !std::isfinite(narrowed(x, trial.turning.narrowing.positions)); });
        if (past != p.end())
            trial.why.push_back({"measured.narrowed_overflow",
                                 {{"type", std::string(name_of(type))},
                                  {"row", text(static_cast<std::int64_t>(past - p.begin()))},
                                  {"position", text(static_cast<std::int64_t>(*past))}}});
    }
    // Rows that count from some first position, found by comparing the first few; or rows that have ids.
    bool place_from(Trial& trial) {
        const Table& table = *trial.table;
        trial.positions = expected_rows(wanted_, table, 1);
        if (prove(trial, precision_)) return true;
        if (ids_fit(table) || trial.reference->known) return false;
        // The positions that float16 cannot hold are looked at, too.
        const std::int64_t least = trial.turning.narrowing.positions == Narrow::float16 ? 66000 : 8192;
        const std::int64_t last = std::clamp<std::int64_t>(trial.reference->longest, least, 131072);
        std::vector<double> rates;
        for (const double rate : trial.turning.rate)
            rates.push_back(narrowed(rate, trial.turning.narrowing.rates));
        for (std::int64_t start = 1; start <= last; ++start) {
            if (start % 4096 == 0) spend(4e5);
            if (!may_start(trial, rates, start)) continue;
            Trial moved = trial;
            for (double& p : moved.positions.values) p += static_cast<double>(start);
            if (prove(moved, precision_)) {
                trial = std::move(moved);
                return true;
            }
        }
        return false;
    }
    bool may_start(const Trial& trial, std::span<const double> rates, std::int64_t start) const {
        const double a = trial.turning.amplitude, own = 1e-5 + 4.0 * precision_.half_unit(a);
        const Narrowing& narrow = trial.turning.narrowing;
        for (std::int64_t r = 0; r < std::min<std::int64_t>(trial.table->rows, 3); ++r) {
            const double p = narrowed(static_cast<double>(start + r), narrow.positions);
            for (std::size_t c = 0; c < trial.form.cells.size(); ++c) {
                const Cell& cell = trial.form.cells[c];
                if (cell.pair < 0) continue;
                const double angle = narrowed(p * rates[static_cast<std::size_t>(cell.pair)], narrow.angles);
                const double wanted = trial.turning.value(cell, angle);
                const double found = trial.table->at(0, r, static_cast<std::int64_t>(c));
                if (std::isnan(wanted) && std::isnan(found)) continue;
                if (!(std::abs(found - wanted) <= own + std::abs(angle) * 1e-6)) return false;
            }
        }
        return true;
    }

    // ---- measured -----------------------------------------------------------------------------------------------------

    struct Spectrum {
        std::vector<Rate> rates;  // per position
        std::vector<Wave> waves;  // per row of the block
        double amplitude = 0.0;
        Block block;
        bool good = false, backwards = false;
        Positions positions;
    };

    // Frequencies per row, then per position, of a view.
    Spectrum measure_columns(const View& view, const Form& form) {
        Spectrum made;
        made.block = even_block(view.table, form);
        const auto n = static_cast<double>(made.block.to - made.block.from);
        made.waves = measured(view.table, form, made.block);
        const auto tells = [](const Wave& wave) {
            return wave.uncertainty < 0.01 * std::abs(wave.rate) && wave.residual < 0.2 * wave.amplitude;
        };
        std::vector<double> amplitudes;
        for (const Wave& wave : made.waves)
            if (tells(wave) && std::abs(wave.rate) * n > 6.0) amplitudes.push_back(wave.amplitude);
        if (amplitudes.empty())
            for (const Wave& wave : made.waves)
                if (tells(wave) && std::abs(wave.rate) * n > 0.5) amplitudes.push_back(wave.amplitude);
        std::size_t clean = amplitudes.size();
        if (form.both)
            for (const Wave& wave : made.waves)
                if (std::isfinite(wave.uncertainty) && wave.residual < 0.2 * wave.amplitude &&
                    std::abs(wave.rate) * n <= 6.0 &&
                    std::abs(wave.rate) * n > 1e-5)  // a constant does not turn
                    amplitudes.push_back(wave.amplitude), ++clean;
        if (amplitudes.empty()) return made;
        std::nth_element(amplitudes.begin(),
                         amplitudes.begin() + static_cast<std::ptrdiff_t>(amplitudes.size() / 2),
                         amplitudes.end());
        made.amplitude = amplitudes[amplitudes.size() / 2];
        // Columns that are no sinusoids have other amplitudes, or much left.
        std::size_t fast = 0, bad = 0;
        for (const Wave& wave : made.waves) {
            if (!std::isfinite(wave.uncertainty) ||
                (!form.both && std::abs(wave.rate) * n <= (amplitudes.size() > 1 ? 6.0 : 2.0)))
                continue;
            ++fast;
            bad += wave.residual > 0.1 * wave.amplitude || !near(wave.amplitude, made.amplitude, 0.2) ? 1 : 0;
        }
        if (4 * bad > fast) return made;
        // The first position, by the columns that turn at all.
        Turning turning;
        turning.amplitude = made.amplitude;
        int turned = 0, back = 0;
        for (const Wave& wave : made.waves) {
            const bool sure = std::isfinite(wave.uncertainty) &&
                              wave.uncertainty < 1e-4 * std::abs(wave.rate) && std::abs(wave.rate) * n > 1.0;
            turning.rate.push_back(sure ? std::abs(wave.rate) : 0.0);
            turned += sure ? 1 : 0;
            back += sure && wave.rate < 0.0 ? 1 : 0;
        }
        const bool backwards = form.both && 2 * back > turned;
        made.backwards = backwards;
        double start = 0.0;
        {
            const std::int64_t first = made.block.from;
            Form read = form;
            if (backwards)
                for (Cell& cell : read.cells)
                    if (cell.sine) cell.sign = -cell.sign;
            Table one = rows_of(view.table, first, first + 1);
            one.slices = 1;
            one.values.resize(static_cast<std::size_t>(one.columns));
            for (std::int64_t c = 0; c < one.columns; ++c)
                one.values[static_cast<std::size_t>(c)] = view.table.at(made.block.slice, first, c);
            double last = 300000.0;
            for (const Reference& reference : wanted_.references)
                last = std::max(last, last_position(reference));
            const Positions read_at = read_positions(one, read, turning, precision_,
                                                     {.noise = 2e-3 * made.amplitude, .last = last});
            start = std::isnan(read_at.at(0, 0)) ? static_cast<double>(first) : read_at.at(0, 0);
        }
        if (ids_fit(view.table)) made.positions = expected_rows(wanted_, view.table, 1);
        else {
            made.positions = {
                1, std::vector<double>(static_cast<std::size_t>(view.table.slices * view.table.rows), NAN)};
            for (std::int64_t r = made.block.from; r < made.block.to; ++r)
                made.positions.values[static_cast<std::size_t>(made.block.slice * view.table.rows + r)] =
                    start + static_cast<double>(r - made.block.from);
        }
        Form at_positions = form;
        if (backwards)
            for (Cell& cell : at_positions.cells)
                if (cell.sine) cell.sign = -cell.sign;
        // A slow column far into a text is sharpened from its own rate where that tells which turn it is in.
        const double last = std::abs(start) + n;
        std::vector<double> from;
        for (std::size_t i = 0; i < made.waves.size(); ++i) {
            const bool told = turning.rate[i] > 0.0 || made.waves[i].uncertainty * last < 0.25;
            from.push_back(told ? std::abs(made.waves[i].rate) : NAN);
        }
        const std::vector<Wave> finer = measured_at(view.table, at_positions, made.positions, made.amplitude,
                                                    from, precision_.half_unit(made.amplitude));
        for (std::size_t i = 0; i < finer.size(); ++i) {
            // The phase has to agree with where the rows begin; a column that does not is as the block says. One that turned
            // several times before its first row has to be as near as the block's own wave, too.
            const bool far = finer[i].rate * std::abs(start) > std::numbers::pi && finer[i].rate * n < 1.0;
            const bool fits =
                finer[i].residual < 0.05 * made.amplitude &&
                (!far || finer[i].residual < 10.0 * made.waves[i].residual + 1e-6 * made.amplitude);
            const Wave& wave = fits ? finer[i] : made.waves[i];
            made.rates.push_back({std::abs(wave.rate), 4.0 * wave.uncertainty + 1e-9, true});
            if (!fits) made.rates.back().off = std::max(made.rates.back().off, 1e-6 * std::abs(wave.rate));
        }
        made.good = true;
        return made;
    }

    // Known rows of frequencies that the measured ones follow, for dumps without a config.
    std::vector<Reference> found_references(const Spectrum& columns, const Form& form) {
        std::vector<Reference> made;
        const auto add = [&](Reference reference) {
            if (agree(reference.frequency, columns.rates)) made.push_back(std::move(reference));
        };
        for (const Reference& known : wanted_.known)
            if (known.pairs() == form.pairs) add(known);
        const auto fit = geometric(columns.rates);
        if (!fit) return made;
        const auto pairs = static_cast<double>(form.pairs);
        for (const double denominator : {pairs, pairs - 1.0}) {
            if (denominator < 1.0) continue;
            const double base = std::pow(fit->base, denominator / pairs);
            for (const double round : rounder_than(base)) {
                if (!(round > 1.0) || !near(round, base, 0.02)) continue;
                Reference one = plain_reference(round, form.pairs, denominator, denominator == pairs);
                if (denominator != pairs)
                    one.words += fmt::format(", i / (d/2 − 1) = i / {}", form.pairs - 1);
                const std::size_t before = made.size();
                add(std::move(one));
                if (made.size() > before) break;
            }
        }
        // A simple base is likelier than another exponent.
        std::ranges::stable_sort(made, {}, [](const Reference& r) { return r.words.size(); });
        return made;
    }

    bool from_measured(std::span<const Reference> references) {
        bool found = false;
        for (const View& view : views_) {
            if (found) break;
            for (const Form& form : view.forms) {
                if (view.table.transposed && !references.empty() &&
                    std::ranges::none_of(references,
                                         [&](const Reference& r) { return r.pairs() == form.pairs; }))
                    continue;
                if (form.pairs < 2 || form.blocks > 1) continue;
                Spectrum columns = measure_columns(view, form);
                if (!columns.good) continue;
                if (references.empty()) {
                    auto own = std::make_shared<std::vector<Reference>>(found_references(columns, form));
                    // Else the mistakes of the usual ones.
                    for (const double base : usual_bases().first(own->empty() ? kMistaken : 0))
                        own->push_back(
                            plain_reference(base, form.pairs, static_cast<double>(form.pairs), true));
                    for (const Reference& reference : *own)
                        if (explained(view, form, reference, columns)) found = true;
                    kept_references_.push_back(std::move(own));
                } else {
                    for (const Reference& reference : references)
                        if (explained(view, form, reference, columns)) found = true;
                }
                // The pairs of what explains the table, and not those of its columns read otherwise.
                const bool best = best_ && best_->fits && best_->table == &view.table &&
                                  best_->form.name == form.name && best_->form.sine_first == form.sine_first;
                if (!measured_ || best)
                    remember(view, form, references.empty() ? nullptr : &references[0], columns);
                if (best_ && best_->fits && best_cost_ < 1.0) return true;
            }
        }
        return best_ && best_->fits;
    }

    bool explained(const View& view, const Form& form, const Reference& reference, const Spectrum& columns) {
        bool found = false;
        const std::vector<Explanation> all = explanations(reference, columns.rates);
        double residual = HUGE_VAL;  // of the clearest column
        for (const Wave& wave : columns.waves)
            if (std::isfinite(wave.uncertainty)) residual = std::min(residual, wave.residual);
        const auto rows = static_cast<double>(columns.block.to - columns.block.from);
        const double told = std::max({2e-5, 0.25 * precision_.relative,
                                      std::min(1e-3, 2.0 * residual / columns.amplitude / std::sqrt(rows))});
        for (const Explanation& one : all) {
            // A scaling is no mistake where none is known.
            if (reference.known && !one.why.empty() && one.why[0].key != "measured.rates_narrowed" &&
                (one.of_pairs || one.why[0].key == "measured.angles_divided"))
                continue;
            Turning turning = reference.turning();
            if (one.frequency.size() != turning.rate.size())
                turning.axis.clear(), turning.axes = 1, turning.unscaled.clear();
            if (one.frequency != turning.rate) turning.unscaled.clear();
            turning.rate = one.frequency;
            Trial trial = trial_of(view, form, reference, std::move(turning));
            trial.why = one.why;
            // Amplitudes nearer than rounding or noise tell are one, unless another one fits whole.
            const bool near_own = near(columns.amplitude, reference.amplitude, told);
            if (near_own) place(trial);
            if (!trial.fits && !near(columns.amplitude, reference.amplitude, 2e-5)) {
                Trial other = trial;
                other.turning.amplitude = amplitude_of(columns, form, reference);
                other.why.push_back(amplitude(reference, other.turning.amplitude, form));
                if (place(other) || !near_own) trial = std::move(other);
            }
            if (trial.fits) {
                found = true;
                take(std::move(trial));
                break;
            }
            if (!rows_read(trial)) {
                // Numbers that are off in one way may still tell their positions.
                double most = 0.0;
                for (const Wave& wave : columns.waves)
                    most = std::max(most, std::isfinite(wave.uncertainty) ? wave.residual : 0.0);
                place(trial, std::min(3.0 * most, 0.1 * trial.turning.amplitude));
            }
            if (rows_read(trial)) keep(std::move(trial));
        }
        return found;
    }

    // An amplitude that is another one: a known one as near as the type tells it, else as its columns do. Those that turn often
    // are not all rounded the same way.
    double amplitude_of(const Spectrum& columns, const Form& form, const Reference& reference) const {
        const auto rows = static_cast<double>(columns.block.to - columns.block.from);
        const auto turns = [&](const Wave& wave) { return std::abs(wave.rate) * rows >= 6.0; };
        const bool fast = !form.both || std::ranges::any_of(columns.waves, turns);
        double weight = 0.0, sum = 0.0;
        for (const Wave& wave : columns.waves) {
            if (!std::isfinite(wave.uncertainty) || (fast && !turns(wave)) ||
                !near(wave.amplitude, columns.amplitude, 1e-2))
                continue;
            const double one = 1.0 / (wave.residual * wave.residual + 1e-18);
            weight += one, sum += one * wave.amplitude;
        }
        const double found =
            weight > 0.0 ? static_cast<double>(static_cast<float>(sum / weight)) : columns.amplitude;
        const double told = std::max(1e-5, 0.5 * precision_.relative);
        for (const Amplitude& one : amplitudes(reference, form))
            if (near(found, one.value, told)) return one.value;
        if (reference.amplitude == 1.0) return found;
        // YaRN's of another factor, which is mostly a whole number.
        const double yarn = yarn_mscale(std::max(1.0, std::round(std::exp(10.0 * (found - 1.0)))), 1.0);
        return near(found, yarn, told) ? yarn : found;
    }
    struct Amplitude {
        const char* key;
        double value;
    };
    static std::vector<Amplitude> amplitudes(const Reference& reference, const Form& form) {
        const double wanted = reference.amplitude;
        std::vector<Amplitude> made;
        if (wanted != 1.0)
            made = {{"measured.amplitude_missing", 1.0},
                    {"measured.amplitude_squared", wanted * wanted},
                    {"measured.amplitude_inverted", 1.0 / wanted}};
        made.push_back({"measured.amplitude_root", std::sqrt(2.0 * static_cast<double>(form.pairs))});
        return made;
    }
    static Problem amplitude(const Reference& reference, double found, const Form& form) {
        const char* key = "measured.amplitude";
        for (const Amplitude& one : amplitudes(reference, form))
            if (near(found, one.value, 1e-5)) key = one.key;
        return {key,
                {{"found", text(found)},
                 {"wanted", text(reference.amplitude)},
                 {"ratio", text(found / reference.amplitude)}}};
    }

    void remember(const View& view, const Form& form, const Reference* reference, const Spectrum& columns) {
        measured_ = true;
        made_.pairs.clear();
        for (std::size_t i = 0; i < columns.rates.size(); ++i) {
            const double own = reference != nullptr && reference->frequency.size() == columns.rates.size()
                                   ? reference->frequency[i]
                                   : 0.0;
            made_.pairs.push_back({columns.rates[i].value, columns.rates[i].off,
                                   own > 0.0 ? columns.rates[i].value / own : 0.0, columns.waves[i].amplitude,
                                   columns.waves[i].residual});
        }
        measured_form_ = form;
        measured_table_ = &view.table;
    }

    // ---- what is said -----------------------------------------------------------------------------------------------------

    // Everything about a trial but its numbers: rows, form, kind of layer.
    std::vector<Finding> judged(const Trial& trial) const {
        std::vector<Finding> found;
        const Reference& reference = *trial.reference;
        const Form& form = trial.form;
        const Table& table = *trial.table;
        const auto add = [&](const char* key, bool wrong, ProblemValues values = {}) {
            found.push_back(finding(key, wrong, std::move(values)));
        };
        const char* const holds = form.sine_first ? "sin" : "cos";
        for (const Problem& why : trial.why) found.push_back({why, true});
        if (auto other = other_kind(reference)) found.push_back(std::move(*other));
        if (table.transposed) add("transposed", true);
        if (trial.zeros > 0) add("class_rows", false, {{"count", text(trial.zeros)}});
        if (trial.pad_row >= 0) add("padding_row", false, {{"row", text(trial.pad_row)}});
        if (trial.unused > 0) {
            // No position is zeros: only past the config's last one is nothing missing.
            const bool missing = reference.longest <= 0 || table.rows < reference.longest;
            add(missing ? "rows_not_filled" : "rows_unused", missing,
                {{"count", text(trial.unused)},
                 {"row", text(table.rows)},
                 {"longest", text(reference.longest)}});
        }
        if (trial.pads > 0)
            add(trial.pads_are_ones ? "pads_ones" : "pads", true,
                {{"last", text(table.columns + trial.pads - 1)},
                 {"count", text(trial.pads)},
                 {"columns", text(table.columns)}});
        // The order of a table that nobody asked for is no fault.
        if (!reference.known && form.both) {
            static constexpr std::string_view families[] = {"gptj", "codegen", "roformer"};
            const bool usual = std::ranges::find(families, wanted_.family) != std::end(families);
            if (reference.rotary && form.sine_first && form.name != "rotations") add("sine_first", !usual);
            if (!reference.rotary && !form.sine_first) add("cosine_first", true);
        }
        const bool named = wanted_.named_cosine != wanted_.named_sine;
        if (!form.both && named && form.sine_first != wanted_.named_sine)
            add("named_other", true, {{"name", wanted_.named_sine ? "sin" : "cos"}, {"holds", holds}});
        if (!form.both && (table.joined == Table::Joined::pairs || table.joined == Table::Joined::apart))
            add("one_function", true, {{"holds", holds}, {"lacks", form.sine_first ? "cos" : "sin"}});
        if (!form.both && table.slice_shape == std::vector<std::int64_t>{2} && !named && wanted_.axes.empty())
            add("batch_of_two", false, {{"holds", holds}});
        const bool neighbours_for_halves =
            !form.both && form.layout == PairLayout::interleaved && reference.layout == PairLayout::halves;
        if (!reference.known && (neighbours_for_halves || (form.both && !reference.rotary && form.layout &&
                                                           form.layout != reference.layout)))
            add("layout", true);
        for (Finding& one : judge_rows(trial, wanted_)) found.push_back(std::move(one));
        if (!reference.list.empty() && reference.original > 0) {
            double most = 0.0;
            for (const double p : trial.positions.values) most = std::max(most, p);
            const ProblemValues values = {{"original", text(reference.original)},
                                          {"position", text(static_cast<std::int64_t>(most))}};
            const bool past = most >= static_cast<double>(reference.original);
            if (reference.list == "short_factor" && past) add("short_past", true, values);
            if (reference.list == "long_factor" && !past) add("long_within", false, values);
        }
        return found;
    }

    Problem what_of(const Trial& trial) const {
        const Form& form = trial.form;
        const bool rotations = form.name == "rotations";
        const char* what = form.both ? "both" : form.sine_first ? "sines" : "cosines";
        return {fmt::format("measured.{}_{}{}", what, form.name,
                            form.both && form.sine_first && !rotations ? "_sine" : ""),
                {{"pairs", text(form.pairs)}, {"table", trial.reference->words}}};
    }

    // Everything about a trial but its faults.
    void say(const Trial& trial) {
        made_.what = what_of(trial);
        made_.given = !trial.reference->known;
        made_.slices = trial.table->slices, made_.rows = trial.table->rows;
        made_.positions = trial.positions;
    }
    void say_best() {
        say(*best_);
        made_.findings = judged(*best_);
    }
    Measured finished() {
        say_best();
        made_.arithmetic = best_->arithmetic;
        made_.largest = best_->largest;
        made_.explained = 1.0;
        made_.verdict = verdict_of(made_.findings);
        return std::move(made_);
    }

    // The nearest trial, of which some numbers do not fit.
    Measured noisy() {
        say_best();
        made_.largest = best_values_.largest;
        made_.slice = best_values_.slice, made_.row = best_values_.row, made_.column = best_values_.column;
        made_.explained = best_values_.fitting;
        for (Finding& one : best_values_.findings) made_.findings.push_back(std::move(one));
        made_.verdict = verdict_of(made_.findings) == Verdict::wrong ? Verdict::wrong : Verdict::noisy;
        if (!best_values_.explained) {
            made_.noise = best_values_.noise;
            made_.findings.push_back(
                finding("noise", false,
                        {{"noise", few_digits(made_.noise)}, {"largest", few_digits(made_.largest)}}));
        }
        return std::move(made_);
    }

    // Columns that are sinusoids, but none that anybody knows.
    void unknown() {
        made_.slices = views_.empty() ? 0 : views_[0].table.slices;
        made_.rows = views_.empty() ? 0 : views_[0].table.rows;
        if (measured_ && !wanted_.references.empty()) {
            made_.what = {"measured.waves", {{"pairs", text(count_in(made_.pairs))}}};
            const Reference& first = wanted_.references[0];
            const auto pairs = count_in(made_.pairs);
            if (std::ranges::none_of(wanted_.references,
                                     [&](const Reference& r) { return r.pairs() == pairs; }))
                made_.findings.push_back(
                    {{"measured.width", {{"found", text(pairs)}, {"wanted", text(first.pairs())}}}, true});
            else
                made_.findings.push_back(
                    ratios_of(made_.pairs)
                        .value_or(Finding{{"measured.not_this", {{"table", first.words}}}, true}));
            made_.verdict = Verdict::wrong;
            return;
        }
        if (!measured_) {
            made_.what = {"measured.unknown", {}};
            return;
        }
        // Waves of no spectrum that is known.
        double least = HUGE_VAL, most = 0.0;
        for (const PairMeasured& pair : made_.pairs)
            if (std::isfinite(pair.off) && pair.rate > 0.0)
                least = std::min(least, pair.rate), most = std::max(most, pair.rate);
        made_.what = {"measured.waves_of",
                      {{"pairs", text(count_in(made_.pairs))}, {"least", text(least)}, {"most", text(most)}}};
    }

    const StoredTensor& dump_;
    const Wanted& wanted_;
    Precision precision_;
    std::vector<View> views_;
    std::size_t tried_ = 0;  // of the views
    Measured made_;
    std::optional<Trial> best_;
    double best_cost_ = HUGE_VAL;
    Values best_values_;
    std::vector<std::shared_ptr<std::vector<Reference>>> kept_references_;
    std::span<const Reference> usual_;  // without a config
    bool part_ = false;                 // rows of a table, and not all of it
    bool measured_ = false;
    Form measured_form_;
    const Table* measured_table_ = nullptr;
};

}  // namespace

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::right: return "right";
        case Verdict::noisy: return "noisy";
        case Verdict::wrong: return "wrong";
        case Verdict::unknown: return "unknown";
    }
    return "";
}

Verdict verdict_of(std::span<const Finding> findings) {
    return std::ranges::any_of(findings, &Finding::wrong) ? Verdict::wrong : Verdict::right;
}

std::optional<Finding> ratios_of(std::span<const PairMeasured> pairs) {
    std::int64_t first = -1, last = -1;
    double least = HUGE_VAL, most = 0.0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const PairMeasured& pair = pairs[i];
        if (pair.ratio == 0.0 || !std::isfinite(pair.off) ||
            std::abs(pair.ratio - 1.0) <= 1e-5 + pair.off / std::max(pair.rate, 1e-300))
            continue;
        if (first < 0) first = static_cast<std::int64_t>(i);
        last = static_cast<std::int64_t>(i);
        least = std::min(least, pair.ratio), most = std::max(most, pair.ratio);
    }
    if (first < 0) return std::nullopt;
    return Finding{
        {"measured.ratios",
         {{"first", text(first)}, {"last", text(last)}, {"least", text(least)}, {"most", text(most)}}},
        true};
}

bool ids_fit(const Wanted& wanted, const Table& table) {
    if (wanted.ids.empty()) return false;
    const auto n = static_cast<std::int64_t>(wanted.ids[0].size());
    return std::ranges::all_of(
               wanted.ids, [&](const auto& list) { return static_cast<std::int64_t>(list.size()) == n; }) &&
           (n == table.rows || n == table.rows * table.slices);
}

double id_at(const Wanted& wanted, const Table& table, int axes, std::int64_t slice, std::int64_t row,
             int axis) {
    const auto& ids = wanted.ids;
    const auto n = static_cast<std::int64_t>(ids[0].size()), lists = static_cast<std::int64_t>(ids.size());
    const bool whole = n == table.rows * table.slices;  // [axes, slices · rows]
    const bool by_slice =
        !whole && table.slices > 1 && (lists == table.slices * axes) && (axes == 1 || lists != axes);
    // Pairs past the sections of three axes turn with the first one, as transformers' do.
    const std::int64_t list = by_slice ? axis * table.slices + slice : axis < lists ? axis : 0;
    return ids[static_cast<std::size_t>(list)]
              [static_cast<std::size_t>(whole ? slice * table.rows + row : row)];
}

Positions expected_rows(const Wanted& wanted, const Table& table, int axes) {
    if (!ids_fit(wanted, table)) return counted(table, axes);
    Positions made{axes, {}};
    for (std::int64_t s = 0; s < table.slices; ++s)
        for (std::int64_t r = 0; r < table.rows; ++r)
            for (int a = 0; a < axes; ++a) made.values.push_back(id_at(wanted, table, axes, s, r, a));
    return made;
}

std::optional<Problem> unfit(const StoredTensor& dump, const Wanted& wanted) {
    if (wanted.axes.empty() && wanted.ids.empty()) return std::nullopt;
    std::vector<Table> tables = tables_of(dump, wanted.axes);
    if (std::optional<Table> turned = turned_table(dump); turned && wanted.axes.empty())
        tables.push_back(std::move(*turned));
    const std::string shape = fmt::format("{}", fmt::join(dump.shape, " × "));
    if (tables.empty() && !wanted.axes.empty())
        return Problem{"check.axes_shape", {{"axes", wanted.axes}, {"shape", shape}}};
    if (!wanted.ids.empty() &&
        std::ranges::none_of(tables, [&](const Table& table) { return ids_fit(wanted, table); }))
        return Problem{"check.ids_rows", {{"ids", std::to_string(wanted.ids[0].size())}, {"shape", shape}}};
    return std::nullopt;
}

Measured measure(const StoredTensor& dump, const Wanted& wanted) { return Measurer(dump, wanted).run(); }

}  // namespace posiscope::measuring
