#include "app/figures/parts/explain.hpp"

namespace posiscope::figures {
namespace {

struct Kept {
    Memo<std::uint64_t, PairAxes> axes;
    Memo<std::uint64_t, std::string> words;
    Memo<std::uint64_t, Problem> absence;
};

}  // namespace

const PairAxes& axes_of(const Frame& f) {
    return f.derived.part<Kept>().axes.get(f.derived.spectrum_version(f.scene),
                                           [&] { return pair_axes(f.scene); });
}

std::string_view axes_words(const Frame& f) {
    return f.derived.part<Kept>().words.get(f.derived.spectrum_version(f.scene),
                                            [&] { return to_text(axes_of(f)); });
}

void explain_no_circles(Frame& f, Rect area, std::string_view key) {
    const std::string& kind = f.scene.encoding.kind;
    if (axes_of(f).empty()) return explain_absence(f, area, key, "kind", kind);
    explain_absence(f, area, f.derived.part<Kept>().absence.get(f.derived.spectrum_version(f.scene), [&] {
        return Problem{"figure.axes", {{"kind", kind}, {"axes", std::string(axes_words(f))}}};
    }));
}

void explain_missing_b(Frame& f, Rect& area, std::string_view key) {
    const std::string_view kind =
        f.text(f.scratch.format("option.encoding.{}.name", f.other->scene.encoding.kind));
    area.cut_top(4.0F + f.canvas.paragraph(area.min(), f.format(key, fmt::arg("kind", kind)),
                                           {f.theme.ink_soft, ui::kSmallSize, ui::Face::text}, area.width()));
}

void explain_missing_circles(Frame& f, Rect& area) {
    if (f.other != nullptr && circles(*f.other) == nullptr) explain_missing_b(f, area, "compare.no_circles");
}

}  // namespace posiscope::figures
