// definition.hpp — how an encoding writes its definition: once, as letters and as the numbers of a Scene.
// Formulas are in the notation of app/ui/formula.hpp, letters after core/README.md: p position, k offset, i pair, b base,
// d width, h head. A pen knows no window: who draws says how numbers are formatted and which of them can be dragged.
// Written by hand, not printed from the Program's slots: its letters are handles, each stands where a lecturer writes it, and
// a drag needs the number under every one. A typed encoding's is printed from its formulas (TypedLine).
#pragma once

#include "core/encodings/action.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace posiscope {

// The setting that a number of a definition belongs to.
enum class DefinitionHandle { position, offset, pair, width, base, head };

struct Digits {
    enum class Form { whole, four, shortest };  // an integer, four significant digits, all digits
    double value = 0.0;
    Form form = Form::four;

    static constexpr Digits integer(std::int64_t value) { return {static_cast<double>(value), Form::whole}; }
    static constexpr Digits significant(double value) { return {value, Form::four}; }
};

// ω_i = factor · base^(−times i/width); each of several axes counts its pairs from 0.
struct FrequencyForm {
    double base = 0.0;
    std::int64_t width = 0;
    std::string_view width_letters = "d";
    std::int64_t times = 2;
    std::string_view times_letters = "2i";
    std::int64_t axes = 1;
    std::string_view factor;  // as a formula; empty for 1
};

// A typed formula of one slot, cut at its names.
struct TypedPiece {
    enum class Name { none, position, pair, column, distance, query, key, head, base, width, number };
    std::string text;          // before the name
    Name name = Name::none;    // of the last piece
    std::string letters = {};  // the name itself
    double number = 0.0;       // of a name whose number neither position nor pair nor head changes
};
struct TypedLine {
    std::string_view slot;
    std::vector<TypedPiece> letters, numbers;  // as it is read with the one or the other
    bool sum = false;                          // it needs brackets in a product
};

struct DefinitionTerms {
    const Scene& scene;
    const Action* action = nullptr;      // null where it is refused
    const Spectrum* spectrum = nullptr;  // of pairs that rotate
    const FrequencyForm& frequency;
    std::span<const TypedLine> typed = {};  // in the order of own_slots()
    double scaled = 1.0;                    // the pair's frequency over that before any scaling
    std::string_view axis;  // the pair's, where a token has a position of its own on each axis
    std::int64_t position = 0, offset = 0, pair = 0, head = 0;
    bool letters = false;  // p, i, b and d instead of their numbers
    bool stacked = false;  // fractions above one another
};

class DefinitionPen {
public:
    using Handle = DefinitionHandle;

    explicit DefinitionPen(const DefinitionTerms& terms) : at(terms) {}
    virtual ~DefinitionPen() = default;
    DefinitionPen(const DefinitionPen&) = delete;
    DefinitionPen& operator=(const DefinitionPen&) = delete;

    const DefinitionTerms at;

    virtual DefinitionPen& add(std::string_view formula) = 0;
    virtual DefinitionPen& add(Digits number) = 0;
    virtual DefinitionPen& add(Handle handle, Digits number) = 0;
    // A component of what is added at the position; the logit of query p + k and key p. Nothing where there is none.
    virtual std::optional<double> added(std::int64_t column) = 0;
    virtual std::optional<double> logit() = 0;

    // A letter, or the number in its place: one that can be dragged, or one that cannot.
    DefinitionPen& put(Handle handle, std::string_view letter, Digits number);
    DefinitionPen& put(std::string_view letter, Digits number);
    DefinitionPen& position();  // p
    DefinitionPen& distance();  // |k|, of query p + k and key p
    DefinitionPen& head(std::string_view letter);
    DefinitionPen& power(bool negative);  // b^(2i/d), with the exponent that the encoding has
    DefinitionPen& typed(const TypedLine& line);
    DefinitionPen& scaled();  // s_i ·, where a scaling changes the pair's frequency
    DefinitionPen& angle();   // p / b^(2i/d), with what is in front of it
    DefinitionPen& query();   // q_{p + k}
    DefinitionPen& key();     // k_p
    DefinitionPen& root();    // / √d
    // " = " and the value, where numbers are written.
    DefinitionPen& equals(double value);
    DefinitionPen& equals_bias();
    DefinitionPen& equals_logit();
};

// The definition of the Scene's encoding; of one with a table of sines and cosines, that of one component.
void write_definition(DefinitionPen& pen, int component = 0);
// Its ω_i and λ_i, of an encoding whose pairs rotate.
void write_frequency(DefinitionPen& pen);

const TypedLine* typed_line(const DefinitionTerms& at, std::string_view slot);  // null where it is not typed

// Definitions that several encodings share.
void define_rotation(DefinitionPen& pen, int component);     // φ_i = p ω_i
void define_plain_logit(DefinitionPen& pen, int component);  // q·k / √d

// The Scene's.
FrequencyForm frequency_form(const SpectrumInput& scene);
// The same with base, d_model or head_dim as they are in the Scene.
FrequencyForm usual_frequency_form(const SpectrumInput& scene);

}  // namespace posiscope
