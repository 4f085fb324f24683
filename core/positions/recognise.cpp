#include "core/positions/recognise.hpp"

#include "core/json.hpp"
#include "core/parameter.hpp"
#include "core/positions/positions.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace posiscope {
namespace {

using List = std::vector<std::int64_t>;

std::string text(std::int64_t value) { return std::to_string(value); }

struct Verdict {
    IdsFound found;

    void is(std::string_view name, ProblemValues values = {}) {
        found.answers.push_back({fmt::format("ids.is.{}", name), std::move(values)});
        found.known = true;
    }
    bool take(std::optional<ListFound> one) {
        if (!one) return false;
        found.answers.push_back(std::move(one->said));
        found.known = true;
        found.slipped = one->slip;
        return true;
    }
    void slip(std::string_view name, ProblemValues values = {}) {
        found.answers.push_back({fmt::format("ids.slip.{}", name), std::move(values)});
        found.known = found.slipped = true;
    }
};

// True if ids[i] is rule(i) for each row that counts.
template <class Rule, class Counts>
bool fits(const List& ids, Rule rule, Counts counts) {
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (counts(i) && ids[i] != rule(static_cast<std::int64_t>(i))) return false;
    return true;
}
template <class Rule>
bool fits(const List& ids, Rule rule) {
    return fits(ids, rule, [](std::size_t) { return true; });
}

// A first id that the table asks for, and the list has another one.
bool first_missing(const GivenIds& given, std::int64_t first) { return given.first && first != *given.first; }

// ---- with the documents' bounds ----------------------------------------------------------------------------------

void by_documents(const GivenIds& given, Verdict& verdict) {
    const List& ids = given.axes.front();
    const auto place = [&](std::int64_t i) {
        return i - *(std::upper_bound(given.bounds.begin(), given.bounds.end(), i) - 1);
    };
    const auto documents = static_cast<std::int64_t>(given.bounds.size()) - 1;
    if (fits(ids, place)) return verdict.is("packed", {{"documents", text(documents)}});
    const std::int64_t row = documents > 1 ? given.bounds[1] : 0;
    if (documents > 1 && fits(ids, [](std::int64_t i) { return i; }))
        return verdict.slip("run_on", {{"row", text(row)}, {"id", text(row)}});
    verdict.take(known_batch(ids, given.bounds));
}

// ---- with a mask of pads -----------------------------------------------------------------------------------------

void by_mask(const GivenIds& given, Verdict& verdict) {
    const List &ids = given.axes.front(), &mask = given.mask;
    List place(ids.size());
    std::int64_t tokens = 0, left = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (mask[i] == 0 && tokens == 0) ++left;
        place[i] = mask[i] == 0 ? -1 : tokens++;
    }
    const auto is_token = [&](std::size_t i) { return mask[i] != 0; };
    const auto pads = text(static_cast<std::int64_t>(ids.size()) - tokens);
    if (tokens == 0) return;
    const std::int64_t first = ids[static_cast<std::size_t>(left)];
    const auto shifted = [&](std::int64_t i) { return place[static_cast<std::size_t>(i)] + first; };
    if (!fits(ids, shifted, is_token)) return;
    const bool fill = fits(
        ids, [&](std::int64_t) { return first - 1; }, [&](std::size_t i) { return mask[i] == 0; });
    const bool rows = fits(ids, [](std::int64_t i) { return i; });  // pads included
    if (left > 0 && first == left && !given.first && (rows || !fill))
        return verdict.slip("arange", {{"pads", text(left)}, {"id", text(first)}});
    if (first_missing(given, first))
        return verdict.slip("zero", {{"id", text(first)}, {"should", text(*given.first)}});
    if (first == 0) return verdict.is("padded", {{"pads", pads}});
    if (fill) verdict.is("offset_table", {{"first", text(first)}, {"pads", pads}});
}

// ---- with nothing but the ids ------------------------------------------------------------------------------------

struct Run {
    std::size_t begin, end;
    std::int64_t first;
    std::size_t size() const { return end - begin; }
};

// Rows whose ids go on by one.
std::vector<Run> runs_of(const List& ids) {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (i == 0 || ids[i] != ids[i - 1] + 1) runs.push_back({i, i + 1, ids[i]});
        else runs.back().end = i + 1;
    return runs;
}

