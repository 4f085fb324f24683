#include "core/attention/tokens.hpp"

#include "core/cost.hpp"
#include "core/encodings/axes.hpp"
#include "core/encodings/encodings.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/scene/tensors.hpp"

#include <algorithm>
#include <limits>

namespace posiscope {
namespace {

double product(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t f = 0; f < a.size(); ++f) sum += a[f] * b[f];
    return sum;
}

using TurnBy = std::function<void(Side, const AxisIds&, std::span<double>)>;

// Each feature is rotated by the id on its pair's axis. `inner` rotates all of them by one position.
TurnBy turn_by_axes(const AttentionInput& scene, const PairAxes& axes,
                    std::function<void(Side, std::int64_t, std::span<double>)> inner) {
    const auto pairs = static_cast<std::int64_t>(axes.axis.size());
    const PairLayout layout = encoding_of(scene).layout(scene);
    const auto settings = rope_settings(scene);
    const auto offset = static_cast<std::size_t>(settings ? settings->rotary_offset : 0);
    std::vector<std::size_t> axis_of(static_cast<std::size_t>(head_dim(scene)), 0);
    for (std::int64_t i = 0; i < pairs; ++i)
        for (const int component : {0, 1})
            axis_of[offset + static_cast<std::size_t>(dimension(layout, pairs, {i, component}))] =
                static_cast<std::size_t>(std::min(axes.axis[static_cast<std::size_t>(i)], 2));
    return [=, inner = std::move(inner)](Side side, const AxisIds& ids, std::span<double> x) {
        if (ids[0] == ids[1] && ids[1] == ids[2]) return inner(side, ids[0], x);
        const std::vector<double> given(x.begin(), x.end());
        std::vector<double> turned(x.size());
        for (std::size_t axis = 0; axis < ids.size(); ++axis) {
            turned = given;
            inner(side, ids[axis], turned);
            for (std::size_t f = 0; f < x.size(); ++f)
                if (axis_of[f] == axis) x[f] = turned[f];
        }
    };
}

// The ids are on axes that the encoding does not have.
std::optional<Problem> no_axes_for(const Row& row, const AttentionInput& scene) {
    const PairAxes axes = pair_axes(scene);
    if (row.axes() == 1 || (!axes.empty() && axes.names.front() == "t")) return std::nullopt;
    return Problem{"ids.axes",
                   {{"policy", std::string(row.policy().kind)}, {"encoding", scene.encoding.kind}}};
}

// The ids as attention asks for them: a token by its number.
class Placing {
public:
    Placing(Row row, bool meant) : row_(std::move(row)), meant_(meant) {}

    const Row& row() const { return row_; }
    // A key that has one id for all queries is rotated once.
    bool rotates_once() const { return row_.policy().fixed_keys && !row_.rotation_only(); }
    AxisIds query(std::int64_t t) const { return row_.query_used(t); }
    AxisIds key(std::int64_t i) const { return row_.key_used(i + 1, i); }
    // The positions of both that have the used distance; `beside`: as it is subtracted, not rotated.
    std::pair<AxisIds, AxisIds> meeting(std::int64_t t, std::int64_t i, bool beside) const {
        const bool should = beside && meant_;
        const AxisIds query = should ? row_.query_should(t) : row_.query_used(t),
                      apart = should ? row_.distance_should(t, i) : row_.distance_used(t, i);
        return {query, {query[0] - apart[0], query[1] - apart[1], query[2] - apart[2]}};
    }
    Meeting meet(const Meeting& at) const {
        const auto [query, key] = meeting(at.query, at.key, true);
        Meeting there = at;
        there.query = query[0];
        there.key = key[0];
        return there;
    }

private:
    Row row_;
    bool meant_;  // what is subtracted is right although the rotation is not
};

}  // namespace

const Json& token_ids(const Json& view) {
    static const Json none;
    const auto found = view.find("ids");
    if (found == view.end()) return none;
    const auto kind = found->is_object() ? found->find("kind") : found->end();
    const bool plain = *found == "plain" || (found->is_object() && kind != found->end() && *kind == "plain");
    return plain ? none : *found;
}

std::optional<TokenRow> TokenRow::of(const TokenInput& scene) {
    if (scene.ids.is_null()) return std::nullopt;
    return TokenRow(Row::in({{"ids", scene.ids}}),
                    is_stored(scene.content) ? stored_start(scene.content) : 0);
}

TokenRow::Cause TokenRow::hides(std::int64_t query, std::int64_t key) const {
    const std::int64_t t = query + start_, i = key + start_;
    if (row_.token(t).kind == RowToken::Kind::pad || row_.token(i).kind == RowToken::Kind::pad)
        return Cause::pad;
    if (i > t && !row_.policy().both_ways) return Cause::policy;
    if (row_.sees(t, i)) return Cause::none;
    if (row_.token(t).document != row_.token(i).document) return Cause::document;
    return i <= t && !row_.kept(t, i) ? Cause::evicted : Cause::policy;
}

