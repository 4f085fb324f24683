// kinds.cpp — draws the tree of encodings and, beside each leaf, what core counts and measures of it at the present widths and
// length (core/attention/kinds.hpp): as many columns as there is room for. A click on a leaf uses that encoding.
#include "app/figures/scores/scores.hpp"

#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/text.hpp"
#include "core/attention/kinds.hpp"

#include <algorithm>

namespace posiscope::figures::scores {
namespace {

using canvas::Align;
using ui::Face;

struct KindsKey {
    Kept<ActionInput> input;
    std::int64_t distance;
    bool operator==(const KindsKey&) const = default;
};
struct Kinds {
    Slow<KindsKey, std::vector<KindNumbers>> made;
};

std::int64_t distance_of(const Scene& scene) { return std::max<std::int64_t>(1, std::abs(scene.offset)); }

// Null while they are computed.
Kept<std::vector<KindNumbers>> kinds(const Scene& scene, Derived& derived) {
    return derived.part<Kinds>().made.get(
        derived.background(), {derived.input<ActionInput>(scene), distance_of(scene)},
        [](const KindsKey& key) { return kind_numbers(*key.input, key.distance); });
}

// ---- the tree --------------------------------------------------------------------------------------------------

struct Row {
    std::string_view group = {};  // "kinds.group.NAME"; empty: an encoding
    std::size_t kind = 0;         // its index
    int depth = 0;
    std::optional<std::size_t> parent = std::nullopt;  // the row that it hangs on
};
constexpr std::size_t kMostRows = 32, kMostKinds = 24;

struct Tree {
    std::array<Row, kMostRows> rows;
    std::size_t count = 0;

