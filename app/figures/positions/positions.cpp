// positions.cpp — a row of tokens and the ids they get. Each token is a chip; over it are the distance that the newest query
// should use for it and the one it uses, below it its id and its slot in the cache. Pads are hollow, what left the cache is
// faded, patches of an image are blocks.
#include "app/figures/positions/positions.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/text.hpp"

namespace posiscope::figures {
namespace positions_figure {
namespace {

using canvas::Align;
using ui::Face;
using namespace rows;

constexpr float kChip = 28.0F, kLane = 21.0F, kArcs = 28.0F, kRibbons = 18.0F;
constexpr Point kUsualTile{720.0F, 330.0F};  // whose lanes are that high
constexpr std::array kChipSizes = {ui::kSmallSize, 12.0F, 10.5F};
constexpr std::array<std::string_view, 3> kAxisNames = {"t", "h", "w"};

// ---- what is in a column -------------------------------------------------------------------------------------------

// The n-th of words between spaces, counted round.
std::string_view word_of(std::string_view text, std::int64_t n) {
    const auto next = [](std::string_view& rest) {
        const std::size_t end = rest.find(' ');
        const std::string_view word = rest.substr(0, end);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
        return word;
    };
    std::int64_t count = 0;
    for (std::string_view rest = text; !rest.empty(); ++count) (void)next(rest);
    std::string_view rest = text, word;
    for (std::int64_t i = count > 0 ? n % count : -1; i >= 0; --i) word = next(rest);
    return word;
}

std::string_view token_name(Frame& f, const Row& row, std::int64_t i) {
    const RowToken token = row.token(i);
    if (token.kind == RowToken::Kind::pad) return f.text("positions.pad");
    if (token.kind == RowToken::Kind::patch) return f.scratch.format("{},{}", token.patch[1], token.patch[2]);
    if (f.scene.content.kind == "tokens")
        if (const Json& words = f.scene.content.parameters.at("text"); !words.empty())
            return words[static_cast<std::size_t>(i) % words.size()].get_ref<const std::string&>();
    return word_of(f.text("positions.words"), i);
}

// ---- lanes ---------------------------------------------------------------------------------------------------------

struct Lanes {  // tops; below 0: none
    float arcs = 0.0F, should = 0.0F, used_arcs = 0.0F, used = 0.0F, chips = 0.0F, ids = 0.0F, ribbons = 0.0F,
          slots = 0.0F;
    float end = 0.0F;
};

struct View {
    Frame& f;
    const Row& row;
    std::int64_t step, key;
    std::size_t axis = 0;  // whose distances are shown
    std::size_t axes = 1;
    Columns columns;
    Lanes lanes;
    float right = 0.0F;  // end of the room for columns
    float zoom = 1.0F;   // of letters and lanes

