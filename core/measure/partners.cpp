#include "core/measure/partners.hpp"

#include "core/cost.hpp"
#include "core/measure/columns.hpp"
#include "core/measure/show.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace posiscope::measuring {
namespace {

using Complex = std::complex<double>;
// Both arrays as [slices, rows, columns], the slices being entries × heads.
struct Sides {
    Table before, after;
    std::int64_t entries = 1, heads = 1;
};

struct Pairing {
    std::int64_t pairs = 0;
    PairLayout layout = PairLayout::halves;
    std::int64_t first(std::int64_t i) const { return layout == PairLayout::halves ? i : 2 * i; }
    std::int64_t second(std::int64_t i) const { return layout == PairLayout::halves ? i + pairs : 2 * i + 1; }
};

class Rotation {
public:
    Rotation(const StoredTensor& before, const StoredTensor& after, const Wanted& wanted)
        : before_(before), after_(after), wanted_(wanted), precision_(precision_of(after)) {
        const Precision own = precision_of(before);
        if (own.relative > precision_.relative) precision_ = own;
    }

    std::optional<Measured> run() {
        if (wanted_.references.empty() || squeezed(before_) != squeezed(after_) ||
            before_.values == after_.values)
            return std::nullopt;
        // Two large arrays of which no part is a rotation are none.
        constexpr std::size_t kLarge = 1 << 20;
        if (before_.values.size() > kLarge && wanted_.axes.empty() && !best_of(sides_of(true)))
            return std::nullopt;
        return best_of(sides_of(false));
    }

private:
    std::optional<Measured> best_of(std::span<const Sides> all) const {
        using Way = std::optional<Measured> (Rotation::*)(const Sides&, const Reference&) const;
        static constexpr Way ways[] = {&Rotation::whole, &Rotation::but_for_noise, &Rotation::by_columns,
                                       &Rotation::by_turns};
        for (const Way way : ways) {
            std::optional<Measured> best;
            std::ptrdiff_t least = 0;
            for (const Sides& sides : all)
                for (const Reference& reference : wanted_.references) {
                    if (2 * reference.pairs() > sides.before.columns || !reference.rotary) continue;
                    auto made = (this->*way)(sides, reference);
                    if (!made) continue;
                    const auto wrong = std::ranges::count_if(made->findings, &Finding::wrong);
                    if (!best || wrong < least) best = std::move(made), least = wrong;
                    if (least == 0) return best;
                }
            if (best) return best;
        }
        return std::nullopt;
    }

    // ---- shapes ---------------------------------------------------------------------------------------------------------

    // All of both arrays, or a few slices of them and their first rows.
    std::vector<Sides> sides_of(bool few) const {
        constexpr std::int64_t kFewEntries = 2, kFewHeads = 4, kFewRows = 64;
        const std::span<const Reference> references = wanted_.references;
        // A step of 8 heads, [8, 1, d], is no text of 8 rows.
        std::vector<std::int64_t> shape = before_.cropped ? squeezed(before_) : before_.shape;
        std::vector<Sides> made;
        if (shape.size() < 2) return made;
        if (!wanted_.axes.empty()) return named_sides();
        const std::int64_t d = shape.back();
        std::int64_t width = d;
        for (const Reference& r : references)
            if (r.head_width > 0 && d % r.head_width == 0) width = r.head_width;
        const std::int64_t flat = d / width;
        while (shape.size() > (flat > 1 ? 2U : 4U) && shape.front() == 1) shape.erase(shape.begin());
        const std::size_t k = shape.size();
        const auto add = [&](std::int64_t entries, std::int64_t heads, std::int64_t rows, auto index) {
            if (rows < 1) return;
            const std::int64_t by_entry = few ? (entries + kFewEntries - 1) / kFewEntries : 1,
                               by_head = few ? (heads + kFewHeads - 1) / kFewHeads : 1;
            entries /= by_entry, heads /= by_head;
            if (few) rows = std::min(rows, kFewRows);
            Sides one;
            one.entries = entries, one.heads = heads;
            for (Table* table : {&one.before, &one.after}) {
                table->slices = entries * heads, table->rows = rows, table->columns = width;
                const auto& values = table == &one.before ? before_.values : after_.values;
                table->values.reserve(static_cast<std::size_t>(entries * heads * rows * width));
                for (std::int64_t e = 0; e < entries; ++e)
                    for (std::int64_t h = 0; h < heads; ++h)
                        for (std::int64_t r = 0; r < rows; ++r)
                            for (std::int64_t c = 0; c < width; ++c)
                                table->values.push_back(values[static_cast<std::size_t>(
                                    index(e * by_entry, h * by_head, r) + c)]);
            }
            made.push_back(std::move(one));
        };
        if (k == 2) add(1, flat, shape[0], [&](auto, auto h, auto r) { return r * d + h * width; });
        if (k == 3 && flat > 1)
            add(shape[0], flat, shape[1],
                [&](auto e, auto h, auto r) { return (e * shape[1] + r) * d + h * width; });
        if (k < 3 || k > 4 || flat > 1) return made;
        const auto is_heads = [&](std::int64_t size) {
            return std::ranges::any_of(
                references, [&](const Reference& r) { return r.heads == size || r.key_heads == size; });
        };
        // The config's heads decide; where both sizes or neither are heads, both are tried.
        const std::int64_t entries = k == 4 ? shape[0] : 1, one = shape[k - 3], two = shape[k - 2];
        const bool outer = one == 1 || is_heads(one), inner = two == 1 || is_heads(two);
        if (outer || !inner)
            add(entries, one, two, [&](auto e, auto h, auto r) { return ((e * one + h) * two + r) * d; });
        if (inner || !outer)
            add(entries, two, one, [&](auto e, auto h, auto r) { return ((e * one + r) * two + h) * d; });
        return made;
    }

    // By the letters that were typed.
    std::vector<Sides> named_sides() const {
        auto before = tables_of(before_, wanted_.axes), after = tables_of(after_, wanted_.axes);
        if (before.empty() || after.empty() || before[0].joined != Table::Joined::no) return {};
        Sides one;
        one.heads = before[0].slices;
        if (wanted_.axes.find('b') != std::string::npos && !before[0].slice_shape.empty()) {
            const bool entries_first = wanted_.axes.find('b') < wanted_.axes.find('h');
            one.entries = entries_first ? before[0].slice_shape.front() : before[0].slice_shape.back();
            one.heads = before[0].slices / one.entries;
        }
        one.before = std::move(before[0]), one.after = std::move(after[0]);
        return {std::move(one)};
    }

