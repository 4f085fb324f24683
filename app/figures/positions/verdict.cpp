// verdict.cpp — what the ids of the row do to each kind of encoding, in sentences: nothing, by how much, from which row; and
// how the code is to be mended. Of biases the code that subtracts these ids is meant: ALiBi with slope 1/2, T5 with 32 buckets
// up to 128 that look back.
#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/severity.hpp"
#include "app/figures/positions/positions.hpp"
#include "app/ui/lines.hpp"
#include "core/encodings/relative.hpp"

namespace posiscope::figures {
namespace verdict_figure {
namespace {

using canvas::Align;
using ui::Face;
using namespace rows;

constexpr float kTitle = 15.0F, kSentence = 13.5F, kLead = 28.0F, kTitleLine = 21.0F, kWordLine = 19.0F;
constexpr double kSlope = 0.5;

struct BucketKey {
    Kept<Row> row;
    std::int64_t step;
    bool operator==(const BucketKey&) const = default;
};
struct Verdicts {
    Slow<BucketKey, std::int64_t> buckets;
    Kept<std::int64_t> shown;
};

const std::int64_t* buckets_of(Frame& f) {
    Verdicts& kept = f.derived.part<Verdicts>();
    kept.shown =
        kept.buckets.get(f.derived.background(), {kept_row(f), step_of(f.scene)}, [](const BucketKey& key) {
            return wrong_buckets(*key.row, key.step, {32, 128, false});
        });
    return kept.shown.get();
}

// How one kind of encoding fares.
struct Fares {
    std::string_view name;
    bool fine;
    std::string_view number, sentence;
};

std::array<Fares, 5> all_fares(Frame& f, const RowCount& count, std::int64_t buckets) {
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
                         sentence(f, "verdict.mask", count)};
        return Fares{name, fine, number, said(kind, fine)};
    };
    Fares rotation = fares("rotation", count.off == 0, count.off == 0 ? "0" : errors(f, count));
    if (!layer_rotates(f)) {
        rotation = fares("rotation", true, "0");
        if (rotation.fine) rotation.sentence = f.text("verdict.rotation.nope");
    }
    return {{rotation,
             {f.text("verdict.table.name"), count.rows_off == 0, ui::signed_integer(s, count.row_error),
              said("table", count.rows_off == 0)},
             fares("slope", !biased, biased ? ui::shortest(s, kSlope * largest) : "0"),
             fares("buckets", buckets == 0, buckets == 0 ? "0" : s.format("{}/{}", buckets, count.keys)),
             fares("nope", true, "0")}};
}

std::string_view headline(Frame& f) {
    const RowCount* count = count_of(f);
    const std::int64_t* buckets = count != nullptr ? buckets_of(f) : nullptr;
    if (buckets == nullptr) return {};
    if (count->leaks + count->missing > 0) return sentence(f, "verdict.headline_mask", *count);
    const auto fares = all_fares(f, *count, *buckets);
    const auto fine = std::ranges::count_if(fares, [](const Fares& one) { return one.fine; });
    if (fine == static_cast<std::ptrdiff_t>(fares.size())) return f.text("verdict.headline_fine");
    const auto wrong = static_cast<std::ptrdiff_t>(fares.size()) - fine;
    return f.format(wrong == 1 ? "verdict.headline_one" : "verdict.headline", fmt::arg("wrong", wrong),
                    fmt::arg("kinds", fares.size()));
}

void draw_fix(Frame& f, Rect& area) {
    if (!row_of(f).slips()) return;
    const std::string_view fix = f.text(sentence_key(f, "fix"));
    const float width = area.width() - 24.0F;
    const int lines = ui::line_count(f.canvas, fix, Face::text, kSentence, width);
    const float height = 30.0F + 1.4F * kSentence * static_cast<float>(lines);
    if (width < 60.0F || area.height() < height + kTitleLine) return;
    const Rect box = area.cut_bottom(height);
    f.canvas.fill(box, f.theme.control, 6.0F);
    f.canvas.text({box.x0 + 12.0F, box.y0 + 19.0F}, f.text("verdict.fix"),
                  {f.theme.ink, kSentence, Face::strong});
    f.canvas.paragraph({box.x0 + 12.0F, box.y0 + 22.0F}, fix, {f.theme.ink, kSentence, Face::text}, width);
    area.cut_bottom(8.0F);
}

void draw(Frame& f, Rect area) {
    if (too_long(f, area)) return;
    const RowCount* count = count_of(f);
    const std::int64_t* buckets = count != nullptr ? buckets_of(f) : nullptr;
    if (buckets == nullptr) return explain_absence(f, area, being_made());
    if (area.width() < 110.0F) return;
    area.cut_top(4.0F);
    draw_fix(f, area);
    const auto fares = all_fares(f, *count, *buckets);
    const auto rows = static_cast<float>(fares.size());
    const float width = std::min(area.width(), 560.0F), least = kTitleLine * rows;
    // What is wrong says why before what is right does.
    float room = area.height() - least;
    std::array<int, 5> lines{};
    for (const bool fine : {false, true})
        for (std::size_t n = 0; n < fares.size(); ++n) {
            if (fares[n].fine != fine) continue;
            const int wanted =
                ui::line_count(f.canvas, fares[n].sentence, Face::text, kSentence, width - kLead);
            if (room < kWordLine * static_cast<float>(wanted)) continue;
            lines[n] = wanted;
            room -= kWordLine * static_cast<float>(wanted);
        }
    const float gap = std::clamp(room / rows, 0.0F, 10.0F);
    float y = area.y0;
    for (std::size_t n = 0; n < fares.size(); ++n) {
        const Fares& one = fares[n];
        if (y + kTitleLine > area.y1 + 1.0F) break;
        draw_mark(f, {area.x0 + 9.0F, y + 10.0F}, one.fine ? Severity::fine : Severity::wrong);
        const float number = f.canvas.text_width(one.number, Face::strong, kTitle);
        f.canvas.text({area.x0 + width, y + 15.0F}, one.number,
                      {f.theme.ink, kTitle, Face::strong, Align::right});
        f.canvas.text({area.x0 + kLead, y + 15.0F},
                      cells::shortened(f, one.name, Face::strong, kTitle, width - kLead - number - 10.0F),
                      {f.theme.ink, kTitle, Face::strong});
        y += kTitleLine;
        if (lines[n] > 0)
            f.canvas.paragraph({area.x0 + kLead, y - 2.0F}, one.sentence,
                               {f.theme.ink_soft, kSentence, Face::text}, width - kLead);
        y += kWordLine * static_cast<float>(lines[n]) + gap;
    }
}

std::span<const std::string_view> numbers(std::string_view) {
    static constexpr std::array<std::string_view, 1> names = {"used_distances"};
    return names;
}

}  // namespace
}  // namespace verdict_figure

extern const Figure kVerdict;
const Figure kVerdict{.id = "verdict",
                      .headline = verdict_figure::headline,
                      .draw = verdict_figure::draw,
                      .modes = nullptr,
                      .numbers = verdict_figure::numbers};

}  // namespace posiscope::figures
