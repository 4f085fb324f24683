#include "app/workbench/teach/handout.hpp"

#include "app/platform/gui.hpp"
#include "app/ui/lines.hpp"
#include "app/workbench/workbench.hpp"

#include <algorithm>

namespace posiscope::workbench {
namespace {

constexpr float kMargin = 56.0F, kBody = 15.5F, kLine = 1.4F, kPictureHeight = 340.0F, kAnswerHeight = 220.0F;
constexpr float kFormula = 19.0F;
constexpr float kWriting = 30.0F;  // between lines that are written on

// Text from the top of a page to its end, and on to the next.
class PageWriter {
public:
    PageWriter(exporting::VectorPage& page, const Paper& paper, const ui::Theme& theme, std::string foot)
        : page_(page),
          theme_(theme),
          foot_(std::move(foot)),
          area_{kMargin, kMargin, static_cast<float>(paper.width) - kMargin,
                static_cast<float>(paper.height) - kMargin},
          y_(area_.y0) {
        end_page();
    }

    const Rect& area() const { return area_; }
    float y() const { return y_; }
    void space(float height) { y_ += height; }

    // Starts a page if less room than this remains.
    void need(float height) {
        if (y_ + height > area_.y1) next_page();
    }
    void next_page() {
        page_.next_page();
        y_ = area_.y0;
        ++number_;
        end_page();
    }

    float height_of(std::string_view text, float indent = 0.0F, float size = kBody,
                    ui::Face face = ui::Face::text) const {
        return kLine * size *
               static_cast<float>(ui::line_count(page_.canvas(), text, face, size, area_.width() - indent,
                                                 numbers_of(face)));
    }

    // A line that does not fit begins the next page.
    void say(std::string_view text, float indent = 0.0F, float size = kBody, ui::Face face = ui::Face::text,
             bool soft = false) {
        canvas::Canvas& canvas = page_.canvas();
        const ui::Numbers numbers = numbers_of(face);
        const ui::Colour colour = soft ? theme_.ink_soft : theme_.ink;
        while (!text.empty()) {
            need(kLine * size);
            const std::string_view line =
                text.substr(0, ui::line_end(canvas, text, face, size, area_.width() - indent, numbers));
            text.remove_prefix(line.size());
            canvas.line_of_text({area_.x0 + indent, y_ + 1.05F * size}, line, {colour, size, face}, numbers);
            y_ += kLine * size;
        }
    }

    // A formula by itself.
    float formula_height(std::string_view formula) const {
        if (formula.empty()) return 0.0F;
        const ui::FormulaBox box = ui::lay_out(formula, kFormula, page_.canvas());
        return box.ascent + box.descent + 12.0F;
    }
    void formula(std::string_view formula) {
        if (formula.empty()) return;
        const float height = formula_height(formula);
        need(height);
        const float ascent = ui::lay_out(formula, kFormula, page_.canvas()).ascent;
        page_.canvas().formula({area_.x0, y_ + 6.0F + ascent}, formula, kFormula, theme_.ink);
        y_ += height;
    }

    // A box to tick, or one that is ticked, before the next line.
    void box(bool ticked) {
        need(kLine * kBody);
        canvas::Canvas& canvas = page_.canvas();
        const Rect square{area_.x0 + 4.0F, y_ + 4.0F, area_.x0 + 17.0F, y_ + 17.0F};
        canvas.outline(square, {theme_.ink, 1.2F});
        if (!ticked) return;
        const std::array<Point, 3> tick = {Point{square.x0 + 2.5F, square.y0 + 7.0F},
                                           {square.x0 + 5.5F, square.y1 - 3.0F},
                                           {square.x1 - 2.0F, square.y0 + 2.5F}};
        canvas.polyline(tick, {theme_.ink, 1.8F});
    }

    // Room to write, on lines.
    void lines(int count) {
        for (int i = 0; i < count; ++i) {
            need(kWriting);
            y_ += kWriting;
            page_.canvas().line({area_.x0, y_}, {area_.x1, y_}, {theme_.border, 1.0F});
        }
    }

private:
    // Follows the pane; headings are strong anyway.
    static ui::Numbers numbers_of(ui::Face face) {
        return face == ui::Face::text ? ui::Numbers::strong : ui::Numbers::plain;
    }
    void end_page() {
        canvas::Canvas& canvas = page_.canvas();
        const float y = area_.y1 + 28.0F;
        canvas.text({area_.x0, y}, foot_, {theme_.ink_soft, ui::kSmallSize});
        canvas.text({area_.x1, y}, std::to_string(number_),
                    {theme_.ink_soft, ui::kSmallSize, ui::Face::text, canvas::Align::right});
    }

