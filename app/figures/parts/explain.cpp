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
    const std::string_view kind = encoding_name(f, f.other->scene.encoding.kind);
    area.cut_top(
        4.0F + f.canvas.paragraph(area.min(), f.format(key, fmt::arg("kind", kind)), small(f), area.width()));
}

void explain_missing_circles(Frame& f, Rect& area) {
    if (f.other != nullptr && circles(*f.other) == nullptr) explain_missing_b(f, area, "compare.no_circles");
}

void draw_mark(Frame& f, Point at, Severity severity) {
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    constexpr float r = 8.5F;
    if (severity == Severity::note) {
        c.circle(at, r - 0.8F, {theme.beyond, 1.6F});
        c.line({at.x, at.y - 4.5F}, {at.x, at.y + 1.0F}, {theme.beyond, 2.0F});
        c.disc({at.x, at.y + 4.2F}, 1.3F, theme.beyond);
        return;
    }
    c.disc(at, r, severity == Severity::fine ? theme.seen : theme.beyond);
    const canvas::Stroke stroke{theme.tile, 2.0F};
    if (severity == Severity::fine) {
        const std::array tick = {Point{at.x - 4.0F, at.y + 0.3F}, Point{at.x - 1.2F, at.y + 3.2F},
                                 Point{at.x + 4.2F, at.y - 3.2F}};
        c.polyline(tick, stroke);
    } else {
        c.line({at.x - 3.2F, at.y - 3.2F}, {at.x + 3.2F, at.y + 3.2F}, stroke);
        c.line({at.x + 3.2F, at.y - 3.2F}, {at.x - 3.2F, at.y + 3.2F}, stroke);
    }
}

void say_failure(Frame& frame, Rect area, std::string_view sentence) {
    frame.next.reset();
    frame.hovered = {};
    frame.tip = {};
    frame.cursor = Cursor::arrow;
    frame.canvas.fill(area, frame.theme.tile);
    frame.canvas.paragraph({area.x0, area.y0 + 8.0F}, sentence,
                           {frame.theme.ink_soft, ui::kTextSize, ui::Face::text},
                           std::min(area.width(), 560.0F));
}

}  // namespace posiscope::figures
