// check.cpp — compares the settings with those of training, in sentences, errors first.
#include "core/models/check.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/training.hpp"

namespace posiscope::figures {
namespace {

using canvas::Align;
using ui::Face;

constexpr float kTitle = 15.0F, kSentence = 14.0F, kLead = 28.0F;
constexpr float kLine = 1.4F * kSentence, kFilled = 0.93F;  // of a line's width, what words fill on average
constexpr std::size_t kMostRows = 24;
constexpr int kMostLines = 8;

// The findings as they are said, kept while neither the Scene nor the language changes.
class Kept {
public:
    struct Said {
        Severity severity;
        std::string title, sentence;
        bool about_pairs = false;  // the worst pair lights up with it
    };

    const std::vector<Said>& get(const Scene& scene, const Strings& strings) {
        if (key_ && key_->encoding == scene.encoding && key_->trained == scene.trained &&
            key_->base == scene.base && key_->d_model == scene.d_model &&
            key_->num_heads == scene.num_heads && key_->head_dim == scene.head_dim &&
            key_->length == scene.length && key_->view == scene.view && language_ == strings.language())
            return said_;
        key_ = scene;
        language_ = strings.language();
        said_.clear();
        const auto found = check_settings(scene);
        if (!found) return said_;
        if (scene.trained == Trained{})
            said_.push_back({Severity::note, std::string(strings.text("check.untold")),
                             strings.sentence({"check.untold", {}}), false});
        for (const Finding& finding : *found) {
            const bool fine = finding.severity == Severity::fine;
            said_.push_back({finding.severity,
                             std::string(strings.text("check." + finding.subject + (fine ? "_fine" : ""))),
                             strings.sentence(finding.problem),
                             finding.subject == "replaced" || finding.subject == "changed"});
        }
        return said_;
    }

private:
    std::optional<Scene> key_;
    Language language_ = Language::english;
    std::vector<Said> said_;
};

const std::vector<Kept::Said>& said(Frame& f) { return f.derived.part<Kept>().get(f.scene, f.strings); }

// A tick, an exclamation mark or a cross, drawn: fonts need not have them.
void draw_mark(Frame& f, Point at, Severity severity) {
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    constexpr float r = 8.5F;
    if (severity == Severity::note) {
        c.circle(at, r - 0.8F, {theme.beyond, 1.6F});
        c.line({at.x, at.y - 4.5F}, {at.x, at.y + 1.0F}, {theme.beyond, 2.0F});
        c.disc({at.x, at.y + 4.2F}, 1.3F, theme.beyond);
        return;
    }
    c.disc(at, r, severity == Severity::fine ? theme.seen : theme.beyond);
    const canvas::Stroke stroke{theme.tile, 2.0F};
    if (severity == Severity::fine) {
        const std::array tick = {Point{at.x - 4.0F, at.y + 0.3F}, Point{at.x - 1.2F, at.y + 3.2F},
                                 Point{at.x + 4.2F, at.y - 3.2F}};
        c.polyline(tick, stroke);
    } else {
        c.line({at.x - 3.2F, at.y - 3.2F}, {at.x + 3.2F, at.y + 3.2F}, stroke);
        c.line({at.x + 3.2F, at.y - 3.2F}, {at.x - 3.2F, at.y + 3.2F}, stroke);
    }
}

// How many lines a sentence takes; a line is never filled to its end.
int lines_of(Frame& f, std::string_view sentence, float width) {
    const float lines = f.canvas.text_width(sentence, Face::text, kSentence) / (kFilled * width);
    return std::max(1, static_cast<int>(std::ceil(lines)));
}

// Of so many lines: each sentence as many as it needs while there are any left, an objection before what is fine, and
// every objection one before any has more.
void share_lines(Frame& f, const std::vector<Kept::Said>& all, float width, int lines,
                 std::span<int> shares) {
    const auto give = [&](bool fine, int most) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            if ((all[i].severity == Severity::fine) != fine) continue;
            const int wanted = std::min(most, lines_of(f, all[i].sentence, width)) - shares[i];
            const int given = std::clamp(wanted, 0, std::max(0, lines));
            shares[i] += given;
            lines -= given;
        }
    };
    for (int most = 1; most <= kMostLines; ++most) give(false, most);
    give(true, kMostLines);
}