    exporting::VectorPage& page_;
    const ui::Theme& theme_;
    std::string foot_;
    Rect area_;
    float y_;
    int number_ = 1;
};

// The picture and the words of one step.
class Sheet {
public:
    Sheet(Workbench& bench, platform::Gui& gui, exporting::VectorPage& page, PageWriter& writer)
        : bench_(bench), gui_(gui), page_(page), writer_(writer), guide_(bench.teaching.guide()) {}

    void step(std::size_t index) {
        auto scene = guide_.present(index, false);
        if (!scene) return;
        bench_.session.open(std::move(*scene));
        const panels::StepWords words = say(false);
        const figures::Figure* figure = figures::find_figure(guide_.step()->figure);
        const Shown shown{
            .controls = false, .figure = figure != nullptr ? figure->id : "", .plain = figure != nullptr};
        const Point room = smallest_room(shown);
        const float width = writer_.area().width();
        // A bench is drawn as large as it needs to be, and made smaller.
        const float scale = std::min(1.0F, width / room.x);
        const float height = shown.figure.empty() ? room.y * scale : kPictureHeight;
        float below = 8.0F + writer_.height_of(words.text) + writer_.formula_height(words.formula) +
                      writer_.height_of(words.goal) +
                      writer_.height_of(words.question);  // nothing needs room after the last step of a page
        for (const auto& list : {words.choices, words.cards})
            for (const panels::ChoiceWords& one : list) below += writer_.height_of(one.text, 28.0F);
        if (!words.question.empty()) below += 3.0F * kWriting;
        if (!words.goal.empty()) below += 5.0F * kWriting;
        writer_.need(std::min(height + 30.0F + below, writer_.area().height()));
        writer_.say(heading(index), 0.0F, ui::kSmallSize, ui::Face::text, true);
        writer_.space(2.0F);
        picture(shown, {width / scale, height / scale}, scale);
        writer_.space(height + 8.0F);
        writer_.say(words.text);
        writer_.formula(words.formula);
        if (!words.question.empty()) {
            writer_.space(6.0F);
            writer_.say(words.question);
            for (const auto& list : {words.choices, words.cards})
                for (const panels::ChoiceWords& one : list) {
                    writer_.box(false);
                    writer_.say(one.text, 28.0F);
                }
            write(bench_.appearance.strings().text("handout.why"), 2);
        }
        if (!words.goal.empty()) {
            writer_.space(6.0F);
            writer_.say(words.goal);
            write(bench_.appearance.strings().text("handout.how"), 4);
        }
        writer_.space(26.0F);
    }

    bool asks(std::size_t index) const {
        const Guide::Source from = guide_.source(index);
        return from.step != nullptr && (from.step->question || from.step->task);
    }

    void answer(std::size_t index) {
        auto scene = guide_.present(index, true);
        if (!scene) return;
        const panels::StepWords words = say(true);
        const figures::Figure* figure = figures::find_figure(guide_.step()->figure);
        const auto& question = guide_.source(index).step->question;
        const bool drawn = question && question->sketch && figure != nullptr;  // whose answer is a curve
        writer_.need(5.0F * kLine * kBody + (drawn ? kAnswerHeight + 8.0F : 0.0F));
        writer_.say(heading(index), 0.0F, ui::kSmallSize, ui::Face::text, true);
        writer_.say(words.question.empty() ? words.goal : words.question);
        if (drawn) {
            bench_.session.open(std::move(*scene));
            picture({.controls = false, .figure = figure->id, .plain = true},
                    {writer_.area().width(), kAnswerHeight}, 1.0F);
            writer_.space(kAnswerHeight + 8.0F);
        }
        for (const panels::ChoiceWords& choice : words.choices) {
            writer_.box(choice.right);
            writer_.say(choice.text, 28.0F);
            if (!choice.right) writer_.say(choice.says, 28.0F, 14.5F, ui::Face::text, true);
        }
        for (const panels::ChoiceWords& card : words.cards_in_order) writer_.say(card.text, 28.0F);
        writer_.say(words.question.empty() ? words.well : words.then);
        writer_.space(16.0F);
    }

private:
    void write(std::string_view about, int lines) {
        writer_.space(6.0F);
        writer_.say(about, 0.0F, ui::kSmallSize, ui::Face::text, true);
        writer_.lines(lines);
    }
    panels::StepWords say(bool revealed) {
        return *words_.of(guide_, guide_.own_scene(), bench_.appearance.strings(), revealed);
    }
    std::string heading(std::size_t index) const {
        return bench_.appearance.strings().format("handout.step", fmt::arg("step", index + 1));
    }
    void picture(Shown shown, Point size, float scale) {
        shown.on = &page_.canvas();
        page_.push_origin({writer_.area().x0, writer_.y()}, static_cast<double>(scale));
        gui_.begin(static_cast<int>(size.x), static_cast<int>(size.y), 1.0F, 1.0F / 60.0F);
        bench_.frame(0.0F, 1.0F, shown);
        gui_.end();
        page_.pop_origin();
    }

