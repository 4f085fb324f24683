#include "core/encodings/encodings.hpp"

#include "core/encodings/sinusoidal.hpp"

#include <array>
#include <stdexcept>

namespace posiscope {

const Encoding& none_encoding();
const Encoding& sinusoidal_encoding();
const Encoding& learned_encoding();
const Encoding& shaw_encoding();
const Encoding& transformer_xl_encoding();
const Encoding& t5_encoding();
const Encoding& alibi_encoding();
const Encoding& kerple_encoding();
const Encoding& fire_encoding();
const Encoding& sandwich_encoding();
const Encoding& rotary_encoding();
const Encoding& xpos_encoding();
const Encoding& axial_encoding();
const Encoding& own_encoding();

std::span<const Encoding* const> encodings() {
    // Family by family.
    static const std::array list = {
        &sinusoidal_encoding(), &learned_encoding(),                            // absolute
        &shaw_encoding(),       &transformer_xl_encoding(), &t5_encoding(),     // classic
        &rotary_encoding(),     &xpos_encoding(),           &axial_encoding(),  // rotary
        &alibi_encoding(),      &kerple_encoding(),         &fire_encoding(),   // bias
        &sandwich_encoding(),   &none_encoding(),           &own_encoding(),    // own: typed
    };
    return list;
}

std::span<const Encoding* const> encodings_to_compare(const SpectrumInput& scene) {
    const auto all = encodings();
    return scene.encoding.kind == own_encoding().kind ? all : all.first(all.size() - 1);
}

std::string_view family_name(Family family) {
    constexpr std::array<std::string_view, 6> names = {"absolute", "classic", "rotary",
                                                       "bias",     "none",    "own"};
    return names[static_cast<std::size_t>(family)];
}

const Encoding* find_encoding(std::string_view kind) {
    for (const Encoding* encoding : encodings())
        if (encoding->kind == kind) return encoding;
    return nullptr;
}

std::span<const std::string_view> encoding_kinds() {
    static const std::vector<std::string_view> kinds = [] {
        std::vector<std::string_view> names;
        for (const Encoding* encoding : encodings()) names.push_back(encoding->kind);
        return names;
    }();
    return kinds;
}

bool takes_scalings(std::string_view kind) {
    const Encoding* encoding = find_encoding(kind);
    return encoding != nullptr && encoding->rotating.scalings;
}

bool takes_scalings(const SpectrumInput& scene) { return encoding_of(scene).rotating.scalings; }

bool has_pairs(const SpectrumInput& scene) { return encoding_of(scene).pairs != no_pairs; }

bool encodes_nothing(const SpectrumInput& scene) { return encoding_of(scene).family == Family::none; }

const std::string* file_of(const SpectrumInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    const auto found = parameters.find(encoding_of(scene).file);
    return found == parameters.end() ? nullptr : found->get_ptr<const std::string*>();
}

Rotation rotation_of(const SpectrumInput& scene) {
    const Encoding& encoding = encoding_of(scene);
    if (encoding.rotating.form != nullptr) return encoding.rotating.form(scene);
    return encoding.pairs == no_pairs ? Rotation::nothing : Rotation::circles;
}

bool is_steady(Rotation rotation) {
    return rotation == Rotation::circles || rotation == Rotation::spirals || rotation == Rotation::axes;
}

bool on_unit_circles(const SpectrumInput& scene) { return rotation_of(scene) == Rotation::circles; }

bool on_unit_circles(const Scene& scene) {
    return on_unit_circles(static_cast<const SpectrumInput&>(scene)) && !at_padding(scene);
}

const Encoding& encoding_of(const SpectrumInput& scene) {
    const Encoding* encoding = find_encoding(scene.encoding.kind);
    if (encoding == nullptr)
        throw std::logic_error("a Scene carries an encoding that is not in the registry");
    return encoding->specialised != nullptr ? encoding->specialised(scene) : *encoding;
}

Result<Spectrum> spectrum_of(const SpectrumInput& scene) { return encoding_of(scene).spectrum(scene); }

Result<Action> action_of(const ActionInput& scene) { return encoding_of(scene).action(scene); }

Result<Spectrum> unscaled_spectrum_of(const SpectrumInput& scene) {
    const auto unscaled = encoding_of(scene).rotating.unscaled;
    return unscaled != nullptr ? unscaled(scene) : spectrum_of(scene);
}

std::vector<Problem> remarks_on(const ActionInput& scene) {
    const auto& own = encoding_of(scene).remarks;
    std::vector<Problem> remarks = own ? own(scene) : std::vector<Problem>();
    for (Problem& problem : unused_settings(scene)) remarks.push_back(std::move(problem));
    return remarks;
}

std::int64_t no_pairs(const SpectrumInput&) { return 0; }

Result<Spectrum> no_spectrum(const SpectrumInput& scene) {
    return refuse("encoding.no_spectrum", {{"kind", scene.encoding.kind}});
}

PairLayout no_layout(const ActionInput&) { return PairLayout::interleaved; }

double table_value(const Spectrum& spectrum, PairLayout layout, std::int64_t position,
                   std::int64_t dimension) {
    const auto at = pair_component(layout, static_cast<std::int64_t>(spectrum.pairs()), dimension);
    const Turn turn = phase(spectrum.step[static_cast<std::size_t>(at.pair)], position);
    return at.component == 0 ? sin(turn) : cos(turn);
}

bool unused(const SpectrumInput& scene, const Parameter& parameter) {
    const auto ignores = encoding_of(scene).ignores;
    return ignores != nullptr && ignores(scene, parameter.key);
}

std::vector<Problem> unused_settings(const SpectrumInput& scene) {
    std::vector<Problem> remarks;
    for (const Parameter& parameter : encoding_of(scene).parameters) {
        const auto given = scene.encoding.parameters.find(parameter.key);
        if (given != scene.encoding.parameters.end() && *given != parameter.fallback &&
            unused(scene, parameter))
            remarks.push_back({"setting.unused", {{"key", std::string(parameter.key)}}});
    }
    return remarks;
}

}  // namespace posiscope
