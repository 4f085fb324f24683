// sequence.cpp — what the positions of a table's rows are like.
#include "core/measure/measure.hpp"
#include "core/measure/show.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace posiscope::measuring {
namespace {

using Row = std::int64_t;
constexpr Row kLeastRows = 8;  // fewer may begin and go on anyhow

class Sequence {
public:
    Sequence(std::vector<Row> p, const Trial& trial)
        : p_(std::move(p)), n_(static_cast<Row>(p_.size())), trial_(trial) {}

    std::vector<Finding> judge() {
        if (n_ == 0) return {};
        if (chunked() || padded()) return found_;
        if (Row first = p_[0]; runs(0, n_, 1)) {
            if (first == 0) return found_;
            const bool wrong = n_ >= kLeastRows && std::abs(first) <= 2;
            const bool negative = first < 0;
            add("begins", {{"position", text(first)}}, wrong || negative);
            return found_;
        }
        if (n_ < 3) return found_;
        if (wraps() || narrowed_rows() || stuck() || mirrored() || reversed() || multiple() || restarts() ||
            odd_rows() || jump() || moved_blocks())
            return found_;
        if (n_ < 64 && !mostly_runs()) add("scattered", {{"rows", first_rows()}}, false);
        else add("other_positions", {{"rows", first_rows()}}, true);
        return found_;
    }

private:
    bool runs(Row from, Row to, Row step) const {
        for (Row r = from + 1; r < to; ++r)
            if (p_[at(r)] != p_[at(r - 1)] + step) return false;
        return true;
    }
    static std::size_t at(Row r) { return static_cast<std::size_t>(r); }
    bool add(const char* key, ProblemValues values, bool wrong) {
        found_.push_back({{fmt::format("measured.rows_{}", key), std::move(values)}, wrong});
        return true;
    }
    bool mostly_runs() const {
        Row good = 0;
        for (Row r = 1; r < n_; ++r) good += p_[at(r)] == p_[at(r - 1)] + 1 ? 1 : 0;
        return 2 * good > n_;
    }
    std::string first_rows() const {
        std::vector<Row> first(p_.begin(), p_.begin() + static_cast<std::ptrdiff_t>(
                                                            std::min<std::size_t>(p_.size(), kMostShown)));
        return fmt::format("{}{}", fmt::join(first, ", "), p_.size() > kMostShown ? " …" : "");
    }

    // The caches that dual chunk attention keeps.
    bool chunked() {
        const auto& settings = trial_.reference->settings;
        if (!settings || !settings->chunks) return false;
        const Row length = settings->chunks->length(), most = settings->chunks->chunk_size;
        const auto all = [&](auto rule) {
            for (Row r = 0; r < n_; ++r)
                if (p_[at(r)] != rule(r)) return false;
            return true;
        };
        if (all([&](Row r) { return std::min(r + length, most); }) ||
            all([&](Row r) { return r + length; }) || all([&](Row r) { return r + most; }) ||
            (n_ > length && all([&](Row r) { return r % length; })))
            return add("chunked", {{"length", text(length)}, {"chunk", text(most)}}, false);
        return false;
    }

    // Equal rows, then 0, 1, 2 …
    bool padded() {
        Row end = 1;
        while (end < n_ && p_[at(end)] == end) ++end;
        if (const Row pad = p_[at(n_ - 1)];
            p_[0] == 0 && end > 2 && end < n_ && (pad == 0 || pad == 1) && n_ - end > 1 && runs(end, n_, 0))
            return add("padded_behind", {{"count", text(n_ - end)}, {"position", text(pad)}}, false);
        Row pads = 0;
        while (pads + 1 < n_ && p_[at(pads + 1)] == p_[0]) ++pads;
        if (p_[0] == 0 && pads > 0 && runs(pads, n_, 1) && n_ > pads + 1)
            return add("padded", {{"count", text(pads)}, {"position", "0"}}, false);
        if (pads > 0 || (n_ > 2 && p_[0] == 1 && p_[1] == 0)) {
            const Row first = pads + 1;
            if (first < n_ && p_[at(first)] == 0 && (p_[0] == 1 || p_[0] == 0) && runs(first, n_, 1) &&
                (pads > 0 || n_ > 3))
                return add("padded", {{"count", text(first)}, {"position", text(p_[0])}}, false);
        }
        return false;
    }

