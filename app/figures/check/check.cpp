// check.cpp — compares the settings with those of training, in sentences, errors first.
#include "core/models/check.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/training.hpp"
#include "app/ui/lines.hpp"

namespace posiscope::figures {
namespace check_figure {
namespace {

using ui::Face;

constexpr float kTitle = 15.0F, kSentence = 14.0F, kLead = 28.0F;
constexpr float kLine = 1.4F * kSentence;
constexpr float kLoose = 24.0F, kTight = 20.0F;  // the height of a title; its gap is what is left over 18
constexpr float gap_below(float title) { return title - 18.0F; }
constexpr std::size_t kMostRows = 24;  // shown at once; a scene may have any number of findings

// A finding as it is said.
struct Said {
    Severity severity;
    std::string title, sentence;
    bool about_pairs = false;  // the worst pair lights up with it
};
// The strings of a language that is loaded; what they say is a function of the language.
struct SaidKey {
    Kept<SpectrumInput> input;
    Kept<Json> origin;  // the view's: where the settings come from
    Language language;
    const Strings* strings;
    bool operator==(const SaidKey&) const = default;
};
// How many lines each sentence takes; the faces that a canvas measures with are the program's own.
struct LinesKey {
    Kept<std::vector<Said>> said;
    float width;
    const ui::Measure* measure;
    bool operator==(const LinesKey&) const = default;
};
struct Findings {
    Same<Json> origin;
    Memo<SaidKey, std::vector<Said>> said;
    Memo<LinesKey, std::vector<int>> lines;
};

std::vector<Said> said_from(const SaidKey& key) {
    const Strings& strings = *key.strings;
    std::vector<Said> said;
    Scene scene;
    static_cast<SpectrumInput&>(scene) = *key.input;
    scene.view["model"] = *key.origin;
    const auto found = check_settings(scene);
    if (!found) return said;
    if (scene.trained == Trained{})
        said.push_back({Severity::note, std::string(strings.text("check.untold")),
                        strings.sentence_in_window({"check.untold", {}}), false});
    for (const Finding& finding : *found) {
        const bool fine = finding.severity == Severity::fine;
        said.push_back({finding.severity,
                        std::string(strings.text("check." + finding.subject + (fine ? "_fine" : ""))),
                        strings.sentence_in_window(finding.problem),
                        finding.subject == "replaced" || finding.subject == "changed"});
    }
    return said;
}

const Kept<std::vector<Said>>& kept_findings(Frame& f) {
    static const Json none;
    Findings& kept = f.derived.part<Findings>();
    const auto origin = f.scene.view.find("model");
    return kept.said.get({f.derived.input<SpectrumInput>(f.scene),
                          kept.origin.of(origin != f.scene.view.end() ? *origin : none), f.strings.language(),
                          &f.strings},
                         [](const SaidKey& key) { return said_from(key); });
}
const std::vector<Said>& said(Frame& f) { return *kept_findings(f); }

const std::vector<int>& lines_of(Frame& f, float width) {
    return *f.derived.part<Findings>().lines.get(
        {kept_findings(f), width, &f.canvas}, [](const LinesKey& key) {
            std::vector<int> lines;
            for (const Said& one : *key.said)
                lines.push_back(ui::line_count(*key.measure, one.sentence, Face::text, kSentence, key.width));
            return lines;
        });
}

// The lines of a sentence: how many it takes, and how many it gets.
struct Share {
    int wanted = 0, given = 0;
};

// Divides so many lines: each sentence gets as many as it needs while there are any left, an objection before what is fine,
// and every objection one before any has more.
void share_lines(std::span<const Said> rows, std::span<Share> shares, int lines) {
    const auto give = [&](bool fine, int most) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if ((rows[i].severity == Severity::fine) != fine) continue;
            const int more = std::clamp(std::min(most, shares[i].wanted) - shares[i].given, 0, lines);
            shares[i].given += more;
            lines -= more;
        }
    };
    int longest = 0;
    for (const Share& share : shares) longest = std::max(longest, share.wanted);
    for (int most = 1; most <= longest && lines > 0; ++most) give(false, most);
    give(true, longest);
}

// So many lines of a sentence, the last one cut where there are more; returns their height.
float draw_lines(Frame& f, Point top_left, std::string_view sentence, int lines, float width) {
    const canvas::TextStyle style{f.theme.ink_soft, kSentence, Face::text};
    std::string_view rest = sentence;
    for (int i = 1; i < lines; ++i)
        rest.remove_prefix(ui::line_end(f.canvas, rest, style.face, style.size, width));
    const auto before = static_cast<std::size_t>(rest.data() - sentence.data());
    const float height =
        before > 0 ? f.canvas.paragraph(top_left, sentence.substr(0, before), style, width) : 0.0F;
    return height + f.canvas.paragraph({top_left.x, top_left.y + height},
                                       cells::shortened(f, rest, style.face, style.size, width), style,
                                       width);
}

// The first row in view: the wheel goes on to what there is no room for.
std::size_t first_row(Frame& f, Rect area, std::size_t last_first) {
    const Json* chosen = view_value(f.scene, "check", "first");
    const auto wanted = chosen != nullptr && chosen->is_number_integer() ? chosen->get<std::int64_t>() : 0;
    const auto last = static_cast<std::int64_t>(last_first),
               first = std::clamp<std::int64_t>(wanted, 0, last);
    if (last > 0 && f.over(area) && f.pointer->wheel != 0.0F) {
        const auto next = std::clamp<std::int64_t>(
            first - std::lround(std::clamp(3.0F * f.pointer->wheel, -99.0F, 99.0F)), 0, last);
        set_view_value(f.edit(), "check", "first", next == 0 ? Json(nullptr) : Json(next));
    }
    return static_cast<std::size_t>(first);
}

std::string_view headline(Frame& f) {
    if (!training(f).made) return {};
    const auto& all = said(f);
    const auto count = [&](Severity severity) {
        return static_cast<std::size_t>(
            std::count_if(all.begin(), all.end(), [&](const Said& one) { return one.severity == severity; }));
    };
    const auto counted = [&](std::size_t n) { return ui::counted(f.scratch, static_cast<std::int64_t>(n)); };
    const std::size_t wrong = count(Severity::wrong), notes = count(Severity::note);
    if (wrong > 0)
        return f.format(wrong < all.size() ? "check.headline"
                        : wrong == 1       ? "check.headline_all_one"
                                           : "check.headline_all",
                        fmt::arg("against", counted(wrong)), fmt::arg("count", counted(all.size())));
    if (notes > 0)
        return f.format("check.headline_notes", fmt::arg("notes", notes),
                        fmt::arg("count", counted(all.size())));
    return f.format(all.size() == 1 ? "check.headline_fine_one" : "check.headline_fine",
                    fmt::arg("count", counted(all.size())));
}

void draw(Frame& f, Rect area) {
    const TrainingCurves& curves = training(f);
    if (!curves.made) return explain_absence(f, area, curves.made.error());
    if (area.width() < 100.0F) return;
    const auto& all = said(f);
    area.cut_top(6.0F);
    const float width = std::min(area.width() - kLead, 640.0F);
    // Every title that has room; of the sentences as many lines as there is room for, what is wrong before what is fine.
    const float least = kTight + gap_below(kTight);
    const std::size_t fit = std::clamp<std::size_t>(
        static_cast<std::size_t>(std::max(0.0F, area.height() / least)), 1, kMostRows);
    const std::size_t count = all.size() > fit ? std::max<std::size_t>(1, fit - 1) : all.size();
    const std::size_t first = first_row(f, area, all.size() - count);
    const auto rows = std::span(all).subspan(first, count);
    if (count < all.size())
        f.canvas.text({area.x0 + kLead, area.y1 - 6.0F},
                      f.format(f.pointer != nullptr ? "check.more_scroll" : "check.more",
                               fmt::arg("count", all.size() - count)),
                      {f.theme.ink_soft, kSentence, Face::text});
    if (count < all.size()) area.cut_bottom(least);

    std::array<Share, kMostRows> shares{};
    const auto own = std::span(shares).first(count);
    int wanted = 0;
    const std::vector<int>& lines = lines_of(f, width);
    for (std::size_t i = 0; i < count; ++i) wanted += own[i].wanted = lines[first + i];
    const auto room = [&](float title) {
        const float titles = (title + gap_below(title)) * static_cast<float>(count);
        return std::max(0, static_cast<int>((area.height() - titles) / kLine));
    };
    const float title = room(kLoose) >= wanted ? kLoose : kTight;  // closer where it is tight
    share_lines(rows, own, room(title));

    float y = area.y0;
    for (std::size_t i = 0; i < count; ++i) {
        const Said& one = rows[i];
        const float top = y;
        const bool in_full = own[i].given >= own[i].wanted;
        draw_mark(f, {area.x0 + 9.0F, y + 10.0F}, one.severity);
        f.canvas.text({area.x0 + kLead, y + 15.0F}, one.title, {f.theme.ink, kTitle, Face::strong});
        if (own[i].given == 0)
            f.canvas.text(
                {area.x0 + kLead + f.canvas.text_width(one.title, Face::strong, kTitle) + 5.0F, y + 15.0F},
                "…", {f.theme.ink_soft, kTitle, Face::text});
        y += title;
        if (own[i].given > 0)
            y += draw_lines(f, {area.x0 + kLead, y - 3.0F}, one.sentence, own[i].given, width);
        y += gap_below(title);
        const Rect row{area.x0, top, area.x1, y};
        if (!f.over(row)) continue;
        if (!in_full) {
            f.tip.value = one.title;
            f.tip.details[0] = one.sentence;
        }
        if (one.about_pairs) {  // the pair that is farthest off lights up everywhere
            const std::size_t pair = curves.made->deviation->worst_pair;
            f.hovered.frequency = curves.made->now.frequency[pair];
            if (f.clicked(row)) f.edit().pair = static_cast<std::int64_t>(pair);
        }
    }
}

}  // namespace
}  // namespace check_figure

extern const Figure kCheck{
    .id = "check",
    .headline = check_figure::headline,
    .draw = check_figure::draw,
    .modes = nullptr,
    .numbers = fixed_numbers<"turns", "frequencies">,
    .applies = has_pairs,
    .moves = {.position = false, .offset = false},
};

}  // namespace posiscope::figures
