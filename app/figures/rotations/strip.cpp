// strip.cpp — above kMostClocks pairs, those that do not finish a turn within the length: a hand each, in one strip. A page of clocks
// that stand still would leave no room for those that move.
#include "app/figures/rotations/rotations.hpp"

#include "app/figures/parts/headline.hpp"
#include "app/figures/parts/marks.hpp"

#include <functional>

namespace posiscope::figures::rotations {
namespace {

using ui::Face;

constexpr std::ptrdiff_t kFewestClocks = 16;  // the fastest, although they do not finish a turn
constexpr float kBetweenHands = 2.0F;         // points, at least

struct GatherKey {
    Kept<Rates> rates;
    std::int64_t length;
    bool operator==(const GatherKey&) const = default;
};

Gathered gather(const GatherKey& key) {
    const std::vector<double>& frequency = (**key.rates).frequency;
    Gathered made;
    double least = 0.0;
    if (frequency.size() > kMostClocks) {
        least = 2.0 * std::numbers::pi / static_cast<double>(key.length);
        std::vector<double> fastest = frequency;
        const auto last = fastest.begin() + kFewestClocks - 1;
        std::nth_element(fastest.begin(), last, fastest.end(), std::greater());
        made.all_turn = *last >= least;
        least = std::min(least, *last);
    }
    for (std::size_t i = 0; i < frequency.size(); ++i)
        (frequency[i] >= least ? made.clocks : made.strip).push_back(static_cast<std::int64_t>(i));
    made.descending = frequency.size() > 1 && std::ranges::is_sorted(frequency, std::greater()) &&
                      frequency.front() > frequency.back();
    return made;
}

}  // namespace

const Gathered& gathered(View& v) {
    Derived& derived = v.frame.derived;
    return *derived.part<Memo<GatherKey, Gathered>>().get({derived.rates(v.scene()), v.scene().length},
                                                          [](const GatherKey& key) { return gather(key); });
}

void draw_strip(View& v, Rect area, const Gathered& pairs) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const float size = ui::kSmallSize * std::min(v.zoom, 1.6F);
    const auto count = static_cast<std::int64_t>(pairs.strip.size());
    const Rect head = area.cut_top(1.4F * size);
    const std::string_view said =
        form_within(f.format("rotations.gathered", fmt::arg("pairs", ui::counted(s, count)),
                             fmt::arg("length", ui::integer(s, v.scene().length))),
                    head.width() * kHeadlineSize / size, c);
    c.text({head.x0, head.y1 - 5.0F}, said, {f.theme.ink_soft, size, Face::text});
    const bool numbered = area.height() > 40.0F;
    const Rect below = numbered ? area.cut_bottom(1.3F * size) : Rect{};
    c.fill(area, f.theme.control, 5.0F);
    const float middle = area.centre().y, reach = 0.5F * area.height() - 3.0F;
    const canvas::Axis x{0.0, static_cast<double>(std::max<std::int64_t>(1, count - 1)),
                         area.x0 + reach + 2.0F, area.x1 - reach - 2.0F};
    if (x.at_to <= x.at_from) return;
    const auto hand = [&](std::int64_t place, float length, canvas::Stroke stroke, std::int64_t position) {
        const auto pair = static_cast<std::size_t>(pairs.strip[static_cast<std::size_t>(place)]);
        const Turn turn = f.moving(phase(v.spectrum.step[pair], position), v.spectrum.frequency[pair]);
        // Upwards at position 0, so that hands side by side can be told apart.
        const double turns = v.rotary() ? 0.25 + turn.turns() : v.dial(turn.turns());
        const Point foot{x(static_cast<double>(place)), middle};
        c.line(foot, on_circle(foot, length, turns), stroke);
    };
    const auto between = static_cast<std::int64_t>(
        std::ceil(kBetweenHands * static_cast<float>(count) / std::max(1.0F, x.at_to - x.at_from)));
    const std::int64_t p = v.scene().position, q = p + v.scene().offset;
    const auto colour = [&](std::int64_t place) {
        return ui::pair_colour(f.theme, static_cast<double>(pairs.strip[static_cast<std::size_t>(place)]) /
                                            static_cast<double>(v.spectrum.pairs() - 1));
    };
    {
        const canvas::Clip clip(c, area);
        for (std::int64_t place = 0; place < count; place += std::max<std::int64_t>(1, between)) {
            hand(place, reach, {ui::faded(f.theme.offset, 0.6F), 1.0F}, q);
            hand(place, reach, {colour(place), 1.2F}, p);
        }
    }
    const auto place_of = [&](std::int64_t pair) -> std::optional<std::int64_t> {
        const auto at = std::ranges::lower_bound(pairs.strip, pair);
        if (at == pairs.strip.end() || *at != pair) return std::nullopt;
        return at - pairs.strip.begin();
    };
    const auto mark = [&](std::int64_t pair, canvas::Stroke stroke) {
        if (const auto place = place_of(pair)) {
            const float at = x(static_cast<double>(*place));
            c.outline({at - 3.0F, area.y0 + 1.0F, at + 3.0F, area.y1 - 1.0F}, stroke);
        }
    };
    if (marked(f)) mark(v.pair, {f.theme.ink, 1.5F});
    if (const auto lit = linked(f, v.spectrum))
        mark(static_cast<std::int64_t>(lit->pair), {f.theme.ink_soft, 1.5F, lit->exact ? 0.0F : 3.0F});
    if (numbered) {
        float free = below.x0;
        for (const std::int64_t place : {std::int64_t{0}, count / 3, 2 * count / 3, count - 1}) {
            const std::string_view number = ui::integer(s, pairs.strip[static_cast<std::size_t>(place)]);
            const std::string_view words = place == 0 ? s.format("i = {}", number) : number;
            const float width = c.text_width(words, Face::text, size);
            const float left =
                std::clamp(x(static_cast<double>(place)) - 0.5F * width, below.x0, below.x1 - width);
            if (left < free) continue;
            c.text({left, below.y1 - 2.0F}, words, {f.theme.ink_soft, size, Face::text});
            free = left + width + 12.0F;
        }
    }
    if (!f.over(area)) return;
    const std::int64_t under =
        std::clamp<std::int64_t>(std::llround(x.inverse(f.pointer->at.x)), 0, count - 1);
    const std::int64_t pair = pairs.strip[static_cast<std::size_t>(under)];
    tell_pair(v, pair);
    if (f.clicked(area)) f.edit().pair = pair;
}

}  // namespace posiscope::figures::rotations