    // ---- heads ----------------------------------------------------------------------------------------------------------

    // How far a number may be off: its own rounding, and that of products in a narrow type.
    double allowed(double value, double a, double b, double angle) const {
        const double single = precision_.name == "float64" ? 1e-14 : 4e-7;
        return precision_.half_unit(value) +
               (std::abs(a) + std::abs(b)) * (2.5 * (precision_.relative > 1e-6 ? precision_.relative : 0.0) +
                                              single + std::min(1.0, std::abs(angle) * 5e-7));
    }

    bool row_fits(const Sides& sides, const Reference& reference, const Pairing& pairing, std::int64_t slice,
                  std::int64_t row, double scale, std::span<const double> p) const {
        for (std::int64_t i = 0; i < pairing.pairs; ++i) {
            const auto k = static_cast<std::size_t>(i);
            const double angle = p[static_cast<std::size_t>(reference.axis.empty() ? 0 : reference.axis[k])] *
                                 reference.frequency[k];
            const double c = scale * std::cos(angle), s = scale * std::sin(angle);
            const double a = sides.before.at(slice, row, pairing.first(i)),
                         b = sides.before.at(slice, row, pairing.second(i));
            const double x = a * c - b * s, y = b * c + a * s;
            if (!(std::abs(sides.after.at(slice, row, pairing.first(i)) - x) <=
                  allowed(x, scale * a, scale * b, angle)) ||
                !(std::abs(sides.after.at(slice, row, pairing.second(i)) - y) <=
                  allowed(y, scale * a, scale * b, angle)))
                return false;
        }
        for (std::int64_t c = 2 * pairing.pairs; c < sides.before.columns; ++c) {
            const double q = sides.before.at(slice, row, c), found = sides.after.at(slice, row, c);
            const double pass =
                scale / reference.amplitude;  // features beside the rotated ones are not lengthened
            if (!(std::abs(found - pass * q) <= allowed(q, pass * q, 0.0, 0.0))) return false;
        }
        return true;
    }

    // |q′| / |q| of most pairs.
    double scale_of(const Sides& sides, const Pairing& pairing) const {
        std::vector<double> ratios;
        for (std::int64_t n = 0; n < sides.before.slices * sides.before.rows; ++n)
            for (std::int64_t i = 0; i < pairing.pairs; ++i) {
                const std::int64_t s = n / sides.before.rows, r = n % sides.before.rows;
                const double a = std::hypot(sides.before.at(s, r, pairing.first(i)),
                                            sides.before.at(s, r, pairing.second(i)));
                const double b = std::hypot(sides.after.at(s, r, pairing.first(i)),
                                            sides.after.at(s, r, pairing.second(i)));
                if (a > 0.0) ratios.push_back(b / a);
            }
        if (ratios.empty()) return 1.0;
        std::nth_element(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2),
                         ratios.end());
        return ratios[ratios.size() / 2];
    }

    // The content of one slice.
    struct Head {
        enum class Is { unread, right, unrotated, other_layout } is = Is::unread;
        std::vector<double> positions;  // [rows, axes]
        bool operator==(const Head&) const = default;
    };

    Head head_of(const Sides& sides, const Reference& reference, PairLayout layout, std::int64_t slice,
                 double scale) const {
        Head made;
        const Table& q = sides.before;
        bool same = true;
        for (std::int64_t r = 0; r < q.rows && same; ++r)
            for (std::int64_t c = 0; c < q.columns && same; ++c) {
                const double x = q.at(slice, r, c), y = sides.after.at(slice, r, c);
                same = std::abs(x - y) <= allowed(x, 0.0, 0.0, 0.0) ||
                       std::abs(scale * x - y) <= allowed(x, scale * x, 0.0, 0.0);
            }
        if (same && q.rows > 1) {
            made.is = Head::Is::unrotated;
            return made;
        }
        // cos and sin of the turns, and the positions they have.
        const Pairing pairing{reference.pairs(), layout};
        Table turns;
        turns.rows = q.rows, turns.columns = 2 * pairing.pairs;
        const Form form = form_of_turns(pairing.pairs);
        double largest = 0.0;
        for (std::int64_t r = 0; r < q.rows; ++r)
            for (std::int64_t i = 0; i < pairing.pairs; ++i) {
                const Complex a(q.at(slice, r, pairing.first(i)), q.at(slice, r, pairing.second(i)));
                const Complex b(sides.after.at(slice, r, pairing.first(i)),
                                sides.after.at(slice, r, pairing.second(i)));
                const Complex turn = std::norm(a) > 0.0 ? b / (a * scale) : Complex(1.0, 0.0);
                turns.values.push_back(turn.real());
                turns.values.push_back(turn.imag());
                largest = std::max(largest, std::abs(a));
            }
        Turning turning = reference.turning();
        turning.amplitude = 1.0;
        const double rounding = precision_.relative > 1e-6 ? 4.0 * precision_.relative : 4e-7;
        const ReadingOptions options{.noise = std::min(0.3, rounding * std::max(largest, 1.0) / 0.15),
                                     .last = std::max(1e5, static_cast<double>(reference.longest))};
        const Positions read = read_positions(turns, form, turning, {"float32", 0x1p-24, 1e-30}, options);
        std::vector<double> p(static_cast<std::size_t>(turning.axes));
        for (std::int64_t r = 0; r < q.rows; ++r) {
            for (int a = 0; a < turning.axes; ++a)
                p[static_cast<std::size_t>(a)] = read.at(static_cast<std::size_t>(r), a);
            // A few small pairs may have misled it by one.
            bool fits = !std::isnan(p[0]) && row_fits(sides, reference, pairing, slice, r, scale, p);
            if (!fits && !wanted_.ids.empty() && static_cast<std::size_t>(r) < wanted_.ids[0].size()) {
                for (std::size_t a = 0; a < p.size(); ++a) p[a] = id_of(r, static_cast<int>(a));
                fits = row_fits(sides, reference, pairing, slice, r, scale, p);
            }
            if (!fits) {
                std::ranges::fill(p, static_cast<double>(r));
                fits = row_fits(sides, reference, pairing, slice, r, scale, p);
            }
            if (!fits) std::ranges::fill(p, NAN);
            made.positions.insert(made.positions.end(), p.begin(), p.end());
        }
        const auto unread = std::ranges::count_if(made.positions, [](double x) { return std::isnan(x); });
        made.is = 4 * unread <= static_cast<std::ptrdiff_t>(made.positions.size()) ? Head::Is::right
                                                                                   : Head::Is::unread;
        return made;
    }

