// numbers.hpp — a few typed numbers held against a Scene: "p = 5: 0.2837, −0.9589 …".
// Each line is the row of one position, from its first column on: a sinusoidal table's sines and cosines, RoPE's cosines and
// sines. Without "p =" it is the Scene's position, or its inverse frequencies.
// Compared   with the Scene, with the spectra that it is mistaken for (fit.hpp), and with the Scene changed by one slip. Nothing
//            is fitted to the Scene: two numbers fit any base.
// Tolerance  one unit of the last digit typed, of a whole number half of one, or what float32 makes of the angle.
// A slip is named only where the digits of the numbers that it changes say more than 1 in 10⁴ would by chance.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope::measuring {

inline constexpr std::size_t kLeastNumbers = 2, kMostNumbers = 200;

struct TypedNumber {
    double value = 0.0;
    double unit = 0.5;  // of its last digit, at most 0.5
};
struct TypedRow {
    std::optional<std::int64_t> position;
    std::vector<TypedNumber> numbers;
};

// Refused without kLeastNumbers numbers, beyond kMostNumbers, and for words other than a position.
Result<std::vector<TypedRow>> typed_numbers(std::string_view text);

// The sentences about them: numbers.matches, numbers.frequencies, numbers.few, or numbers.neither and what they are elsewhere
// (conventions.hpp), else the slips that fit, as `slip.NAME` or `measured.NAME`; and the largest difference from the Scene in
// `difference`.
struct NumbersFound {
    std::vector<Problem> answers;
    bool matches = false;

    bool slipped() const;
};
// Refused for a Scene without a spectrum.
Result<NumbersFound> compare_numbers(const Scene& scene, std::span<const TypedRow> rows);

}  // namespace posiscope::measuring
