#include "app/figures/parts/prediction.hpp"

#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/pair_plot.hpp"
#include "app/figures/parts/text.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::figures {
namespace {

constexpr float kFlag = 20.0F;  // high

double place_of(const Prediction& asked, double at) {
    const double steps = std::round((at - asked.from) / asked.step);
    return std::clamp(asked.from + steps * asked.step, asked.from, asked.to);
}

// One of the places of a sketch.
double column_of(const Prediction& asked, double at) {
    const double width = (asked.to - asked.from) / static_cast<double>(kSketchPlaces - 1);
    return asked.from + width * std::clamp(std::round((at - asked.from) / width), 0.0,
                                           static_cast<double>(kSketchPlaces - 1));
}

void put(Sketch& sketch, double at, double value) {
    const auto found = std::ranges::lower_bound(sketch, at, {}, &std::pair<double, double>::first);
    if (found != sketch.end() && found->first == at) found->second = value;
    else sketch.insert(found, {at, value});
}

// From the last place of the hand to this one, so that a quick stroke has no gaps.
void draw_on(Frame& frame, const Prediction& asked, Point from, Point to, const canvas::Axis& x,
             const canvas::Axis& y) {
    const int steps = 1 + static_cast<int>(std::abs(to.x - from.x));
    for (int i = 0; i <= steps; ++i) {
        const float part = static_cast<float>(i) / static_cast<float>(steps);
        const Point at{from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
        put(*asked.sketch, column_of(asked, x.inverse(at.x)), y.inverse(at.y));
    }
    frame.drag_state->from = to;
}

void say_what_to_do(const Frame& frame, Rect plot, std::string_view key) {
    if (frame.pointer == nullptr) return;
    const std::string_view words = frame.text(key);
    const canvas::TextStyle style{frame.theme.ink_soft, ui::kTextSize, ui::Face::text, canvas::Align::centre};
    frame.canvas.text({0.5F * (plot.x0 + plot.x1), 0.5F * (plot.y0 + plot.y1)}, words, style);
}

// A wrong one is hollow, and hangs lower the later it was said, so that neighbours do not cover each other.
void draw_pin(const Frame& frame, Rect plot, float at, double said, std::optional<std::size_t> wrong = {}) {
    canvas::Canvas& c = frame.canvas;
    const bool whole = said == std::round(said) && std::abs(said) < 1e15;
    const std::string_view number =
        whole ? ui::integer(frame.scratch, std::llround(said)) : ui::significant(frame.scratch, said, 4);
    const std::string_view words = frame.format("prediction.pin", fmt::arg("said", number));
    const float width = c.text_width(words, ui::Face::strong, ui::kSmallSize) + 14.0F;
    const float left = std::clamp(at - 0.5F * width, plot.x0, std::max(plot.x0, plot.x1 - width));
    constexpr std::size_t kRows = 4;
    const float top = plot.y0 + 2.0F + (kFlag + 3.0F) * static_cast<float>(wrong ? 1 + *wrong % kRows : 0);
    const Rect flag{left, top, left + width, top + kFlag};
    c.line({at, flag.y1}, {at, plot.y1},
           {wrong ? frame.theme.ink_soft : frame.theme.ink, wrong ? 1.2F : 1.6F, wrong ? 3.0F : 0.0F});
    c.fill(flag, wrong ? frame.theme.ink_soft : frame.theme.ink, 5.0F);
    if (wrong) c.fill(flag.grown(-1.2F), frame.theme.tile, 4.0F);
    c.text({0.5F * (flag.x0 + flag.x1), flag.y1 - 5.5F}, words,
           {wrong ? frame.theme.ink_soft : frame.theme.tile, ui::kSmallSize, ui::Face::strong,
            canvas::Align::centre});
    if (veiled(frame) && !wrong) end_handle(frame, {at, plot.y1}, 6.0F, frame.theme.ink);
}

// Clamps to the plot, since a kept sketch may be of another axis or from somebody's file.
void draw_sketch(Frame& frame, const Sketch& sketch, Rect plot, const canvas::Axis& x,
                 const canvas::Axis& y) {
    const auto at = [&](const std::pair<double, double>& place) {
        return Point{std::clamp(x(place.first), plot.x0, plot.x1),
                     std::clamp(y(place.second), plot.y0, plot.y1)};
    };
    for (std::size_t i = 1; i < sketch.size(); ++i)
        frame.canvas.line(at(sketch[i - 1]), at(sketch[i]), {frame.theme.seen, 2.6F, 6.0F});
}

}  // namespace

bool is_drawn(const Sketch& sketch, const Prediction& asked) {
    constexpr double kPart = 0.6;  // of the axis
    return !sketch.empty() && sketch.size() > kSketchPlaces / 4 &&
           sketch.back().first - sketch.front().first >= kPart * (asked.to - asked.from);
}

void hide_unseen(const Frame& frame, Rect plot, const canvas::Axis& x) {
    const double seen = frame.prediction->seen.value_or(0.0);
    const float left = std::clamp(x(std::max(-seen, x.from)), plot.x0, plot.x1),
                right = std::clamp(x(std::min(seen, x.to)), plot.x0, plot.x1);
    for (const Rect hidden :
         {Rect{plot.x0, plot.y0, left, plot.y1}, Rect{right, plot.y0, plot.x1, plot.y1}}) {
        if (hidden.width() < 1.0F) continue;
        hatch(frame.canvas, hidden, ui::faded(frame.theme.ink_faint, 0.35F));
        const std::string_view words = frame.text("prediction.unseen");
        if (small_width(frame, words) > hidden.width() - 16.0F) continue;
        frame.canvas.text({0.5F * (hidden.x0 + hidden.x1), 0.5F * (hidden.y0 + hidden.y1)}, words,
                          small(frame, canvas::Align::centre));
    }
}

void predict(Frame& frame, Rect plot, const canvas::Axis& x, const canvas::Axis& y) {
    if (frame.prediction == nullptr) return;
    const Prediction& asked = *frame.prediction;
    const bool near = frame.pointer != nullptr && plot.grown(8.0F).contains(frame.pointer->at);
    const Point middle{0.5F * (plot.x0 + plot.x1), 0.5F * (plot.y0 + plot.y1)};
    const auto hand = [&] {
        return Point{std::clamp(frame.pointer->at.x, plot.x0, plot.x1),
                     std::clamp(frame.pointer->at.y, plot.y0, plot.y1)};
    };
    for (std::size_t i = 0; i < asked.tried.size(); ++i)
        if (const double at = asked.tried[i]; x.from <= at && at <= x.to) draw_pin(frame, plot, x(at), at, i);
    if (asked.pin != nullptr) {
        const Point at = *asked.pin ? Point{x(**asked.pin), plot.y1} : middle;
        if (asked.open && frame.drag("prediction", near, at, Cursor::horizontal))
            *asked.pin = place_of(asked, x.inverse(hand().x));
        const bool shown = *asked.pin && x.from <= **asked.pin && **asked.pin <= x.to;
        if (shown) draw_pin(frame, plot, x(**asked.pin), **asked.pin);
        else if (asked.open && !*asked.pin && !asked.seen) say_what_to_do(frame, plot, "prediction.put_pin");
    }
    if (asked.sketch != nullptr) {
        if (asked.open && frame.drag("prediction", near, middle, Cursor::hand))
            draw_on(frame, asked, frame.began() ? hand() : frame.drag_state->from, hand(), x, y);
        draw_sketch(frame, *asked.sketch, plot, x, y);
        if (asked.open && asked.sketch->empty()) say_what_to_do(frame, plot, "prediction.draw");
    }
}

}  // namespace posiscope::figures