    Measured rotation_of(const Sides& sides, const Reference& reference) const {
        Measured made;
        made.what = {"measured.rotation",
                     {{"heads", text(sides.heads)},
                      {"rows", text(sides.before.rows)},
                      {"columns", text(sides.before.columns)},
                      {"table", reference.words}}};
        made.precision = precision_.name;
        made.given = !reference.known;
        made.slices = sides.before.slices, made.rows = sides.before.rows;
        made.explained = 1.0;
        return made;
    }

    static std::vector<std::int64_t> partners_in(const Pairing& pairing, std::int64_t columns) {
        std::vector<std::int64_t> made(static_cast<std::size_t>(columns), -1);
        for (std::int64_t i = 0; i < pairing.pairs; ++i) {
            made[static_cast<std::size_t>(pairing.first(i))] = pairing.second(i);
            made[static_cast<std::size_t>(pairing.second(i))] = pairing.first(i);
        }
        return made;
    }

    std::optional<Measured> judge(const Sides& sides, const Reference& reference) const {
        const Pairing pairing{reference.pairs(), reference.layout};
        const PairLayout other =
            reference.layout == PairLayout::halves ? PairLayout::interleaved : PairLayout::halves;
        double scale = scale_of(sides, pairing);
        const double root = reference.amplitude / std::sqrt(static_cast<double>(sides.before.columns));
        bool normal = false, rooted = false;
        for (const double known : {reference.amplitude, root, 1.0})
            if (std::abs(scale - known) <= 2e-3 * known + 3.0 * precision_.relative * known)
                scale = known, normal = true, rooted = known == root && root != 1.0;
        std::vector<Head> heads;
        std::size_t good = 0, swapped = 0;
        for (std::int64_t s = 0; s < sides.before.slices; ++s) {
            spend(1e5);
            Head head = head_of(sides, reference, reference.layout, s, scale);
            if (head.is == Head::Is::unread)
                if (Head one = head_of(sides, reference, other, s, scale); one.is == Head::Is::right)
                    head = std::move(one), head.is = Head::Is::other_layout;
            good += head.is == Head::Is::right ? 1 : 0;
            swapped += head.is == Head::Is::other_layout ? 1 : 0;
            heads.push_back(std::move(head));
        }
        if (good + swapped == 0) return std::nullopt;
        Measured made = rotation_of(sides, reference);
        if (rooted) made.findings.push_back({{"measured.rooted", {{"scale", text(scale)}}}, false});
        if (!normal || (!rooted && std::abs(scale - reference.amplitude) > 2e-3))
            made.findings.push_back({{scale == 1.0 ? "measured.amplitude_missing" : "measured.amplitude",
                                      {{"found", text(scale)},
                                       {"wanted", text(reference.amplitude)},
                                       {"ratio", text(scale / reference.amplitude)}}},
                                     true});
        if (swapped == heads.size())
            made.findings.push_back({{"measured.other_layout",
                                      {{"found", other == PairLayout::halves ? "halves" : "neighbours"},
                                       {"wanted", other == PairLayout::halves ? "neighbours" : "halves"}}},
                                     true});
        for (std::int64_t e = 0; e < sides.entries; ++e)
            judge_entry(sides, reference, e, heads, swapped == heads.size(), made);
        made.verdict = verdict_of(made.findings);
        if (made.verdict == Verdict::right) made.arithmetic = Arithmetic::single;
        made.partners = partners_in({reference.pairs(), swapped == heads.size() ? other : reference.layout},
                                    sides.before.columns);
        made.positions.axes = reference.axis.empty() ? 1 : static_cast<int>(reference.axes.size());
        for (const Head& head : heads)
            made.positions.values.insert(made.positions.values.end(), head.positions.begin(),
                                         head.positions.end());
        return made;
    }

