// verdict.cpp — what the ids of the row do to each kind of encoding, in sentences: nothing, by how much, from which row; and
// how the code is to be mended. Of biases the code that subtracts these ids is meant: ALiBi with slope 1/2, T5 with 32 buckets
// up to 128 that look back.
#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/text.hpp"
#include "app/figures/positions/positions.hpp"
#include "app/ui/lines.hpp"
#include "core/cost.hpp"
#include "core/encodings/learned.hpp"
#include "core/encodings/relative.hpp"
#include "core/json_members.hpp"

namespace posiscope::figures {
namespace verdict_figure {
namespace {

using canvas::Align;
using ui::Face;
using namespace rows;

struct TypeSizes {
    float zoom = 1.0F;
    float title = 15.0F * zoom, sentence = 13.5F * zoom, lead = 28.0F * zoom, title_line = 21.0F * zoom,
          word_line = 19.0F * zoom;
};
constexpr Point kUsualTile{480.0F, 340.0F};

constexpr double kSlope = 0.5;

struct BucketKey {
    Kept<Row> row;
    std::int64_t step;
    bool operator==(const BucketKey&) const = default;
};
// Keys in a wrong bucket, and the rows of a table that tokens 0 … step read, pads included.
struct Read {
    std::int64_t buckets = 0, lowest = 0, highest = 0;
};
struct Verdicts {
    Slow<BucketKey, Read> read;
    Kept<Read> shown;
};

Read read_by(const Row& row, std::int64_t step) {
    Read made{wrong_buckets(row, step, {32, 128, false}), row.query_used(step)[0], row.query_used(step)[0]};
    for (std::int64_t i = 0; i < step; ++i) {
        spend(10.0);
        const std::int64_t id = row.query_used(i)[0];
        made.lowest = std::min(made.lowest, id);
        made.highest = std::max(made.highest, id);
    }
    return made;
}

const Read* read_of(Frame& f) {
    Verdicts& kept = f.derived.part<Verdicts>();
    kept.shown = kept.read.get(f.derived.background(), {kept_row(f), step_of(f.scene)},
                               [](const BucketKey& key) { return read_by(*key.row, key.step); });
    return kept.shown.get();
}

// How one kind of encoding fares.
struct Fares {
    std::string_view name;
    bool fine;
    std::string_view number, sentence;
};

// The ids that the Scene's table has rows for, where the row reads others; nothing else raises an error.
struct Ends {
    std::int64_t first, last;
};
std::optional<Ends> passed_end(const Scene& scene, const Read& read) {
    if (!encoding_of(scene).rows) return std::nullopt;
    const auto numbers = learned_numbers(scene);
    if (!numbers) return std::nullopt;
    const std::int64_t offset = integer_at(scene.encoding.parameters, "position_offset").value_or(0);
    const Ends ends{-offset, numbers->rows - offset - 1};
    return read.lowest < ends.first || read.highest > ends.last ? std::optional(ends) : std::nullopt;
}

Fares table_fares(Frame& f, const RowCount& count, const Read& read) {
    ui::Scratch& s = f.scratch;
    const std::string_view name = f.text("verdict.table.name");
    if (const auto ends = passed_end(f.scene, read))
        return {name, false, ui::integer(s, read.highest > ends->last ? read.highest : read.lowest),
                f.format("verdict.table.past", fmt::arg("lowest", ui::integer(s, read.lowest)),
                         fmt::arg("highest", ui::integer(s, read.highest)),
                         fmt::arg("first", ui::integer(s, ends->first)),
                         fmt::arg("last", ui::integer(s, ends->last)))};
    const bool fine = count.rows_off == 0;
    return {name, fine, ui::signed_integer(s, count.row_error),
            sentence(f, fine ? "verdict.table.fine" : "verdict.table.off", count)};
}

std::array<Fares, 5> all_fares(Frame& f, const RowCount& count, const Read& read) {
    ui::Scratch& s = f.scratch;
    const Row& row = row_of(f);
    const auto largest = static_cast<double>(std::max(std::abs(count.least), std::abs(count.most)));
    const bool biased = count.off > 0 && !row.rotation_only();
    const auto said = [&](std::string_view kind, bool fine) {
        return sentence(f, s.format("verdict.{}.{}", kind, fine ? "fine" : "off"), count);
    };
    // A wrong mask is wrong for all; what a table reads does not depend on it.
    const bool mask = count.leaks + count.missing > 0;
    const auto fares = [&](std::string_view kind, bool fine, std::string_view number) {
        const std::string_view name = f.text(s.format("verdict.{}.name", kind));
        if (mask && fine)
            return Fares{name, false, ui::integer(s, count.leaks + count.missing),
                         mask_sentence(f, "verdict.mask", count)};
        return Fares{name, fine, number, said(kind, fine)};
    };
    Fares rotation = fares("rotation", count.off == 0, count.off == 0 ? "0" : errors(f, count));
    if (!layer_rotates(f)) {
        rotation = fares("rotation", true, "0");
        if (rotation.fine) rotation.sentence = f.text("verdict.rotation.nope");
    }
    return {{rotation, table_fares(f, count, read),
             fares("slope", !biased, biased ? ui::shortest(s, kSlope * largest) : "0"),
             fares("buckets", read.buckets == 0,
                   read.buckets == 0 ? "0" : s.format("{}/{}", read.buckets, count.keys)),
             fares("nope", true, "0")}};
}

std::string_view headline(Frame& f) {
    const RowCount* count = count_of(f);
    const Read* read = count != nullptr ? read_of(f) : nullptr;
    if (read == nullptr) return {};
    if (count->leaks + count->missing > 0) return mask_sentence(f, "verdict.headline_mask", *count);
    const auto fares = all_fares(f, *count, *read);
    const auto fine = std::ranges::count_if(fares, [](const Fares& one) { return one.fine; });
    if (fine == static_cast<std::ptrdiff_t>(fares.size()))
        return sentence(f, row_of(f).slips() ? "verdict.headline_fine_slip" : "verdict.headline_fine",
                        *count);
    const auto wrong = static_cast<std::ptrdiff_t>(fares.size()) - fine;
    const std::string_view past = passed_end(f.scene, *read) ? "_past" : "";
    return f.format(f.scratch.format("verdict.headline{}{}", past, wrong == 1 ? "_one" : ""),
                    fmt::arg("wrong", wrong), fmt::arg("kinds", fares.size()));
}

void draw_fix(Frame& f, const TypeSizes& type, Rect& area) {
    if (!row_of(f).slips()) return;
    const std::string_view fix = f.text(sentence_key(f, "fix"));
    const float width = area.width() - 24.0F;
    const int lines = ui::line_count(f.canvas, fix, Face::text, type.sentence, width);
    const float height = 11.0F + type.word_line + 1.4F * type.sentence * static_cast<float>(lines);
    if (width < 60.0F || area.height() < height + type.title_line) return;
    const Rect box = area.cut_bottom(height);
    f.canvas.fill(box, f.theme.control, 6.0F);
    f.canvas.text({box.x0 + 12.0F, box.y0 + type.word_line}, f.text("verdict.fix"),
                  {f.theme.ink, type.sentence, Face::strong});
    f.canvas.paragraph({box.x0 + 12.0F, box.y0 + type.word_line + 3.0F}, fix,
                       {f.theme.ink, type.sentence, Face::text}, width);
    area.cut_bottom(8.0F);
}

void draw(Frame& f, Rect area) {
    if (too_long(f, area)) return;
    const RowCount* count = count_of(f);
    const Read* read = count != nullptr ? read_of(f) : nullptr;
    if (read == nullptr) return explain_absence(f, area, being_made());
    if (area.width() < 110.0F) return;
    area.cut_top(4.0F);
    const TypeSizes type{zoom_in(area, kUsualTile)};
    draw_fix(f, type, area);
    const auto fares = all_fares(f, *count, *read);
    const auto rows = static_cast<float>(fares.size());
    const float width = std::min(area.width(), 560.0F * type.zoom), least = type.title_line * rows;
    // What is wrong says why before what is right does.
    float room = area.height() - least;
    std::array<int, 5> lines{};
    for (const bool fine : {false, true})
        for (std::size_t n = 0; n < fares.size(); ++n) {
            if (fares[n].fine != fine) continue;
            const int wanted =
                ui::line_count(f.canvas, fares[n].sentence, Face::text, type.sentence, width - type.lead);
            if (room < type.word_line * static_cast<float>(wanted)) continue;
            lines[n] = wanted;
            room -= type.word_line * static_cast<float>(wanted);
        }
    const float gap = std::clamp(room / rows, 0.0F, 24.0F * type.zoom);
    float y = area.y0;
    for (std::size_t n = 0; n < fares.size(); ++n) {
        const Fares& one = fares[n];
        if (y + type.title_line > area.y1 + 1.0F) break;
        draw_mark(f, {area.x0 + 9.0F, y + 10.0F * type.zoom}, one.fine ? Severity::fine : Severity::wrong);
        const float number = f.canvas.text_width(one.number, Face::strong, type.title);
        f.canvas.text({area.x0 + width, y + type.title}, one.number,
                      {f.theme.ink, type.title, Face::strong, Align::right});
        f.canvas.text(
            {area.x0 + type.lead, y + type.title},
            cells::shortened(f, one.name, Face::strong, type.title, width - type.lead - number - 10.0F),
            {f.theme.ink, type.title, Face::strong});
        y += type.title_line;
        if (lines[n] > 0)
            f.canvas.paragraph({area.x0 + type.lead, y - 2.0F}, one.sentence,
                               {f.theme.ink_soft, type.sentence, Face::text}, width - type.lead);
        y += type.word_line * static_cast<float>(lines[n]) + gap;
    }
}

}  // namespace
}  // namespace verdict_figure

extern const Figure kVerdict{.id = "verdict",
                             .headline = verdict_figure::headline,
                             .draw = verdict_figure::draw,
                             .modes = nullptr,
                             .numbers = fixed_numbers<"used_distances">};

}  // namespace posiscope::figures
