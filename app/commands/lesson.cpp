#include "app/commands/lesson.hpp"

#include "app/commands/command.hpp"
#include "app/commands/series.hpp"
#include "app/commands/streams.hpp"
#include "app/export/png.hpp"
#include "app/platform/offscreen.hpp"
#include "app/ui/known.hpp"
#include "app/workbench/document/lesson_file.hpp"
#include "app/workbench/teach/decks.hpp"
#include "core/formats/file.hpp"

namespace posiscope::commands {
namespace {

using Kept = std::shared_ptr<const lessons::Lesson>;

Result<Kept> lesson_of(const std::string& named) {
    std::vector<std::string_view> known;
    for (const lessons::Lesson& lesson : ui::known_lessons()) {
        if (lesson.id == named || std::to_string(lesson.number) == named)
            return std::make_shared<const lessons::Lesson>(lesson);
        known.emplace_back(lesson.id);
    }
    if (auto deck = workbench::make_deck(named))
        return std::make_shared<const lessons::Lesson>(std::move(*deck));
    if (named.find_first_of("./") == std::string::npos) {
        for (const lessons::Lesson& deck : workbench::known_decks()) known.emplace_back(deck.id);
        return tl::unexpected(not_one_of("--lesson", named, known));
    }
    const auto text = read_file(named, lessons::kLargestLesson);
    if (!text) return tl::unexpected(text.error());
    return workbench::read_lesson(named, *text);
}

Result<void> write_handout(const LessonOrder& order, const lessons::Lesson& lesson) {
    workbench::Paper paper;
    paper.dpi = order.dpi;
    if (order.sized) {
        paper.width = order.picture.width;
        paper.height = order.picture.height;
        for (const auto& [side, least] : {std::pair(paper.width, workbench::kNarrowestPaper),
                                          std::pair(paper.height, workbench::kLowestPaper)})
            if (side < least)
                return refuse("render.paper",
                              {{"width", to_text(std::ceil(workbench::kNarrowestPaper * 25.4 / 96.0))},
                               {"height", to_text(std::ceil(workbench::kLowestPaper * 25.4 / 96.0))}});
    }
    auto file = open_output(order.output);
    if (!file) return tl::unexpected(file.error());
    file->write(workbench::handout(lesson, order.preferences, paper));
    return file->commit();
}

Result<void> write_steps(const LessonOrder& order, const lessons::Lesson& lesson) {
    const auto context = platform::Offscreen::create(platform::Contexts::only);
    if (!context) return tl::unexpected(context.error());
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const auto drawn = workbench::step_picture(lesson, i, order.preferences, order.picture);
        if (!drawn) return tl::unexpected(drawn.error());
        const auto text = exporting::scene_text(drawn->scene);
        if (!text) return tl::unexpected(text.error());
        const auto path = numbered(order.output, static_cast<std::int64_t>(i) + 1);
        if (auto written = write_file(path, exporting::png(drawn->image, {.dpi = order.dpi, .scene = *text}));
            !written)
            return written;
    }
    return {};
}

}  // namespace

Result<void> write_lesson(const LessonOrder& order) {
    const bool pdf = order.output.ends_with(".pdf");
    if (!pdf && !(order.output.ends_with(".png") && is_series(order.output)))
        return refuse("render.lesson_output", {{"path", order.output}});
    const auto lesson = lesson_of(order.lesson);
    if (!lesson) return tl::unexpected(lesson.error());
    return pdf ? write_handout(order, **lesson) : write_steps(order, **lesson);
}

}  // namespace posiscope::commands