    // The heads of one entry of a batch beside each other.
    void judge_entry(const Sides& sides, const Reference& reference, std::int64_t entry,
                     const std::vector<Head>& all, bool layout_said, Measured& made) const {
        const std::span<const Head> heads(all.data() + static_cast<std::size_t>(entry * sides.heads),
                                          static_cast<std::size_t>(sides.heads));
        const int axes = reference.axis.empty() ? 1 : static_cast<int>(reference.axes.size());
        const auto add = [&](const char* key, ProblemValues values, bool wrong = true) {
            values.push_back({"entry", text(entry)});
            values.push_back({"all", text(sides.heads)});
            Finding one{{fmt::format("measured.{}", key), std::move(values)}, wrong};
            made.findings.push_back(std::move(one));
        };
        // One position in all rows, a row apart from head to head: the axes are exchanged.
        bool by_head = sides.heads > 1 && sides.before.rows > 1 && axes == 1;
        for (std::size_t h = 0; h < heads.size() && by_head; ++h) {
            const Head& head = heads[h];
            const bool still = head.is == Head::Is::unrotated && h == 0;
            by_head = still || (!head.positions.empty() && std::ranges::all_of(head.positions, [&](double p) {
                          return p == static_cast<double>(h);
                      }));
        }
        if (by_head) return add("by_head", {});
        // The positions that most heads have.
        std::map<std::vector<double>, std::size_t> votes;
        for (const Head& head : heads)
            if (head.is == Head::Is::right || (layout_said && head.is == Head::Is::other_layout))
                if (std::ranges::none_of(head.positions, [](double p) { return std::isnan(p); }))
                    ++votes[head.positions];
        std::vector<double> usual;
        std::size_t most = 0;
        std::vector<double> counted_rows;
        for (std::int64_t r = 0; r < sides.before.rows; ++r)
            counted_rows.insert(counted_rows.end(), static_cast<std::size_t>(axes), static_cast<double>(r));
        for (const auto& [positions, count] : votes) {
            // Among as many, those that count from 0.
            if (count > most || (count == most && positions == counted_rows)) most = count, usual = positions;
        }
        if (votes.empty())
            for (const Head& head : heads)
                if (head.is == Head::Is::right && usual.empty()) usual = head.positions;
        // A few heads that are unrotated may be the most: those that rotate are right.
        std::map<std::string, std::vector<std::int64_t>> groups;
        for (std::size_t h = 0; h < heads.size(); ++h) {
            const Head& head = heads[h];
            const auto index = static_cast<std::int64_t>(h);
            if (head.is == Head::Is::unrotated) groups["heads_unrotated"].push_back(index);
            else if (head.is == Head::Is::other_layout && !layout_said)
                groups["heads_other_layout"].push_back(index);
            else if (head.is == Head::Is::unread) groups["heads_unread"].push_back(index);
            else if (head.positions != usual) groups[difference(head.positions, usual)].push_back(index);
        }
        if (groups.size() == 1 && groups.contains("heads_unrotated") &&
            groups["heads_unrotated"].size() == heads.size())
            groups.clear(), add("none_rotated", {});
        for (const auto& [key, list] : groups) {
            const auto space = key.find(' ');
            add(key.substr(0, space).c_str(),
                {{"heads", listed(list)},
                 {"count", text(static_cast<std::int64_t>(list.size()))},
                 {"by", space == std::string::npos ? "" : key.substr(space + 1)}});
        }
        if (usual.empty()) return;
        std::vector<double> ids;
        Trial trial;
        Table table;
        table.rows = sides.before.rows, table.columns = 1;
        trial.table = &table;
        trial.reference = &reference;
        trial.positions = {axes, usual};
        trial.form.both = true;
        // A row that is as before is at position 0, where its own is another.
        if (axes == 1 && sides.before.rows > 3) {
            std::vector<std::int64_t> still;
            for (std::size_t r = 1; r < usual.size(); ++r)
                if (usual[r] == 0.0 && usual[r - 1] == static_cast<double>(r) - 1.0 &&
                    (r + 1 == usual.size() || usual[r + 1] == static_cast<double>(r) + 1.0))
                    still.push_back(static_cast<std::int64_t>(r));
            if (still.size() == 1) return add("row_unrotated", {{"row", text(still[0])}});
        }
        for (Finding& one : judge_rows(trial, wanted_)) {
            if (one.said.key == "measured.sine_negated") one = {{"measured.backwards", {}}, true};
            // Every angle is a multiple where the first one is, too.
            const bool times =
                one.said.key == "measured.rows_times" || one.said.key == "measured.rows_strided";
            if (times && axes == 1 && usual.size() > 2) {
                const double step = usual[1] - usual[0];
                if (std::fmod(usual[0], step) == 0.0 && step > 1.0)
                    one = step == 2.0
                              ? Finding{{"measured.twice", {}}, true}
                              : Finding{{"measured.rows_times",
                                         {{"factor", text(step)},
                                          {"rows", fmt::format("{}", fmt::join(usual.begin(),
                                                                               usual.begin() + 3, ", "))}}},
                                        true};
            }
            // A text that goes on may begin anywhere.
            if (one.said.key == "measured.rows_begins") one.wrong = one.wrong && usual[0] < 0.0;
            if (std::ranges::none_of(made.findings, [&](const Finding& f) { return f.said == one.said; }))
                made.findings.push_back(std::move(one));
        }
    }

    static std::string difference(const std::vector<double>& found, const std::vector<double>& usual) {
        if (found.size() != usual.size()) return "heads_elsewhere";
        const double by = found[0] - usual[0];
        bool shifted = by != 0.0, doubled = true, negated = true;
        for (std::size_t r = 0; r < found.size(); ++r) {
            shifted = shifted && found[r] == usual[r] + by;
            doubled = doubled && found[r] == 2.0 * usual[r];
            negated = negated && found[r] == -usual[r];
        }
        if (shifted) return fmt::format("{} {:.0f}", by > 0.0 ? "heads_ahead" : "heads_behind", std::abs(by));
        if (doubled) return "heads_twice";
        if (negated) return "heads_backwards";
        return "heads_elsewhere";
    }

    // True if every head was read in one layout.
    static bool is_whole(const Measured& made) {
        static constexpr std::string_view others[] = {"measured.heads_unread", "measured.heads_unrotated",
                                                      "measured.heads_other_layout", "measured.other_layout"};
        return std::ranges::none_of(made.findings, [](const Finding& f) {
            return std::ranges::find(others, f.said.key) != std::end(others);
        });
    }
    std::optional<Measured> whole(const Sides& sides, const Reference& reference) const {
        auto made = judge(sides, reference);
        if (made && is_whole(*made)) return made;
        auto other = permuted(sides, reference);
        return other ? std::move(other) : std::move(made);
    }

    // Pairs of the one layout before, of the other after: a rotation and a permutation of its columns.
    std::optional<Measured> permuted(const Sides& sides, const Reference& reference) const {
        const std::int64_t pairs = reference.pairs();
        for (const PairLayout from : {PairLayout::interleaved, PairLayout::halves}) {
            const bool to_halves = from == PairLayout::interleaved;
            const Pairing in{pairs, from},
                out{pairs, to_halves ? PairLayout::halves : PairLayout::interleaved};
            Sides moved = sides;
            for (std::int64_t n = 0; n < sides.after.slices * sides.after.rows; ++n)
                for (std::int64_t i = 0; i < pairs; ++i) {
                    const auto row = static_cast<std::size_t>(n * sides.after.columns);
                    moved.after.values[row + static_cast<std::size_t>(in.first(i))] =
                        sides.after.values[row + static_cast<std::size_t>(out.first(i))];
                    moved.after.values[row + static_cast<std::size_t>(in.second(i))] =
                        sides.after.values[row + static_cast<std::size_t>(out.second(i))];
                }
            Reference one = reference;
            one.layout = from;
            auto made = judge(moved, one);
            if (!made || !is_whole(*made)) continue;
            made->findings.insert(
                made->findings.begin(),
                Finding{{to_halves ? "measured.pairs_to_halves" : "measured.halves_to_pairs", {}},
                        !to_halves});
            made->partners.clear();
            if (!to_halves) made->verdict = Verdict::wrong, made->arithmetic.reset();
            return made;
        }
        return std::nullopt;
    }