// Pads of one id beside one run of tokens: on the left, or on the right. Before a first id of 0 they have 1 or 0 (Hugging Face,
// up to 4.57 and from 5.2 on) or −1 (its OPT).
bool beside_pads(const GivenIds& given, const std::vector<Run>& runs, Verdict& verdict) {
    const List& ids = given.axes.front();
    const auto pads_of = [&](bool left) -> std::size_t {
        std::size_t count = 0;
        const std::int64_t id = left ? ids.front() : ids.back();
        while (count < ids.size() && (left ? ids[count] : ids[ids.size() - 1 - count]) == id) ++count;
        return count;
    };
    for (const bool left : {true, false}) {
        const std::size_t count = pads_of(left);
        const std::int64_t pad = left ? ids.front() : ids.back();
        if (count == ids.size() || pad < -1) continue;
        if (pad == 0) {
            // The first token has the pads' id, so that pads on the right could be steps that all take 0.
            const bool padded = left && runs.size() == count;
            if (!padded || first_missing(given, 0)) continue;
            verdict.is("padded", {{"pads", text(static_cast<std::int64_t>(count) - 1)}});
            if (count == 2) verdict.found.answers.push_back({"ids.is.or_document", {}});
            return true;
        }
        // A run that begins with pad + 1 takes the last pad into it.
        const std::size_t begin = left ? count : 0, end = left ? ids.size() : ids.size() - count;
        const std::int64_t first = ids[begin];
        bool one_run = true;
        for (std::size_t i = begin; i + 1 < end; ++i) one_run = one_run && ids[i + 1] == ids[i] + 1;
        if (!one_run || (count == 1 && runs.size() == 1)) continue;
        const auto pads = text(static_cast<std::int64_t>(count));
        if (first == 0 && (pad == 1 || pad == -1) && !first_missing(given, first)) {
            verdict.is("padded", {{"pads", pads}});
            return true;
        }
        if (pad > 0 && first == pad + 1 && (count > 1 || !left) && (!given.first || *given.first == first)) {
            verdict.is("offset_table", {{"first", text(first)}, {"pads", pads}});
            return true;
        }
    }
    return false;
}

void add_graph_pads(Verdict& verdict, std::size_t count) {
    verdict.found.answers.push_back(
        {"ids.is.graph_pads", {{"count", text(static_cast<std::int64_t>(count))}}});
}

void by_themselves(const GivenIds& given, Verdict& verdict) {
    const List& ids = given.axes.front();
    if (!given.first && verdict.take(known_list(ids))) return;
    const std::vector<Run> runs = runs_of(ids);
    const auto row = [](std::size_t i) { return text(static_cast<std::int64_t>(i)); };
    if (runs.size() == 1) {
        const std::int64_t first = runs.front().first;
        if (first_missing(given, first) && first == 0)
            return verdict.slip("zero", {{"id", text(first)}, {"should", text(*given.first)}});
        if (given.first && first == *given.first)
            return verdict.is("offset_table", {{"first", text(first)}, {"pads", "0"}});
        if (first == 0) return verdict.is("plain", {{"last", text(ids.back())}});
        return verdict.is("continued", {{"first", text(first)}, {"last", text(ids.back())}});
    }
    if (beside_pads(given, runs, verdict)) return;
    const bool from_zero = std::ranges::all_of(runs, [](const Run& run) { return run.first == 0; });
    if (from_zero) {
        // A prompt, and steps that all take 0.
        const bool steps =
            std::all_of(runs.begin() + 1, runs.end(), [](const Run& run) { return run.size() == 1; });
        if (steps && runs.size() > 2) {
            verdict.slip("reset", {{"row", row(runs[1].begin)}});
            verdict.found.answers.push_back({"ids.is.or_pads", {}});
            return;
        }
        verdict.is("packed", {{"documents", row(runs.size())}});
        const std::size_t size = runs.front().size();
        const bool equal =
            std::all_of(runs.begin(), runs.end() - 1, [&](const Run& run) { return run.size() == size; });
        if (equal && size > 1 && runs.size() > 2 && runs.back().size() <= size)
            verdict.found.answers.push_back({"ids.is.or_slots", {{"window", row(size)}}});
        return;
    }
    if (runs.front().first != 0 && !given.first) {
        if (verdict.take(known_mixture(ids)))
            if (const std::size_t pads = graph_pads(ids); pads > 0) add_graph_pads(verdict, pads);
        return;
    }
    const Run &before = runs[0], &next = runs[1];
    const std::int64_t expected = ids[before.end - 1] + 1;
    const ProblemValues values = {
        {"row", row(next.begin)}, {"id", text(next.first)}, {"should", text(expected)}};
    if (runs.size() == 2) {
        if (next.first == expected - 1) return verdict.slip("twice", values);
        if (next.first == expected + 1) return verdict.slip("ahead", values);
        if (next.first > 0 && next.first < expected - 1) return verdict.slip("kept_rows", values);
        return;
    }
    // One id alone is another one, and the row goes on as if nothing were.
    if (runs.size() == 3 && next.size() == 1 && runs[2].first == expected + 1)
        verdict.slip(next.first == expected - 1 ? "twice_once" : "one_wrong", values);
}

