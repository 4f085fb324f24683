// all.cpp — every encoding's logits on the same axes.
#include "app/figures/scores/making.hpp"

#include "app/figures/parts/sentence.hpp"
#include <algorithm>
#include <cmath>
#include <utility>

namespace posiscope::figures::scores {
namespace {

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
    for (const Encoding* encoding : encodings()) {
        if (encoding->kind == scene.encoding.kind) scenes.push_back(input);
        else if (auto laid = overlay(scene, {{"encoding", std::string(encoding->kind)}}))
            scenes.push_back(std::move(laid->scene));
        else continue;
        ScoreInput& one = scenes.back();
        if (encoding->pairs(one) == 0 && !encoding->base_without_pairs) one.base = Scene().base;
    }
    return scenes;
}

// One encoding's logits less that at 0; none where it has none.
Curves one_of_all(const CurvesKey& key) {
    Curves made;
    const Samples s = samples(0.0, static_cast<double>(key.input->length - 1), key.most);
    place(made, s);
    auto values = logits(*key.input, key.head, s, made.query);
    if (!values || !std::isfinite(values->front())) return made;
    const double zero = values->front();
    for (double& value : *values) value -= zero;
    made.curves.push_back(
        {.name = find_encoding(key.input->encoding.kind)->kind, .values = std::move(*values)});
    return made;
}

Curves put_together(const TogetherKey& key) {
    Curves all;
    bool first = true;
    for (const Kept<Curves>& one : key.each) {
        if (one->curves.empty()) continue;
        if (first || one->query) all.query = one->query;
        if (std::exchange(first, false)) all.at = one->at, all.stride = one->stride;
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

}  // namespace posiscope::figures::scores