    // ---- noise ----------------------------------------------------------------------------------------------------------

    // Sums of the differences from what the config gives, which show whether they have a pattern.
    struct Left {
        double square = 0.0, size = 0.0, along = 0.0, across = 0.0, largest = 0.0;
        bool tolerated = true;
        std::vector<double> by_column, by_slice, by_part = std::vector<double>(8, 0.0);
    };
    Left left_of(const Sides& sides, const Reference& reference, double scale, double start) const {
        const Table &q = sides.before, &out = sides.after;
        const Pairing pairing{reference.pairs(), reference.layout};
        Left made;
        made.tolerated = wanted_.tolerance > 0.0 || wanted_.relative > 0.0;
        made.by_column.assign(static_cast<std::size_t>(q.columns), 0.0);
        made.by_slice.assign(static_cast<std::size_t>(q.slices), 0.0);
        const auto add = [&](std::int64_t s, std::int64_t r, std::int64_t c, double x, double turned) {
            const double off = out.at(s, r, c) - x;
            made.square += off * off, made.size += x * x, made.along += off * x, made.across += off * turned;
            made.largest = std::max(made.largest, std::isnan(off) ? HUGE_VAL : std::abs(off));
            made.tolerated =
                made.tolerated && std::abs(off) <= wanted_.tolerance + wanted_.relative * std::abs(x);
            made.by_column[static_cast<std::size_t>(c)] += off * off;
            made.by_slice[static_cast<std::size_t>(s)] += off * off;
            made.by_part[static_cast<std::size_t>(8 * r / q.rows)] += off * off;
        };
        for (std::int64_t s = 0; s < q.slices; ++s)
            for (std::int64_t r = 0; r < q.rows; ++r) {
                for (std::int64_t i = 0; i < pairing.pairs; ++i) {
                    const auto k = static_cast<std::size_t>(i);
                    const int axis = reference.axis.empty() ? 0 : reference.axis[k];
                    const double p = wanted_.ids.empty() ? start + static_cast<double>(r) : id_of(r, axis);
                    const Complex turned =
                        std::polar(scale, p * reference.frequency[k]) *
                        Complex(q.at(s, r, pairing.first(i)), q.at(s, r, pairing.second(i)));
                    add(s, r, pairing.first(i), turned.real(), -turned.imag());
                    add(s, r, pairing.second(i), turned.imag(), turned.real());
                }
                for (std::int64_t c = 2 * pairing.pairs; c < q.columns; ++c)
                    add(s, r, c, scale / reference.amplitude * q.at(s, r, c), 0.0);
            }
        return made;
    }
    double id_of(std::int64_t row, int axis) const {
        const auto& ids = wanted_.ids[std::min(static_cast<std::size_t>(axis), wanted_.ids.size() - 1)];
        return static_cast<std::size_t>(row) < ids.size() ? ids[static_cast<std::size_t>(row)] : NAN;
    }

    // The config's rotation, of which every number is off without a pattern; or within the tolerance that was asked for.
    std::optional<Measured> but_for_noise(const Sides& sides, const Reference& reference) const {
        const double scale = scale_of(sides, {reference.pairs(), reference.layout});
        const double root = reference.amplitude / std::sqrt(static_cast<double>(sides.before.columns));
        const auto numbers = static_cast<double>(sides.before.values.size());
        for (const double known : {reference.amplitude, root})
            for (const double start : {0.0, first_position(sides, reference, known)}) {
                if (std::isnan(start) || std::abs(scale - known) > 0.1 * known) continue;
                spend(60.0 * numbers);
                const Left left = left_of(sides, reference, known, start);
                const auto even = [&](const std::vector<double>& parts, double most) {
                    return std::ranges::all_of(parts, [&](double part) {
                        return part <= most * left.square / static_cast<double>(parts.size());
                    });
                };
                const double noise = std::sqrt(left.square / numbers);
                const double chance = 5.0 * std::sqrt(left.square * left.size / numbers);
                const bool without_pattern = left.square <= 0.01 * left.size && left.largest <= 8.0 * noise &&
                                             even(left.by_column, 4.0) && even(left.by_slice, 3.0) &&
                                             (sides.before.rows < 16 || even(left.by_part, 3.0)) &&
                                             std::abs(left.along) <= chance &&
                                             std::abs(left.across) <= chance;
                if (!without_pattern && !left.tolerated) continue;
                Measured made = rotation_of(sides, reference);
                made.verdict = left.tolerated ? Verdict::right : Verdict::noisy;
                made.tolerated = left.tolerated;
                made.noise = left.tolerated ? 0.0 : noise, made.largest = left.largest;
                if (!left.tolerated)
                    made.findings.push_back({{"measured.noise",
                                              {{"noise", fmt::format("{:.2g}", noise)},
                                               {"largest", fmt::format("{:.2g}", left.largest)}}},
                                             false});
                if (start != 0.0)
                    made.findings.push_back({{"measured.rows_begins", {{"position", text(start)}}}, false});
                made.partners = partners_in({reference.pairs(), reference.layout}, sides.before.columns);
                return made;
            }
        return std::nullopt;
    }

    // ---- turns ----------------------------------------------------------------------------------------------------------