// ---- three axes --------------------------------------------------------------------------------------------------

struct Block {
    std::size_t patches = 0;
    std::int64_t frames = 1, rows = 1, columns = 1, step = 1, last = 0;
};

// The patches from row `at` on, whose first one has the id `from` on all axes: as many as a grid explains.
Block block_at(const std::vector<List>& axes, std::size_t at, std::int64_t from) {
    const std::size_t n = axes[0].size();
    const auto is = [&](std::size_t i, std::int64_t t, std::int64_t h, std::int64_t w) {
        return i < n && axes[0][i] == t && axes[1][i] == h && axes[2][i] == w;
    };
    Block block;
    std::size_t i = at;
    while (is(i + 1, from, from, from + block.columns)) ++i, ++block.columns;
    const auto row_fits = [&](std::size_t begin, std::int64_t t, std::int64_t h) {
        for (std::int64_t w = 0; w < block.columns; ++w)
            if (!is(begin + static_cast<std::size_t>(w), t, h, from + w)) return false;
        return true;
    };
    i = at + static_cast<std::size_t>(block.columns);
    while (row_fits(i, from, from + block.rows)) i += static_cast<std::size_t>(block.columns), ++block.rows;
    // Seconds that are cut to whole ones give every frame of a fast video the same time.
    if (i < n && axes[0][i] >= from && axes[1][i] == from && axes[2][i] == from)
        block.step = axes[0][i] - from;
    // Times are whole parts of multiples of one step, which need not be whole: ⌊g · step⌋.
    double least_step = 0.0, most_step = HUGE_VAL;
    const auto time_of = [&](std::size_t begin) -> std::optional<std::int64_t> {
        if (begin >= n || axes[0][begin] < from) return std::nullopt;
        const auto g = static_cast<double>(block.frames), time = static_cast<double>(axes[0][begin] - from);
        const double low = std::max(least_step, time / g), high = std::min(most_step, (time + 1.0) / g);
        if (!(low < high)) return std::nullopt;
        least_step = low, most_step = high;
        return axes[0][begin];
    };
    const auto frame_fits = [&](std::size_t begin, std::int64_t t) {
        for (std::int64_t h = 0; h < block.rows; ++h)
            if (!row_fits(begin + static_cast<std::size_t>(h * block.columns), t, from + h)) return false;
        return true;
    };
    std::int64_t last_time = from;
    for (auto t = time_of(i); t && frame_fits(i, *t); t = time_of(i))
        last_time = *t, i += static_cast<std::size_t>(block.rows * block.columns), ++block.frames;
    block.patches = i - at;
    block.last = std::max({last_time, from + block.rows - 1, from + block.columns - 1});
    return block;
}

// Pads named by a mask are no tokens; without one, pads on the left have 1 or 0 before a first id of 0.
std::vector<List> without_pads(const GivenIds& given) {
    std::vector<List> axes(given.axes.size());
    const std::size_t n = given.axes.front().size();
    std::size_t left = 0;
    const auto all = [&](std::size_t i, std::int64_t id) {
        return i < n && std::ranges::all_of(given.axes, [&](const List& axis) { return axis[i] == id; });
    };
    if (given.mask.empty()) {
        while (all(left, 1)) ++left;
        if (left == 0)
            while (all(left, 0) && all(left + 1, 0)) ++left;
    }
    if (!all(left, 0)) left = 0;
    for (std::size_t i = left; i < n; ++i)
        for (std::size_t axis = 0; axis < axes.size(); ++axis)
            if (given.mask.empty() || given.mask[i] != 0) axes[axis].push_back(given.axes[axis][i]);
    return axes;
}

