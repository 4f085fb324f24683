#include "core/encodings/definition.hpp"

#include "core/encodings/encodings.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posiscope {

DefinitionPen& DefinitionPen::put(Handle handle, std::string_view letter, Digits number) {
    return at.letters ? add(letter) : add(handle, number);
}

DefinitionPen& DefinitionPen::put(std::string_view letter, Digits number) {
    return at.letters ? add(letter) : add(number);
}

DefinitionPen& DefinitionPen::position() { return put(Handle::position, "p", Digits::integer(at.position)); }

DefinitionPen& DefinitionPen::distance() {
    return add("|").put(Handle::offset, "k", Digits::integer(at.offset)).add("|");
}

DefinitionPen& DefinitionPen::head(std::string_view letter) {
    return put(Handle::head, letter, Digits::integer(at.head));
}

DefinitionPen& DefinitionPen::power(bool negative) {
    const FrequencyForm& form = at.frequency;
    std::int64_t pair = at.pair;
    if (form.axes > 1 && at.spectrum != nullptr)
        pair %= std::max<std::int64_t>(1, static_cast<std::int64_t>(at.spectrum->pairs()) / form.axes);
    const Digits base{form.base, Digits::Form::shortest};
    // A layer's own rope_theta is no setting of the Scene.
    if (!at.letters && form.base != at.scene.base) add(Digits::significant(form.base));
    else put(Handle::base, "b", base);
    add(negative ? "^{−" : "^{").put(Handle::pair, form.times_letters, Digits::integer(form.times * pair));
    return add("/").put(Handle::width, form.width_letters, Digits::integer(form.width)).add("}");
}

DefinitionPen& DefinitionPen::typed(const TypedLine& line) {
    using Name = TypedPiece::Name;
    const auto whole = [](std::int64_t value) { return Digits::integer(value); };
    bool barred = false;  // between the bars of |x| a sign is clear without brackets
    for (const TypedPiece& piece : at.letters ? line.letters : line.numbers) {
        add(piece.text);
        if (piece.name == Name::none) break;
        if (!piece.text.empty()) barred = piece.text.ends_with('|');
        const auto [handle, number] = [&]() -> std::pair<std::optional<Handle>, Digits> {
            switch (piece.name) {
                case Name::position:
                case Name::key: return {Handle::position, whole(at.position)};
                case Name::pair: return {Handle::pair, whole(at.pair)};
                case Name::column: return {Handle::pair, whole(2 * at.pair)};
                case Name::distance: return {Handle::offset, whole(at.offset)};
                case Name::query: return {Handle::offset, whole(at.position + at.offset)};
                case Name::head: return {Handle::head, whole(at.head)};
                case Name::base: return {Handle::base, {piece.number, Digits::Form::shortest}};
                case Name::width: return {Handle::width, {piece.number, Digits::Form::shortest}};
                default: return {std::nullopt, {piece.number, Digits::Form::shortest}};
            }
        }();
        const bool brackets = !at.letters && number.value < 0.0 && !barred;
        if (brackets) add("(");
        if (handle) put(*handle, piece.letters, number);
        else put(piece.letters, number);
        if (brackets) add(")");
    }
    return *this;
}

DefinitionPen& DefinitionPen::scaled() {
    return at.scaled == 1.0 ? *this : put("s_i", Digits::significant(at.scaled)).add(" \\cdot ");
}

DefinitionPen& DefinitionPen::angle() {
    if (at.stacked) add("\\frac{");
    if (!at.frequency.factor.empty()) add(at.frequency.factor).add(" \\cdot ");
    scaled().position().add(at.stacked ? "}{" : "\\,/\\,").power(false);
    return at.stacked ? add("}") : *this;
}

DefinitionPen& DefinitionPen::query() {
    return add("q_{").put(Handle::offset, "p + k", Digits::integer(at.position + at.offset)).add("}");
}

DefinitionPen& DefinitionPen::key() { return add("k_{").position().add("}"); }

DefinitionPen& DefinitionPen::root() {
    return add("\\,/\\,\\sqrt ").put("d", Digits::integer(head_dim(at.scene)));
}

DefinitionPen& DefinitionPen::equals(double value) {
    return at.letters ? *this : add(" = ").add(Digits::significant(value));
}

DefinitionPen& DefinitionPen::equals_bias() {
    const bool has = at.action != nullptr && at.action->bias;
    return equals(has ? at.action->bias(at.head, at.position + at.offset, at.position) : 0.0);
}

DefinitionPen& DefinitionPen::equals_logit() {
    if (at.letters) return *this;
    const auto value = logit();
    return value ? equals(*value) : *this;
}

const TypedLine* typed_line(const DefinitionTerms& at, std::string_view slot) {
    for (const TypedLine& line : at.typed)
        if (line.slot == slot) return &line;
    return nullptr;
}

void define_rotation(DefinitionPen& pen, int) {
    using Handle = DefinitionHandle;
    const DefinitionTerms& at = pen.at;
    pen.add("\\phi_{").put(Handle::pair, "i", Digits::integer(at.pair)).add("} = ");
    const double omega = at.spectrum->frequency[static_cast<std::size_t>(at.pair)];
    if (at.axis.empty()) {
        pen.angle().equals(static_cast<double>(at.position) * omega);
        if (!at.letters) pen.add("\\,\\text{rad}");
        return;
    }
    pen.add(at.axis).add(" \\cdot ").scaled().power(true);
    if (!at.letters) pen.add(" = ").add(at.axis).add(" \\cdot ").add(Digits::significant(omega));
}

void define_plain_logit(DefinitionPen& pen, int) {
    pen.add("\\text{logit} = ").query().add(" \\cdot ").key().root().equals_logit();
}

void write_definition(DefinitionPen& pen, int component) {
    const Encoding& encoding = encoding_of(pen.at.scene);
    // A layer whose pairs do not rotate is one without an encoding.
    if (has_pairs(pen.at.scene) && pen.at.spectrum == nullptr) return define_plain_logit(pen, component);
    encoding.shown.definition(pen, component);
}

void write_frequency(DefinitionPen& pen) {
    const DefinitionTerms& at = pen.at;
    const double omega = at.spectrum->frequency[static_cast<std::size_t>(at.pair)];
    pen.add("\\omega_{").put(DefinitionHandle::pair, "i", Digits::integer(at.pair)).add("} = ");
    if (const TypedLine* line = typed_line(at, "frequency")) {
        pen.typed(*line).equals(omega);
    } else {
        pen.scaled();
        if (!at.frequency.factor.empty()) pen.add(at.frequency.factor).add(" \\cdot ");
        pen.power(true).equals(omega);
    }
    pen.add(", \\,\\,\\lambda = 2\\pi/\\omega = ").add(Digits::significant(2.0 * std::numbers::pi / omega));
}

FrequencyForm usual_frequency_form(const SpectrumInput& scene) {
    FrequencyForm form;
    form.base = scene.base;
    form.width = encoding_of(scene).per_head ? head_dim(scene) : scene.d_model;
    return form;
}

FrequencyForm frequency_form(const SpectrumInput& scene) {
    const auto own = encoding_of(scene).rotating.frequency;
    return own != nullptr ? own(scene) : usual_frequency_form(scene);
}

}  // namespace posiscope