    // cos and sin of the angle of each pair in each row, of all heads of the first entry together where they agree, else of its first
    // one; nothing where the pairs do not keep their lengths.
    std::optional<Table> turns_of(const Sides& sides, const Pairing& pairing, double scale) const {
        constexpr double kMostLeft = 1e-4, kMostPart = 0.1;
        const Table &q = sides.before, &out = sides.after;
        for (const std::int64_t heads : {sides.heads, std::int64_t{1}}) {
            Table made;
            made.rows = q.rows, made.columns = 2 * pairing.pairs;
            std::int64_t off = 0;
            for (std::int64_t r = 0; r < q.rows; ++r)
                for (std::int64_t i = 0; i < pairing.pairs; ++i) {
                    Complex sum;
                    double before = 0.0, after = 0.0;
                    for (std::int64_t h = 0; h < heads; ++h) {
                        const Complex a(q.at(h, r, pairing.first(i)), q.at(h, r, pairing.second(i)));
                        const Complex b(out.at(h, r, pairing.first(i)), out.at(h, r, pairing.second(i)));
                        sum += b * std::conj(a);
                        before += std::norm(a), after += std::norm(b);
                    }
                    const Complex turn = before > 0.0 ? sum / (before * scale) : Complex(1.0, 0.0);
                    const bool fits = std::abs(std::norm(turn) - 1.0) <= 0.04 &&
                                      after - std::norm(sum) / std::max(before, 1e-300) <= kMostLeft * after;
                    off += fits ? 0 : 1;
                    made.values.push_back(turn.real());
                    made.values.push_back(turn.imag());
                }
            spend(40.0 * static_cast<double>(made.values.size() * static_cast<std::size_t>(heads)));
            if (static_cast<double>(off) <= kMostPart * static_cast<double>(q.rows * pairing.pairs))
                return made;
        }
        return std::nullopt;
    }
    static Form form_of_turns(std::int64_t pairs) {
        Form form;
        form.pairs = pairs;
        form.both = true;
        for (std::int64_t c = 0; c < 2 * pairs; ++c) form.cells.push_back({c / 2, c % 2 == 1, 1.0});
        return form;
    }
    double first_position(const Sides& sides, const Reference& reference, double scale) const {
        const Pairing pairing{reference.pairs(), reference.layout};
        if (!reference.axis.empty()) return NAN;
        auto turns = turns_of(sides, pairing, scale);
        if (!turns) return NAN;
        turns->rows = 1;
        turns->values.resize(static_cast<std::size_t>(turns->columns));
        Turning turning = reference.turning();
        turning.amplitude = 1.0;
        return read_positions(*turns, form_of_turns(pairing.pairs), turning, {"float32", 0x1p-24, 1e-30},
                              {.noise = 0.1, .last = std::max(1e5, static_cast<double>(reference.longest))})
            .at(0, 0);
    }

    // Pairs that turn otherwise than the config's: their frequencies are measured, and a parameter that gives them is proved on
    // every number.
    std::optional<Measured> by_turns(const Sides& sides, const Reference& reference) const {
        constexpr std::int64_t kLeastRows = 8;
        if (sides.before.rows < kLeastRows || !reference.axis.empty()) return std::nullopt;
        const PairLayout other =
            reference.layout == PairLayout::halves ? PairLayout::interleaved : PairLayout::halves;
        for (const std::int64_t pairs : {reference.pairs(), sides.before.columns / 2})
            for (const PairLayout layout : {reference.layout, other}) {
                const Pairing pairing{pairs, layout};
                const auto turns = turns_of(sides, pairing, scale_of(sides, pairing));
                if (!turns) continue;
                const Form form = form_of_turns(pairs);
                const Block block = even_block(*turns, form);
                if (block.to - block.from < kLeastRows) continue;
                const std::vector<Wave> waves = measured(*turns, form, block);
                std::vector<Rate> rates;
                for (const Wave& wave : waves)
                    rates.push_back({std::abs(wave.rate), 4.0 * wave.uncertainty + 1e-9, true});
                auto made = proved_by(sides, reference, pairing, rates);
                const std::vector<PairMeasured> found = beside(reference, waves, rates);
                if (!made) made = unexplained(sides, reference, pairing, found);
                if (!made) continue;
                made->pairs = found;
                return made;
            }
        return std::nullopt;
    }
    std::optional<Measured> proved_by(const Sides& sides, const Reference& reference, const Pairing& pairing,
                                      std::span<const Rate> rates) const {
        for (Explanation& one : explanations(reference, rates)) {
            Reference changed = reference;
            changed.frequency = one.frequency;
            changed.layout = pairing.layout;
            auto made = judge(sides, changed);
            if (!made || std::ranges::any_of(made->findings, [](const Finding& f) {
                    return f.said.key == "measured.heads_unread";
                }))
                continue;
            for (std::size_t i = 0; i < one.why.size(); ++i)
                made->findings.insert(made->findings.begin() + static_cast<std::ptrdiff_t>(i),
                                      Finding{std::move(one.why[i]), true});
            add_pairing(reference, pairing, *made);
            made->verdict = verdict_of(made->findings);
            return made;
        }
        return std::nullopt;
    }
    static void add_pairing(const Reference& reference, const Pairing& found, Measured& made) {
        const Pairing wanted{reference.pairs(), reference.layout};
        const std::int64_t by = found.second(0) - found.first(0), own = wanted.second(0) - wanted.first(0);
        if (by != own)
            made.findings.push_back({{"measured.partner", {{"by", text(by)}, {"wanted", text(own)}}}, true});
    }
    static std::vector<PairMeasured> beside(const Reference& reference, std::span<const Wave> waves,
                                            std::span<const Rate> rates) {
        std::vector<PairMeasured> made;
        for (std::size_t i = 0; i < rates.size(); ++i) {
            const double own = i < reference.frequency.size() ? reference.frequency[i] : 0.0;
            made.push_back({.rate = rates[i].value,
                            .off = rates[i].off,
                            .ratio = own > 0.0 ? rates[i].value / own : 0.0,
                            .amplitude = waves[i].amplitude,
                            .residual = waves[i].residual,
                            .expected = own,
                            .unscaled = i < reference.unscaled.size() ? reference.unscaled[i] : 0.0});
        }
        return made;
    }
    std::optional<Measured> unexplained(const Sides& sides, const Reference& reference,
                                        const Pairing& pairing, std::span<const PairMeasured> pairs) const {
        auto ratios = ratios_of(pairs);
        if (!ratios) return std::nullopt;
        Measured made = rotation_of(sides, reference);
        made.explained = 0.0;
        made.partners = partners_in(pairing, sides.before.columns);
        made.findings.push_back(std::move(*ratios));
        add_pairing(reference, pairing, made);
        made.verdict = Verdict::wrong;
        return made;
    }

    // ---- columns --------------------------------------------------------------------------------------------------------

    // q′_i = C q_i + S q_j of pair f: how a column is made of two.
    struct Column {
        std::int64_t partner = -1, pair = -1;
        enum class Kind { rotated, whole, without_cos, exchanged, same } kind = Kind::rotated;
        double sign = 0.0;  // of the sine
    };

