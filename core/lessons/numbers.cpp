#include "core/lessons/numbers.hpp"

#include "core/cost.hpp"

#include <algorithm>

namespace posiscope::lessons {
namespace {

constexpr double kCheap = 4e6;

const Json& view_of(const Scene& scene, const char* figure) {
    static const Json nothing;
    const auto found = scene.view.find(figure);
    return found != scene.view.end() ? *found : nothing;
}

}  // namespace

ValueInput::ValueInput(const Scene& scene)
    : AttentionInput(scene),
      position(scene.position),
      offset(scene.offset),
      pair(scene.pair),
      shift(scene.shift),
      shifts(view_of(scene, "shift")),
      ids(view_of(scene, "ids")) {}

Scene ValueInput::scene() const {
    Scene made;
    static_cast<AttentionInput&>(made) = *this;
    made.position = position;
    made.offset = offset;
    made.pair = pair;
    made.shift = shift;
    if (!shifts.is_null()) made.view["shift"] = shifts;
    if (!ids.is_null()) made.view["ids"] = ids;
    return made;
}

bool ValueInput::operator==(const Scene& scene) const {
    return position == scene.position && offset == scene.offset && pair == scene.pair &&
           shift == scene.shift && shifts == view_of(scene, "shift") && ids == view_of(scene, "ids") &&
           AttentionInput::operator==(scene);
}

bool ValueInput::operator==(const ValueInput& other) const {
    return position == other.position && offset == other.offset && pair == other.pair &&
           shift == other.shift && shifts == other.shifts && ids == other.ids &&
           AttentionInput::operator==(other);
}

void Named::add(const Value& value) {
    if (std::ranges::find(values_, &value) == values_.end()) values_.push_back(&value);
}

void Named::add(const Sentence& sentence, Piece::Kind kind) {
    for (const Piece& piece : sentence)
        if (piece.kind == kind && piece.value != nullptr) add(*piece.value);
}

void Named::add(const Condition& condition) {
    if (condition.value != nullptr) add(*condition.value);
    for (const Condition& part : condition.parts) add(part);
}

Numbers::Numbers(const Named& named, const ValueInput& input, double units) {
    const Scene scene = input.scene();
    const double end = work_done() + units;
    for (const Value* value : named.values()) all_.push_back({value, std::nullopt});
    for (const double most : {kCheap, units})
        for (One& one : all_)
            if (!one.number)
                one.number = try_within_budget(std::min(most, std::max(0.0, end - work_done())),
                                               [&] { return one.value->of(scene); });
}

Numbers Numbers::quick(const Named& named, const ValueInput& input, double each) {
    Numbers made;
    made.final_ = false;
    const Scene scene = input.scene();
    for (const Value* value : named.values())
        made.all_.push_back({value, try_within_budget(each, [&] { return value->of(scene); })});
    return made;
}

const Result<double>* Numbers::of(const Value& value) const {
    const auto found = std::ranges::find(all_, &value, &One::value);
    return found != all_.end() && found->number ? &*found->number : nullptr;
}

bool Numbers::whole() const {
    return std::ranges::all_of(all_, [](const One& one) { return one.number.has_value(); });
}

}  // namespace posiscope::lessons
