#include "core/attention/rows.hpp"

#include "core/attention/head.hpp"
#include "core/attention/locality.hpp"
#include "core/attention/placed.hpp"
#include "core/cost.hpp"
#include "core/encodings/encodings.hpp"
#include "core/numeric/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace posiscope {
namespace {

std::vector<std::int64_t> numbers(const Sight::Run& run) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(run.size()));
    std::iota(all.begin(), all.end(), run.first);
    return all;
}

// A part of the row of all keys that are met; empty where none is.
std::span<double> part_of(std::span<double> row, const Sight::Run& met, std::int64_t first,
                          std::int64_t end) {
    first = std::clamp(first, met.first, met.end);
    end = std::clamp(end, first, met.end);
    return row.subspan(static_cast<std::size_t>(first - met.first), static_cast<std::size_t>(end - first));
}

double sum_of(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

void copy_rows(const Rows& from, std::vector<double>& to) {
    to.assign(from.data(), from.data() + from.size());
}

}  // namespace

Result<AttentionRows> attention_rows(const TokenInput& whole, RowsAsked asked) {
    const TokenInput scene = attended_tokens(whole);
    const auto shape = attention_shape(scene);
    if (!shape) return tl::unexpected(shape.error());
    const std::int64_t n = shape->keys;
    if (n > kMostLocalRows)
        return refuse("attention.long",
                      {{"rows", std::to_string(n)}, {"maximum", std::to_string(kMostLocalRows)}});
    auto action = attention_action(scene);
    if (!action) return tl::unexpected(action.error());
    if (n > action->positions) return tl::unexpected(past_end(scene, n - 1, action->positions));
    for (Sight::Run* run : {&asked.queries, &asked.keys}) {
        run->first = std::clamp<std::int64_t>(run->first, 0, n);
        run->end = std::clamp(run->end, run->first, n);
    }
    AttentionRows made;
    if (asked.queries.size() == 0) return made;
    const auto count = static_cast<std::size_t>(asked.queries.size()),
               across = static_cast<std::size_t>(asked.keys.size());
    if (auto problem = too_large(2.0 * static_cast<double>(count) * static_cast<double>(across)))
        return tl::unexpected(std::move(*problem));

    const Sight& sight = shape->sight;
    const Sight::Run met{sight.seen(asked.queries.first, n).first, sight.seen(asked.queries.end - 1, n).end};
    const Head head(scene, std::move(*action), asked.head);
    const std::vector<std::int64_t> queries = numbers(asked.queries), keys = numbers(met);
    auto sides = head.sides(queries, keys);
    if (!sides) return tl::unexpected(sides.error());
    auto& [q, k] = *sides;
    const auto own = head.sides({}, queries);
    if (!own) return tl::unexpected(own.error());
    copy_rows(q, made.q);
    copy_rows(own->second, made.k);

    made.logits.assign(count * across, -std::numeric_limits<double>::infinity());
    made.weights.assign(count * across, 0.0);
    for (auto* sums : {&made.before, &made.behind, &made.distance}) sums->assign(count, 0.0);
    Rows block;
    const double of_row = static_cast<double>(met.size()) * (0.25 * static_cast<double>(q.cols()) + 14.0);
    const auto at_once =
        static_cast<std::size_t>(std::clamp(kMostAtOnce / of_row, 1.0, static_cast<double>(kBlock)));
    for (std::size_t begin = 0; begin < count; begin += at_once) {
        const auto some = std::span(queries).subspan(begin, std::min(at_once, queries.size() - begin));
        spend(static_cast<double>(some.size()) * of_row);
        Rows asking = q.middleRows(static_cast<Eigen::Index>(begin), static_cast<Eigen::Index>(some.size()));
        block.noalias() = asking * k.transpose();
        head.finish(block, asking, some, k, keys);
        for (std::size_t i = 0; i < some.size(); ++i) {
            const std::span<double> row = Head::row(block, static_cast<Eigen::Index>(i));
            const Sight::Run seen = sight.seen(some[i], n);
            const auto all = part_of(row, met, seen.first, seen.end);
            const auto shown_from = std::max(seen.first, asked.keys.first),
                       shown_to = std::min(seen.end, asked.keys.end);
            const std::size_t at = begin + i;
            const std::size_t to = shown_to > shown_from
                                       ? at * across + static_cast<std::size_t>(shown_from - asked.keys.first)
                                       : 0;
            const auto shown = part_of(row, met, shown_from, shown_to);
            std::ranges::copy(shown, made.logits.begin() + static_cast<std::ptrdiff_t>(to));
            softmax(all);
            std::ranges::copy(shown, made.weights.begin() + static_cast<std::ptrdiff_t>(to));
            made.before[at] = sum_of(part_of(row, met, seen.first, std::min(seen.end, asked.keys.first)));
            made.behind[at] = sum_of(part_of(row, met, std::max(seen.first, asked.keys.end), seen.end));
            for (std::int64_t j = seen.first; j < seen.end; ++j)
                made.distance[at] += all[static_cast<std::size_t>(j - seen.first)] *
                                     std::abs(static_cast<double>(some[i] - j));
        }
    }
    return made;
}

}  // namespace posiscope
