// content.hpp — what queries and keys hold before position enters.
// equal    every component of q and k is 1.
// seeded   independent components, uniform in [−√3, √3): mean 0, variance 1. A value is a function of
//          (seed, tensor, row, column) alone and of integer arithmetic, so it is the same on every platform.
#pragma once

#include "core/scene.hpp"

namespace posiscope {

enum class Tensor : std::uint64_t { query = 1, key = 2, value = 3 };

std::span<const std::string_view> content_kinds();
std::span<const Parameter> content_parameters(std::string_view kind);

double content_value(const Choice& content, Tensor tensor, std::int64_t row, std::int64_t column);

}  // namespace posiscope
