// hosted.hpp — whether the system below has processes, users, limits and devices: a page, and node as a page sees it, have
// none. Tests of those say so and are skipped there.
#pragma once

namespace posiscope::test {

#ifdef __EMSCRIPTEN__
inline constexpr bool kHosted = false;
#else
inline constexpr bool kHosted = true;
#endif

}  // namespace posiscope::test