    static std::vector<std::int64_t> partners_of(std::int64_t i, std::int64_t d, std::int64_t pairs) {
        std::vector<std::int64_t> made;
        for (const std::int64_t by : {pairs, std::int64_t{1}, d / 2, d / 4, 2 * pairs, d / 8})
            for (const std::int64_t j : {i + by, i - by})
                if (by > 0 && j >= 0 && j < d && std::ranges::find(made, j) == made.end()) made.push_back(j);
        return made;
    }

    // e^{isω} of a column, s where its rows begin: q′_i = (a cos rω + b sin rω) q_i + (c cos rω + d sin rω) q_j by least squares.
    // A column without q_i leaves the sign open.
    struct Phase {
        double rate = 0.0;
        Complex turn;
        bool either_sign = false;
    };
    std::optional<Phase> phase_of(const Sides& sides, double rate, std::int64_t i, std::int64_t j) const {
        constexpr std::int64_t kMostSamples = 64, kLeastSamples = 8;
        const Table &q = sides.before, &out = sides.after;
        const std::int64_t all = q.slices * q.rows, step = std::max<std::int64_t>(1, all / kMostSamples);
        if (all < kLeastSamples) return std::nullopt;
        std::array<std::array<double, 5>, 4> m{};
        double size = 0.0;
        const auto terms = [&](std::int64_t n) {
            const std::int64_t s = n / q.rows, r = n % q.rows;
            const double c = std::cos(static_cast<double>(r) * rate),
                         z = std::sin(static_cast<double>(r) * rate);
            return std::array{c * q.at(s, r, i), z * q.at(s, r, i), c * q.at(s, r, j), z * q.at(s, r, j),
                              out.at(s, r, i)};
        };
        for (std::int64_t n = 0; n < all; n += step) {
            const auto t = terms(n);
            size += t[4] * t[4];
            for (std::size_t a = 0; a < 4; ++a)
                for (std::size_t b = 0; b < 5; ++b) m[a][b] += t[a] * t[b];
        }
        for (std::size_t a = 0; a < 4; ++a) {
            std::size_t pivot = a;
            for (std::size_t b = a + 1; b < 4; ++b)
                if (std::abs(m[b][a]) > std::abs(m[pivot][a])) pivot = b;
            std::swap(m[a], m[pivot]);
            if (!(std::abs(m[a][a]) > 1e-9 * size)) return std::nullopt;
            for (std::size_t b = 0; b < 4; ++b)
                if (b != a)
                    for (std::size_t k = 5; k-- > a;) m[b][k] -= m[b][a] / m[a][a] * m[a][k];
        }
        std::array<double, 4> x{};
        for (std::size_t a = 0; a < 4; ++a) x[a] = m[a][4] / m[a][a];
        double left = 0.0;
        for (std::int64_t n = 0; n < all; n += step) {
            const auto t = terms(n);
            const double off = t[4] - x[0] * t[0] - x[1] * t[1] - x[2] * t[2] - x[3] * t[3];
            left += off * off;
        }
        const double allowed_part = std::max(1e-5, 4.0 * precision_.relative);
        if (!(left <= allowed_part * allowed_part * size)) return std::nullopt;
        const Complex own(x[0], -x[1]), partner(x[3], x[2]);
        if (std::abs(own) > 0.3) return Phase{rate, own / std::abs(own), false};
        if (std::abs(partner) > 0.3) return Phase{rate, partner / std::abs(partner), true};
        return std::nullopt;
    }

    // Positions that the first row may have: 0, and those that the phases of some columns agree on, as they are or a quarter off
    // (where cos and sin are exchanged).
    std::vector<double> starts_of(const Sides& sides, const Reference& reference) const {
        std::vector<double> made{0.0};
        const std::int64_t d = sides.before.columns, pairs = reference.pairs();
        std::vector<Phase> phases;
        for (std::int64_t n = 0; n < d && phases.size() < 12; ++n) {
            const std::int64_t i = n * 7 % d;
            for (const std::int64_t j : partners_of(i, d, pairs)) {
                std::optional<Phase> found;
                for (std::int64_t f = 0; f < pairs && !found; ++f) {
                    spend(600.0);
                    const double rate = reference.frequency[static_cast<std::size_t>(f)];
                    if (rate * static_cast<double>(sides.before.rows) > 0.5)
                        found = phase_of(sides, rate, i, j);
                }
                if (!found) continue;
                phases.push_back(*found);
                break;
            }
            if (n > 64 && phases.empty()) return made;
        }
        if (phases.size() < 2) return made;
        for (const Complex quarter : {Complex(1.0, 0.0), Complex(0.0, 1.0), Complex(0.0, -1.0)})
            for (std::int64_t s = 0; s <= 131072; ++s) {
                const auto fits = [&](double at) {
                    return std::ranges::all_of(phases, [&](const Phase& one) {
                        const Complex wanted = std::polar(1.0, at * one.rate), turn = one.turn * quarter;
                        return std::abs(wanted - turn) < 0.01 ||
                               (one.either_sign && std::abs(wanted + turn) < 0.01);
                    });
                };
                const bool ahead = s > 0 && fits(static_cast<double>(s));
                if (ahead || (s > 0 && s < 4096 && fits(-static_cast<double>(s)))) {
                    made.push_back(ahead ? static_cast<double>(s) : -static_cast<double>(s));
                    break;
                }
            }
        return made;
    }

