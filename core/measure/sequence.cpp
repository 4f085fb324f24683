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

// Rows whose positions go on by one step, 1, 0 or −1; alone by 1.
struct Run {
    Row row = 0, first = 0, count = 1, step = 1;

    Row end() const { return row + count; }
    Row last() const { return first + (count - 1) * step; }
};
std::vector<Run> runs_of(std::span<const Row> p) {
    std::vector<Run> made;
    const auto n = static_cast<Row>(p.size());
    const auto by = [&](Row r) {
        return p[static_cast<std::size_t>(r + 1)] - p[static_cast<std::size_t>(r)];
    };
    for (Row r = 0; r < n; r = made.back().end()) {
        Run& one = made.emplace_back(Run{r, p[static_cast<std::size_t>(r)]});
        if (r + 1 < n && std::abs(by(r)) <= 1) one.step = by(r);
        while (one.end() < n && by(one.end() - 1) == one.step) ++one.count;
    }
    return made;
}

class Sequence {
public:
    Sequence(std::vector<Row> p, const Trial& trial)
        : p_(std::move(p)), n_(static_cast<Row>(p_.size())), runs_(runs_of(p_)), trial_(trial) {}

    std::vector<Finding> judge() {
        using Is = bool (Sequence::*)();
        static constexpr Is kinds[] = {&Sequence::chunked,      &Sequence::padded,        &Sequence::begins,
                                       &Sequence::wraps,        &Sequence::narrowed_rows, &Sequence::stuck,
                                       &Sequence::mirrored,     &Sequence::reversed,      &Sequence::multiple,
                                       &Sequence::restarts,     &Sequence::odd_rows,      &Sequence::jump,
                                       &Sequence::moved_blocks, &Sequence::other};
        if (n_ > 0) (void)std::ranges::any_of(kinds, [this](Is is) { return (this->*is)(); });
        return std::move(found_);
    }

private:
    bool add(const char* key, ProblemValues values, bool wrong) {
        found_.push_back({{fmt::format("measured.rows_{}", key), std::move(values)}, wrong});
        return true;
    }
    template <class Rule>
    bool all(Rule rule) const {
        for (Row r = 0; r < n_; ++r)
            if (p_[static_cast<std::size_t>(r)] != rule(r)) return false;
        return true;
    }
    // So many runs, of these steps.
    bool steps(std::initializer_list<Row> of) const {
        return std::equal(runs_.begin(), runs_.end(), of.begin(), of.end(),
                          [](const Run& run, Row step) { return run.step == step; });
    }
    std::string first_rows() const {
        const auto shown = std::min<std::size_t>(p_.size(), kMostShown);
        return fmt::format("{}{}", fmt::join(std::span(p_).first(shown), ", "),
                           p_.size() > shown ? " …" : "");
    }

    // The caches that dual chunk attention keeps.
    bool chunked() {
        const auto& settings = trial_.reference->settings;
        if (!settings || !settings->chunks) return false;
        const Row length = settings->chunks->length(), most = settings->chunks->chunk_size;
        return (all([&](Row r) { return std::min(r + length, most); }) ||
                all([&](Row r) { return r + length; }) || all([&](Row r) { return r + most; }) ||
                (n_ > length && all([&](Row r) { return r % length; }))) &&
               add("chunked", {{"length", text(length)}, {"chunk", text(most)}}, false);
    }

    // Equal rows, then 0, 1, 2 …; or those behind.
    bool padded() {
        const auto say = [&](const char* key, Row count, Row position) {
            return add(key, {{"count", text(count)}, {"position", text(position)}}, false);
        };
        const Run &a = runs_.front(), &b = runs_.back();
        if (runs_.size() != 2) return false;
        if (a.step == 1 && a.first == 0 && a.count > 2 && b.step == 0 && (b.first == 0 || b.first == 1))
            return say("padded_behind", b.count, b.first);
        const bool pads = a.step == 0 && (a.first == 0 || a.first == 1) && b.step == 1;
        if (pads && b.first == 1 && a.first == 0) return say("padded", a.count - 1, 0);
        if (pads && b.first == 0) return say("padded", a.count, a.first);
        // One pad at position 1.
        return a.step == -1 && a.first == 1 && a.count == 2 && b.step == 1 && b.first == 1 && n_ > 3 &&
               say("padded", 1, 1);
    }