Sight sight_of(const TokenInput& scene) {
    const Sight layer = sight_of(static_cast<const AttentionInput&>(scene));
    return scene.ids.is_null() ? layer : Row::in({{"ids", scene.ids}}).behind_pads(layer);
}

Result<std::int64_t> table_row(const TokenInput& scene, std::int64_t i) {
    if (scene.ids.is_null()) return i;
    const Row row = Row::in({{"ids", scene.ids}});
    if (auto problem = no_axes_for(row, scene)) return tl::unexpected(std::move(*problem));
    return row.query_used(i)[0];
}

Result<Action> with_ids(const AttentionInput& scene, const Json& ids, std::int64_t tokens, bool masked) {
    AttentionInput given = scene;
    Row row = Row::in({{"ids", ids}});
    if (!scene.causal && masked && !row.policy().both_ways)
        return refuse("ids.causal", {{"policy", std::string(row.policy().kind)}});
    if (auto problem = no_axes_for(row, scene)) return tl::unexpected(std::move(*problem));
    const PairAxes axes = pair_axes(scene);
    const bool parts = row.axes() > 1;
    // The grid of a Scene says where tokens are; its ids do now.
    if (const auto grid = given.encoding.parameters.find("grid"); grid != given.encoding.parameters.end())
        *grid = nullptr;
    auto made = action_of(given);
    if (!made) return made;
    Action inner = std::move(*made);
    if (inner.positions <= kLastPosition)
        for (std::int64_t i = 0; i < tokens; ++i) {
            spend(20.0);
            if (const std::int64_t id = row.query_used(i)[0]; id >= inner.positions)
                return tl::unexpected(past_end(given, id, inner.positions));
        }

    const bool meant = row.rotation_only() && encoding_of(scene).acts != Acts::query_key;
    const auto placing = std::make_shared<const Placing>(Placing(std::move(row), meant));
    Action action = inner;
    action.positions = kLastPosition + 1;
    action.by_distance = false;
    action.waves = {};
    if (inner.add)
        action.add = [placing, add = inner.add](std::int64_t i, std::span<double> x) {
            add(placing->query(i)[0], x);
        };
    if (inner.content)
        action.content = [placing, content = inner.content](const Meeting& at) {
            return content(placing->meet(at));
        };
    TurnBy turn;
    if (inner.turn && parts) turn = turn_by_axes(given, axes, inner.turn);
    else if (inner.turn)
        turn = [inner = inner.turn](Side side, const AxisIds& by, std::span<double> x) {
            inner(side, by[0], x);
        };
    if (turn && placing->rotates_once()) {
        action.turn = [placing, turn](Side side, std::int64_t i, std::span<double> x) {
            turn(side, side == Side::query ? placing->query(i) : placing->key(i), x);
        };
        if (parts) action.cost *= 3.0;
    } else if (turn) {
        // A key is rotated anew for each query, so the rotation happens where they meet.
        action.turn = {};
        action.cost = (parts ? 6.0 : 2.0) * inner.cost + 80.0;
        action.content = [placing, turn, content = inner.content](const Meeting& at) {
            std::vector<double> q(at.q.begin(), at.q.end()), k(at.k.begin(), at.k.end());
            const auto [query, key] = placing->meeting(at.query, at.key, false);
            turn(Side::query, query, q);
            turn(Side::key, key, k);
            double score = product(q, k);
            if (content) score += content({at.head, query[0], key[0], q, k});
            return score - product(at.q, at.k);
        };
    }
    const auto beside =
        [&](const auto& number) -> std::function<double(std::int64_t, std::int64_t, std::int64_t)> {
        if (!number) return {};
        return [placing, number](std::int64_t head, std::int64_t t, std::int64_t i) {
            const auto [query, key] = placing->meeting(t, i, true);
            return number(head, query[0], key[0]);
        };
    };
    action.weight = beside(inner.weight);
    action.bias = beside(inner.bias);
    if (inner.value)
        action.value = [placing, value = inner.value](std::int64_t head, std::int64_t t, std::int64_t i,
                                                      double share, std::span<double> output) {
            const auto [query, key] = placing->meeting(t, i, true);
            value(head, query[0], key[0], share, output);
        };
    if (masked) {
        TokenInput plain(given);
        plain.content = {"equal", empty_object()};  // the first row is token 0
        plain.ids = ids;
        const auto mask = std::make_shared<const TokenRow>(*TokenRow::of(plain));
        action.bias = [mask, bias = action.bias](std::int64_t head, std::int64_t t, std::int64_t i) {
            if (mask->hides(t, i) != TokenRow::Cause::none) return -std::numeric_limits<double>::infinity();
            return bias ? bias(head, t, i) : 0.0;
        };
        if (!action.turn && !action.add) action.cost += 60.0;
    }
    return action;
}

}  // namespace posiscope
