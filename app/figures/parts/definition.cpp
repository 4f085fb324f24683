#include "app/figures/parts/definition.hpp"

#include "app/figures/parts/sentence.hpp"
#include "app/figures/parts/stored.hpp"
#include "core/scene/nearest.hpp"

namespace posiscope::figures::definition {
namespace {

struct About {
    std::string_view mark, name;  // of the handle, and in the string tables
};

About about(Handle handle) {
    switch (handle) {
        case Handle::position: return {"number_position", "parameter.position.name"};
        case Handle::offset: return {"number_offset", "parameter.offset.name"};
        case Handle::pair: return {"number_pair", "parameter.pair.name"};
        case Handle::width: return {"number_width", "parameter.d_model.name"};
        case Handle::base: return {"number_base", "parameter.base.name"};
        case Handle::head: return {"number_head", "definition.head"};
    }
    return {};
}

// One for every few points, faster further out.
std::int64_t steps(float points) {
    const double far = static_cast<double>(std::abs(points)) / 160.0;
    return std::llround(static_cast<double>(points) / 5.0 * (1.0 + far * far));
}

// The width nearest to the wanted one that the Scene takes, of a whole number of pairs in every head.
void set_width(Scene& scene, const Scene& before, double factor) {
    const Encoding& encoding = encoding_of(before);
    const bool per_head = encoding.per_head, own = per_head && before.head_dim;
    const std::int64_t unit = own ? 2 : (per_head ? before.num_heads : 1) * encoding.rotating.width_multiple;
    const std::int64_t width = own ? *before.head_dim : before.d_model, most = kLargestWidth / unit,
                       least = own ? 1 : std::min(encoding.rotating.min_width_units, most);
    const auto set = [&](Scene& at, double units) {
        const std::int64_t wide = unit * std::llround(units);
        if (own) at.head_dim = wide;
        else at.d_model = wide;
    };
    const Track track{static_cast<double>(least), static_cast<double>(std::max(least, most)), 1.0};
    const double wanted = std::round(static_cast<double>(width) * factor / static_cast<double>(unit));
    const auto taken = nearest_taken(std::clamp(wanted, track.least, track.most), track, [&](double units) {
        Scene tried = before;
        set(tried, units);
        return overlay(tried, Json::object()).has_value();
    });
    if (taken) set(scene, *taken);
}

double two_digits(double value) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
    return std::round(value / unit) * unit;
}

void move(Frame& f, Handle handle, float points) {
    const Scene& before = f.drag_state->scene;
    Scene& scene = f.edit();
    switch (handle) {
        case Handle::position: return set_position(scene, before.position + steps(points));
        case Handle::offset: return set_offset(scene, before.offset + steps(points));
        case Handle::pair: {
            const std::int64_t pairs = encoding_of(before).pairs(before);
            const std::int64_t last = (pairs > 0 ? pairs : before.d_model / 2) - 1;
            scene.pair =
                std::clamp<std::int64_t>(before.pair + steps(points), 0, std::max<std::int64_t>(0, last));
            return;
        }
        case Handle::width: return set_width(scene, before, std::exp2(static_cast<double>(points) / 60.0));
        case Handle::base:
            scene.base =
                std::clamp(two_digits(before.base * std::pow(10.0, static_cast<double>(points) / 120.0)), 2.0,
                           kLargestBase);
            return;
        case Handle::head:
            set_head(scene, std::clamp<std::int64_t>(shown_head(before) + std::llround(points / 12.0F), 0,
                                                     before.num_heads - 1));
            return;
    }
}

void light_up(Frame& f, Handle handle) {
    if (handle == Handle::position) f.hovered.position = f.scene.position;
    if (handle == Handle::offset) f.hovered.distance = f.scene.offset;
    if (handle == Handle::pair)
        if (const Spectrum* spectrum = f.derived.frequencies(f.scene))
            f.hovered.frequency =
                spectrum->frequency[std::min(static_cast<std::size_t>(f.scene.pair), spectrum->pairs() - 1)];
}

// The place of a number: its part of the runs that it appears in.
Rect place_of(const Line& line, const Line::Number& number, const ui::FormulaBox& box, Point at,
              const canvas::Canvas& c) {
    const std::string_view text = line.text();
    const auto begin = reinterpret_cast<std::uintptr_t>(text.data());
    std::optional<Rect> place;
    for (const ui::FormulaRun& run : box.runs) {
        const auto data = reinterpret_cast<std::uintptr_t>(run.text.data());
        if (data < begin || data >= begin + text.size()) continue;  // a symbol
        const std::size_t from = data - begin, to = from + run.text.size();
        const std::size_t first = std::max(from, number.begin), last = std::min(to, number.end);
        if (first >= last) continue;
        const float x = at.x + run.at.x + c.text_width(text.substr(from, first - from), run.face, run.size);
        const float width = c.text_width(text.substr(first, last - first), run.face, run.size);
        const float y = at.y + run.at.y;
        const Rect part{x, y - 0.76F * run.size, x + width, y + 0.2F * run.size};
        place = place ? Rect{std::min(place->x0, part.x0), std::min(place->y0, part.y0),
                             std::max(place->x1, part.x1), std::max(place->y1, part.y1)}
                      : part;
    }
    return place.value_or(Rect{});
}

bool lit_elsewhere(const Frame& f, Handle handle) {
    if (f.pointer == nullptr) return false;
    if (handle == Handle::position) return f.link.position.has_value();
    if (handle == Handle::offset) return f.link.distance.has_value();
    return handle == Handle::pair && f.link.frequency.has_value();
}

}  // namespace

