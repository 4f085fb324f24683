#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/text.hpp"

#include "core/encodings/sinusoidal.hpp"

namespace posiscope::figures {
namespace {

struct Axes {
    PairAxes axes;
    std::string words;
    Problem absence;
};

const Axes& kept_axes(const Frame& f) {
    return *f.derived.part<Memo<SpectrumInput, Axes>>().get(f.scene, [](const SpectrumInput& scene) {
        Axes made{pair_axes(scene), {}, {}};
        made.words = to_text(made.axes);
        made.absence = {"figure.axes", {{"kind", scene.encoding.kind}, {"axes", made.words}}};
        return made;
    });
}

}  // namespace

const PairAxes& axes_of(const Frame& f) { return kept_axes(f).axes; }

std::string_view axes_words(const Frame& f) { return kept_axes(f).words; }

void explain_no_circles(Frame& f, Rect area, std::string_view key) {
    if (const auto padding = at_padding(f.scene)) return explain_absence(f, area, *padding);
    const Axes& kept = kept_axes(f);
    if (!kept.axes.empty()) return explain_absence(f, area, kept.absence);
    const Problem* problem = f.derived.frequencies(f.scene) != nullptr ? f.derived.problem(f.scene) : nullptr;
    if (problem != nullptr) return explain_absence(f, area, *problem);
    explain_absence(f, area, key, "kind", f.scene.encoding.kind);
}

void explain_missing_b(Frame& f, Rect& area, std::string_view key) {
    const std::string_view kind =
        f.text(f.scratch.format("option.encoding.{}.name", f.other->scene.encoding.kind));
    area.cut_top(
        4.0F + f.canvas.paragraph(area.min(), f.format(key, fmt::arg("kind", kind)), small(f), area.width()));
}

void explain_missing_circles(Frame& f, Rect& area) {
    if (f.other != nullptr && circles(*f.other) == nullptr) explain_missing_b(f, area, "compare.no_circles");
}

}  // namespace posiscope::figures