    // After the largest number of a type comes its smallest.
    bool wraps() {
        for (const auto& [type, most] : {std::pair<const char*, Row>{"int8", 127},
                                         {"uint8", 255},
                                         {"int16", 32767},
                                         {"uint16", 65535}}) {
            const Row least = std::string_view(type).starts_with('u') ? 0 : -most - 1;
            // Cosines show a position and its negative alike: up to 32768, then down.
            const auto peak = std::ranges::find(p_, most + 1) - p_.begin();
            if (least < 0 && !trial_.form.both && peak > 1 && peak + 1 < n_ && runs(0, peak + 1, 1) &&
                runs(peak, n_, -1))
                return add("wrap",
                           {{"type", type},
                            {"row", text(static_cast<Row>(peak))},
                            {"most", text(most)},
                            {"least", text(least)}},
                           true);
            for (Row r = 1; r < n_; ++r) {
                if (p_[at(r)] == p_[at(r - 1)] + 1) continue;
                if (p_[at(r - 1)] == most && p_[at(r)] == least && runs(0, r, 1) &&
                    (least != 0 || p_[0] > 0 || r == most + 1) && least < 0)
                    return add(
                        "wrap",
                        {{"type", type}, {"row", text(r)}, {"most", text(most)}, {"least", text(least)}},
                        true);
                break;
            }
        }
        return false;
    }

    bool stuck() {
        Row from = n_ - 1;
        while (from > 0 && p_[at(from - 1)] == p_[at(n_ - 1)]) --from;
        if (n_ - from < 3 || !runs(0, from + 1, 1)) return false;
        if (from == 0) return n_ >= kLeastRows && add("all_one", {{"position", text(p_[0])}}, true);
        return add("stuck", {{"row", text(from)}, {"position", text(p_[at(from)])}}, true);
    }

    bool multiple() {
        const Row step = p_[1] - p_[0];
        if (step == 1 || step == 0 || !runs(0, n_, step)) return false;
        const bool known = trial_.reference->known;
        if (p_[0] == 0 && std::abs(step) > 1)
            return add("times", {{"factor", text(step)}, {"rows", first_rows()}}, !known && n_ >= kLeastRows);
        return add("strided", {{"step", text(step)}, {"position", text(p_[0])}}, false);
    }

    // Rows that count from 0 again: of documents, or of positions modulo a number.
    bool restarts() {
        std::vector<Row> begins;
        for (Row r = 0; r < n_; ++r)
            if (p_[at(r)] == 0) begins.push_back(r);
        if (begins.size() < 2 || begins[0] != 0) return false;
        for (std::size_t i = 0; i < begins.size(); ++i)
            if (!runs(begins[i], i + 1 < begins.size() ? begins[i + 1] : n_, 1)) return false;
        const Row every = begins[1];
        bool even = n_ >= every + 2;
        for (std::size_t i = 1; i < begins.size(); ++i)
            even = even && begins[i] == static_cast<Row>(i) * every;
        even = even && n_ - begins.back() <= every;
        if (even && every >= 2) return add("modulo", {{"every", text(every)}}, true);
        return add("packed",
                   {{"documents", text(static_cast<Row>(begins.size()))},
                    {"rows", fmt::format("{}", fmt::join(begins, ", "))}},
                   false);
    }

    bool reversed() {
        if (!runs(0, n_, -1)) return false;
        if (p_[0] <= 0 && (p_[0] == 0 || trial_.reference->rotary)) {
            found_.push_back({{"measured.sine_negated", {}}, true});
            return true;
        }
        // Relative tables begin with the farthest distance; those of both sides go on to its negative.
        const bool both = p_[0] == -p_[at(n_ - 1)];
        const bool relative =
            !trial_.reference->rotary || (trial_.reference->known && trial_.form.name == "halves" &&
                                          trial_.form.sine_first);  // Transformer-XL's
        return add(both       ? "distances"
                   : relative ? "distances_down"
                              : "reversed",
                   {{"first", text(p_[0])}, {"last", text(p_[at(n_ - 1)])}}, !both && !relative);
    }

    // Distances on both sides of which one is not negated.
    bool mirrored() {
        const Row middle = n_ / 2;
        if (n_ % 2 == 0 || p_[0] != middle || p_[at(n_ - 1)] != middle || !runs(0, middle + 1, -1) ||
            !runs(middle, n_, 1))
            return false;
        return add("mirrored", {{"row", text(middle + 1)}, {"first", text(middle)}}, true);
    }

