#include "app/figures/figure.hpp"

#include <algorithm>

namespace posiscope::figures {

extern const Figure kRotations;
extern const Figure kMatrix;
extern const Figure kScores;
extern const Figure kSum;
extern const Figure kShift;
extern const Figure kWaves;
extern const Figure kSpectrum;
extern const Figure kTurns;
extern const Figure kCheck;
extern const Figure kAttention;
extern const Figure kTerms;
extern const Figure kPositions;
extern const Figure kDistances;
extern const Figure kKeyScores;
extern const Figure kVerdict;
extern const Figure kPrecision;
extern const Figure kLayout;
extern const Figure kTrace;
extern const Figure kTest;
extern const Figure kLoss;
extern const Figure kHeads;
extern const Figure kMeasured;
extern const Figure kResidual;
extern const Figure kRows;
extern const Figure kPartners;
extern const Figure kFindings;

// In the order in which the menu shows them.
std::span<const Figure* const> figures() {
    static constexpr std::array list = {
        &kRotations,  //
        &kMatrix,     //
        &kScores,     //
        &kSum,        //
        &kShift,      //
        &kWaves,      //
        &kSpectrum,   //
        &kTurns,      //
        &kCheck,      //
        &kAttention,  //
        &kTerms,      //
        &kPositions,  //
        &kDistances,  //
        &kKeyScores,  //
        &kVerdict,    //
        &kPrecision,  //
        &kLayout,     //
        &kTrace,      //
        &kTest,       //
        &kLoss,       //
        &kHeads,      //
        &kMeasured,   //
        &kResidual,   //
        &kRows,       //
        &kPartners,   //
        &kFindings,
    };
    return list;
}

const Figure* find_figure(std::string_view id) {
    for (const Figure* figure : figures())
        if (figure->id == id) return figure;
    return nullptr;
}

bool applies(const Figure& figure, const SpectrumInput& scene) {
    return figure.applies == nullptr || figure.applies(scene);
}

const Scene* Frame::ghost() const {
    return dragging() && drag_state->scene != scene ? &drag_state->scene : nullptr;
}

Scene& Frame::edit() {
    if (!next) next = dragging() && pointer->moved ? drag_state->scene : scene;
    return *next;
}

bool Frame::drag(std::string_view handle, bool near, Point at, Cursor shape) {
    if (marks != nullptr) marks->push_back({figure, handle, at});
    if (pointer == nullptr || drag_state == nullptr) return false;
    const bool mine = drag_state->active() && drag_state->figure == figure && drag_state->handle == handle;
    if (mine) {
        cursor = shape;
        return true;
    }
    if (drag_state->active() || pointer->held_before || !pointer->inside || !near) return false;
    cursor = shape;
    if (!pointer->pressed) return false;
    *drag_state = {figure, handle, pointer->at, scene, 0.0, 0.0};
    return true;
}

const Spectrum* circles(const Frame& frame) {
    return on_unit_circles(frame.scene) ? frame.derived.spectrum(frame.scene) : nullptr;
}

const Spectrum* circles(const Other& other) {
    return on_unit_circles(other.scene) ? other.derived.spectrum(other.scene) : nullptr;
}

namespace {

// The last sentence shown in a figure's place.
struct Absence {
    std::string_view figure;
    Problem problem;
    std::optional<Language> language;
    std::string sentence;
};

Absence& absence_of(Frame& frame) {
    auto& all = frame.derived.part<std::vector<Absence>>();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Absence& one) { return one.figure == frame.figure; });
    return found != all.end() ? *found : all.emplace_back(Absence{frame.figure, {}, {}, {}});
}

bool is(const Problem& problem, std::string_view key, std::string_view name, std::string_view value) {
    if (problem.key != key || problem.values.size() != (name.empty() ? 0 : 1)) return false;
    return name.empty() || (problem.values[0].first == name && problem.values[0].second == value);
}

}  // namespace

void explain_absence(Frame& frame, Rect area, const Problem& problem) {
    Absence& said = absence_of(frame);
    if (said.language != frame.strings.language() || said.problem != problem) {
        said.sentence = frame.strings.sentence_in_window(problem);
        said.problem = problem;
        said.language = frame.strings.language();
    }
    frame.absence_end = area.y0 + 8.0F +
                        frame.canvas.paragraph({area.x0, area.y0 + 8.0F}, said.sentence,
                                               {frame.theme.ink_soft, ui::kTextSize, ui::Face::text},
                                               std::min(area.width(), 560.0F));
}

void explain_absence(Frame& frame, Rect area, std::string_view key, std::string_view name,
                     std::string_view value) {
    const Absence& said = absence_of(frame);
    if (is(said.problem, key, name, value)) return explain_absence(frame, area, said.problem);
    Problem problem{std::string(key), {}};
    if (!name.empty()) problem.values.emplace_back(name, value);
    explain_absence(frame, area, problem);
}

const Json* view_value(const Scene& scene, std::string_view figure, std::string_view key) {
    const auto own = scene.view.find(figure);
    if (own == scene.view.end() || !own->is_object()) return nullptr;
    const auto value = own->find(key);
    return value == own->end() || value->is_null() ? nullptr : &*value;
}

void set_view_value(Scene& scene, std::string_view figure, std::string_view key, Json value) {
    Json& own = scene.view[std::string(figure)];
    if (!own.is_object()) own = Json::object();
    if (value.is_null()) own.erase(std::string(key));
    else own[std::string(key)] = std::move(value);
    if (own.empty()) scene.view.erase(std::string(figure));
}

std::string_view mode(const Figure& figure, const Scene& scene) {
    if (figure.modes == nullptr) return {};
    const auto offered = figure.modes(scene);
    if (const Json* chosen = view_value(scene, figure.id, "mode"); chosen != nullptr && chosen->is_string()) {
        const auto found = std::find(offered.begin(), offered.end(), chosen->get_ref<const std::string&>());
        if (found != offered.end()) return *found;
    }
    return offered.front();
}

const Quantity* numbers_of(const Figure& figure, const Scene& scene) {
    if (figure.numbers == nullptr || (figure.draws_own != nullptr && !figure.draws_own(scene)))
        return nullptr;
    for (const std::string_view name : figure.numbers(mode(figure, scene)))
        if (const Quantity* quantity = find_quantity(name); quantity != nullptr && quantity->shapes(scene))
            return quantity;
    return nullptr;
}

std::optional<LinkedPair> linked(const Frame& frame, const Spectrum& spectrum) {
    if (!frame.link.frequency) return std::nullopt;
    return linked_pair(*frame.link.frequency, spectrum);
}

void set_position(Scene& scene, std::int64_t position) {
    scene.position = std::clamp<std::int64_t>(position, 0, kLastPosition);
}

void set_offset(Scene& scene, std::int64_t offset) {
    scene.offset = std::clamp(offset, -scene.position, kLastPosition - scene.position);
}

}  // namespace posiscope::figures