    std::size_t add(const Row& row) {
        rows[count] = row;
        return count++;
    }
    std::span<const Row> list() const { return std::span(rows).first(count); }
};

bool relative(Family family) {
    return family == Family::classic || family == Family::rotary || family == Family::bias;
}

// The notes' order: absolute; relative with its families; and none. Without room only the leaves.
Tree tree_of(std::span<const KindNumbers> kinds, bool grouped) {
    Tree tree;
    std::optional<Family> family;
    std::optional<std::size_t> trunk, branch;
    for (std::size_t i = 0; i < std::min(kinds.size(), kMostKinds); ++i) {
        const Family own = kinds[i].encoding->family;
        if (grouped && own != family) {
            if (own == Family::none || kinds[i].encoding->slots.typed != nullptr) branch = std::nullopt;
            else if (own == Family::absolute) branch = tree.add({.group = "absolute"});
            else {
                if (!trunk) trunk = tree.add({.group = "relative"});
                branch = tree.add({.group = family_name(own), .depth = 1, .parent = trunk});
            }
        }
        family = own;
        const int depth = !grouped || !branch ? 0 : relative(own) ? 2 : 1;
        tree.add({.kind = i, .depth = depth, .parent = grouped ? branch : std::nullopt});
    }
    return tree;
}

constexpr float kIndent = 15.0F, kLargestLetters = 15.5F;

void draw_branches(Frame& f, const Tree& tree, Rect area, float row) {
    const auto middle = [&](std::size_t i) { return area.y0 + row * (static_cast<float>(i) + 0.5F); };
    for (std::size_t i = 0; i < tree.count; ++i) {
        const Row& child = tree.rows[i];
        if (!child.parent) continue;
        const float x = area.x0 + kIndent * static_cast<float>(child.depth - 1) + 5.0F;
        f.canvas.line({x, middle(i)}, {x + kIndent - 8.0F, middle(i)}, {f.theme.ink_faint, 1.0F});
        const bool last = std::none_of(tree.rows.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                       tree.rows.begin() + static_cast<std::ptrdiff_t>(tree.count),
                                       [&](const Row& other) { return other.parent == child.parent; });
        if (last)
            f.canvas.line({x, middle(*child.parent) + 0.5F * row}, {x, middle(i)}, {f.theme.ink_faint, 1.0F});
    }
}

// Without room for their names, a line beside the leaves of each family.
void draw_families(Frame& f, std::span<const KindNumbers> kinds, Rect area, float row) {
    for (std::size_t first = 0, i = 1; i <= kinds.size(); ++i) {
        if (i < kinds.size() && kinds[i].encoding->family == kinds[first].encoding->family) continue;
        const float top = area.y0 + row * static_cast<float>(first),
                    end = area.y0 + row * static_cast<float>(i);
        if (kinds[first].encoding->family != Family::none)
            f.canvas.line({area.x0 + 1.0F, top + 2.0F}, {area.x0 + 1.0F, end - 2.0F},
                          {f.theme.ink_faint, 1.5F});
        first = i;
    }
}

// ---- the columns -----------------------------------------------------------------------------------------------

enum class Column { acts, parameters, positions, moved, falls, beyond };
constexpr std::array<std::string_view, 6> kColumns = {"acts",  "parameters", "positions",
                                                      "moved", "falls",      "beyond"};
// The first to get room first.
constexpr std::array kPriority = {Column::moved, Column::parameters, Column::beyond,
                                  Column::acts,  Column::falls,      Column::positions};

// Rotations leave rounding, of scores as large as √head_dim; biases of a distance move nothing at all.
std::string_view moved(const Frame& f, const KindNumbers& of) {
    ui::Scratch& s = f.scratch;
    if (!std::isfinite(of.moved)) return "–";
    if (!of.relative()) return ui::significant(s, of.moved, 3);
    if (of.encoding->acts != Acts::query_key) return "0";
    return s.format("≤ {}", ui::residual(s, of.moved, std::sqrt(static_cast<double>(head_dim(f.scene)))));
}

std::string_view count(ui::Scratch& s, double value) {
    return std::isfinite(value) ? ui::integer(s, std::llround(value)) : "–";
}

std::string_view beyond(const Frame& f, const KindNumbers& of) {
    ui::Scratch& s = f.scratch;
    if (of.positions <= kLastPosition)
        return f.format("kinds.ends", fmt::arg("rows", ui::integer(s, of.positions)));
    if (of.pairs > 0.0)
        return f.format("kinds.new", fmt::arg("unseen", count(s, of.unseen)),
                        fmt::arg("pairs", count(s, of.pairs)));
    if (of.beyond == 0.0) return f.text("kinds.stays");
    return std::isfinite(of.beyond)
               ? f.format("kinds.out", fmt::arg("beyond", ui::significant(s, of.beyond, 3)))
               : "–";
}

std::string_view cell(const Frame& f, const KindNumbers& of, Column column) {
    ui::Scratch& s = f.scratch;
    if (!of.fits) return column == Column::moved ? f.text("kinds.unfit") : std::string_view();
    switch (column) {
        case Column::acts: {
            static constexpr std::array<std::string_view, 3> names = {
                "kinds.acts.input", "kinds.acts.query_key", "kinds.acts.logits"};
            return of.encoding->family == Family::none
                       ? "–"
                       : f.text(names[static_cast<std::size_t>(of.encoding->acts)]);
        }
        case Column::parameters: return ui::integer(s, of.parameters);
        case Column::positions:
            return of.positions > kLastPosition ? f.text("kinds.any") : ui::integer(s, of.positions);
        case Column::moved: return moved(f, of);
        case Column::falls:
            return f.format("kinds.falls", fmt::arg("falls", count(s, of.falls)),
                            fmt::arg("steps", count(s, of.steps)));
        case Column::beyond: return beyond(f, of);
    }
    return {};
}

// Every cell's words: A's, or both where B's differ.
using Cells = std::array<std::array<std::string_view, kColumns.size()>, kMostKinds>;

Cells cells_of(const Frame& f, std::span<const KindNumbers> of_a, const std::vector<KindNumbers>* of_b) {
    Cells cells{};
    for (std::size_t i = 0; i < std::min(of_a.size(), kMostKinds); ++i)
        for (std::size_t c = 0; c < kColumns.size(); ++c) {
            const std::string_view a = cell(f, of_a[i], static_cast<Column>(c));
            // A typed one, the last, is in one list alone.
            const bool has_b = of_b != nullptr && i < of_b->size();
            const std::string_view b = has_b ? cell(f, (*of_b)[i], static_cast<Column>(c)) : a;
            cells[i][c] = a == b ? a : f.scratch.format("{} | {}", a, b);
        }
    return cells;
}

struct Placed {
    std::array<float, kColumns.size()> right{}, width{};  // 0: no room
};

Placed place(const Frame& f, const Cells& cells, std::size_t kinds, float size, float left, float right) {
    constexpr float kGap = 14.0F, kMostGap = 60.0F;
    Placed placed;
    float taken = 0.0F;
    int shown = 0;
    for (const Column column : kPriority) {
        const auto c = static_cast<std::size_t>(column);
        float width =
            f.canvas.text_width(f.text(f.scratch.format("kinds.column.{}", kColumns[c])), Face::strong, size);
        for (std::size_t i = 0; i < kinds; ++i)
            width = std::max(width, f.canvas.text_width(cells[i][c], Face::text, size));
        if (left + taken + width + kGap > right) continue;
        placed.width[c] = width;
        taken += width + kGap;
        ++shown;
    }
    const float more =
        shown > 0 ? std::min(kMostGap - kGap, (right - left - taken) / static_cast<float>(shown)) : 0.0F;
    float x = left;
    for (std::size_t c = 0; c < kColumns.size(); ++c) {
        if (placed.width[c] == 0.0F) continue;
        x += kGap + more + placed.width[c];
        placed.right[c] = x;
    }
    return placed;
}

void explain_column(Frame& f, std::size_t column) {
    ui::Scratch& s = f.scratch;
    f.tip.value = f.text(s.format("kinds.column.{}", kColumns[column]));
    f.tip.details[0] = f.format(s.format("kinds.tip.{}", kColumns[column]),
                                fmt::arg("k", ui::integer(s, distance_of(f.scene))));
}

// The explanations of the columns, below them, if there is room for all of them.
void draw_key(Frame& f, const Placed& placed, Rect area) {
    constexpr float kLine = 19.0F, kNameWidth = 84.0F;
    const auto lines =
        std::count_if(placed.width.begin(), placed.width.end(), [](float w) { return w > 0.0F; });
    if (area.height() < kLine * static_cast<float>(lines) + 16.0F) return;
    const canvas::TextStyle style = small(f);
    ui::Scratch& s = f.scratch;
    std::array<std::string_view, kColumns.size()> said;
    for (std::size_t c = 0; c < kColumns.size(); ++c) {
        said[c] = f.format(s.format("kinds.tip.{}", kColumns[c]),
                           fmt::arg("k", ui::integer(s, distance_of(f.scene))));
        if (f.canvas.text_width(said[c], style.face, style.size) + kNameWidth > area.width()) return;
    }
    float y = area.y1 - kLine * static_cast<float>(lines) + 10.0F;
    for (std::size_t c = 0; c < kColumns.size(); ++c) {
        if (placed.width[c] == 0.0F) continue;
        f.canvas.text({area.x0, y}, f.text(s.format("kinds.column.{}", kColumns[c])),
                      {style.colour, style.size, Face::strong});
        f.canvas.text({area.x0 + kNameWidth, y}, said[c], style);
        y += kLine;
    }
}

void tell(Frame& f, const KindNumbers& of, Rect row) {
    f.cursor = Cursor::hand;
    f.tip.formula = f.scratch.format("\\text{{{}}}", encoding_name(f, of.encoding->kind));
    f.tip.details[0] = f.text(f.scratch.format("option.encoding.group.{}", family_name(of.encoding->family)));
    if (of.encoding->kind == f.scene.encoding.kind) return;
    f.tip.details[1] = f.text(of.fits ? "kinds.tip.choose" : "kinds.unfit");
    if (!f.clicked(row)) return;
    if (auto laid = overlay(f.scene, {{"encoding", std::string(of.encoding->kind)}}))
        f.edit() = std::move(laid->scene);
}

}  // namespace

std::string_view kinds_headline(Frame& f) {
    const auto made = kinds(f.scene, f.derived);
    if (made == nullptr) return {};
    ui::Scratch& s = f.scratch;
    const auto own = std::ranges::find(*made, f.scene.encoding.kind,
                                       [](const KindNumbers& of) { return of.encoding->kind; });
    const std::string_view name = encoding_name(f, f.scene.encoding.kind);
    if (own == made->end() || !own->fits)
        return f.format("kinds.headline_refused", fmt::arg("kind", name),
                        fmt::arg("d", ui::integer(s, f.scene.d_model)));
    const std::string_view by = moved(f, *own);
    return f.format(by == "0" ? "kinds.headline_still" : "kinds.headline", fmt::arg("kind", name),
                    fmt::arg("parameters", ui::integer(s, own->parameters)),
                    fmt::arg("k", ui::integer(s, distance_of(f.scene))), fmt::arg("moved", by));
}

void draw_kinds(Frame& f, Rect area) {
    if (area.width() < 120.0F || area.height() < 90.0F) return;
    const auto made = kinds(f.scene, f.derived);
    if (made == nullptr) return explain_absence(f, area, being_made());
    Kept<std::vector<KindNumbers>> made_b;
    if (f.other != nullptr) made_b = kinds(f.other->scene, f.other->derived);
    const std::vector<KindNumbers>& of = *made;
    constexpr float kRow = 29.0F, kLeast = 13.0F;
    const float header = std::min(20.0F, 0.1F * area.height());
    const Rect names = area.cut_top(header);
    Tree tree = tree_of(of, true);
    const bool grouped = area.height() >= kLeast * static_cast<float>(tree.count);
    if (!grouped) tree = tree_of(of, false);
    const float row = std::min(kRow, area.height() / static_cast<float>(tree.count));
    const float size = std::clamp(0.56F * row, std::min(ui::kSmallSize, row - 0.5F), kLargestLetters);
    const Cells cells = cells_of(f, of, made_b.get());

    float widest = 0.0F;
    const auto words = [&](const Row& one) {
        return one.group.empty() ? encoding_name(f, of[one.kind].encoding->kind)
                                 : f.text(f.scratch.format("kinds.group.{}", one.group));
    };
    for (const Row& one : tree.list())
        widest = std::max(widest, kIndent * static_cast<float>(one.depth) +
                                      f.canvas.text_width(words(one), Face::strong, size));
    const float left = area.x0 + 6.0F;
    const Placed placed =
        place(f, cells, std::min(of.size(), kMostKinds), size, left + widest, area.x1 - 4.0F);

    for (std::size_t c = 0; c < kColumns.size(); ++c) {
        if (placed.width[c] == 0.0F) continue;
        f.canvas.text({placed.right[c], names.y1 - 6.0F},
                      f.text(f.scratch.format("kinds.column.{}", kColumns[c])),
                      {f.theme.ink_soft, size, Face::strong, Align::right});
        if (f.over({placed.right[c] - placed.width[c], names.y0, placed.right[c], names.y1}))
            explain_column(f, c);
    }
    f.canvas.line({area.x0, area.y0 - 1.0F}, {area.x1, area.y0 - 1.0F}, {f.theme.grid, 1.0F});
    for (std::size_t i = 0; i < tree.count; ++i) {
        const Row& one = tree.rows[i];
        const float top = area.y0 + row * static_cast<float>(i), baseline = top + 0.5F * row + 0.34F * size;
        const Rect line{area.x0, top, area.x1, top + row};
        const bool leaf = one.group.empty();
        const bool own = leaf && of[one.kind].encoding->kind == f.scene.encoding.kind;
        if (own) f.canvas.fill(line, f.theme.pressed, 4.0F);
        else if (leaf && f.over(line)) f.canvas.fill(line, f.theme.control, 4.0F);
        if (leaf && f.other != nullptr && of[one.kind].encoding->kind == f.other->scene.encoding.kind)
            f.canvas.outline(line.grown(-0.5F), {f.theme.ink_soft, 1.0F});
        const bool fits = !leaf || of[one.kind].fits;
        f.canvas.text({left + kIndent * static_cast<float>(one.depth), baseline}, words(one),
                      {!leaf  ? f.theme.ink_soft
                       : fits ? f.theme.ink
                              : f.theme.ink_faint,
                       size, own || !leaf ? Face::strong : Face::text});
        if (!leaf) continue;
        for (std::size_t c = 0; c < kColumns.size(); ++c) {
            if (placed.width[c] == 0.0F) continue;
            const bool depends = static_cast<Column>(c) == Column::moved && !of[one.kind].relative();
            f.canvas.text({placed.right[c], baseline}, cells[one.kind][c],
                          {fits && (own || depends) ? f.theme.ink : f.theme.ink_soft, size,
                           own || depends ? Face::strong : Face::text, Align::right});
        }
        if (f.over(line)) tell(f, of[one.kind], line);
    }
    if (grouped) draw_branches(f, tree, {left, area.y0, area.x1, area.y1}, row);
    else draw_families(f, of, area, row);
    draw_key(f, placed, {left, area.y0 + row * static_cast<float>(tree.count), area.x1, area.y1});
}

}  // namespace posiscope::figures::scores