    // A few rows elsewhere.
    bool odd_rows() {
        std::map<Row, Row> shifts;
        for (Row r = 0; r < n_; ++r) ++shifts[p_[at(r)] - r];
        const auto usual = std::ranges::max_element(shifts, {}, [](const auto& s) { return s.second; });
        std::vector<std::string> odd;
        for (Row r = 0; r < n_; ++r)
            if (p_[at(r)] - r != usual->first) odd.push_back(fmt::format("{} → {}", r, p_[at(r)]));
        if (odd.empty() || static_cast<Row>(odd.size()) > std::max<Row>(1, n_ / 16) || n_ < kLeastRows)
            return false;
        if (odd.size() > kMostShown) odd.resize(kMostShown);
        return add("odd",
                   {{"rows", fmt::format("{}", fmt::join(odd, ", "))},
                    {"row", odd[0].substr(0, odd[0].find(' '))},
                    {"start", text(usual->first)}},
                   true);
    }

    // From one row on so many positions ahead.
    bool jump() {
        for (Row r = 1; r < n_; ++r) {
            const Row by = p_[at(r)] - p_[at(r - 1)] - 1;
            if (by == 0) continue;
            if (!runs(r, n_, 1)) return false;
            return add("jump", {{"row", text(r)}, {"by", text(by)}, {"position", text(p_[at(r)])}}, true);
        }
        return false;
    }

    // Positions that went through a narrow type.
    bool narrowed_rows() {
        for (const Narrow type : {Narrow::bfloat16, Narrow::float16})
            for (Row start = std::max<Row>(p_[0] - 64, 0); start <= p_[0] + 64 && !runs(0, n_, 1); ++start) {
                bool all = true;
                for (Row r = 0; r < n_ && all; ++r)
                    all = static_cast<double>(p_[at(r)]) == narrowed(static_cast<double>(start + r), type);
                if (all)
                    return add("narrowed", {{"type", std::string(name_of(type))}, {"position", text(start)}},
                               true);
            }
        return false;
    }

    // Blocks of rows in another order.
    bool moved_blocks() {
        std::vector<Row> sorted = p_;
        std::ranges::sort(sorted);
        for (Row r = 0; r < n_; ++r)
            if (sorted[at(r)] != r) return false;
        std::vector<std::string> moved;
        for (Row r = 0, end = 0; r < n_; r = end) {
            end = r + 1;
            while (end < n_ && p_[at(end)] == p_[at(end - 1)] + 1) ++end;
            if (p_[at(r)] != r && moved.size() < kMostShown)
                moved.push_back(fmt::format("{}–{} ← {}–{}", r, end - 1, p_[at(r)], p_[at(end - 1)]));
        }
        return add("moved", {{"blocks", fmt::format("{}", fmt::join(moved, ", "))}}, true);
    }

    std::vector<Row> p_;
    Row n_;
    const Trial& trial_;
    std::vector<Finding> found_;
};

// Rows and columns of an image's patches on two axes; a few of them may be elsewhere.
std::vector<Finding> patches(const Positions& read) {
    const auto grid = grid_of_patches(read);
    if (!grid) return {};
    std::vector<Finding> found = {{{grid->slow == 0 ? "measured.rows_grid" : "measured.rows_grid_turned",
                                    {{"rows", text(grid->rows)}, {"columns", text(grid->columns)}}},
                                   false}};
    std::vector<std::string> odd;
    for (std::size_t r = 0; r < read.values.size() / 2 && odd.size() < kMostShown; ++r)
        if (const auto row = read.at(r, grid->slow), column = read.at(r, 1 - grid->slow);
            row != grid->at(r, grid->slow) || column != grid->at(r, 1 - grid->slow))
            odd.push_back(fmt::format("{} → ({:.0f}, {:.0f})", r, row, column));
    if (!odd.empty())
        found.push_back({{"measured.rows_odd", {{"rows", fmt::format("{}", fmt::join(odd, ", "))}}}, true});
    return found;
}

// Rows that are not at their ids.
std::vector<Finding> against_ids(const Trial& trial, const Wanted& wanted) {
    std::vector<Finding> found;
    const Table& table = *trial.table;
    std::size_t count = 0;
    for (std::int64_t s = 0; s < table.slices; ++s)
        for (std::int64_t r = 0; r < table.rows; ++r)
            for (int a = 0; a < trial.positions.axes; ++a) {
                const double p = trial.positions.at(static_cast<std::size_t>(s * table.rows + r), a);
                const double id = id_at(wanted, table, trial.positions.axes, s, r, a);
                if (p == id || std::isnan(id)) continue;
                if (++count > kMostShown) continue;
                const std::string name =
                    trial.positions.axes > 1 && static_cast<std::size_t>(a) < trial.reference->axes.size()
                        ? trial.reference->axes[static_cast<std::size_t>(a)]
                        : "";
                if (std::isnan(p))
                    found.push_back({{"measured.rows_unread", {{"rows", text(r)}, {"count", "1"}}}, true});
                else
                    found.push_back({{name.empty() ? "measured.rows_not_id" : "measured.rows_not_id_axis",
                                      {{"row", text(r)},
                                       {"position", text(static_cast<Row>(p))},
                                       {"id", text(static_cast<Row>(id))},
                                       {"axis", name}}},
                                     true});
            }
    if (count > kMostShown)
        found.push_back({{"measured.rows_not_ids", {{"count", std::to_string(count)}}}, true});
    return found;
}

}  // namespace

