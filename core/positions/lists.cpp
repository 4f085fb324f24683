#include "core/positions/recognise.hpp"

#include "core/precision/precision.hpp"
#include "core/scene/scene.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace posiscope {
namespace lists {
namespace {

using Ids = std::vector<std::int64_t>;

ListFound is(std::string_view name, ProblemValues values = {}) {
    return {{fmt::format("ids.is.{}", name), std::move(values)}, false};
}
ListFound slip(std::string_view name, ProblemValues values = {}) {
    return {{fmt::format("ids.slip.{}", name), std::move(values)}, true};
}
std::string text(std::int64_t value) { return std::to_string(value); }

std::optional<ListFound> narrow(const Ids& ids) {
    if (ids.size() < 4) return std::nullopt;
    for (const auto& [type, bits] : {std::pair{Precision::bfloat16, 8}, std::pair{Precision::float16, 11}})
        for (std::int64_t start = ids[0] - 4; start <= ids[0] + 4; ++start) {
            bool all = true, changed = false;
            for (std::size_t i = 0; i < ids.size() && all; ++i) {
                const std::int64_t id = start + static_cast<std::int64_t>(i);
                const double made = rounded_to(type, static_cast<double>(id));
                all = static_cast<double>(ids[i]) == made;
                changed = changed || made != static_cast<double>(id);
            }
            if (all && changed)
                return slip("narrow", {{"type", std::string(precision_name(type))},
                                       {"largest", text(std::int64_t{1} << bits)}});
        }
    return std::nullopt;
}

// Two chunks of equal size, the a-th from the front and the a-th from the back: ring attention's balanced share.
std::optional<ListFound> zigzag(const Ids& ids) {
    const auto n = static_cast<std::int64_t>(ids.size()), size = n / 2;
    if (n % 2 != 0 || size < 2) return std::nullopt;
    const std::int64_t first = ids[0], second = ids[static_cast<std::size_t>(size)];
    if (first % size != 0 || second % size != 0 || second <= first + size) return std::nullopt;
    for (std::int64_t i = 0; i < size; ++i)
        if (ids[static_cast<std::size_t>(i)] != first + i ||
            ids[static_cast<std::size_t>(size + i)] != second + i)
            return std::nullopt;
    const std::int64_t a = first / size, b = second / size;
    if ((a + b) % 2 != 1 || a >= (a + b + 1) / 2) return std::nullopt;
    const std::int64_t devices = (a + b + 1) / 2;
    return is("zigzag", {{"rank", text(a)},
                         {"devices", text(devices)},
                         {"tokens", text(2 * devices * size)},
                         {"first", text(a)},
                         {"second", text(b)}});
}

// The same of all devices, one after another: each with two chunks, or with every k-th token.
std::optional<ListFound> all_ranks(const Ids& ids) {
    const auto n = static_cast<std::int64_t>(ids.size());
    const auto all = [&](auto id_at) {
        for (std::int64_t i = 0; i < n; ++i)
            if (ids[static_cast<std::size_t>(i)] != id_at(i)) return false;
        return true;
    };
    std::int64_t size = 1;
    while (size < n && ids[static_cast<std::size_t>(size)] == size) ++size;
    if (ids[0] != 0 || size == n) return std::nullopt;
    const std::int64_t devices = n / (2 * size), step = ids[1];
    if (devices > 1 && n == 2 * size * devices && all([&](std::int64_t i) {
            const std::int64_t rank = i / (2 * size),
                               chunk = i / size % 2 == 0 ? rank : 2 * devices - 1 - rank;
            return chunk * size + i % size;
        }))
        return is("zigzag_all", {{"devices", text(devices)}, {"size", text(size)}});
    if (step > 1 && n % step == 0 && n > step &&
        all([&](std::int64_t i) { return i / (n / step) + i % (n / step) * step; }))
        return is("striped_all", {{"devices", text(step)}});
    return std::nullopt;
}

// Tokens that a cache keeps: the first few, and a window of recent ones, in order or in the slots of a ring.
std::optional<ListFound> window(const Ids& ids) {
    constexpr std::int64_t kMostSinks = 16, kLeastSlots = 8;
    const auto n = static_cast<std::int64_t>(ids.size());
    for (std::int64_t sinks = 0; sinks <= kMostSinks && 2 * sinks < n; ++sinks) {
        if (sinks > 0 && ids[static_cast<std::size_t>(sinks - 1)] != sinks - 1) return std::nullopt;
        const auto rest = std::span(ids).subspan(static_cast<std::size_t>(sinks));
        const std::int64_t slots = n - sinks, first = *std::ranges::min_element(rest);
        bool ring = true, row = true;
        for (std::int64_t i = 0; i < slots; ++i) {
            const std::int64_t id = rest[static_cast<std::size_t>(i)];
            ring = ring && id >= first && id < first + slots && (id - sinks) % slots == i;
            row = row && id == first + i;
        }
        if (sinks == 0 && row) return std::nullopt;
        // One id that was left out is a slip.
        if (slots < kLeastSlots || first < sinks + (sinks > 0 ? 2 : 0) || (!ring && !row)) continue;
        const ProblemValues values = {{"sinks", text(sinks)},
                                      {"first", text(first)},
                                      {"last", text(first + slots - 1)},
                                      {"window", text(slots)},
                                      {"end", text(n - 1)}};
        return is(sinks == 0 ? "ring" : row ? "sinks" : "sinks_ring", values);
    }
    return std::nullopt;
}

// Depths of a tree: each as deep as the one before or one deeper, and several levels with several tokens.
std::optional<ListFound> tree(const Ids& ids) {
    std::int64_t levels = 0, here = 1;
    for (std::size_t i = 1; i < ids.size(); ++i) {
        const std::int64_t by = ids[i] - ids[i - 1];
        if (by != 0 && by != 1) return std::nullopt;
        if (by == 0 && ++here == 2) ++levels;
        if (by == 1) {
            // A level has a child for each token of the one before, or more.
            if (here > 1 && levels == 0) return std::nullopt;
            here = 1;
        }
    }
    if (levels < 2 || ids.size() < 4 || ids[0] == ids[1]) return std::nullopt;
    const auto trunk = std::adjacent_find(ids.begin(), ids.end()) - ids.begin();
    return is("tree",
              {{"tokens", text(trunk)}, {"drafts", text(static_cast<std::int64_t>(ids.size()) - trunk)}});
}

}  // namespace
}  // namespace lists