    bool begins() {
        const Row first = p_[0];
        if (!steps({1})) return n_ < 3;
        return first == 0 ||
               add("begins", {{"position", text(first)}}, first < 0 || (n_ >= kLeastRows && first <= 2));
    }

    // After the largest number of a type comes its smallest; cosines show a position and its negative alike.
    bool wraps() {
        for (const auto& [type, most] : {std::pair<const char*, Row>{"int8", 127}, {"int16", 32767}}) {
            const Run& a = runs_.front();
            if (runs_.size() < 2 || a.step != 1) continue;
            const Run& b = runs_[1];
            const bool down = !trial_.form.both && steps({1, -1}) && a.last() == most + 1 && a.count > 2;
            if (down || (a.last() == most && b.first == -most - 1))
                return add("wrap",
                           {{"type", type},
                            {"row", text(down ? a.count - 1 : b.row)},
                            {"most", text(most)},
                            {"least", text(-most - 1)}},
                           true);
        }
        return false;
    }

    bool stuck() {
        const Run& last = runs_.back();
        if (last.step != 0) return false;
        if (runs_.size() == 1)
            return n_ >= kLeastRows && add("all_one", {{"position", text(last.first)}}, true);
        return steps({1, 0}) && last.count >= 2 && runs_[0].last() == last.first &&
               add("stuck", {{"row", text(last.row - 1)}, {"position", text(last.first)}}, true);
    }

    bool multiple() {
        const Row step = p_[1] - p_[0];
        if (std::abs(step) < 1 || step == 1 || !all([&](Row r) { return p_[0] + r * step; })) return false;
        if (p_[0] == 0)
            return add("times", {{"factor", text(step)}, {"rows", first_rows()}},
                       !trial_.reference->known && n_ >= kLeastRows);
        return add("strided", {{"step", text(step)}, {"position", text(p_[0])}}, false);
    }

    // Rows that count from 0 again: of documents, or of positions modulo a number.
    bool restarts() {
        std::vector<Row> begins;
        for (Row r = 0; r < n_; ++r)
            if (p_[static_cast<std::size_t>(r)] == 0) begins.push_back(r);
        if (begins.size() < 2 || !all([&, document = std::size_t{0}](Row r) mutable {
                while (document + 1 < begins.size() && begins[document + 1] <= r) ++document;
                return r - begins[document];
            }))
            return false;
        const Row every = begins[1];
        if (every >= 2 && n_ >= every + 2 && all([&](Row r) { return r % every; }))
            return add("modulo", {{"every", text(every)}}, true);
        return add("packed",
                   {{"documents", text(static_cast<Row>(begins.size()))},
                    {"rows", fmt::format("{}", fmt::join(begins, ", "))}},
                   false);
    }

    bool reversed() {
        if (!steps({-1})) return false;
        const Row first = p_.front(), last = p_.back();
        const Reference& reference = *trial_.reference;
        if (first <= 0 && (first == 0 || reference.rotary)) {
            found_.push_back({{"measured.sine_negated", {}}, true});
            return true;
        }
        // Relative tables begin with the farthest distance; those of both sides go on to its negative.
        const bool both = first == -last;
        const bool relative = !reference.rotary || (reference.known && trial_.form.name == "halves" &&
                                                    trial_.form.sine_first);  // Transformer-XL's
        return add(both       ? "distances"
                   : relative ? "distances_down"
                              : "reversed",
                   {{"first", text(first)}, {"last", text(last)}}, !both && !relative);
    }

