// sanitized.hpp — how many of many cases a run takes: whether this build watches every access, and so takes many times as long. Where the full product of
// cases takes minutes, such a build takes a part that still meets each case of every kind.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace posiscope::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

// Of thousands of cases that are alike one in `part`: each kind is still among them many times. Where POSISCOPE_ALL_CASES is
// set, as by `tests/run --all`, every one.
inline bool all_cases() { return !kSanitized && std::getenv("POSISCOPE_ALL_CASES") != nullptr; }
inline std::size_t one_in(std::size_t part) { return all_cases() ? 1 : part; }

}  // namespace posiscope::test
