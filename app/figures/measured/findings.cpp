// findings.cpp — the verdict on a dump: what it is, what is right, what is wrong and how much, and how many of its numbers each
// explanation gives.
#include "app/figures/measured/measured.hpp"
#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/headline.hpp"
#include "app/ui/lines.hpp"
#include "core/measure/show.hpp"

namespace posiscope::figures {
namespace findings_figure {
namespace {

using canvas::Align;
using measuring::Verdict;
using ui::Face;
using namespace measured;

constexpr float kSentence = 14.0F, kLead = 28.0F, kLine = 1.4F * kSentence, kGap = 9.0F, kBar = 38.0F,
                kFitsHead = 24.0F;

struct Said {
    Severity severity;
    std::string sentence;
};
struct SaidKey {
    Kept<Seen> seen;
    Language language;
    const Strings* strings;
    bool operator==(const SaidKey&) const = default;
};
struct Sentences {
    Memo<SaidKey, std::vector<Said>> said;
};

std::vector<Said> said_of(const SaidKey& key) {
    const Strings& strings = *key.strings;
    const measuring::Report& report = key.seen->report;
    const measuring::Measured& m = report.measured;
    std::vector<Said> made;
    const auto add = [&](Severity severity, std::string sentence) {
        made.push_back({severity, std::move(sentence)});
    };
    const bool known = m.verdict != Verdict::unknown;
    add(known ? Severity::fine : Severity::note, strings.sentence_in_window(m.what));
    if (const measuring::Beside* beside = key.seen->beside()) {  // what was measured and is right
        const auto told = std::ranges::count_if(
            m.pairs, [](const measuring::PairMeasured& pair) { return !measuring::undecided(pair); });
        if (told > 0 && key.seen->differ.empty())
            add(Severity::fine,
                strings.format(told < static_cast<std::ptrdiff_t>(m.pairs.size()) ? "findings.pairs"
                                                                                  : "findings.pairs_all",
                               fmt::arg("told", told), fmt::arg("pairs", m.pairs.size())));
        const double off = beside->amplitude - beside->turning.amplitude;
        if (beside->amplitude > 0.0 && std::abs(off) <= 1e-4 * beside->turning.amplitude)
            add(Severity::fine,
                strings.format("findings.amplitude",
                               fmt::arg("amplitude", fmt::format("{:.6f}", beside->amplitude))));
        const bool placed = m.positions.axes == 1 && m.positions.values == beside->positions.values &&
                            std::ranges::none_of(m.findings, [](const measuring::Finding& finding) {
                                return finding.said.key == "measured.narrowed";
                            });
        if (placed && !m.positions.values.empty())
            add(Severity::fine,
                strings.format("findings.rows",
                               fmt::arg("first", fmt::format("{:.7g}", m.positions.values.front())),
                               fmt::arg("last", fmt::format("{:.7g}", m.positions.values.back()))));
    }
    for (const Problem& note : report.notes) add(Severity::note, strings.sentence_in_window(note));
    for (const measuring::Finding& finding : m.findings)
        add(finding.wrong ? Severity::wrong : Severity::note, strings.sentence_in_window(finding.said));
    const auto said = [&](Severity severity, std::string_view text) {
        add(severity, strings.format(text, fmt::arg("precision", m.precision),
                                     fmt::arg("largest", measuring::few_digits(m.largest)),
                                     fmt::arg("noise", measuring::few_digits(m.noise)),
                                     fmt::arg("enough", measuring::rounded_up(m.largest, 1))));
    };
    if (m.verdict == Verdict::right && m.tolerated) said(Severity::fine, "measured.right_tolerated");
    if (m.verdict == Verdict::right && m.arithmetic)
        said(Severity::fine, fmt::format("measured.arithmetic.{}", measuring::name_of(*m.arithmetic)));
    if (m.verdict == Verdict::noisy) said(Severity::note, "measured.right_noisy");
    if (!known) add(Severity::note, strings.sentence_in_window({"recognised.none", {}}));
    // After what it is comes what is wrong, which a small tile has to show.
    std::stable_partition(made.begin() + 1, made.end(),
                          [](const Said& one) { return one.severity == Severity::wrong; });
    return made;
}

std::string_view headline(Frame& f) {
    const Seen* found = seen(f);
    if (found == nullptr || found->problem) return {};
    const measuring::Measured& m = found->measured();
    const auto wrong = std::ranges::count_if(m.findings, &measuring::Finding::wrong);
    const std::string_view key = m.verdict == Verdict::right   ? found->of_scene ? "right" : "right_known"
                                 : m.verdict == Verdict::noisy ? "noisy"
                                 : m.verdict == Verdict::wrong ? found->of_scene ? "wrong" : "wrong_known"
                                                               : "unknown";
    return f.format(f.scratch.format("findings.headline_{}", key),
                    fmt::arg("count", ui::counted(f.scratch, wrong)),
                    fmt::arg("noise", ui::significant(f.scratch, m.noise, 2)));
}

float width_of(Rect area, float scale) { return std::min(area.width() - kLead, 640.0F * scale); }

// Sentences of a large tile are larger, as far as all of them have room.
float scale_for(const Frame& f, std::span<const Said> said, Rect area) {
    constexpr int kMost = 7;  // twentieths
    for (int more = kMost; more > 0; --more) {
        const float scale = 1.0F + 0.05F * static_cast<float>(more);
        float height = 0.0F;
        for (const Said& one : said)
            height += scale *
                      (kLine * static_cast<float>(ui::line_count(f.canvas, one.sentence, Face::text,
                                                                 scale * kSentence, width_of(area, scale))) +
                       2.0F * kGap);
        if (height <= area.height()) return scale;
    }
    return 1.0F;
}

void draw_sentences(Frame& f, std::span<const Said> said, Rect area, float scale) {
    const float size = scale * kSentence, line = scale * kLine, width = width_of(area, scale);
    const float gap = scale > 1.0F ? scale * 2.0F * kGap : kGap;
    float y = area.y0;
    std::size_t shown = 0;
    for (const Said& one : said) {
        const int lines = ui::line_count(f.canvas, one.sentence, Face::text, size, width);
        const bool last = shown + 1 == said.size();
        const float rest = area.y1 - y - line * static_cast<float>(lines);
        if (rest < (last ? -2.0F : line) && shown > 0) break;
        draw_mark(f, {area.x0 + 9.0F, y + 10.0F * scale}, one.severity);
        y +=
            f.canvas.paragraph(
                {area.x0 + kLead, y}, one.sentence,
                {one.severity == Severity::wrong ? f.theme.ink : f.theme.ink_soft, size, Face::text}, width) +
            gap;
        ++shown;
    }
    if (shown < said.size())
        f.canvas.text({area.x0 + kLead, area.y1 - 4.0F},
                      f.format("check.more", fmt::arg("count", said.size() - shown)),
                      {f.theme.ink_soft, kSentence, Face::text});
}

// How many numbers each explanation gives within a rounding.
void draw_fits(Frame& f, const Seen& found, Rect area, float scale) {
    const measuring::Beside& beside = *found.beside();
    ui::Scratch& s = f.scratch;
    const auto name_of = [&](const measuring::Beside::Fit& fit) {
        const bool own = fit.name == "config" && !found.of_scene;  // a table that the settings are not of
        return f.text(s.format("findings.fit.{}", own ? std::string_view("known") : fit.name));
    };
    f.canvas.text({area.x0, area.y0 + 13.0F},
                  f.format("findings.fits", fmt::arg("numbers", ui::integer(s, beside.numbers))),
                  {f.theme.ink_soft, ui::kSmallSize, Face::text});
    float y = area.y0 + kFitsHead - 2.0F;
    const auto room = [&](std::string_view count) {  // for a name beside it
        return area.width() - f.canvas.text_width(count, Face::strong, scale * kSentence) - 12.0F;
    };
    for (const auto& fit : beside.fits)
        if (f.canvas.text_width(name_of(fit), Face::text, scale * kSentence) >
            room(ui::integer(s, fit.within)))
            scale = 1.0F;
    const float size = scale * kSentence, pitch = kBar + (scale - 1.0F) * 60.0F;
    for (const auto& fit : beside.fits) {
        if (y + kBar > area.y1) return;
        const std::string_view count = ui::integer(s, fit.within);
        f.canvas.text({area.x0, y + 15.0F}, cells::shortened(f, name_of(fit), Face::text, size, room(count)),
                      {f.theme.ink, size, Face::text});
        f.canvas.text({area.x1, y + 15.0F}, count, {f.theme.ink, size, Face::strong, Align::right});
        const double part =
            static_cast<double>(fit.within) / static_cast<double>(std::max<std::int64_t>(beside.numbers, 1));
        f.canvas.fill({area.x0, y + 22.0F, area.x1, y + 26.0F}, f.theme.track, 2.0F);
        const float end = area.x0 + static_cast<float>(part) * area.width();
        if (end > area.x0 + 1.0F)
            f.canvas.fill({area.x0, y + 22.0F, end, y + 26.0F},
                          fit.within == beside.numbers ? f.theme.seen : f.theme.ink_soft, 2.0F);
        y += pitch;
    }
}

void draw(Frame& f, Rect area) {
    if (absent(f, area)) return;
    if (f.hide_hints_that_answer) return explain_absence(f, area, "measured.held_back");
    const Seen& found = *seen(f);
    if (area.width() < 110.0F) return;
    const auto& said = *f.derived.part<Sentences>().said.get(
        {kept_seen(f.derived, f.scene), f.strings.language(), &f.strings},
        [](const SaidKey& key) { return said_of(key); });
    area.cut_top(4.0F);
    const measuring::Beside* const beside = found.beside();
    const bool fits = beside != nullptr && !beside->fits.empty();
    Rect right;
    if (fits && area.width() > 520.0F) {
        right = area;
        right.x0 = area.x0 + 0.66F * area.width();
        area.x1 = right.x0 - 24.0F;
    }
    const float scale = scale_for(f, said, area);
    if (!right.empty()) draw_fits(f, found, right, scale);
    else if (fits &&
             area.height() > kFitsHead + kBar * static_cast<float>(beside->fits.size()) + 3.0F * kLine)
        draw_fits(f, found, area.cut_bottom(kFitsHead + kBar * static_cast<float>(beside->fits.size())),
                  1.0F);
    draw_sentences(f, said, area, right.empty() && fits ? 1.0F : scale);
}

}  // namespace
}  // namespace findings_figure

extern const Figure kFindings;
const Figure kFindings =
    measured::figure_of_dump("findings", findings_figure::headline, findings_figure::draw);

}  // namespace posiscope::figures