void by_axes(const GivenIds& given, Verdict& verdict) {
    auto axes = without_pads(given);
    const std::size_t n = axes[0].size();
    const auto all = [&](std::size_t i, std::int64_t id) {
        return i < n && axes[0][i] == id && axes[1][i] == id && axes[2][i] == id;
    };
    std::int64_t next = 0, images = 0, frames = 1;
    std::string_view slip_name;
    ProblemValues slip;
    // The start of an image was multiplied on the axis of time alone.
    const auto time_multiplied = [&](std::size_t i, std::int64_t id) {
        return i < n && id > 0 && axes[0][i] > id && axes[0][i] % id == 0 && axes[1][i] == id &&
               axes[2][i] == id;
    };
    for (std::size_t i = 0; i < n;) {
        if (time_multiplied(i, next) && slip_name.empty()) {
            slip = {{"row", text(static_cast<std::int64_t>(i))},
                    {"id", text(axes[0][i])},
                    {"should", text(next)},
                    {"factor", text(axes[0][i] / next)}};
            slip_name = "time_times";
            const std::int64_t by = axes[0][i] - next;
            for (std::size_t k = i; k < n && axes[0][k] >= next + by && axes[0][k] != axes[1][k]; ++k)
                axes[0][k] -= by;
        }
        // Patches that have one id on all axes.
        if (all(i, next) && i + 1 < n && all(i + 1, next) && slip_name.empty()) {
            std::size_t count = 1;
            while (all(i + count, next)) ++count;
            slip = {{"row", text(static_cast<std::int64_t>(i))},
                    {"count", text(static_cast<std::int64_t>(count))},
                    {"id", text(next)}};
            slip_name = "axes_alike";
            i += count, ++next;
            while (i < n && !all(i, next) && next < static_cast<std::int64_t>(n))
                ++next;  // text goes on after the grid
            continue;
        }
        if (!all(i, next)) return;
        if (i + 1 == n || all(i + 1, next + 1) || time_multiplied(i + 1, next + 1)) {
            ++i, ++next;
            continue;
        }
        Block block = block_at(axes, i, next);
        // Rows and columns the other way round: the row changes fastest.
        if (const Block turned = block_at({axes[0], axes[2], axes[1]}, i, next);
            turned.rows > 1 && turned.columns > 1 && turned.patches > block.patches) {
            block = turned;
            if (slip_name.empty())
                slip = {{"row", text(static_cast<std::int64_t>(i))}}, slip_name = "axes_exchanged";
        }
        if (block.patches < 2) return;
        const std::int64_t count = next + static_cast<std::int64_t>(block.patches),
                           grid = next + std::max(block.rows, block.columns);
        ++images;
        frames = std::max(frames, block.frames);
        if (block.frames > 1 && block.step == 0 && slip_name.empty()) {
            slip = {{"frames", text(block.frames)},
                    {"id", text(next)},
                    {"row", text(static_cast<std::int64_t>(i))}};
            slip_name = "frames_share";
        }
        i += block.patches;
        next = block.last + 1;
        if (slip_name == "time_times" && i < n && axes[0][i] > next && all(i, axes[0][i])) next = axes[0][i];
        if (i < n && !all(i, next)) {
            const bool counted = all(i, count);
            if (!counted && !all(i, grid)) return;
            const std::int64_t id = counted ? count : grid;
            if (slip_name.empty())
                slip = {{"row", text(static_cast<std::int64_t>(i))},
                        {"id", text(id)},
                        {"should", text(next)}},
                slip_name = counted ? "patches" : "grid";
            next = id;
        }
    }
    if (!slip_name.empty()) verdict.slip(slip_name, std::move(slip));
    else {
        ProblemValues values = {{"images", text(images)}};
        if (frames > 1) values.push_back({"frames", text(frames)});
        values.push_back({"delta", text(next - static_cast<std::int64_t>(n))});
        verdict.is(frames > 1 ? "video" : "images", std::move(values));
    }
}