std::optional<PatchGrid> grid_of_patches(const Positions& read) {
    const std::size_t n = read.values.size() / 2;
    const bool whole = std::ranges::none_of(read.values, [](double p) { return std::isnan(p); });
    if (read.axes != 2 || n < static_cast<std::size_t>(kLeastRows) || !whole) return std::nullopt;
    for (const int slow : {0, 1}) {
        PatchGrid made{slow, read.at(0, slow), read.at(0, 1 - slow)};
        double last = made.left;
        for (std::size_t r = 0; r < n; ++r) {
            made.top = std::min(made.top, read.at(r, slow));
            made.left = std::min(made.left, read.at(r, 1 - slow)),
            last = std::max(last, read.at(r, 1 - slow));
        }
        made.columns = static_cast<std::int64_t>(last - made.left) + 1;
        made.rows = static_cast<std::int64_t>(n) / made.columns;
        if (made.columns < 2 || made.rows * made.columns != static_cast<std::int64_t>(n)) continue;
        std::size_t odd = 0;
        for (std::size_t r = 0; r < n; ++r)
            odd +=
                read.at(r, slow) != made.at(r, slow) || read.at(r, 1 - slow) != made.at(r, 1 - slow) ? 1 : 0;
        if (odd <= n / 16) return made;
    }
    return std::nullopt;
}

std::vector<Finding> judge_rows(const Trial& trial, const Wanted& wanted) {
    if (!wanted.ids.empty()) return against_ids(trial, wanted);
    std::vector<Finding> found;
    const Table& table = *trial.table;
    std::vector<Row> unread;
    for (std::int64_t s = 0; s < table.slices; ++s) {
        const bool several = trial.positions.axes > 1;
        std::vector<std::vector<Row>> axes(static_cast<std::size_t>(trial.positions.axes));
        bool whole = true;
        for (std::int64_t r = 0; r < table.rows; ++r) {
            bool here = true;
            for (int a = 0; a < trial.positions.axes; ++a)
                here = here &&
                       std::isfinite(trial.positions.at(static_cast<std::size_t>(s * table.rows + r), a));
            if (!here) {
                unread.push_back(s * table.rows + r);
                continue;
            }
            for (int a = 0; a < trial.positions.axes; ++a) {
                const double p = trial.positions.at(static_cast<std::size_t>(s * table.rows + r), a);
                whole = whole && p == std::round(p);
                axes[static_cast<std::size_t>(a)].push_back(static_cast<Row>(p));
            }
        }
        if (!whole) {
            found.push_back(
                {{"measured.rows_not_whole", {{"first", fmt::format("{:.5g}", trial.positions.at(0, 0))}}},
                 false});
            continue;
        }
        const bool alike = std::ranges::all_of(axes, [&](const auto& axis) { return axis == axes[0]; });
        if (std::vector<Finding> grid =
                several && !alike && table.slices == 1 ? patches(trial.positions) : std::vector<Finding>();
            !grid.empty())
            return grid;
        if (several && !alike) {
            std::vector<std::string> shown;
            for (std::size_t a = 0; a < axes.size(); ++a) {
                std::vector<Row> first(
                    axes[a].begin(),
                    axes[a].begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(axes[a].size(), 8)));
                shown.push_back(fmt::format("{} {}",
                                            a < trial.reference->axes.size() ? trial.reference->axes[a] : "",
                                            fmt::join(first, " ")));
            }
            found.push_back(
                {{"measured.rows_axes", {{"axes", fmt::format("{}", fmt::join(shown, "; "))}}}, false});
            continue;
        }
        // One slice that is like the first needs no second sentence.
        auto here = Sequence(axes[0], trial).judge();
        for (Finding& one : here)
            if (std::ranges::none_of(found, [&](const Finding& f) { return f.said == one.said; }))
                found.push_back(std::move(one));
    }
    if (!unread.empty()) {
        const std::size_t shown = std::min<std::size_t>(unread.size(), kMostShown);
        found.push_back(
            {{"measured.rows_unread",
              {{"rows", fmt::format("{}{}",
                                    fmt::join(unread.begin(),
                                              unread.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                                    unread.size() > shown ? " …" : "")},
               {"count", std::to_string(unread.size())}}},
             true});
    }
    return found;
}

}  // namespace posiscope::measuring