    std::optional<Column> column_of(const Sides& sides, const Reference& reference, std::int64_t i,
                                    std::span<const double> p, std::span<const double> c,
                                    std::span<const double> s) const {
        const Table &q = sides.before, &out = sides.after;
        const std::int64_t d = q.columns, rows = q.rows, pairs = reference.pairs();
        const auto fits = [&](double rate, auto value) {
            for (std::int64_t n = 0; n < q.slices * rows; ++n) {
                const std::int64_t slice = n / rows, r = n % rows;
                const double x = value(slice, r), y = out.at(slice, r, i);
                if (!(std::abs(x - y) <= 3.0 * allowed(x, std::abs(q.at(slice, r, i)) + 2.0, 0.0,
                                                       rate * p[static_cast<std::size_t>(r)])))
                    return false;
            }
            return true;
        };
        if (fits(0.0, [&](auto slice, auto r) { return q.at(slice, r, i); }))
            return Column{i, -1, Column::Kind::same, 0.0};
        for (const std::int64_t j : partners_of(i, d, pairs))
            for (std::int64_t f = 0; f < pairs; ++f) {
                const auto at = [&](std::int64_t r) { return static_cast<std::size_t>(r * pairs + f); };
                const double rate = reference.frequency[static_cast<std::size_t>(f)];
                spend(20.0);
                for (const double sign : {1.0, -1.0}) {
                    if (fits(rate, [&](auto slice, auto r) {
                            return c[at(r)] * q.at(slice, r, i) + sign * s[at(r)] * q.at(slice, r, j);
                        }))
                        return Column{j, f, Column::Kind::rotated, sign};
                    if (fits(rate, [&](auto slice, auto r) {
                            return q.at(slice, r, i) + sign * s[at(r)] * q.at(slice, r, j);
                        }))
                        return Column{j, f, Column::Kind::whole, sign};
                    if (fits(rate, [&](auto slice, auto r) { return sign * s[at(r)] * q.at(slice, r, j); }))
                        return Column{j, f, Column::Kind::without_cos, sign};
                    if (fits(rate, [&](auto slice, auto r) {
                            return s[at(r)] * q.at(slice, r, i) + sign * c[at(r)] * q.at(slice, r, j);
                        }))
                        return Column{j, f, Column::Kind::exchanged, sign};
                }
            }
        return std::nullopt;
    }

    std::optional<Measured> by_columns(const Sides& sides, const Reference& reference) const {
        if (sides.before.rows < 3 || !reference.axis.empty()) return std::nullopt;
        for (const double start : starts_of(sides, reference))
            if (auto made = columns_from(sides, reference, start)) return made;
        return std::nullopt;
    }
    std::optional<Measured> columns_from(const Sides& sides, const Reference& reference, double start) const {
        const std::int64_t pairs = reference.pairs(), d = sides.before.columns, rows = sides.before.rows;
        std::vector<double> p, c, s;
        for (std::int64_t r = 0; r < rows; ++r) {
            const bool given = !wanted_.ids.empty() && static_cast<std::size_t>(r) < wanted_.ids[0].size();
            p.push_back(given ? id_of(r, 0) : start + static_cast<double>(r));
            for (const double w : reference.frequency) {
                c.push_back(reference.amplitude * std::cos(p.back() * w));
                s.push_back(reference.amplitude * std::sin(p.back() * w));
            }
        }
        std::vector<std::optional<Column>> columns;
        std::int64_t found = 0, looked = 0;
        for (std::int64_t i = 0; i < d; ++i) {
            const bool look = d <= 128 || i % (d / 64) < 2;
            columns.push_back(look ? column_of(sides, reference, i, p, c, s) : std::nullopt);
            found += columns.back() ? 1 : 0, looked += look ? 1 : 0;
        }
        if (10 * found < 9 * looked) return std::nullopt;
        std::vector<std::int64_t> same;
        std::map<std::int64_t, std::int64_t> offsets;
        std::int64_t rotated = 0, without = 0, whole = 0, exchanged = 0, positive_first = 0, first = 0,
                     halves = 0, doubled = 0, partner_halves = 0, neighbours = 0;
        for (std::int64_t i = 0; i < d; ++i) {
            const auto& one = columns[static_cast<std::size_t>(i)];
            if (!one) continue;
            if (one->kind == Column::Kind::same) {
                same.push_back(i);
                continue;
            }
            ++rotated;
            without += one->kind == Column::Kind::without_cos ? 1 : 0;
            whole += one->kind == Column::Kind::whole ? 1 : 0;
            exchanged += one->kind == Column::Kind::exchanged ? 1 : 0;
            if (one->partner > i)
                ++first, positive_first += one->sign > 0.0 ? 1 : 0, ++offsets[one->partner - i];
            const bool next = one->partner == (i ^ 1);
            neighbours += next ? 1 : 0;
            partner_halves += next ? 0 : 1;
            halves += one->pair == i % pairs ? 1 : 0;
            doubled += one->pair == i / 2 ? 1 : 0;
        }
        if (rotated == 0) return std::nullopt;
        Measured made = rotation_of(sides, reference);
        made.verdict = Verdict::wrong;
        for (const auto& one : columns) made.partners.push_back(one ? one->partner : -1);
        const auto add = [&](const char* key, ProblemValues values = {}) {
            made.findings.push_back({{fmt::format("measured.{}", key), std::move(values)}, true});
        };
        const auto by = offsets.empty() ? 0 : std::ranges::max_element(offsets, {}, [](const auto& o) {
                                                  return o.second;
                                              })->first;
        const std::int64_t wanted_by = reference.layout == PairLayout::halves ? pairs : 1;
        if (2 * without > rotated) add("without_cos");
        else if (2 * whole > rotated) add("cos_left_out");
        else if (2 * exchanged > rotated) add("cos_sin_exchanged");
        if (2 * neighbours > rotated && 10 * halves > 9 * rotated && pairs > 1) add("table_halves");
        else if (2 * partner_halves > rotated && 10 * doubled > 9 * rotated && pairs > 1) add("table_twice");
        else if (by != wanted_by && by > 0) add("partner", {{"by", text(by)}, {"wanted", text(wanted_by)}});
        if (first > 0 && 2 * positive_first > first && 2 * without <= rotated && 2 * exchanged <= rotated &&
            made.findings.empty())
            add("no_minus");
        std::vector<std::int64_t> left;
        for (const std::int64_t i : same) {
            const bool passes =
                i >= 2 * pairs || reference.frequency[static_cast<std::size_t>(
                                      reference.layout == PairLayout::halves ? i % pairs : i / 2)] == 0.0;
            if (!passes) left.push_back(i);
        }
        if (static_cast<std::int64_t>(left.size()) > d / 8)
            add("columns_unrotated",
                {{"columns", listed(left)}, {"count", text(static_cast<std::int64_t>(left.size()))}});
        if (made.findings.empty()) return std::nullopt;
        return made;
    }

    const StoredTensor &before_, &after_;
    const Wanted& wanted_;
    Precision precision_;
};

}  // namespace

std::optional<Measured> measure_rotation(const StoredTensor& before, const StoredTensor& after,
                                         const Wanted& wanted) {
    return Rotation(before, after, wanted).run();
}

}  // namespace posiscope::measuring