    // Distances on both sides of which one is not negated.
    bool mirrored() {
        const Row middle = n_ / 2;
        return n_ % 2 == 1 && steps({-1, 1}) && all([&](Row r) { return std::abs(r - middle); }) &&
               add("mirrored", {{"row", text(middle + 1)}, {"first", text(middle)}}, true);
    }

    // A few rows elsewhere.
    bool odd_rows() {
        std::map<Row, Row> shifts;
        for (Row r = 0; r < n_; ++r) ++shifts[p_[static_cast<std::size_t>(r)] - r];
        const Row usual = std::ranges::max_element(shifts, {}, [](const auto& s) { return s.second; })->first;
        std::vector<std::string> odd;
        for (Row r = 0; r < n_; ++r)
            if (const Row p = p_[static_cast<std::size_t>(r)]; p - r != usual)
                odd.push_back(fmt::format("{} → {}", r, p));
        if (odd.empty() || static_cast<Row>(odd.size()) > std::max<Row>(1, n_ / 16) || n_ < kLeastRows)
            return false;
        if (odd.size() > kMostShown) odd.resize(kMostShown);
        return add("odd",
                   {{"rows", fmt::format("{}", fmt::join(odd, ", "))},
                    {"row", odd[0].substr(0, odd[0].find(' '))},
                    {"start", text(usual)}},
                   true);
    }

    // From one row on so many positions ahead.
    bool jump() {
        if (!steps({1, 1})) return false;
        const Run& b = runs_[1];
        return add(
            "jump",
            {{"row", text(b.row)}, {"by", text(b.first - runs_[0].last() - 1)}, {"position", text(b.first)}},
            true);
    }

    // Positions that went through a narrow type, each or step by step.
    bool narrowed_rows() {
        for (const Narrow type : {Narrow::bfloat16, Narrow::float16}) {
            const auto say = [&](Row start) {
                return add("narrowed", {{"type", std::string(name_of(type))}, {"position", text(start)}},
                           true);
            };
            const auto rounded = [&](Row p) {
                const double made = narrowed(static_cast<double>(p), type);
                return std::isfinite(made) ? static_cast<Row>(made) : kFirstPosition - 1;
            };
            for (Row start = std::max<Row>(p_[0] - 64, 0); start <= p_[0] + 64; ++start)
                if (all([&](Row r) { return rounded(start + r); })) return say(start);
            Row changed = 0, known = 0;
            for (Row r = 0; r < n_; ++r) {
                const Row p = p_[static_cast<std::size_t>(r)], counted = p_[0] + r;
                const Row gap = std::max<Row>(1, std::abs(p) >> (type == Narrow::bfloat16 ? 7 : 10));
                known += rounded(p) == p && std::abs(p - counted) <= gap ? 1 : 0;
                changed += rounded(counted) != counted ? 1 : 0;
            }
            if (known == n_ && changed >= kLeastRows) return say(p_[0]);
        }
        return false;
    }

    // Blocks of rows in another order.
    bool moved_blocks() {
        std::vector<Row> sorted = p_;
        std::ranges::sort(sorted);
        if (sorted.front() != 0 || sorted.back() != n_ - 1 ||
            std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
            return false;
        std::vector<std::string> moved;
        for (const Run& run : runs_)
            if (run.first != run.row && moved.size() < kMostShown)
                moved.push_back(fmt::format("{}–{} ← {}–{}", run.row, run.end() - 1, run.first, run.last()));
        return add("moved", {{"blocks", fmt::format("{}", fmt::join(moved, ", "))}}, true);
    }

    // Few rows may be of any text; many go on by one, or are not what they should be.
    bool other() {
        Row rising = 0;
        for (const Run& run : runs_) rising += run.step == 1 ? run.count - 1 : 0;
        if (n_ < 64 && 2 * rising <= n_) return add("scattered", {{"rows", first_rows()}}, false);
        return add("other_positions", {{"rows", first_rows()}}, true);
    }

    std::vector<Row> p_;
    Row n_;
    std::vector<Run> runs_;
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
