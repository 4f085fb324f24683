#include "app/workbench/window/layout.hpp"

#include "app/figures/figure.hpp"

namespace posiscope::workbench {
namespace {

constexpr double kLeastShare = 0.15;
constexpr float kSentenceWide = 300.0F,
                kSentenceHigh = 190.0F;  // points: of a tile that says why it is empty

std::size_t splits_in(const Part& part) {
    return part.first == nullptr ? 0 : 1 + splits_in(*part.first) + splits_in(*part.second);
}

void default_ratios(const Part& part, std::vector<double>& ratios) {
    if (part.first == nullptr) return;
    ratios.push_back(static_cast<double>(part.ratio));
    default_ratios(*part.first, ratios);
    default_ratios(*part.second, ratios);
}

bool any_draws(const Part& part, const Layout::Draws& draws) {
    if (part.first == nullptr) return draws(part.figure);
    return any_draws(*part.first, draws) || any_draws(*part.second, draws);
}

// The first part’s share, where nobody dragged the divider.
float usual_ratio(const Part& part, Rect area, const Layout::Draws& draws) {
    const bool first = any_draws(*part.first, draws), second = any_draws(*part.second, draws);
    if (first == second) return part.ratio;
    const float small = part.across ? kSentenceWide / std::max(area.width(), 1.0F)
                                    : kSentenceHigh / std::max(area.height(), 1.0F);
    return first ? std::max(part.ratio, 1.0F - small) : std::min(part.ratio, small);
}

}  // namespace

double Divider::ratio_at(Point mouse) const {
    const float at = across ? (mouse.x - whole.x0) / whole.width() : (mouse.y - whole.y0) / whole.height();
    return std::clamp(static_cast<double>(at), kLeastShare, 1.0 - kLeastShare);
}

void Layout::show_alone(std::string_view figure, std::string_view beside) {
    const auto own_name = [](std::string_view name) {
        const figures::Figure* const found = figures::find_figure(name);
        return found != nullptr ? std::string_view(found->id) : std::string_view();
    };
    next_alone_ = own_name(figure);
    next_beside_ = own_name(beside);
}

void Layout::give_all(std::string_view figure, Rect room) {
    dividers_.clear();
    tiles_.assign(1, {figure, room});
}

void Layout::halve(std::string_view figure, std::string_view beside, Rect room) {
    dividers_.clear();
    const Point half{0.5F * (room.width() - kGap), 0.5F * (room.height() - kGap)};
    const bool across = room.width() > 1.6F * room.height();
    tiles_.assign(2, {figure, room});
    tiles_[1].figure = beside;
    if (across) tiles_[0].area.x1 -= half.x + kGap, tiles_[1].area.x0 += half.x + kGap;
    else tiles_[0].area.y1 -= half.y + kGap, tiles_[1].area.y0 += half.y + kGap;
}

void Layout::divide(const Bench& bench, Rect room, std::vector<double>& ratios, const Draws& draws) {
    tiles_.clear();
    dividers_.clear();
    if (ratios.size() != splits_in(*bench.layout)) {
        ratios.clear();
        default_ratios(*bench.layout, ratios);
    }
    std::size_t index = 0;
    lay(*bench.layout, room, index, ratios, draws);
}

void Layout::lay(const Part& part, Rect area, std::size_t& index, const std::vector<double>& ratios,
                 const Draws& draws) {
    if (part.first == nullptr) {
        tiles_.push_back({part.figure, area});
        return;
    }
    const std::size_t mine = index++;
    const auto dragged = static_cast<float>(ratios[mine]);
    const float ratio = dragged == part.ratio ? usual_ratio(part, area, draws) : dragged;
    Rect first = area, second = area, gap = area;
    if (part.across) {
        first.x1 = area.x0 + std::round((area.width() - kGap) * ratio);
        second.x0 = first.x1 + kGap;
        gap.x0 = first.x1, gap.x1 = second.x0;
    } else {
        first.y1 = area.y0 + std::round((area.height() - kGap) * ratio);
        second.y0 = first.y1 + kGap;
        gap.y0 = first.y1, gap.y1 = second.y0;
    }
    dividers_.push_back({gap, area, part.across, mine});
    lay(*part.first, first, index, ratios, draws);
    lay(*part.second, second, index, ratios, draws);
}

Rect Layout::around(std::string_view figure) const {
    Rect all;
    bool any = false;
    for (const Tile& tile : tiles_) {
        if (!figure.empty() && tile.figure != figure) continue;
        all = !any ? tile.area
                   : Rect{std::min(all.x0, tile.area.x0), std::min(all.y0, tile.area.y0),
                          std::max(all.x1, tile.area.x1), std::max(all.y1, tile.area.y1)};
        any = true;
    }
    return all;
}

}  // namespace posiscope::workbench
