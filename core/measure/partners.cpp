#include "core/measure/partners.hpp"

#include "core/cost.hpp"
#include "core/measure/columns.hpp"
#include "core/measure/show.hpp"
#include "core/numeric/svd.hpp"

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
        const std::vector<Sides> all = all_sides();
        if (before_.values.size() > kLarge && wanted_.axes.empty()) {
            std::vector<Sides> few;
            for (const Sides& one : all) few.push_back(few_of(one));
            if (!best_of(few)) return std::nullopt;
        }
        return best_of(all);
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

    // Every way to read both, by the letters of their axes: those that were typed, else by the config's heads.
    std::vector<Sides> all_sides() const {
        std::vector<Sides> made;
        const auto add = [&](const std::vector<std::int64_t>& shape, std::string_view axes) {
            auto before = table_with(before_, shape, axes), after = table_with(after_, shape, axes);
            if (!before || !after || before->joined != Table::Joined::no) return;
            Sides one{std::move(*before), std::move(*after)};
            if (const auto b = axes.find('b'); b != std::string_view::npos) one.entries = shape[b];
            one.heads = one.before.slices / one.entries;
            made.push_back(std::move(one));
        };
        // A step of 8 heads, [8, 1, d], is no text of 8 rows.
        std::vector<std::int64_t> shape = before_.cropped ? squeezed(before_) : before_.shape;
        if (!wanted_.axes.empty()) {
            add(wanted_.axes.size() == shape.size() ? shape : squeezed(before_), wanted_.axes);
            return made;
        }
        if (shape.size() < 2) return made;
        std::int64_t width = shape.back();
        for (const Reference& r : wanted_.references)
            if (r.head_width > 0 && shape.back() % r.head_width == 0) width = r.head_width;
        const std::int64_t flat = shape.back() / width;
        if (flat > 1) shape.back() = flat, shape.push_back(width);  // [n, h d]
        while (shape.size() > (flat > 1 ? 3U : 4U) && shape.front() == 1) shape.erase(shape.begin());
        const std::size_t k = shape.size();
        if (k == 2) add(shape, "nd");
        if (flat > 1 && k <= 4) add(shape, k == 3 ? "nhd" : "bnhd");
        if (flat > 1 || k < 3 || k > 4) return made;
        const auto is_heads = [&](std::int64_t size) {
            return size == 1 || std::ranges::any_of(wanted_.references, [&](const Reference& r) {
                       return r.heads == size || r.key_heads == size;
                   });
        };
        // The config's heads decide; where both sizes or neither are heads, both are tried.
        const bool outer = is_heads(shape[k - 3]), inner = is_heads(shape[k - 2]);
        if (outer || !inner) add(shape, k == 3 ? "hnd" : "bhnd");
        if (inner || !outer) add(shape, k == 3 ? "nhd" : "bnhd");
        return made;
    }

    // A few slices, and their first rows.
    static Sides few_of(const Sides& all) {
        constexpr std::int64_t kFewEntries = 2, kFewHeads = 4, kFewRows = 64;
        Sides made;
        made.entries = std::min(all.entries, kFewEntries), made.heads = std::min(all.heads, kFewHeads);
        for (const auto& [from, to] : {std::pair(&all.before, &made.before), {&all.after, &made.after}}) {
            to->slices = made.entries * made.heads, to->columns = from->columns;
            to->rows = std::min(from->rows, kFewRows);
            for (std::int64_t e = 0; e < made.entries; ++e)
                for (std::int64_t h = 0; h < made.heads; ++h) {
                    const std::int64_t slice =
                        e * (all.entries / made.entries) * all.heads + h * (all.heads / made.heads);
                    const auto first = from->values.begin() +
                                       static_cast<std::ptrdiff_t>(slice * from->rows * from->columns);
                    to->values.insert(to->values.end(), first,
                                      first + static_cast<std::ptrdiff_t>(to->rows * from->columns));
                }
        }
        return made;
    }

    // ---- heads ----------------------------------------------------------------------------------------------------------

    // How far a number may be off: its own rounding, and that of products in a narrow type.
    double allowed(double value, double a, double b, double angle) const {
        const double single = precision_.name == "float64" ? 1e-14 : 4e-7;
        return precision_.half_unit(value) +
               (std::abs(a) + std::abs(b)) * (2.5 * (precision_.relative > 1e-6 ? precision_.relative : 0.0) +
                                              single + std::min(1.0, std::abs(angle) * 5e-7));
    }

    // The angles of a row's pairs; `step`: as llama.cpp makes them, one from the other, with a factor so many units off.
    static std::vector<double> angles_of(const Reference& reference, std::span<const double> p,
                                         std::optional<int> step) {
        std::vector<double> made;
        for (std::size_t i = 0; i < reference.frequency.size(); ++i) {
            const double position =
                p[reference.axis.empty() ? 0 : static_cast<std::size_t>(reference.axis[i])];
            made.push_back(step ? reference.unscaled[i] / reference.frequency[i]
                                : position * reference.frequency[i]);
        }
        if (!step) return made;
        return successive_angles(p[0], reference.unscaled[1] / reference.unscaled[0], *step, made);
    }

    bool row_fits(const Sides& sides, const Reference& reference, const Pairing& pairing, std::int64_t slice,
                  std::int64_t row, double scale, std::span<const double> p) const {
        const auto fits = [&](std::span<const double> angles) {
            for (std::int64_t i = 0; i < pairing.pairs; ++i) {
                const double angle = angles[static_cast<std::size_t>(i)];
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
            return true;
        };
        bool pairs_fit = fits(angles_of(reference, p, std::nullopt));
        const bool steps = reference.axis.empty() &&
                           reference.unscaled.size() == reference.frequency.size() && reference.pairs() > 1 &&
                           reference.frequency.back() > 0.0;
        for (const int units : {0, 1, -1})
            pairs_fit = pairs_fit || (steps && fits(angles_of(reference, p, units)));
        if (!pairs_fit) return false;
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
        Positions read = read_positions(turns, form, turning, {"float32", 0x1p-24, 1e-30}, options);
        // llama.cpp's running product drifts.
        if (const auto unread = std::ranges::count_if(read.values, [](double x) { return std::isnan(x); });
            2 * unread > std::ssize(read.values)) {
            ReadingOptions drifting = options;
            drifting.relative = 5e-6;
            read = read_positions(turns, form, turning, {"float32", 0x1p-24, 1e-30}, drifting);
        }
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
                 {"count", text(count_in(list))},
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

    // Collects the rest beside the config's rotation; true if all of it is within the tolerance that was asked for.
    bool left_of(const Sides& sides, const Reference& reference, double scale, double start,
                 Leftover& left) const {
        const Table &q = sides.before, &out = sides.after;
        const Pairing pairing{reference.pairs(), reference.layout};
        bool tolerated = wanted_.tolerance > 0.0 || wanted_.relative > 0.0;
        const auto add = [&](std::int64_t s, std::int64_t r, std::int64_t c, double x, double turned) {
            const double y = out.at(s, r, c);
            left.add(s, r, c, y, x, turned);
            tolerated = tolerated && std::abs(y - x) <= wanted_.tolerance + wanted_.relative * std::abs(x);
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
        return tolerated;
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
                Leftover left(sides.before);
                const bool tolerated = left_of(sides, reference, known, start, left);
                if (!tolerated && !left.without_pattern(0.1 * left.size())) continue;
                Measured made = rotation_of(sides, reference);
                made.verdict = tolerated ? Verdict::right : Verdict::noisy;
                made.tolerated = tolerated;
                made.noise = tolerated ? 0.0 : left.noise(), made.largest = left.largest;
                if (!tolerated) made.findings.push_back(left.said());
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

    // A column as q′_i = (whole + own(r)) q_i + other(r) q_j, where own and other turn by the rate of a pair: Re(z e^{irω}).
    struct Column {
        std::int64_t partner = -1, pair = -1;  // −1: it is as before
        double whole = 0.0, rate = 0.0;
        Complex own, other;

        // A rotation has own = e^{isω} and other = −iσ e^{isω}, s where its rows begin and σ the sign of the sine.
        bool turns() const { return std::abs(own) > 0.3; }
        bool positive() const { return (other * std::conj(own)).imag() < 0.0; }
    };

    static std::vector<std::int64_t> partners_of(std::int64_t i, std::int64_t d, std::int64_t pairs) {
        std::vector<std::int64_t> made;
        for (const std::int64_t by : {pairs, std::int64_t{1}, d / 2, d / 4, 2 * pairs, d / 8})
            for (const std::int64_t j : {i + by, i - by})
                if (by > 0 && j >= 0 && j < d && std::ranges::find(made, j) == made.end()) made.push_back(j);
        return made;
    }

    // By least squares over some numbers; all are within rounding, or it is none.
    std::optional<Column> made_of(const Sides& sides, std::span<const double> at, std::int64_t i,
                                  std::int64_t j, std::int64_t pair, double rate) const {
        constexpr std::int64_t kMostSamples = 64, kLeastSamples = 12;
        const Table &q = sides.before, &out = sides.after;
        const std::int64_t all = q.slices * q.rows, step = std::max<std::int64_t>(1, all / kMostSamples);
        if (all < kLeastSamples) return std::nullopt;
        spend(4e3);
        const auto terms = [&](std::int64_t n) {
            const double angle = at[static_cast<std::size_t>(n % q.rows)] * rate, c = std::cos(angle),
                         s = std::sin(angle), x = q.at(n, i), y = q.at(n, j);
            return std::array{x, c * x, s * x, c * y, s * y};
        };
        const auto count = static_cast<std::size_t>((all + step - 1) / step);
        Table2d table(count, 5);
        std::vector<double> target;
        for (std::size_t k = 0; k < count; ++k) {
            const auto n = static_cast<std::int64_t>(k) * step;
            const auto row = terms(n);
            for (std::size_t t = 0; t < row.size(); ++t) table(k, t) = row[t];
            target.push_back(out.at(n, i));
        }
        const std::vector<double> x = least_squares(std::move(table), std::move(target), 1e-7);
        const auto fits = [&](std::int64_t by) {
            const double part = std::max(1e-5, 4.0 * precision_.relative);
            double left = 0.0, size = 0.0;
            for (std::int64_t n = 0; n < all; n += by) {
                const auto row = terms(n);
                double off = out.at(n, i);
                size += off * off;
                for (std::size_t t = 0; t < row.size(); ++t) off -= x[t] * row[t];
                left += off * off;
            }
            return left <= part * part * size;
        };
        if (!fits(step) || !fits(1)) return std::nullopt;
        return Column{j, pair, x[0], rate, Complex(x[1], -x[2]), Complex(x[3], -x[4])};
    }

    // Of all pairs of rates and partners the likely ones first.
    std::optional<Column> column_of(const Sides& sides, const Reference& reference,
                                    std::span<const double> at, std::int64_t i, bool all) const {
        const Table &q = sides.before, &out = sides.after;
        bool same = true;
        for (std::int64_t n = 0; n < q.slices * q.rows && same; ++n)
            same = std::abs(q.at(n, i) - out.at(n, i)) <= allowed(q.at(n, i), 0.0, 0.0, 0.0);
        if (same) return Column{};
        const std::int64_t pairs = reference.pairs();
        for (const std::int64_t j : partners_of(i, q.columns, pairs))
            for (std::int64_t n = -2; n < (all ? pairs : 0); ++n) {
                const std::int64_t f = n == -2 ? i % pairs : n == -1 ? i / 2 % pairs : n;
                if (auto one = made_of(sides, at, i, j, f, reference.frequency[static_cast<std::size_t>(f)]))
                    return one;
            }
        return std::nullopt;
    }

    // Where the rows begin, if every column that turns agrees; cos and sin exchanged are a quarter of a turn off.
    struct Begins {
        double at = 0.0;
        bool exchanged = false;
    };
    static std::optional<Begins> begins(std::span<const Column> columns, bool known) {
        const auto fits = [&](double at, Complex quarter) {
            return std::ranges::all_of(columns, [&](const Column& one) {
                const Complex turn = one.own / std::abs(one.own) * quarter;
                return std::abs(std::polar(1.0, at * one.rate) - turn) < 0.02;
            });
        };
        static constexpr Complex quarters[] = {{1.0, 0.0}, {0.0, 1.0}, {0.0, -1.0}};
        for (const Complex quarter : quarters)
            if (fits(0.0, quarter)) return Begins{0.0, quarter.real() == 0.0};
        for (const Complex quarter : quarters)
            for (double s = 1.0; s <= 131072.0 && !known && columns.size() > 1; s += 1.0)
                for (const double at : {s, -s})
                    if (at > -4096.0 && fits(at, quarter)) return Begins{at, quarter.real() == 0.0};
        return std::nullopt;
    }

    std::optional<Measured> by_columns(const Sides& sides, const Reference& reference) const {
        constexpr std::int64_t kMostSearched = 8;  // columns of which no likely pair is the one
        const std::int64_t pairs = reference.pairs(), d = sides.before.columns, rows = sides.before.rows;
        if (rows < 3 || !reference.axis.empty()) return std::nullopt;
        const bool given = !wanted_.ids.empty() && count_in(wanted_.ids[0]) >= rows;
        std::vector<double> at;
        for (std::int64_t r = 0; r < rows; ++r) at.push_back(given ? id_of(r, 0) : static_cast<double>(r));
        Measured made = rotation_of(sides, reference);
        made.verdict = Verdict::wrong;
        made.partners.assign(static_cast<std::size_t>(d), -1);
        std::vector<Column> moved, turned;  // columns that a pair turned far enough to tell how
        std::vector<std::int64_t> of_moved, left;
        std::int64_t found = 0, looked = 0, searched = 0;
        for (std::int64_t i = 0; i < d; ++i) {
            if (d > 128 && i % (d / 64) >= 2) continue;
            ++looked;
            auto one = column_of(sides, reference, at, i, false);
            if (!one && searched++ < kMostSearched) one = column_of(sides, reference, at, i, true);
            if (!one && found == 0 && searched == kMostSearched) return std::nullopt;
            if (!one) continue;
            ++found;
            made.partners[static_cast<std::size_t>(i)] = one->pair < 0 ? i : one->partner;
            const double own = reference.frequency[static_cast<std::size_t>(
                reference.layout == PairLayout::halves ? i % pairs : i / 2 % pairs)];
            if (one->pair < 0 && i < 2 * pairs && own > 0.0) left.push_back(i);
            const double least = precision_.relative > 1e-6 ? 3.0 : 0.5;
            if (one->pair < 0 || one->rate * static_cast<double>(rows) < least) continue;
            if (one->turns()) turned.push_back(*one);
            moved.push_back(*one), of_moved.push_back(i);
        }
        const auto begin = begins(turned, given);
        if (10 * found < 9 * looked || moved.empty() || !begin) return std::nullopt;
        const auto most = [&](auto test, double part) {
            std::size_t count = 0;
            for (std::size_t k = 0; k < moved.size(); ++k) count += test(moved[k], of_moved[k]) ? 1 : 0;
            return static_cast<double>(count) > part * static_cast<double>(moved.size());
        };
        const auto add = [&](const char* key, ProblemValues values = {}) {
            made.findings.push_back({{fmt::format("measured.{}", key), std::move(values)}, true});
        };
        const bool still = most([](const Column& c, auto) { return !c.turns(); }, 0.5);
        if (still)
            add(most([](const Column& c, auto) { return c.whole > 0.5; }, 0.5) ? "cos_left_out"
                                                                               : "without_cos");
        else if (begin->exchanged) add("cos_sin_exchanged");
        std::map<std::int64_t, std::int64_t> offsets;
        for (std::size_t k = 0; k < moved.size(); ++k)
            if (const std::int64_t by = moved[k].partner - of_moved[k]; by > 0) ++offsets[by];
        const auto by = offsets.empty() ? 0 : std::ranges::max_element(offsets, {}, [](const auto& o) {
                                                  return o.second;
                                              })->first;
        const std::int64_t wanted_by = reference.layout == PairLayout::halves ? pairs : 1;
        const bool neighbours = most([](const Column& c, auto i) { return c.partner == (i ^ 1); }, 0.5);
        if (neighbours && pairs > 1 &&
            most([&](const Column& c, auto i) { return c.pair == i % pairs; }, 0.9))
            add("table_halves");
        else if (!neighbours && pairs > 1 &&
                 most([](const Column& c, auto i) { return c.pair == i / 2; }, 0.9))
            add("table_twice");
        else if (by != wanted_by && by > 0) add("partner", {{"by", text(by)}, {"wanted", text(wanted_by)}});
        // Both numbers of a pair have the same sign: the first has it, too.
        if (made.findings.empty() &&
            most([](const Column& c, auto i) { return c.partner > i && c.positive(); }, 0.25))
            add("no_minus");
        if (count_in(left) > d / 8)
            add("columns_unrotated", {{"columns", listed(left)}, {"count", text(count_in(left))}});
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
