// partners.cpp — the column that each column of q or k was rotated with, found in the numbers, beside the layout of the Scene.
#include "app/figures/measured/measured.hpp"
#include "app/plot/plot.hpp"
#include "core/encodings/encodings.hpp"

namespace posiscope::figures {
namespace partners_figure {
namespace {

using namespace measured;

std::int64_t expected(const Scene& scene, std::int64_t columns, std::int64_t column) {
    const std::int64_t pairs = encoding_of(scene).layout(scene) == PairLayout::halves ? columns / 2 : 1;
    return column / pairs % 2 == 0 ? column + pairs : column - pairs;
}

// Columns that are rotated, and how many of them with another partner than the Scene's.
struct Count {
    std::int64_t rotated = 0, other = 0, by = 0;  // by: the distance to the partner that the first one has
};
Count count_of(const Frame& f, std::span<const std::int64_t> partners) {
    Count made;
    const auto columns = static_cast<std::int64_t>(partners.size());
    const std::int64_t width = std::min(columns, head_dim(f.scene));
    for (std::int64_t i = 0; i < columns; ++i) {
        const std::int64_t partner = partners[static_cast<std::size_t>(i)];
        if (partner < 0 || partner == i) continue;
        if (made.rotated++ == 0) made.by = std::abs(partner - i);
        made.other += partner != expected(f.scene, width, i) ? 1 : 0;
    }
    return made;
}

std::string_view headline(Frame& f) {
    const Seen* found = seen(f);
    if (found == nullptr || found->problem || found->measured().partners.empty()) return {};
    const Count count = count_of(f, found->measured().partners);
    return f.format(count.other == 0 ? "partners.headline_right" : "partners.headline_wrong",
                    fmt::arg("rotated", ui::counted(f.scratch, count.rotated)), fmt::arg("by", count.by),
                    fmt::arg("other", ui::counted(f.scratch, count.other)));
}

void draw(Frame& f, Rect area) {
    if (absent(f, area)) return;
    const std::vector<std::int64_t>& partners = seen(f)->measured().partners;
    if (partners.empty()) return explain_absence(f, area, "measured.no_partners");
    if (area.width() < 110.0F || area.height() < 90.0F) return;
    const auto columns = static_cast<std::int64_t>(partners.size());
    const double last = static_cast<double>(columns) - 0.5;
    const plot::Plot p(f, area, {plot::Kind::whole, -0.5, last, f.text("partners.axis")},
                       {.kind = plot::Kind::whole, .from = -0.5, .to = last, .down = true}, {},
                       {.square = true});
    if (!p.has_room()) return;
    f.canvas.outline(p.area, {f.theme.border, 1.0F});
    const std::int64_t width = std::min(columns, head_dim(f.scene));
    const float radius = std::clamp(0.5F * p.area.width() / static_cast<float>(columns), 1.0F, 4.0F);
    spend(10.0 * static_cast<double>(columns));
    for (std::int64_t i = 0; i < columns; ++i) {
        const std::int64_t partner = partners[static_cast<std::size_t>(i)],
                           wanted = expected(f.scene, width, i);
        if (partner < 0) continue;
        const Point at = p.at(static_cast<double>(partner), static_cast<double>(i));
        if (partner != wanted && partner != i && wanted < columns)
            f.canvas.circle(p.at(static_cast<double>(wanted), static_cast<double>(i)), radius,
                            {f.theme.ink_faint, 1.0F});
        f.canvas.disc(at, radius, partner == i ? f.theme.ink_faint : mark_of(f, partner == wanted));
    }
    if (!p.over()) return;
    const auto column = std::clamp<std::int64_t>(std::llround(p.pointed_y()), 0, columns - 1);
    const std::int64_t partner = partners[static_cast<std::size_t>(column)];
    f.tip.value = partner < 0 || partner == column
                      ? f.format("partners.tip_none", fmt::arg("column", column))
                      : f.format("partners.tip", fmt::arg("column", column), fmt::arg("partner", partner));
}

}  // namespace
}  // namespace partners_figure

extern const Figure kPartners;
const Figure kPartners =
    measured::figure_of_dump("partners", partners_figure::headline, partners_figure::draw);

}  // namespace posiscope::figures