// A sentence that has no room in its row stands in the tip, in up to three lines.
void put_into_tip(Frame& f, std::string_view title, std::string_view sentence) {
    constexpr float kWidest = 520.0F;
    f.tip.value = title;
    for (std::string_view& line : f.tip.details) {
        std::size_t end = 0, next = 0;
        while (next < sentence.size()) {
            next = std::min(sentence.find_first_of(" \xef\xe3", next + 1), sentence.size());
            if (next < sentence.size() && sentence[next] != ' ') next += 3;  // after 。，；
            if (end > 0 && f.canvas.text_width(sentence.substr(0, next), Face::text, 14.5F) > kWidest) break;
            end = next;
        }
        line = sentence.substr(0, end);
        sentence.remove_prefix(end);
    }
}

std::string_view headline(Frame& f) {
    if (!training(f).made) return {};
    const auto& all = said(f);
    const auto count = [&](Severity severity) {
        return static_cast<std::size_t>(std::count_if(
            all.begin(), all.end(), [&](const Kept::Said& one) { return one.severity == severity; }));
    };
    const std::size_t wrong = count(Severity::wrong), notes = count(Severity::note);
    if (wrong > 0)
        return f.format(wrong == 1 ? "check.headline_one" : "check.headline", fmt::arg("against", wrong),
                        fmt::arg("count", all.size()));
    if (notes > 0)
        return f.format("check.headline_notes", fmt::arg("notes", notes), fmt::arg("count", all.size()));
    return f.format("check.headline_fine", fmt::arg("count", all.size()));
}

void draw(Frame& f, Rect area) {
    const TrainingCurves& curves = training(f);
    if (!curves.made) return explain_absence(f, area, curves.made.error());
    if (area.width() < 100.0F) return;
    const auto& all = said(f);
    area.cut_top(6.0F);
    const float width = std::min(area.width() - kLead, 640.0F);
    // Every title; of the sentences as many lines as there is room for, what is wrong before what is fine.
    const std::size_t count = std::min(all.size(), kMostRows);
    std::array<int, kMostRows> lines{};
    const auto room = [&](float each) {
        return static_cast<int>((area.height() - each * static_cast<float>(count)) / kLine);
    };
    int wanted = 0;
    for (const Kept::Said& one : all) wanted += lines_of(f, one.sentence, width);
    const float title = room(30.0F) >= wanted ? 24.0F : 20.0F,
                gap = title - 18.0F;  // closer where it is tight
    share_lines(f, all, width, room(title + gap), lines);
    float y = area.y0;
    for (std::size_t i = 0; i < count; ++i) {
        const Kept::Said& one = all[i];
        const float top = y;
        const bool in_full = lines[i] >= lines_of(f, one.sentence, width);
        draw_mark(f, {area.x0 + 9.0F, y + 10.0F}, one.severity);
        f.canvas.text({area.x0 + kLead, y + 15.0F}, one.title, {f.theme.ink, kTitle, Face::strong});
        if (lines[i] == 0)  // the rest stands in the tip
            f.canvas.text(
                {area.x0 + kLead + f.canvas.text_width(one.title, Face::strong, kTitle) + 5.0F, y + 15.0F},
                "…", {f.theme.ink_soft, kTitle, Face::text});
        y += title;
        if (lines[i] > 0) {
            const std::string_view shown =
                in_full ? std::string_view(one.sentence)
                        : cells::shortened(f, one.sentence, Face::text, kSentence,
                                           kFilled * width * static_cast<float>(lines[i]));
            y += f.canvas.paragraph({area.x0 + kLead, y - 3.0F}, shown,
                                    {f.theme.ink_soft, kSentence, Face::text}, width);
        }
        y += gap;
        const Rect row{area.x0, top, area.x1, y};
        if (!f.over(row)) continue;
        if (!in_full) put_into_tip(f, one.title, one.sentence);
        if (one.about_pairs) {  // the pair that is farthest off lights up everywhere
            const std::size_t pair = curves.made->deviation->worst_pair;
            f.hovered.frequency = curves.made->now.frequency[pair];
            if (f.clicked(row)) f.edit().pair = static_cast<std::int64_t>(pair);
        }
    }
}

std::span<const std::string_view> numbers(std::string_view) {
    static constexpr std::array<std::string_view, 2> names = {"turns", "frequencies"};
    return names;
}

}  // namespace

extern const Figure kCheck;
const Figure kCheck{"check", headline, draw, nullptr, false, false, numbers};

}  // namespace posiscope::figures
