// policy.hpp — what the files of policies share.
#pragma once

#include "core/positions/positions.hpp"

namespace posiscope {

inline constexpr auto kMostCount = static_cast<double>(kLastPosition);

inline Parameter count_parameter(std::string_view key, std::int64_t fallback, std::int64_t least = 0,
                                 double most = kMostCount) {
    return {.key = key,
            .kind = Parameter::Kind::integer,
            .fallback = fallback,
            .minimum = static_cast<double>(least),
            .maximum = most};
}

inline Parameter slip_parameter(std::vector<std::string_view> slips) {
    slips.insert(slips.begin(), kNoSlip);
    return {.key = "slip",
            .kind = Parameter::Kind::choice,
            .fallback = std::string(kNoSlip),
            .choices = std::move(slips)};
}

inline std::int64_t count_of(const Json& parameters, std::string_view key) {
    return parameters.at(key).get<std::int64_t>();
}

inline bool slip_is(const Json& parameters, std::string_view slip) {
    return parameters.at("slip").get_ref<const std::string&>() == slip;
}

template <class Rule>
std::unique_ptr<RowRule> make_rule(const Json& parameters) {
    return std::make_unique<Rule>(parameters);
}

// In the order of the menu.
const Policy& plain_policy();
const Policy& left_padding_policy();
const Policy& offset_table_policy();
const Policy& packed_policy();
const Policy& decode_policy();
const Policy& rolling_policy();
const Policy& sinks_policy();
const Policy& eviction_policy();
const Policy& context_shift_policy();
const Policy& reused_chunk_policy();
const Policy& sliding_policy();
const Policy& chunked_policy();
const Policy& self_extend_policy();
const Policy& rerope_policy();
const Policy& dual_chunk_policy();
const Policy& tree_policy();
const Policy& images_policy();

}  // namespace posiscope
