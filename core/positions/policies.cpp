#include "core/positions/policy.hpp"

#include <algorithm>

namespace posiscope {
namespace {

class Plain : public RowRule {};

const std::vector<Policy>& all() {
    static const std::vector<Policy> list = {
        plain_policy(),          //
        left_padding_policy(),   //
        offset_table_policy(),   //
        packed_policy(),         //
        decode_policy(),         //
        rolling_policy(),        //
        sinks_policy(),          //
        eviction_policy(),       //
        context_shift_policy(),  //
        reused_chunk_policy(),   //
        sliding_policy(),        //
        chunked_policy(),        //
        self_extend_policy(),    //
        rerope_policy(),         //
        dual_chunk_policy(),     //
        tree_policy(),           //
        images_policy(),         //
    };
    return list;
}

}  // namespace

// Ids 0 … n − 1.
const Policy& plain_policy() {
    static const Policy policy{
        .kind = "plain",
        .parameters = {},
        .rule = [](const Json&) -> std::unique_ptr<RowRule> { return std::make_unique<Plain>(); },
    };
    return policy;
}

std::span<const Policy> policies() { return all(); }

std::span<const std::string_view> policy_kinds() {
    static const std::vector<std::string_view> kinds = [] {
        std::vector<std::string_view> names;
        for (const Policy& policy : all()) names.push_back(policy.kind);
        return names;
    }();
    return kinds;
}

const Policy* find_policy(std::string_view kind) {
    const auto found = std::ranges::find(all(), kind, &Policy::kind);
    return found == all().end() ? nullptr : &*found;
}

std::span<const Parameter> policy_parameters(std::string_view kind) {
    const Policy* policy = find_policy(kind);
    return policy == nullptr ? std::span<const Parameter>() : policy->parameters;
}

}  // namespace posiscope