    float letters() const { return zoom * ui::kSmallSize; }
};

struct Wanted {
    std::size_t axes;
    bool slots, off;  // of a cache; some distance is not the one that is meant
    float zoom;
};

// The most important first, as far as there is room; then from top to bottom.
Lanes lanes_of(Rect area, const Wanted& wanted) {
    struct Want {
        float Lanes::*top;
        float height;
        bool possible = true, given = false;
    };
    const float zoom = wanted.zoom, ids = kLane * static_cast<float>(wanted.axes);
    std::array<Want, 8> wants = {{{&Lanes::arcs, kArcs},
                                  {&Lanes::should, kLane},
                                  {&Lanes::used_arcs, kArcs, wanted.off},
                                  {&Lanes::used, kLane + 3.0F},
                                  {&Lanes::chips, kChip + 4.0F, true, true},
                                  {&Lanes::ids, ids},
                                  {&Lanes::ribbons, kRibbons, wanted.slots},
                                  {&Lanes::slots, kLane + 1.0F, wanted.slots}}};
    for (Want& want : wants) want.height *= zoom;
    float room = area.height() - zoom * (kChip + 4.0F);
    for (const std::size_t next : {3U, 5U, 1U, 7U, 0U, 2U, 6U})
        if (Want& want = wants[next]; want.possible && room >= want.height) {
            want.given = true;
            room -= want.height;
        }
    if (!wants[7].given && wants[6].given) wants[6].given = false;
    const float arcs = (wants[0].given ? 1.0F : 0.0F) + (wants[2].given ? 1.0F : 0.0F);
    for (const std::size_t flexible : {0U, 2U})  // no higher than they are wide
        if (wants[flexible].given)
            wants[flexible].height += std::min(room / arcs, std::max(60.0F, 0.6F * area.width() / arcs));
    Lanes lanes;
    float y = area.y0;
    for (const Want& want : wants) {
        lanes.*want.top = want.given ? y : -1.0F;
        if (want.given) y += want.height;
    }
    lanes.end = y;
    return lanes;
}

void number(View& v, int column, float top, std::string_view text, bool wrong, bool strong = false) {
    Frame& f = v.f;
    const float x = v.columns.middle(column), room = v.columns.width() - 2.0F;
    const Face face = wrong || strong ? Face::strong : Face::text;
    if (f.canvas.text_width(text, face, v.letters()) > room) return;
    if (wrong)
        f.canvas.fill({x - 0.5F * room, top + 1.0F, x + 0.5F * room, top + kLane * v.zoom - 1.0F},
                      ui::faded(f.theme.beyond, 0.22F), 4.0F);
    f.canvas.text({x, top + 15.0F * v.zoom}, text,
                  {wrong || strong ? f.theme.ink : f.theme.ink_soft, v.letters(), face, Align::centre});
}

void draw_chip(View& v, int column, std::int64_t i) {
    Frame& f = v.f;
    canvas::Canvas& c = f.canvas;
    const RowToken token = v.row.token(i);
    const bool kept = v.row.kept(v.step, i), asks = i == v.step, patch = token.kind == RowToken::Kind::patch,
               hollow = token.kind == RowToken::Kind::pad || !kept;
    const float gap = patch ? 0.5F : 1.5F;
    const Rect chip{v.columns.left(column) + gap, v.lanes.chips, v.columns.left(column + 1) - gap,
                    v.lanes.chips + kChip * v.zoom};
    const float round = patch ? 0.0F : 5.0F;
    if (asks) c.fill(chip, f.theme.ink, round);
    else if (!hollow) {
        c.fill(chip, f.theme.border, round);
        c.fill(chip.grown(-1.0F), patch ? ui::mixed(f.theme.tile, f.theme.cosine, 0.3F) : f.theme.control,
               std::max(round - 1.0F, 0.0F));
    } else {
        const std::array corners = {chip.min(), Point{chip.x1, chip.y0}, Point{chip.x1, chip.y1},
                                    Point{chip.x0, chip.y1}};
        c.polyline(corners, {kept ? f.theme.ink_soft : f.theme.ink_faint, 1.0F, 3.0F}, true);
    }
    if (i == v.key && !asks) c.outline(chip.grown(-1.0F), {f.theme.offset, 2.0F});
    // Smaller letters before a shorter word.
    const std::string_view word = token_name(f, v.row, i);
    const float room = chip.width() - 3.0F;
    float size = v.zoom * kChipSizes.back();
    for (const float one : kChipSizes)
        if (c.text_width(word, Face::text, v.zoom * one) <= room) {
            size = v.zoom * one;
            break;
        }
    const std::string_view name = cells::shortened(f, word, Face::text, size, room);
    if (c.text_width(name, Face::text, size) <= room)
        c.text({chip.centre().x, chip.centre().y + 0.37F * size}, name,
               {asks     ? f.theme.tile
                : hollow ? f.theme.ink_soft
                         : f.theme.ink,
                size, Face::text, Align::centre});
}

// A line from each key up and to the right, the nearest the lowest; `end_of` says where it comes down, if the key has one.
template <class EndOf, class ColourOf>
void draw_brackets(View& v, float top, float bottom, EndOf end_of, ColourOf colour_of) {
    Frame& f = v.f;
    float lines = 0.0F;
    for (int column = 0; column < v.columns.count(); ++column)
        if (!v.columns.is_gap(column) && end_of(v.columns.token(column))) lines += 1.0F;
    const float rise = (bottom - top) / std::max(lines, 1.0F);
    float y = top;
    for (int column = 0; column < v.columns.count(); ++column) {
        if (v.columns.is_gap(column)) continue;
        const std::int64_t i = v.columns.token(column);
        const std::optional<float> end = end_of(i);
        if (!end) continue;
        const std::array line = {Point{v.columns.middle(column), bottom}, Point{v.columns.middle(column), y},
                                 Point{*end, y}, Point{*end, bottom}};
        f.canvas.polyline(line, {colour_of(i), i == v.key ? 2.0F : 1.0F});
        y += rise;
    }
}

// From the query to the keys that it sees or should see.
void draw_arcs(View& v) {
    if (v.lanes.arcs < 0.0F) return;
    Frame& f = v.f;
    const auto end = v.columns.column_of(v.step);
    if (!end) return;
    const float bottom = (v.lanes.should >= 0.0F ? v.lanes.should : v.lanes.used) - 1.0F,
                x = v.columns.middle(*end);
    draw_brackets(
        v, v.lanes.arcs + 4.0F, bottom,
        [&](std::int64_t i) -> std::optional<float> {
            const RowPair pair = v.row.pair(v.step, i);
            if (i == v.step || !(pair.seen || pair.meant)) return std::nullopt;
            return x;
        },
        [&](std::int64_t i) {
            const RowPair pair = v.row.pair(v.step, i);
            return pair.meant != pair.seen ? f.theme.beyond : i == v.key ? f.theme.ink : f.theme.ink_faint;
        });
    f.canvas.disc({x, bottom}, 3.5F, f.theme.ink);
}

bool is_off(const View& v, std::int64_t i) {
    const RowPair pair = v.row.pair(v.step, i);
    return i != v.step && pair.seen && pair.meant && pair.used[v.axis] != pair.should[v.axis];
}

// From each key whose distance is off to where the query would have to be for it; and, where all are off by as much, by how
// much it seems to have moved.
void draw_used_arcs(View& v) {
    if (v.lanes.used_arcs < 0.0F) return;
    Frame& f = v.f;
    const auto query = v.columns.column_of(v.step);
    if (!query) return;
    const float left = v.columns.middle(0), right = v.right, bottom = v.lanes.used - 1.0F;
    const auto error_of = [&](std::int64_t i) {
        const RowPair pair = v.row.pair(v.step, i);
        return pair.used[v.axis] - pair.should[v.axis];
    };
    const auto end_of = [&](std::int64_t i) -> std::optional<float> {
        if (!is_off(v, i)) return std::nullopt;
        const float end = v.columns.middle(*query) + v.columns.width() * static_cast<float>(error_of(i));
        return end < left || end > right ? std::nullopt : std::optional(end);
    };
    std::optional<std::int64_t> moved;
    bool alike = true;
    for (int column = 0; column < v.columns.count(); ++column) {
        if (v.columns.is_gap(column) || !is_off(v, v.columns.token(column))) continue;
        const std::int64_t by = error_of(v.columns.token(column));
        alike = alike && moved.value_or(by) == by;
        moved = by;
    }
    if (!v.columns.whole() || !moved) return;
    float top = v.lanes.used_arcs + 4.0F;
    if (alike) {
        const float from = v.columns.middle(*query),
                    to = from + v.columns.width() * static_cast<float>(*moved);
        const std::string_view said = f.format(*moved < 0 ? "positions.short" : "positions.long",
                                               fmt::arg("by", ui::integer(f.scratch, std::abs(*moved))));
        const float width = f.canvas.text_width(said, Face::strong, v.letters()) + 12.0F,
                    apart = std::abs(from - to);
        if (to >= left && to <= right && bottom - top > 32.0F && apart > width + 24.0F) {
            const float y = top + 4.0F * v.zoom, middle = 0.5F * (from + to),
                        towards = to < from ? -1.0F : 1.0F;
            const canvas::Stroke line{f.theme.beyond, 1.5F};
            f.canvas.line({from, y}, {middle - towards * 0.5F * width, y}, line);
            f.canvas.line({middle + towards * 0.5F * width, y}, {to, y}, line);
            const std::array head = {Point{to - towards * 6.0F, y - 4.0F}, Point{to, y},
                                     Point{to - towards * 6.0F, y + 4.0F}};
            f.canvas.polyline(head, line);
            f.canvas.text({middle, y + 4.5F * v.zoom}, said,
                          {f.theme.ink, v.letters(), Face::strong, Align::centre});
            top += 14.0F * v.zoom;
        }
    }
    draw_brackets(v, top, bottom, end_of, [&](std::int64_t) { return f.theme.beyond; });
    if (alike)
        for (int column = 0; column < v.columns.count(); ++column)
            if (const auto end = end_of(v.columns.token(column))) {
                f.canvas.disc({*end, bottom}, 3.5F, f.theme.beyond);
                break;
            }
}

// The tokens that left the cache, counted under its chips.
void draw_evicted(View& v) {
    if (v.lanes.ids < 0.0F || v.axes > 1) return;
    Frame& f = v.f;
    for (int begin = 0; begin < v.columns.count(); ++begin) {
        int end = begin;
        while (end < v.columns.count() && !v.columns.is_gap(end) && !v.row.kept(v.step, v.columns.token(end)))
            ++end;
        if (end == begin) continue;
        const float room = v.columns.left(end) - v.columns.left(begin) - 6.0F;
        const std::string_view said =
            f.format("positions.evicted", fmt::arg("count", ui::integer(f.scratch, end - begin)));
        if (small_width(f, said, v.zoom) <= room)
            f.canvas.text(
                {0.5F * (v.columns.left(begin) + v.columns.left(end)), v.lanes.ids + 15.0F * v.zoom}, said,
                small(f, Align::centre, v.zoom));
        begin = end;
    }
}

// The slots as boxes from the left on, and ribbons to them from the tokens whose keys they keep.
void draw_slots(View& v) {
    if (v.lanes.slots < 0.0F) return;
    Frame& f = v.f;
    const auto keeps = [&](int column) {
        return column < v.columns.count() && v.row.kept(v.step, v.columns.token(column));
    };
    const auto slot_of = [&](int column) {
        return static_cast<int>(v.row.slot(v.step, v.columns.token(column)));
    };
    const float top = v.lanes.ribbons, bottom = v.lanes.slots + 1.0F;
    for (int begin = 0; begin < v.columns.count() && top >= 0.0F; ++begin) {
        if (!keeps(begin)) continue;
        int end = begin + 1;
        while (keeps(end) && slot_of(end) == slot_of(begin) + end - begin) ++end;
        const int slot = slot_of(begin);
        const std::array ribbon = {Point{v.columns.left(begin) + 1.5F, top},
                                   Point{v.columns.left(end) - 1.5F, top},
                                   Point{v.columns.left(slot + end - begin) - 1.5F, bottom},
                                   Point{v.columns.left(slot) + 1.5F, bottom}};
        f.canvas.polygon(ribbon, ui::faded(f.theme.ink_faint, 0.3F));
        begin = end - 1;
    }
    for (int column = 0; column < v.columns.count(); ++column) {
        if (!keeps(column)) continue;
        const std::int64_t i = v.columns.token(column);
        const int slot = slot_of(column);
        const Rect box{v.columns.left(slot) + 1.5F, bottom, v.columns.left(slot + 1) - 1.5F,
                       bottom + kLane * v.zoom - 3.0F};
        const bool asks = i == v.step, marked = i == v.key && !asks;
        if (top >= 0.0F && marked)
            f.canvas.line({v.columns.middle(column), top}, {v.columns.middle(slot), bottom},
                          {f.theme.offset, 1.5F});
        f.canvas.fill(box, f.theme.tile, 4.0F);
        f.canvas.outline(box, {asks     ? f.theme.ink
                               : marked ? f.theme.offset
                                        : f.theme.border,
                               asks || marked ? 2.0F : 1.0F});
        number(v, slot, v.lanes.slots - 0.5F, ui::integer(f.scratch, slot), false, asks || marked);
    }
}

void draw_column(View& v, int column) {
    Frame& f = v.f;
    ui::Scratch& s = f.scratch;
    if (v.columns.is_gap(column)) {
        f.canvas.text({v.columns.middle(column), v.lanes.chips + v.zoom * (0.5F * kChip + 5.0F)}, "…",
                      small(f, Align::centre, v.zoom));
        return;
    }
    const std::int64_t i = v.columns.token(column);
    const RowPair pair = v.row.pair(v.step, i);
    draw_chip(v, column, i);
    if (i > 0 && v.row.token(i).document != v.row.token(i - 1).document)
        f.canvas.line({v.columns.left(column), v.lanes.chips - 1.0F},
                      {v.columns.left(column), v.lanes.chips + kChip * v.zoom + 1.0F}, {f.theme.ink, 1.5F});
    const bool marked = i == v.key || i == v.step;
    if (v.lanes.should >= 0.0F && pair.meant)
        number(v, column, v.lanes.should, ui::integer(s, pair.should[v.axis]), false, marked);
    if (v.lanes.used >= 0.0F && (pair.seen || pair.meant))
        number(v, column, v.lanes.used, pair.seen ? ui::integer(s, pair.used[v.axis]) : "×",
               pair.seen != pair.meant || pair.used[v.axis] != pair.should[v.axis], marked);
    const bool pad = v.row.token(i).kind == RowToken::Kind::pad;
    const AxisIds id = i == v.step ? v.row.query_used(i) : v.row.key_used(v.step, i),
                  meant = i == v.step ? v.row.query_should(i) : v.row.key_should(v.step, i);
    const bool kept = v.row.kept(v.step, i);
    if (v.lanes.ids >= 0.0F && kept)
        for (std::size_t axis = 0; axis < v.axes; ++axis)
            number(v, column, v.lanes.ids + kLane * v.zoom * static_cast<float>(axis),
                   ui::integer(s, id[axis]), !pad && id[axis] != meant[axis], marked);
    if (v.lanes.slots >= 0.0F && kept && !v.columns.whole())
        number(v, column, v.lanes.slots, ui::integer(s, v.row.slot(v.step, i)), false, marked);
}

// ---- names, the mouse ----------------------------------------------------------------------------------------------

std::string_view lane_name(Frame& f, std::string_view key, std::size_t axes, std::size_t axis) {
    return axes == 1 ? f.text(key) : f.scratch.format("{} {}", f.text(key), kAxisNames[axis]);
}

template <class Each>
void each_name(Frame& f, const Lanes& lanes, float zoom, std::size_t axes, std::size_t axis, Each each) {
    if (lanes.should >= 0.0F) each(lanes.should, lane_name(f, "positions.should", axes, axis));
    if (lanes.used >= 0.0F) each(lanes.used, lane_name(f, "positions.used", axes, axis));
    each(lanes.chips + 4.0F * zoom, f.text("positions.token"));
    for (std::size_t n = 0; n < axes && lanes.ids >= 0.0F; ++n)
        each(lanes.ids + kLane * zoom * static_cast<float>(n), lane_name(f, "positions.id", axes, n));
    if (lanes.slots >= 0.0F) each(lanes.slots, f.text("positions.slot"));
}

void say(View& v, std::int64_t i, Rect beside) {
    Frame& f = v.f;
    ui::Scratch& s = f.scratch;
    const RowPair pair = v.row.pair(v.step, i);
    f.hovered.position = i;
    f.hovered.distance = pair.place;
    f.tip.value = s.format("{} {}", ui::integer(s, i), token_name(f, v.row, i));
    f.tip.beside = beside;
    const AxisIds id = i == v.step ? v.row.query_used(i) : v.row.key_used(v.step, i),
                  meant = i == v.step ? v.row.query_should(i) : v.row.key_should(v.step, i);
    if (!v.row.kept(v.step, i)) {
        f.tip.details[0] = f.text("positions.tip_evicted");
        return;
    }
    f.tip.details[0] =
        v.axes == 1 ? f.format("positions.tip_id", fmt::arg("id", ui::integer(s, id[0])),
                               fmt::arg("should", ui::integer(s, meant[0])))
                    : f.format("positions.tip_ids", fmt::arg("t", ui::integer(s, id[0])),
                               fmt::arg("h", ui::integer(s, id[1])), fmt::arg("w", ui::integer(s, id[2])));
    f.tip.details[1] = !pair.seen    ? f.text(pair.meant ? "positions.tip_missing" : "positions.tip_unseen")
                       : !pair.meant ? f.text("positions.tip_leak")
                                     : f.format("positions.tip_distance",
                                                fmt::arg("used", ui::integer(s, pair.used[v.axis])),
                                                fmt::arg("should", ui::integer(s, pair.should[v.axis])));
}

void follow_mouse(View& v, Rect area) {
    Frame& f = v.f;
    const Rect row{area.x0, v.lanes.chips, area.x1, v.lanes.chips + kChip * v.zoom};
    const auto end = v.columns.column_of(v.step);
    if (!end || f.pointer == nullptr) return;
    const auto under = v.columns.token_at(f.pointer->at.x);
    const Rect asks{v.columns.left(*end), row.y0, v.columns.left(*end + 1), row.y1};
    if (f.drag("step", f.over(asks), asks.centre(), Cursor::horizontal) && f.pointer->moved && under &&
        *under != v.step)
        set_step(f, *under);
    const auto marked = v.columns.column_of(v.key);
    if (f.drag("key", f.over(row) && !f.over(asks) && under && *under <= v.step,
               Point{v.columns.middle(marked.value_or(0)), row.centre().y}, Cursor::horizontal) &&
        (f.pointer->moved || f.pointer->released || f.pointer->pressed) && under && *under <= v.step &&
        *under != v.key)
        set_key(f, *under);
    const Rect whole{v.columns.left(0), area.y0, v.columns.left(v.columns.count()), v.lanes.end};
    if (f.over(whole) && under && *under <= v.step)
        say(v, *under,
            {v.columns.left(*v.columns.column_of(*under)), row.y0,
             v.columns.left(*v.columns.column_of(*under) + 1), row.y1});
}

void set_slip(Scene& scene, std::string_view slip) {
    Json& ids = scene.view["ids"];
    if (ids.is_string()) ids = Json{{"kind", ids}};
    ids["slip"] = std::string(slip);
}

// Chooses the right form or one of the policy's slips.
void choose_slip(Frame& f, Rect& area) {
    const Row& row = row_of(f);
    if (f.pointer == nullptr || area.height() < 170.0F) return;
    for (const Parameter& parameter : row.policy().parameters) {
        if (parameter.key != "slip") continue;
        std::array<std::string_view, 4> names{};
        const std::size_t count = std::min(names.size(), parameter.choices.size());
        std::size_t chosen = 0;
        for (std::size_t n = 0; n < count; ++n) {
            names[n] = f.text(f.scratch.format("option.view.ids.slip.{}.name", parameter.choices[n]));
            if (parameter.choices[n] == row.slip()) chosen = n;
        }
        const auto shown = std::span(names).first(count);
        if (cells::choices_width(f, shown) > area.width()) return;
        const Rect line = area.cut_top(cells::kButtonHeight + 8.0F);
        if (const auto taken =
                cells::choices(f, line.min(), std::span(parameter.choices).first(count), shown, chosen))
            set_slip(f.edit(), parameter.choices[*taken]);
        return;
    }
}

// ---- the figure ----------------------------------------------------------------------------------------------------

// A plain row's layer says more than its ids do.
std::string_view right_key(Frame& f, const Row& row, const RowCount& count) {
    if (row.policy().kind == "plain" && takes_scalings(f.scene)) {
        if (!layer_rotates(f)) return "positions.layer.nope";
        const Sight& layer = row.layer();
        if (layer.chunk <= kLastPosition) return "positions.layer.chunk";
        if (layer.window <= kLastPosition) return "positions.layer.window";
    }
    // A rule that has not changed anything yet is not said to have.
    const std::int64_t step = step_of(f.scene);
    const std::string_view key = f.scratch.format("positions.right.{}", row.policy().kind);
    const std::string_view words = f.text(key);
    const auto names = [&](std::string_view value) { return words.find(value) != std::string_view::npos; };
    if (names("{evicted") && count.evicted == 0) return f.scratch.format("{}_none", key);
    if (names("{far}") && row.pair(step, 0).used[0] == step) return f.scratch.format("{}_same", key);
    return key;
}

std::string_view slip_headline(Frame& f, const RowCount& count) {
    const std::string_view key = sentence_key(f, "slip"), words = f.text(key);
    const auto names = [&](std::string_view value) { return words.find(value) != std::string_view::npos; };
    const bool mask = count.leaks + count.missing > 0;
    if (!mask && count.off + count.rows_off == 0) return sentence(f, "positions.no_effect", count);
    // A sentence says nothing of a kind of error that is not there.
    if (names("{leaks")     ? count.leaks > 0
        : names("{by}")     ? count.off > 0
        : names("{should}") ? count.row_error != 0
                            : true) {
        const bool as_meant = names("{should}") && count.row_error == 0;
        return sentence(f, as_meant ? "distances.headline_off" : key, count);
    }
    if (mask) return mask_sentence(f, "distances.headline_mask", count);
    if (count.off > 0) return sentence(f, "distances.headline_off", count);
    return sentence(f, count.row_error != 0 ? "positions.same_distances" : "positions.earlier_rows", count);
}

std::string_view headline(Frame& f) {
    const RowCount* count = count_of(f);
    if (count == nullptr) return {};
    const Row& row = row_of(f);
    if (row.token(step_of(f.scene)).kind == RowToken::Kind::pad)
        return sentence(f, "positions.pad_row", *count);
    if (encodes_nothing(f.scene) && count->leaks + count->missing == 0)
        return sentence(f, "positions.unread", *count);
    return row.slips() ? slip_headline(f, *count) : sentence(f, right_key(f, row, *count), *count);
}

void draw(Frame& f, Rect area) {
    if (too_long(f, area)) return;
    if (area.width() < 80.0F || area.height() < kChip + 6.0F) return;
    choose_slip(f, area);
    const Row& row = row_of(f);
    const std::int64_t step = step_of(f.scene);
    const auto axes = static_cast<std::size_t>(row.axes());
    std::size_t axis = 0;
    for (std::size_t n = 0; n < axes; ++n)  // the one that the marked key is off on
        if (const RowPair pair = row.pair(step, key_of(f.scene));
            pair.error() != 0 && pair.used[n] - pair.should[n] == pair.error()) {
            axis = n;
            break;
        }
    const float zoom = zoom_in(area, kUsualTile);
    const auto largest_room = [&](const Lanes& lanes) {
        float names = 0.0F;
        each_name(f, lanes, zoom, axes, axis, [&](float, std::string_view name) {
            names = std::max(names, room_for(small_width(f, name, zoom) + 12.0F));
        });
        return area.width() < 3.0F * names ? 0.0F : names;
    };
    const std::int64_t largest =
        std::max({step, row.query_used(step)[0], std::abs(row.pair(step, 0).used[0])});
    // By its digits, as on paper letters are a little narrower, and what stands beside them must not move.
    const float least =
        zoom * std::max(30.0F, 8.0F * static_cast<float>(std::to_string(-largest).size()) + 4.0F);
    const std::int64_t reserve = reserve_for(f.scene, step);
    float wanted = least;
    for (std::int64_t i = 0; i < reserve; ++i)
        wanted = std::max(wanted, room_for(small_width(f, token_name(f, row, i), zoom) + 6.0F));
    bool off = false;
    std::int64_t reach = 0;  // past the query, to where a key that seems too far has it
    for (std::int64_t i = std::max<std::int64_t>(0, step - 64); i < step; ++i) {
        const RowPair pair = row.pair(step, i);
        if (!pair.seen || !pair.meant || pair.used[axis] == pair.should[axis]) continue;
        off = true;
        reach = std::max(reach, pair.used[axis] - pair.should[axis]);
    }
    const Lanes lanes = lanes_of(area, {.axes = axes, .slots = row.is_cache(), .off = off, .zoom = zoom});
    const float names = largest_room(lanes);
    View v{.f = f,
           .row = row,
           .step = step,
           .key = key_of(f.scene),
           .axis = axis,
           .axes = axes,
           .columns = Columns(area.x0 + names, area.x1, step,
                              std::max(reserve, step + 1 + std::min<std::int64_t>(reach, 64)), least,
                              std::min(wanted, 60.0F * zoom), zoom),
           .lanes = lanes,
           .right = area.x1,
           .zoom = zoom};
    if (names > 0.0F)
        each_name(f, lanes, zoom, axes, axis, [&](float top, std::string_view name) {
            f.canvas.text({area.x0, top + 15.0F * zoom}, name, small(f, Align::left, zoom));
        });
    draw_arcs(v);
    draw_used_arcs(v);
    draw_evicted(v);
    if (v.columns.whole()) draw_slots(v);
    for (int column = 0; column < v.columns.count(); ++column) draw_column(v, column);
    follow_mouse(v, area);
}

}  // namespace
}  // namespace positions_figure

extern const Figure kPositions{.id = "positions",
                               .headline = positions_figure::headline,
                               .draw = positions_figure::draw,
                               .modes = nullptr,
                               .numbers = fixed_numbers<"positions", "used_distances">};

}  // namespace posiscope::figures
