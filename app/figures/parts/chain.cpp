#include "app/figures/parts/chain.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::figures {

bool Chain::drawable() const {
    return std::all_of(x.begin(), x.end(), can_be_drawn) && std::all_of(y.begin(), y.end(), can_be_drawn);
}

Chain make_chain(const ScoreForm& form, const Spectrum& spectrum, std::int64_t distance) {
    Chain chain;
    lay(chain, form, spectrum, distance);
    return chain;
}

void lay(Chain& chain, const ScoreForm& form, const Spectrum& spectrum, std::int64_t distance) {
    const std::size_t pairs = form.even.size();
    chain.x.clear();
    chain.y.clear();
    chain.x.reserve(pairs + 1);
    chain.y.reserve(pairs + 1);
    double x = form.scale * form.constant, y = 0.0;
    chain.x.push_back(x);
    chain.y.push_back(y);
    for (std::size_t i = 0; i < pairs; ++i) {
        const Turn turn = phase(spectrum.step[i], distance);
        const double c = cos(turn), s = sin(turn);
        const double size =
            form.scale *
            (form.growth.empty() ? 1.0 : std::exp(form.growth[i] * static_cast<double>(distance)));
        x += size * (form.even[i] * c + form.odd[i] * s);
        y += size * (form.even[i] * s - form.odd[i] * c);
        chain.x.push_back(x);
        chain.y.push_back(y);
    }
}

Chain difference(const Chain& a, const Chain& b) {
    Chain result = b;
    for (std::size_t i = 0; i < result.x.size(); ++i) {
        result.x[i] -= a.x[i];
        result.y[i] -= a.y[i];
    }
    return result;
}

double straight(const Chain& chain) {
    double sum = std::abs(chain.x.front());
    for (std::size_t i = 0; i < chain.arrows(); ++i)
        sum += std::hypot(chain.share(i), chain.y[i + 1] - chain.y[i]);
    return sum;
}

const Spectrum* summed(const Scene& scene, Derived& derived) {
    const Spectrum* spectrum = derived.spectrum(scene);
    return spectrum != nullptr && (on_unit_circles(scene) || !spectrum->growth.empty()) ? spectrum : nullptr;
}

const Chain& chain_of(Refilled<Sums::Key, Chain>& memo, const Kept<Scoring>& scoring, std::int64_t distance) {
    return memo.get({scoring, distance}, [](Chain& chain, const Sums::Key& key) {
        lay(chain, key.scoring->form, key.scoring->spectrum(), key.distance);
    });
}

namespace {

Rect reach_of(const ScoreForm& form, const Spectrum& spectrum, std::int64_t length) {
    double left = 0.0, right = 0.0, top = 0.0;
    const auto include = [&](std::int64_t distance) {
        const Chain chain = make_chain(form, spectrum, distance);
        if (!chain.drawable()) return;
        const auto [least, most] = std::minmax_element(chain.x.begin(), chain.x.end());
        left = std::min(left, *least);
        right = std::max(right, *most);
        for (const double y : chain.y) top = std::max(top, std::abs(y));
    };
    include(0);
    // Equal content is its own mirror image, and what grows without bound has no reach.
    const bool even = std::all_of(form.odd.begin(), form.odd.end(), [](double o) { return o == 0.0; });
    for (std::int64_t distance = 1; distance <= length; distance *= 4) {
        include(distance);
        if (!even && form.growth.empty()) include(-distance);
    }
    return Rect{static_cast<float>(left), static_cast<float>(-top), static_cast<float>(right),
                static_cast<float>(top)};
}

const Result<std::vector<double>>& arcs(const Scene& scene, Derived& derived) {
    return *derived.part<Sums>().arcs.get(
        {derived.rates(scene), derived.input<SpectrumInput>(scene)},
        [](const Sums::ArcsKey& key) { return trained_arcs(*key.input, **key.rates); });
}

}  // namespace

const Rect& reach(const Scene& scene, Derived& derived, ScoreKind kind) {
    return *derived.part<Sums>().reach.get(
        {derived.scoring(scene, kind), scene.length}, [](const Sums::ReachKey& key) {
            return reach_of(key.scoring->form, key.scoring->spectrum(), key.length);
        });
}

const std::vector<double>* known_arcs(const Scene& scene, Derived& derived) {
    const auto& made = arcs(scene, derived);
    return made && !made->empty() ? &*made : nullptr;
}

const Problem* arcs_problem(const Scene& scene, Derived& derived) {
    const auto& made = arcs(scene, derived);
    return made ? nullptr : &made.error();
}

}  // namespace posiscope::figures