std::optional<ListFound> known_list(const std::vector<std::int64_t>& ids) {
    using namespace lists;
    const auto n = static_cast<std::int64_t>(ids.size());
    if (n < 2) return std::nullopt;
    const auto runs = [&](std::int64_t step) {
        for (std::size_t i = 1; i < ids.size(); ++i)
            if (ids[i] != ids[i - 1] + step) return false;
        return true;
    };
    if (*std::ranges::min_element(ids) < 0) return std::nullopt;  // pads, or ids that no model takes
    if (n >= 3 && runs(-1))
        return slip("reversed", {{"first", text(ids.front())}, {"last", text(ids.back())}});
    if (const std::int64_t step = ids[1] - ids[0]; n >= 3 && step > 1 && runs(step)) {
        const bool rank = ids[0] < step;
        return is(rank ? "striped" : "strided", {{"step", text(step)}, {"rank", text(ids[0])}});
    }
    if (auto found = narrow(ids)) return found;
    for (const auto rule : {zigzag, all_ranks, window, tree})
        if (auto found = rule(ids)) return found;
    return std::nullopt;
}

std::optional<ListFound> known_mixture(const std::vector<std::int64_t>& ids) {
    using namespace lists;
    constexpr std::size_t kLeastPrefill = 4, kLeastDecodes = 2;
    const std::size_t pads = graph_pads(ids);
    std::size_t decodes = 0, at = 0;
    const std::size_t n = ids.size() - pads;
    while (at < n && ids[at] > 0 && (at + 1 == n || ids[at + 1] != ids[at] + 1)) ++at, ++decodes;
    std::int64_t prefills = 0;
    while (at < n) {
        std::size_t end = at + 1;
        while (end < n && ids[end] == ids[end - 1] + 1) ++end;
        if (end - at < kLeastPrefill) return std::nullopt;
        at = end, ++prefills;
    }
    if (decodes < kLeastDecodes || (prefills == 0 && pads < 2)) return std::nullopt;
    return is("batch", {{"sequences", text(static_cast<std::int64_t>(decodes) + prefills)},
                        {"decodes", text(static_cast<std::int64_t>(decodes))}});
}

