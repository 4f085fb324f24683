// precompiled.hxx — what nearly every source reads, read once a build (target_precompile_headers). Not part of the library:
// a source includes what it uses, and the preset `plain` builds without this.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <tuple>
#include <variant>
#include <vector>

// JSON's literals are functions, not templates, so every source that sees them instantiates the whole parser: 0.4 s each,
// a fifth of a build. We write none. As templates they cost nothing; where the library spells them as one token
// (""_json) these macros do nothing.
#define _json(...)               \
    _json(const char*, std::size_t); \
    template <class C>           \
    nlohmann::json unused_literal(const C* s, std::size_t n)
#define _json_pointer(...)               \
    _json_pointer(const char*, std::size_t); \
    template <class C>                   \
    nlohmann::json::json_pointer unused_pointer(const C* s, std::size_t n)
#include <nlohmann/json.hpp>
#undef _json
#undef _json_pointer
