// Text is UTF-8, in paths too. What std::filesystem makes of a std::string goes through mbrtowc of the C library, which knows
// characters of one byte only in the locale that programs start with; so this takes its place (core.cmake). What is no UTF-8
// becomes U+FFFD, so that a path of such bytes leads nowhere and is no error of its own.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cwchar>

namespace {

constexpr wchar_t kReplacement = 0xfffd;

std::uint32_t bits(unsigned char byte) { return byte & 0x3fU; }

// The bytes of the character that begins there, or 0.
std::size_t length_at(const unsigned char* at, std::size_t count) {
    const unsigned char first = at[0];
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xc2 ? 0
                               : first < 0xe0 ? 2
                               : first < 0xf0 ? 3
                               : first < 0xf5 ? 4
                                              : 0;
    if (length > count) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((at[i] & 0xc0U) != 0x80U) return 0;
    const bool overlong = (first == 0xe0 && at[1] < 0xa0) || (first == 0xf0 && at[1] < 0x90);
    const bool outside = (first == 0xed && at[1] >= 0xa0) || (first == 0xf4 && at[1] >= 0x90);
    return overlong || outside ? 0 : length;
}

}  // namespace

// A character that wants two wchar_t gives the first for three of its bytes and the second, which waits in `kept`, for the last.
extern "C" std::size_t mbrtowc(wchar_t* to, const char* from, std::size_t count, std::mbstate_t* kept) {
    std::uint32_t half = 0;
    if (kept != nullptr) std::memcpy(&half, kept, sizeof half);
    if (kept != nullptr) std::memset(kept, 0, sizeof *kept);
    if (from == nullptr) return 0;
    if (count == 0) return static_cast<std::size_t>(-2);
    const auto* const at = reinterpret_cast<const unsigned char*>(from);
    wchar_t wide = kReplacement;
    std::size_t used = 1;
    if (half != 0) {
        wide = static_cast<wchar_t>(half);
    } else {
        switch (length_at(at, count)) {
            case 1: wide = at[0]; break;
            case 2: wide = static_cast<wchar_t>((at[0] & 0x1fU) << 6U | bits(at[1])), used = 2; break;
            case 3:
                wide = static_cast<wchar_t>((at[0] & 0x0fU) << 12U | bits(at[1]) << 6U | bits(at[2])),
                used = 3;
                break;
            case 4: {
                const std::uint32_t value =
                    ((at[0] & 0x07U) << 18U | bits(at[1]) << 12U | bits(at[2]) << 6U | bits(at[3])) -
                    0x10000U;
                wide = static_cast<wchar_t>(0xd800U | value >> 10U), used = 3;
                half = 0xdc00U | (value & 0x3ffU);
                if (kept != nullptr) std::memcpy(kept, &half, sizeof half);
                break;
            }
            default: break;
        }
    }
    if (to != nullptr) *to = wide;
    return wide == 0 ? 0 : used;
}

// The C library's neighbours of mbrtowc: the linker would bring its mbrtowc with either of them.
extern "C" std::size_t mbrlen(const char* from, std::size_t count, std::mbstate_t* kept) {
    return mbrtowc(nullptr, from, count, kept);
}

extern "C" std::size_t mbsrtowcs(wchar_t* to, const char** from, std::size_t most, std::mbstate_t* kept) {
    const char* at = *from;
    std::size_t made = 0;
    while (to == nullptr || made < most) {
        wchar_t wide = 0;
        const std::size_t used = mbrtowc(&wide, at, std::strlen(at) + 1, kept);
        if (to != nullptr) to[made] = wide;
        if (used == 0) {
            at = nullptr;
            break;
        }
        ++made;
        at += used;
    }
    if (to != nullptr) *from = at;
    return made;
}