std::size_t graph_pads(const std::vector<std::int64_t>& ids) {
    std::size_t count = 0;
    while (count < ids.size() && ids[ids.size() - 1 - count] == ids.back()) ++count;
    return ids.empty() || ids.back() == 0 ? count : count - 1;  // the last token's id, repeated
}

std::optional<ListFound> grid_of(const std::vector<std::vector<std::int64_t>>& axes) {
    using namespace lists;
    const std::size_t n = axes.front().size();
    std::vector<std::size_t> moving;
    for (std::size_t a = 0; a < axes.size(); ++a)
        if (std::ranges::any_of(axes[a], [&](std::int64_t id) { return id != axes[a][0]; }))
            moving.push_back(a);
    if (moving.size() != 2 || n < 4) return std::nullopt;
    const auto &rows = axes[moving[0]], &columns = axes[moving[1]];
    const auto width = static_cast<std::size_t>(
        std::ranges::find_if(rows, [&](std::int64_t id) { return id != rows[0]; }) - rows.begin());
    const auto fits = [&](const std::vector<std::int64_t>& slow, const std::vector<std::int64_t>& fast,
                          std::size_t wide) {
        if (wide < 2 || n % wide != 0) return false;
        for (std::size_t i = 0; i < n; ++i)
            if (slow[i] != slow[0] + static_cast<std::int64_t>(i / wide) ||
                fast[i] != fast[0] + static_cast<std::int64_t>(i % wide))
                return false;
        return true;
    };
    const ProblemValues values = {
        {"rows", text(static_cast<std::int64_t>(n / std::max<std::size_t>(width, 1)))},
        {"columns", text(static_cast<std::int64_t>(width))},
        {"axes", text(static_cast<std::int64_t>(axes.size()))}};
    if (fits(rows, columns, width)) return is("grid", values);
    return std::nullopt;
}

std::optional<ListFound> known_batch(const std::vector<std::int64_t>& ids,
                                     const std::vector<std::int64_t>& bounds) {
    using namespace lists;
    std::int64_t decodes = 0, sequences = 0;
    bool even = true;
    for (std::size_t d = 0; d + 1 < bounds.size() && even; ++d) {
        const auto from = static_cast<std::size_t>(bounds[d]), to = static_cast<std::size_t>(bounds[d + 1]);
        for (std::size_t i = from + 1; i < to && even; ++i) even = ids[i] == ids[i - 1] + 1;
        decodes += from < to && ids[from] != 0 ? 1 : 0;
        sequences += from < to ? 1 : 0;  // a captured graph has bounds of none
    }
    if (even && decodes > 0) return is("batch", {{"sequences", text(sequences)}, {"decodes", text(decodes)}});
    std::vector<std::int64_t> begins;
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] == 0) begins.push_back(static_cast<std::int64_t>(i));
    if (static_cast<std::int64_t>(begins.size()) != sequences) return std::nullopt;
    for (std::size_t d = 0; d < begins.size(); ++d)
        if (begins[d] != bounds[d])
            return slip("bounds", {{"document", text(static_cast<std::int64_t>(d) + 1)},
                                   {"row", text(begins[d])},
                                   {"bound", text(bounds[d])}});
    return std::nullopt;
}

}  // namespace posiscope
