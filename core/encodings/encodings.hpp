// encodings.hpp — the definition of an encoding, and the list of them in menu order.
// To add one: a file beside this that fills in an Encoding, and its line in encodings.cpp. Sliders, --set keys, JSON and
// checks follow from the parameters it declares; figures, the experiment and code from the rest of the record.
#pragma once

#include "core/encodings/action.hpp"
#include "core/phase/frequencies.hpp"
#include "core/scene/scene.hpp"

#include <array>

namespace posiscope {

// The usual families: absolute encodings add a vector per position; the others depend on distances: classic ones through
// learned tables, rotary ones by rotation, biases by a function added to the logits. A typed one has the family of what it
// does, and in the list of kinds its own.
enum class Family { absolute, classic, rotary, bias, none, own };
std::string_view family_name(Family family);   // "absolute"
enum class Acts { input, query_key, logits };  // adds to the input, rotates q and k, adds to the logits

// How the pairs of a token at p rotate: by p ω_i on unit circles, with lengths that change too, or on two axes; and what is no multiple of p
// for all: the places of a grid, a typed function of p, a typed distance, chunks, a typed amplitude.
enum class Rotation { nothing, circles, spirals, axes, grid, position, distance, chunks, amplitude };
bool is_steady(Rotation rotation);  // by p ω_i

class DefinitionPen;   // definition.hpp
struct FrequencyForm;  // definition.hpp
struct TypedLine;      // definition.hpp
struct PairAxes;       // axes.hpp
struct Turning;        // turning.hpp
struct Program;        // core/code/program.hpp
namespace experiment {
struct Learnable;  // core/experiment/learnable.hpp
}

// The numbers of one head, each with its letter: {"a", 0.5}, {"r", 1.2}. `inverse`: written as 1/n if it is one.
struct HeadNumbers {
    struct One {
        std::string_view letter;
        double value = 0.0;
    };
    std::array<One, 2> list{};
    bool inverse = false;
};

// Answers of encodings without rotation: 0 pairs, a Problem, a layout that is never used.
std::int64_t no_pairs(const SpectrumInput& scene);
Result<Spectrum> no_spectrum(const SpectrumInput& scene);
PairLayout no_layout(const ActionInput& scene);

// How its pairs rotate, where they do.
struct Rotating {
    Rotation (*form)(const SpectrumInput&) = nullptr;            // null: on circles. A frame asks often.
    Result<Turning> (*turning)(const SpectrumInput&) = nullptr;  // null: by its spectrum and its axes
    Result<Spectrum> (*unscaled)(const SpectrumInput&) =
        nullptr;  // the spectrum before any scaling; null: the same
    FrequencyForm (*frequency)(const SpectrumInput&) = nullptr;  // null: b^(−2i/d), d its width
    PairAxes (*axes)(const SpectrumInput&) = nullptr;  // null: pairs rotate with the position itself
    bool scalings =
        false;  // its parameters are RoPE's of a config: scalings, layers, sections (rope_settings.hpp)
    bool base_without_pairs = false;  // the base matters although no pair rotates
    std::int64_t width_multiple = 2;  // the width that it acts on is a multiple of it
    std::int64_t min_width_units = 1;
};

// Its effect on logits.
struct LogitShape {
    bool bias = false;               // a bias for each head, and nothing else
    bool slopes = false;             // and that bias is a slope times the distance
    bool depends_on_query = false;   // not on the distance alone
    bool stepped = false;            // constant between some distances
    bool has_bias_or_scale = false;  // besides what its pairs make
};

// Its learned numbers.
struct Learning {
    std::int64_t (*count)(const ActionInput&) = nullptr;  // of learned numbers; null: none
    bool projects = false;  // with weights of its own that the width squared is the size of
    // How the experiment trains its numbers; null: it has none, or the key `untrained` says why it cannot be trained.
    const experiment::Learnable* by = nullptr;
    std::string_view untrained{};
    // Its parameters where sequences of n positions are trained; null: their usual values.
    Json (*fitted)(std::int64_t n) = nullptr;
};

// How it is shown.
struct Display {
    std::string_view colour;                            // of its curves, a name of app/ui/experiments.cpp
    void (*definition)(DefinitionPen&, int component);  // its formula; only sinusoids have a component 1
    int rank = 0;  // 1, 2, …: among the curves of all encodings that are drawn at first
    std::int64_t heads_when_chosen = 1;  // who has one head and chooses it in the list gets these
    // The numbers by which one head's bias differs from the next; null: a table or a network.
    HeadNumbers (*head_numbers)(const ActionInput&, const Action&, std::int64_t head) = nullptr;
};

// Its formulas in code, and as somebody types them (own.hpp).
struct FormulaSlots {
    // Its slots as formulas, of which programs, LaTeX and typed encodings are written; null: the key `not_formulas` says why
    // there are none.
    Result<Program> (*program)(const Scene&) = nullptr;
    std::string_view not_formulas{};
    std::vector<TypedLine> (*typed)(const SpectrumInput&) =
        nullptr;  // for its definition; null: it is built in
};

// Everything that any part of the program asks of a kind. Nothing else compares kinds (a test).
struct Encoding {
    std::string_view kind;
    Family family;
    Acts acts;
    bool per_head;  // acts on head_dim, so that num_heads must divide d_model / 2
    std::span<const Parameter> parameters;
    // Each is given the part of a Scene that it may depend on. Of the pairs that rotate: how many they are, their spectrum
    // (encoding.no_spectrum where nothing rotates) and their layout.
    std::int64_t (*pairs)(const SpectrumInput&) = no_pairs;
    Result<Spectrum> (*spectrum)(const SpectrumInput&) = no_spectrum;
    PairLayout (*layout)(const ActionInput&) = no_layout;
    std::optional<Problem> (*check)(const SpectrumInput&) = nullptr;  // rules between its parameters
    Result<Action> (*action)(const ActionInput&);                     // its effect on attention
    std::vector<Problem> (*remarks)(const ActionInput&) = nullptr;    // settings without effect
    // True if `key` has no effect given the other parameters; null: all have one.
    bool (*ignores)(const SpectrumInput&, std::string_view key) = nullptr;
    Rotating rotating{};
    LogitShape logits{};
    bool adds = false;        // something to the input, although it rotates too
    bool rows = false;        // it adds rows of numbers (learned.hpp), no function of the position
    std::string_view file{};  // the parameter that names a file to read
    Learning learns{};
    Display shown;
    FormulaSlots slots{};
    // A more specific record for these parameters, of the same kind (typed encodings); null: this one.
    const Encoding& (*specialised)(const SpectrumInput&) = nullptr;
};

std::span<const Encoding* const> encodings();
// All but the typed encoding, which is empty unless the Scene has one.
std::span<const Encoding* const> encodings_to_compare(const SpectrumInput& scene);
Rotation rotation_of(const SpectrumInput& scene);
bool on_unit_circles(const SpectrumInput& scene);
bool on_unit_circles(
    const Scene& scene);  // and neither the position nor the one it is shifted to is a padding row
const Encoding* find_encoding(std::string_view kind);  // null when unknown
std::span<const std::string_view> encoding_kinds();
bool takes_scalings(std::string_view kind);  // false when unknown
bool takes_scalings(const SpectrumInput& scene);
bool has_pairs(const SpectrumInput& scene);  // that rotate, in some layer
bool encodes_nothing(const SpectrumInput& scene);
// The file that a Scene's encoding is read from; null where it names none.
const std::string* file_of(const SpectrumInput& scene);

// The Scene's encoding, its spectrum and its action.
const Encoding& encoding_of(const SpectrumInput& scene);
Result<Spectrum> spectrum_of(const SpectrumInput& scene);
Result<Action> action_of(const ActionInput& scene);
// The spectrum before any scaling; the spectrum itself for an encoding without scalings.
Result<Spectrum> unscaled_spectrum_of(const SpectrumInput& scene);

// Notes, such as settings without effect: each a Problem, but none of them refuses the Scene.
std::vector<Problem> remarks_on(const ActionInput& scene);

// PE(p, dimension) of an encoding that adds to the input: sin in a pair's first component, cos in its second.
// Error    ≤ 2e-16 against MPFR for 0 ≤ p < 2^31.
double table_value(const Spectrum& spectrum, PairLayout layout, std::int64_t position,
                   std::int64_t dimension);

// Parameters that an encoding declares but does not read with its other settings as they are. They have no
// control; one that is set anyway gets a note.
bool unused(const SpectrumInput& scene, const Parameter& parameter);  // of the Scene's encoding

// setting.unused for each that is set anyway.
std::vector<Problem> unused_settings(const SpectrumInput& scene);

// A position past the end: of a table or a file, of a grid, or of all positions.
// `end` is one past the last position of the Scene's Action.
Problem past_end(const SpectrumInput& scene, std::int64_t position, std::int64_t end);

}  // namespace posiscope