// Each document has axes of its own.
void by_axes_of_documents(const GivenIds& given, Verdict& verdict) {
    bool all = true;
    for (std::size_t d = 0; d + 1 < given.bounds.size() && all; ++d) {
        GivenIds one;
        for (const List& axis : given.axes)
            one.axes.emplace_back(axis.begin() + static_cast<std::ptrdiff_t>(given.bounds[d]),
                                  axis.begin() + static_cast<std::ptrdiff_t>(given.bounds[d + 1]));
        Verdict own;
        by_axes(one, own);
        all = own.found.known && !own.found.slipped;
    }
    if (all)
        return verdict.is("packed",
                          {{"documents", text(static_cast<std::int64_t>(given.bounds.size()) - 1)}});
    GivenIds whole = given;
    whole.bounds.clear();
    Verdict together;
    by_axes(whole, together);
    const std::int64_t row = given.bounds[1];
    if (together.found.known && !together.found.slipped && given.bounds.size() > 2)
        verdict.slip("run_on",
                     {{"row", text(row)}, {"id", text(given.axes[0][static_cast<std::size_t>(row)])}});
}

// ---- a mask of pairs ---------------------------------------------------------------------------------------------

void by_pairs(const GivenIds& given, Verdict& verdict) {
    const auto& seen = given.seen;
    const std::size_t n = seen.size();
    const List& ids = given.axes.front();
    // Documents begin where ids begin anew.
    if (std::ranges::count(ids, 0) > 1 && verdict.found.known && !verdict.found.slipped) {
        std::int64_t leaks = 0;
        std::size_t begin = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (ids[i] == 0) begin = i;
            for (std::size_t j = 0; j < begin; ++j) leaks += seen[i][j] != 0 ? 1 : 0;
        }
        if (leaks > 0) verdict.slip("unmasked", {{"pairs", text(leaks)}});
        return;
    }
    if (!given.window) return;
    std::size_t widest = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            if (seen[i][j] != 0) {
                widest = std::max(widest, i - j + 1);
                break;
            }
    const auto window = static_cast<std::size_t>(*given.window);
    if (n <= window || widest == window) return;
    if (widest == window + 1 || widest + 1 == window)
        verdict.slip(widest > window ? "one_more" : "one_less",
                     {{"keys", text(static_cast<std::int64_t>(widest))}, {"window", text(*given.window)}});
}

// ---- ids that the model does not take -----------------------------------------------------------------------------

// A pad's id is free, except that a table has to have a row for it, too. The first row that is out is named.
void by_range(const GivenIds& given, Verdict& verdict) {
    const bool table = given.range && given.range->table;
    const bool padded =
        verdict.found.known && !verdict.found.slipped && verdict.found.answers.front().key == "ids.is.padded";
    const std::int64_t least = given.range ? given.range->least : 0;
    const auto row_and_id = [](std::size_t row, std::int64_t id) -> ProblemValues {
        return {{"row", text(static_cast<std::int64_t>(row))}, {"id", text(id)}};
    };
    std::optional<ProblemValues> below, above;
    for (const List& axis : given.axes)
        for (std::size_t i = 0; i < axis.size(); ++i) {
            if (i > 0 && axis[i - 1] == kLastPosition && axis[i] < 0) {
                verdict.found.answers.clear();
                return verdict.slip("overflow", row_and_id(i, axis[i]));
            }
            const bool pad = !given.mask.empty() && given.mask[i] == 0;
            if (axis[i] < least && (table || (!pad && !padded)) && !below) below = row_and_id(i, axis[i]);
            if (given.range && axis[i] > given.range->last && (table || !pad) && !above)
                above = row_and_id(i, axis[i]);
        }
    if (given.range)
        for (auto* out : {&below, &above})
            if (*out) {
                (*out)->push_back({"least", text(least)});
                (*out)->push_back({"last", text(given.range->last)});
                (*out)->push_back({"length", text(given.range->last + 1)});
            }
    if (below && verdict.found.known && !verdict.found.slipped) verdict.found.answers.clear();
    if (below) verdict.slip(table ? "past_end" : "negative", std::move(*below));
    if (above) verdict.slip(table ? "past_end" : "past_length", std::move(*above));
}

