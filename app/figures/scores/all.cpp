// all.cpp — every encoding's logits on the same axes, and which of them are shown.
#include "app/figures/scores/making.hpp"
#include "app/figures/scores/scores.hpp"

#include "app/figures/parts/sentence.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace posiscope::figures::scores {
namespace {

constexpr double kTogether = 13.0;  // curves share the work of one
constexpr std::size_t kAtFirst = 4;

// The kinds by their rank, then as the menu has them.
std::span<const std::string_view> by_rank() {
    static const std::vector<std::string_view> kinds = [] {
        std::vector<const Encoding*> sorted(encodings().begin(), encodings().end());
        std::ranges::stable_sort(sorted, {}, [](const Encoding* one) {
            return one->shown.rank > 0 ? one->shown.rank : std::numeric_limits<int>::max();
        });
        std::vector<std::string_view> made;
        for (const Encoding* one : sorted) made.push_back(one->kind);
        return made;
    }();
    return kinds;
}

struct TogetherKey {
    std::vector<Kept<Curves>> each;
    bool operator==(const TogetherKey&) const = default;
};
// Every encoding's curve by itself: what does not depend on an edited value is kept, and a slow one keeps no other waiting.
struct All {
    struct One {
        Same<ScoreInput> input;
        Slow<CurvesKey, Curves> curve;
    };
    Memo<ScoreInput, std::vector<ScoreInput>> inputs;
    std::vector<One> each;
    TogetherKey key;
    Memo<TogetherKey, Curves> together;
};

// This Scene's widths and content in every encoding that has such; of one that is not this Scene's, its defaults. Those that
// do not read the base have the same at every base.
std::vector<ScoreInput> of_all_encodings(const ScoreInput& input) {
    Scene scene;
    static_cast<ScoreInput&>(scene) = input;
    std::vector<ScoreInput> scenes;
    for (const Encoding* encoding : encodings_to_compare(input)) {
        if (encoding->kind == scene.encoding.kind) scenes.push_back(input);
        else if (auto laid = overlay(scene, {{"encoding", std::string(encoding->kind)}}))
            scenes.push_back(std::move(laid->scene));
        else continue;
        ScoreInput& one = scenes.back();
        if (encoding->pairs(one) == 0 && !encoding->rotating.base_without_pairs) one.base = Scene().base;
    }
    return scenes;
}

// One encoding's logits less that at 0; none where it has none.
Curves one_of_all(const CurvesKey& key) {
    Curves made;
    const Samples s = samples(0.0, static_cast<double>(key.input->length - 1), key.most);
    if (fill(made, s, band_work(key) / kTogether, logits_of(*key.input, key.head, made.query))) return {};
    Curve& curve = made.curves.front();
    const double zero = curve.values.front();
    if (!std::isfinite(zero)) return {};
    curve.name = find_encoding(key.input->encoding.kind)->kind;
    for (std::vector<double>* values : {&curve.values, &curve.band})
        for (double& value : *values) value -= zero;
    return made;
}

Curves put_together(const TogetherKey& key) {
    Curves all;
    bool first = true;
    for (const Kept<Curves>& one : key.each) {
        if (one->curves.empty()) continue;
        if (first || one->query) all.query = one->query;
        if (std::exchange(first, false)) all.at = one->at, all.stride = one->stride;
        all.every = std::max(all.every, one->every);
        all.curves.push_back(one->curves.front());
    }
    measure(all);
    return all;
}

}  // namespace

Kept<Curves> together(const Scene& scene, Derived& derived) {
    All& all = derived.part<All>();
    const auto& inputs = *all.inputs.get(static_cast<const ScoreInput&>(scene),
                                         [](const ScoreInput& input) { return of_all_encodings(input); });
    all.each.resize(inputs.size());
    all.key.each.clear();
    bool whole = true;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        All::One& one = all.each[i];
        // An encoding may come with fewer heads than the Scene.
        const std::int64_t head = std::min(shown_head(scene), inputs[i].num_heads - 1);
        const CurvesKey key{one.input.of(inputs[i]), nullptr, Mode::all, head, 0.0, 0.0};
        const Kept<Curves> made =
            one.curve.get(derived.background(), key, [](const CurvesKey& of) { return one_of_all(of); });
        whole = whole && made != nullptr;
        if (made != nullptr) all.key.each.push_back(made);
    }
    return whole ? all.together.get(all.key, [](const TogetherKey& of) { return put_together(of); })
                 : nullptr;
}

std::uint32_t shown_of_all(const Scene& scene, const Curves& curves) {
    const Json* chosen = view_value(scene, "scores", "encodings");
    const bool own_list = chosen != nullptr && chosen->is_array();
    std::uint32_t shown = 0;
    std::size_t count = 0;
    const auto add = [&](std::string_view kind) {
        for (std::size_t i = 0; i < std::min<std::size_t>(32, curves.curves.size()); ++i)
            if (curves.curves[i].name == kind && (shown >> i & 1U) == 0) shown |= 1U << i, ++count;
    };
    if (own_list) {
        for (const Json& kind : *chosen)
            if (kind.is_string()) add(kind.get_ref<const std::string&>());
        return shown;
    }
    add(scene.encoding.kind);
    for (const std::string_view kind : by_rank().first(kAtFirst))
        if (count < kAtFirst) add(kind);
    return shown;
}

std::optional<std::size_t> lone_of_all(const Scene& scene, const Curves& curves) {
    const Json* kind = view_value(scene, "scores", "lone");
    if (kind == nullptr || !kind->is_string()) return std::nullopt;
    for (std::size_t i = 0; i < curves.curves.size(); ++i)
        if (curves.curves[i].name == kind->get_ref<const std::string&>()) return i;
    return std::nullopt;
}

void toggle_of_all(Frame& f, const Curves& curves, std::size_t curve) {
    const std::uint32_t shown = shown_of_all(f.scene, curves) ^ 1U << curve;
    Json kinds = Json::array();
    for (std::size_t i = 0; i < curves.curves.size(); ++i)
        if ((shown >> i & 1U) != 0) kinds.push_back(std::string(curves.curves[i].name));
    set_view_value(f.edit(), "scores", "encodings", std::move(kinds));
}

// Seven colours, told apart by people of every colour vision, then the same ones dashed. Those that are shown at first come
// first; orange and blue, which mean sine and cosine elsewhere, come last.
EncodingMark mark_of(const ui::Theme& theme, std::string_view kind) {
    static constexpr std::array<ui::Colour, 7> dark = {
        ui::rgb(0xA79AE6), ui::rgb(0x2FBF8F), ui::rgb(0xF2693C), ui::rgb(0xF0E442),
        ui::rgb(0xCC79A7), ui::rgb(0x56B4E9), ui::rgb(0xE69F00)};
    static constexpr std::array<ui::Colour, 7> light = {
        ui::rgb(0x6A4FD0), ui::rgb(0x00805E), ui::rgb(0xD04A00), ui::rgb(0x6F7300),
        ui::rgb(0xC0659A), ui::rgb(0x1F87C4), ui::rgb(0xB97800)};
    const auto place = static_cast<std::size_t>(std::ranges::find(by_rank(), kind) - by_rank().begin());
    return {(theme.dark ? dark : light)[place % dark.size()], place < dark.size() ? 0.0F : 7.0F};
}

}  // namespace posiscope::figures::scores
