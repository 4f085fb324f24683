#include "app/plot/plot.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/pair_plot.hpp"
#include "app/figures/parts/text.hpp"

namespace posiscope::plot {
namespace {

constexpr float kGap = 16.0F, kRow = 20.0F;
constexpr float kFormula = 14.0F;  // size of mathematics

bool is_formula(std::string_view words) { return words.size() > 1 && words.starts_with('$'); }

float sample_width(const Key& key) {
    if (key.shape == Shape::line) return key.stroke.width > 0.0F ? 26.0F : 0.0F;
    return key.shape == Shape::disc ? 14.0F : 16.0F;
}

void draw_key(Frame& f, Point at, const Key& key, std::string_view name) {
    canvas::Canvas& c = f.canvas;
    const float y = at.y - 4.0F;
    const Rect box{at.x, y - 5.0F, at.x + 10.0F, y + 5.0F};
    switch (key.shape) {
        case Shape::line:
            if (key.stroke.width > 0.0F) c.line({at.x, y}, {at.x + 20.0F, y}, key.stroke);
            break;
        case Shape::box: c.fill(box, key.stroke.colour, 2.0F); break;
        case Shape::hatched: figures::hatch(c, box, key.stroke.colour); break;
        case Shape::disc: c.disc({at.x + 4.0F, y}, 3.5F, key.stroke.colour); break;
    }
    draw_words(f, {at.x + sample_width(key), at.y}, name, canvas::Align::left);
}

}  // namespace

float words_width(const Frame& f, std::string_view words) {
    if (!is_formula(words)) return small_width(f, words);
    return ui::lay_out(words.substr(1, words.size() - 2), kFormula, f.canvas).width;
}

void draw_words(Frame& f, Point at, std::string_view words, canvas::Align align) {
    if (!is_formula(words)) return f.canvas.text(at, words, small(f, align));
    f.canvas.formula(at, words.substr(1, words.size() - 2), kFormula, f.theme.ink_soft, align);
}

float legend_width(const Frame& f, std::span<const Key> keys) {
    float width = 0.0F;
    for (const Key& key : keys)
        width += sample_width(key) + words_width(f, key.name) + (width > 0.0F ? kGap : 0.0F);
    return width;
}

float draw_legend(Frame& f, Rect row, std::span<const Key> keys, canvas::Align side) {
    while (!keys.empty() && legend_width(f, keys) > row.width()) keys = keys.first(keys.size() - 1);
    const bool at_left = side == canvas::Align::left;
    const float left = at_left ? row.x0 : row.x1 - legend_width(f, keys);
    float at = left;
    for (const Key& key : keys) {
        draw_key(f, {at, row.y1 - 5.0F}, key, key.name);
        at += sample_width(key) + words_width(f, key.name) + kGap;
    }
    if (at_left) return at;
    return keys.empty() ? row.x1 : left - kGap;
}

void draw_legend_rows(Frame& f, Rect& area, std::span<const Key> keys) {
    if (keys.empty()) return;
    Rect row = area.cut_top(kRow);
    float x = row.x0;
    for (const Key& key : keys) {
        const float sample = sample_width(key);
        const std::string_view name = is_formula(key.name)
                                          ? key.name
                                          : figures::cells::shortened(f, key.name, ui::Face::text,
                                                                      ui::kSmallSize, row.width() - sample);
        const float width = sample + words_width(f, name);
        if (x > row.x0 && x + width > row.x1 && area.height() > 4.0F * kRow) {
            row = area.cut_top(kRow);
            x = row.x0;
        }
        draw_key(f, {x, row.centre().y + 4.0F}, key, name);
        x += width + kGap;
    }
}

}  // namespace posiscope::plot
