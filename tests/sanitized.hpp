// sanitized.hpp — whether this build watches every access, and so takes many times as long. Where the full product of
// cases takes minutes, such a build takes a part that still meets each case of every kind.
#pragma once

namespace posiscope::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace posiscope::test