Line& Line::add(std::string_view formula) {
    const std::size_t count = std::min(formula.size(), text_.size() - size_);
    std::copy_n(formula.begin(), count, text_.begin() + static_cast<std::ptrdiff_t>(size_));
    size_ += count;
    return *this;
}

Line& Line::add(Handle handle, std::string_view number) {
    const std::size_t begin = size_;
    add(number);
    if (count_ < numbers_.size()) numbers_[count_++] = {handle, begin, size_};
    return *this;
}

Terms terms(Frame& f) {
    Terms made{.frame = f,
               .spectrum = f.derived.frequencies(f.scene),
               .position = f.scene.position,
               .offset = f.scene.offset,
               .pair = f.scene.pair,
               .head = shown_head(f.scene)};
    if (made.spectrum != nullptr)
        made.pair = std::min(made.pair, static_cast<std::int64_t>(made.spectrum->pairs()) - 1);
    if (f.dragging()) return made;
    if (f.link.position) made.position = *f.link.position;
    if (made.spectrum != nullptr)
        if (const auto lit = linked(f, *made.spectrum); lit && lit->exact)
            made.pair = static_cast<std::int64_t>(lit->pair);
    return made;
}

float draw(Frame& f, Point at, const Line& line, float size) {
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    const ui::FormulaBox box = ui::lay_out(line.text(), size, c);
    for (const Line::Number& number : line.numbers()) {
        const Rect place = place_of(line, number, box, at, c);
        if (place.empty()) continue;
        const About is = about(number.handle);
        const Rect reach{place.x0 - 2.0F, place.y0 - 3.0F, place.x1 + 2.0F, place.y1 + 4.0F};
        const bool over = f.over(reach);
        const bool held = f.drag(is.mark, over, place.centre(), Cursor::horizontal);
        if (held && f.pointer->moved) move(f, number.handle, f.pointer->at.x - f.drag_state->from.x);
        if (held || over || lit_elsewhere(f, number.handle))
            c.fill(reach, ui::faded(theme.ink, held || over ? 0.16F : 0.09F), 3.0F);
        if (f.pointer != nullptr) {  // in a window a number says that it can be taken
            const ui::Colour mark = number.handle == Handle::offset ? theme.offset : theme.ink_faint;
            c.line({place.x0, place.y1}, {place.x1, place.y1}, {mark, 1.0F, 2.0F});
        }
        if (!held && !over) continue;
        light_up(f, number.handle);
        f.tip.value = f.text(is.name);
        f.tip.details[0] = f.text("definition.drag");
    }
    for (const ui::FormulaRun& run : box.runs) c.text(at + run.at, run.text, {theme.ink, run.size, run.face});
    for (const Rect& r : box.rules) c.fill({r.x0 + at.x, r.y0 + at.y, r.x1 + at.x, r.y1 + at.y}, theme.ink);
    return box.width;
}

}  // namespace posiscope::figures::definition
