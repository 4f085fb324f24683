// own.hpp — an encoding that somebody typed: formulas, one for each place where an encoding acts.
// slot       names        default       what it does
// position   p            p             maps the index before everything else
// frequency  i, d         none          radians per position of pair i; with it, q and k are rotated
// distance   D, q, k      D = q − k     the distance that the rotation sees, where query and key meet
// amplitude  i, D, d      1             factor of pair i's product
// bias       D, q, k, h, H  0           added to the logit
// scale      D, q, k, h, H  1           multiplies the logit
// add        p, j, d      none          component j of what is added to the input
// axis       i, d          none          which of a token's places pair i rotates with: 0 t, 1 h, 2 w of a `grid` [t, h, w] that
//                                       tokens fill row by row; without a grid all are the position. D is then no one number:
//                                       it stands beside no distance, no amplitude and no position but one times p
// All may use b (base), n (length) and L (trained length, else n). d is the rotated width, for `add` d_model; heads h count
// from 0 to H − 1. Any other name is a parameter: `values` has its number, or a list for c[index]; 1 where it has none. Those in
// `learned` are trained by the experiment, and begin there with these numbers. `ranges` has the ends of a name's slider.
// Frequency, position, bias, scale and add may also be the path of a .npy or .safetensors file instead of a formula: a line of
// numbers for each pair, each position, each distance |D| (a row for each head, or one line for all), a row for each position
// of what is added. It is the same as that list, typed: up to kMostArray numbers.
#pragma once

#include "core/encodings/encodings.hpp"
#include "core/formula/formula.hpp"

#include <span>

namespace posiscope {

struct OwnSlot {
    std::string_view key;                     // "frequency", also the encoding's parameter
    std::span<const std::string_view> names;  // besides b, n and L
    std::string_view symbol;                  // "ω", where one is usual
};
std::span<const OwnSlot> own_slots();

// The slots that are typed, in the order of own_slots(), and the parameters that they use.
struct OwnFormulas {
    struct Typed {
        const OwnSlot* slot;
        formula::Formula formula;
    };
    struct Parameter {
        std::string name;
        bool list = false;
        double value = 1.0;    // of a list, nothing
        bool learned = false;  // the experiment trains it
    };
    std::vector<Typed> typed;
    Json values;                        // of the names, and the lists that are read from files
    std::vector<Parameter> parameters;  // in the order of their first use

    const formula::Formula* find(std::string_view slot) const;
};
Result<OwnFormulas> own_formulas(const SpectrumInput& scene);

// "own.bias" of --set is encoding.bias, "own.a" encoding.values.a: the path of a name, and whether it is a slot, whose value
// is always a text, or a list of names.
struct OwnPath {
    std::string path;
    bool slot;
    bool names;
};
OwnPath own_path(std::string_view name);

// `label` is what curves and results call it: so many characters, none of them a quote, a backslash or a control character.
inline constexpr std::size_t kLongestLabel = 40;
bool own_label_fits(std::string_view label);

inline constexpr std::int64_t kMostArray = 65536;
bool own_names_file(std::string_view slot_text);
// The files that a Scene's slots name; null where there is none.
std::vector<const std::string*> own_files(const SpectrumInput& scene);

const Encoding& own_encoding();
bool is_own(std::string_view kind);

}  // namespace posiscope