    Workbench& bench_;
    platform::Gui& gui_;
    exporting::VectorPage& page_;
    PageWriter& writer_;
    Guide& guide_;
    GuideWords words_{figures::kExactWork};
};

}  // namespace

std::string handout(const lessons::Lesson& lesson, const Preferences& preferences, const Paper& paper) {
    platform::Gui gui(false);
    Workbench bench(Scene(), preferences, nullptr);
    const Strings& strings = bench.appearance.strings();
    Teaching& teaching = bench.teaching;
    (void)teaching.begin(std::make_shared<const lessons::Lesson>(lesson), "handout");
    GuideWords words;
    std::string title = words.of(teaching.guide(), Scene(), strings)->title;
    if (lesson.number > 0) title = fmt::format("{}  {}", lesson.number, title);

    exporting::VectorPage page({.format = exporting::VectorFormat::pdf,
                                .width = paper.width,
                                .height = paper.height,
                                .dpi = paper.dpi,
                                .title = title});
    const ui::Theme& theme = ui::theme(preferences.theme);
    PageWriter writer(page, paper, theme, fmt::format("Posiscope · {}", title));
    writer.say(title, 0.0F, 26.0F, ui::Face::strong);
    writer.space(14.0F);
    Sheet sheet(bench, gui, page, writer);
    std::vector<std::size_t> asking;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        if (!lesson.steps[i].paper) continue;
        sheet.step(i);
        if (sheet.asks(i)) asking.push_back(i);
    }
    if (!asking.empty()) {
        writer.next_page();
        writer.say(strings.text("handout.answers"), 0.0F, 22.0F, ui::Face::strong);
        writer.space(12.0F);
        for (const std::size_t i : asking) sheet.answer(i);
    }
    return page.finish();
}

Result<StepPicture> step_picture(const lessons::Lesson& lesson, std::size_t step,
                                 const Preferences& preferences, const PictureOptions& options) {
    platform::Gui gui(false);
    Preferences chosen = preferences;
    chosen.presenting_theme = preferences.theme;
    Workbench model(Scene(), chosen, nullptr);
    Teaching& teaching = model.teaching;
    (void)teaching.begin(std::make_shared<const lessons::Lesson>(lesson), "pictures");
    (void)teaching.guide().go_to(step);
    (void)model.lecture.presenting.begin(teaching.guide(), {});
    if (has_beat(teaching.guide(), step, Beat::question) && model.lecture.presenting.beat() == Beat::line)
        (void)model.lecture.presenting.turn(teaching.guide(), 1);
    if (const figures::Figure* figure = figures::find_figure(lesson.steps[step].figure)) {
        model.layout.show_alone(figure->id);
        model.layout.apply();
    }
    const auto scale = static_cast<double>(model.sizing.fit(
        static_cast<int>(std::lround(options.width)), static_cast<int>(std::lround(options.height)), 1.0F));
    PictureOptions drawn = options;
    drawn.width = options.width / scale;
    drawn.height = options.height / scale;
    drawn.scale = options.scale * scale;
    drawn.controls = true;
    drawn.figure = {};
    drawn.like = &model;
    const Scene& scene = teaching.guide().own_scene();
    return picture(scene, chosen, drawn).map([&](Image image) {
        return StepPicture{std::move(image), scene};
    });
}

}  // namespace posiscope::workbench