std::optional<Problem> misfit(const GivenIds& given) {
    const auto n = given.axes.empty() ? 0 : given.axes.front().size();
    const auto wrong = [&](std::string_view name, std::size_t size) {
        return Problem{
            "ids.sizes",
            {{"name", std::string(name)}, {"count", std::to_string(size)}, {"ids", std::to_string(n)}}};
    };
    if (n == 0) return Problem{"ids.none", {}};
    for (const List& axis : given.axes)
        if (axis.size() != n) return wrong("ids", axis.size());
    if (!given.mask.empty() && given.mask.size() != n) return wrong("mask", given.mask.size());
    for (const List& query : given.seen)
        if (given.seen.size() != n || query.size() != n) return wrong("mask", query.size());
    if (!given.bounds.empty() &&
        (given.bounds.size() < 2 || given.bounds.front() != 0 ||
         given.bounds.back() != static_cast<std::int64_t>(n) || !std::ranges::is_sorted(given.bounds)))
        return Problem{"ids.bounds", {{"ids", std::to_string(n)}}};
    return std::nullopt;
}

}  // namespace

Result<IdsFound> recognise_ids(const GivenIds& given) {
    // The rows of a captured graph past the batch.
    const std::size_t n = given.axes.empty() ? 0 : given.axes.front().size();
    if (given.axes.size() == 1 && given.bounds.size() > 1 && given.bounds.back() > 0 &&
        static_cast<std::size_t>(given.bounds.back()) < n && given.mask.empty()) {
        GivenIds batch = given;
        const std::size_t pads = n - static_cast<std::size_t>(given.bounds.back());
        if (graph_pads(given.axes.front()) >= pads) {
            batch.axes.front().resize(n - pads);
            auto found = recognise_ids(batch);
            if (found && found->known)
                found->answers.push_back(
                    {"ids.is.graph_pads", {{"count", text(static_cast<std::int64_t>(pads))}}});
            return found;
        }
    }
    if (auto problem = misfit(given)) return tl::unexpected(std::move(*problem));
    Verdict verdict;
    const bool same =
        std::ranges::all_of(given.axes, [&](const List& axis) { return axis == given.axes.front(); });
    if (!same && given.axes.size() == 3 && !given.bounds.empty()) by_axes_of_documents(given, verdict);
    else if (!same && given.axes.size() == 3) by_axes(given, verdict);
    if (!same && !verdict.found.known && given.axes.size() > 1) verdict.take(grid_of(given.axes));
    else if (same && !given.bounds.empty()) by_documents(given, verdict);
    else if (same && std::ranges::count(given.mask, 0) > 0) by_mask(given, verdict);
    else if (same) by_themselves(given, verdict);
    // Patches that have one id on all axes: rows and columns hold the time.
    if (same && !verdict.found.known && given.axes.size() == 3) by_axes(given, verdict);
    if (!given.seen.empty()) by_pairs(given, verdict);
    by_range(given, verdict);
    return std::move(verdict.found);
}

Result<std::vector<List>> typed_ids(std::string_view text_given) {
    std::vector<List> lists;
    bool open = false;
    std::size_t count = 0;
    for (std::size_t i = 0; i < text_given.size();) {
        const char c = text_given[i];
        if (c == '[' || c == ']') open = false;
        if (c == '[' || c == ']' || c == ' ' || c == ',' || c == '\n' || c == '\r' || c == '\t') {
            ++i;
            continue;
        }
        std::int64_t value = 0;
        const char* const begin = text_given.data() + i;
        const char* const end = text_given.data() + text_given.size();
        auto read = std::from_chars(begin, end, value);
        // "3.0" is whole, too.
        if (read.ec == std::errc() && read.ptr != end && *read.ptr == '.') {
            const char* after = read.ptr + 1;
            while (after != end && *after == '0') ++after;
            read.ptr = after;
        }
        if (read.ec != std::errc() || value > kLastPosition || value < -kLastPosition - 1 ||
            (read.ptr != end && std::string_view("[], \n\r\t").find(*read.ptr) == std::string_view::npos))
            return refuse("ids.number", {{"value", shown(std::string(text_given.substr(i, 24)))}});
        if (++count > static_cast<std::size_t>(kMostTokens))
            return refuse("ids.too_many", {{"length", text(static_cast<std::int64_t>(count))},
                                           {"maximum", text(kMostTokens)}});
        if (!open) lists.emplace_back();
        open = true;
        lists.back().push_back(value);
        i += static_cast<std::size_t>(read.ptr - begin);
    }
    return lists;
}

}  // namespace posiscope
