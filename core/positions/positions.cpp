#include "core/positions/positions.hpp"

#include "core/cost.hpp"
#include "core/encodings/relative.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace posiscope {

std::int64_t RowPair::error() const {
    std::int64_t largest = 0;
    for (std::size_t axis = 0; axis < used.size(); ++axis)
        if (const std::int64_t by = used[axis] - should[axis]; std::abs(by) > std::abs(largest)) largest = by;
    return largest;
}

AxisIds RowRule::distance(std::int64_t t, std::int64_t i, bool slip) const {
    const AxisIds query = query_id(t, slip), key = key_id(t, i, slip);
    return {query[0] - key[0], query[1] - key[1], query[2] - key[2]};
}

bool RowRule::sees(std::int64_t t, std::int64_t i, bool) const {
    return kept(t, i) && token(i).kind != RowToken::Kind::pad;
}

Result<Choice> ids_in(const Json& view) {
    constexpr std::string_view path = "view.ids";
    const auto found = view.find("ids");
    if (found == view.end() || found->is_null()) return Choice{"plain", empty_object()};
    Json given = found->is_string() ? Json{{"kind", *found}} : *found;
    const auto kind = given.is_object() ? given.find("kind") : given.end();
    if (!given.is_object() || kind == given.end() || !kind->is_string())
        return refuse("choice.kind", {{"path", std::string(path)}, {"example", "plain"}});
    const Policy* policy = find_policy(kind->get_ref<const std::string&>());
    if (policy == nullptr)
        return refuse("value.choice", {{"path", join_path(path, "kind")},
                                       {"value", shown(*kind)},
                                       {"choices", fmt::format("{}", fmt::join(policy_kinds(), ", "))}});
    given.erase(kind);
    auto parameters = checked_all(policy->parameters, given, path);
    if (!parameters) return tl::unexpected(parameters.error());
    if (policy->check != nullptr)
        if (auto problem = policy->check(*parameters)) return tl::unexpected(std::move(*problem));
    return Choice{std::string(policy->kind), std::move(*parameters)};
}

Row Row::in(const Json& view) {
    const auto ids = ids_in(view);
    if (!ids) throw std::logic_error("a scene with " + to_string(ids.error()));
    return of(*ids);
}

Row Row::in_layer(const Json& view, const ScoreInput& scene) {
    Row row = in(view);
    Sight layer = causal_sight_of(scene);
    layer.start = 0;  // rows count from their own first one
    row.layer_ = row.behind_pads(layer);
    return row;
}

Sight Row::behind_pads(Sight layer) const {
    if (layer.chunk <= kLastPosition) layer.start += layer.chunk - rule_->pads() % layer.chunk;
    return layer;
}

Row Row::of(const Choice& ids) {
    Row row;
    row.policy_ = find_policy(ids.kind);
    if (row.policy_ == nullptr) throw std::logic_error("no policy '" + ids.kind + "'");
    row.slip_ = ids.parameters.value("slip", std::string(kNoSlip));
    row.rule_ = row.policy_->rule(ids.parameters);
    return row;
}

bool Row::rotation_only() const { return slip_ == "rotated" || slip_ == "unrotated" || slip_ == "unmapped"; }

RowPair Row::pair(std::int64_t t, std::int64_t i) const {
    RowPair pair;
    if (i > t) return pair;
    pair.seen = rule_->sees(t, i, slips());
    pair.meant = rule_->sees(t, i, false);
    if (layer_.unseen(t, i) != Sight::Cause::none) pair.seen = pair.meant = false;
    const RowToken query = token(t), key = token(i);
    pair.same_document = query.document == key.document;
    pair.place = query.place - key.place;
    pair.should = rule_->distance(t, i, false);
    pair.used = rule_->distance(t, i, slips());
    return pair;
}

std::int64_t wrong_buckets(const Row& row, std::int64_t t, const T5Buckets& buckets) {
    std::int64_t wrong = 0;
    if (row.rotation_only()) return wrong;
    for (std::int64_t i = 0; i <= t; ++i) {
        spend(40.0);
        const RowPair pair = row.pair(t, i);
        if (pair.seen && pair.meant &&
            t5_bucket(buckets, -pair.used[0]) != t5_bucket(buckets, -pair.should[0]))
            ++wrong;
    }
    return wrong;
}

RowCount count_row(const Row& row, std::int64_t t) {
    RowCount count;
    count.row_error = row.query_used(t)[0] - row.query_should(t)[0];
    constexpr std::int64_t kPiece = 256;
    for (std::int64_t i = 0; i <= t; ++i) {
        if (i % kPiece == 0) spend(40.0 * static_cast<double>(std::min(kPiece, t + 1 - i)));
        if (!row.kept(t, i)) ++count.evicted;
        if (row.token(i).kind != RowToken::Kind::pad && row.query_used(i) != row.query_should(i))
            ++count.rows_off;
        const RowPair pair = row.pair(t, i);
        if (pair.meant && !pair.seen) ++count.missing;
        if (!pair.seen) continue;
        ++count.keys;
        if (!pair.meant) {
            ++count.leaks;
            continue;
        }
        const std::int64_t error = pair.error();
        for (std::size_t axis = 0; axis < pair.used.size(); ++axis)
            if (pair.used[axis] < 0 && pair.should[axis] >= 0) {
                ++count.ahead;
                break;
            }
        if (error == 0) continue;
        count.least = count.off == 0 ? error : std::min(count.least, error);
        count.most = count.off == 0 ? error : std::max(count.most, error);
        ++count.off;
    }
    return count;
}

}  // namespace posiscope
