// check_lesson.cpp — posiscope lesson check FILE...: reads lessons and does them: every number, answer, task and slip. A line
// each on standard output; exits with 1 where something does not hold.
#include "app/commands/command.hpp"
#include "app/commands/streams.hpp"
#include "app/workbench/document/lesson_file.hpp"
#include "core/formats/file.hpp"
#include "core/lessons/lesson.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <optional>

namespace posiscope::commands {
namespace check_lesson_command {
namespace {

struct Typed {
    std::string action;
    std::vector<std::string> files;
};

constexpr std::array<std::string_view, 1> kActions = {"check"};

std::string report(const std::string& path, const lessons::Lesson& lesson,
                   const std::vector<Problem>& findings, const Strings& strings) {
    if (findings.empty()) {
        const auto count = [&](auto has) { return std::ranges::count_if(lesson.steps, has); };
        return strings.format(
                   "lesson.checked", fmt::arg("path", printable(path)),
                   fmt::arg("steps", lesson.steps.size()),
                   fmt::arg("questions", count([](const auto& step) { return step.question.has_value(); })),
                   fmt::arg("tasks", count([](const auto& step) { return step.task.has_value(); }))) +
               "\n";
    }
    std::string lines;
    for (const Problem& problem : findings)
        lines += printable(strings.format("lesson.found", fmt::arg("path", path),
                                          fmt::arg("step", *value_of(problem, "step")),
                                          fmt::arg("sentence", strings.sentence(problem)))) +
                 "\n";
    return lines;
}

Result<void> run(const Typed& typed, const Terminal& terminal) {
    if (std::ranges::find(kActions, typed.action) == kActions.end())
        return tl::unexpected(not_one_of("ACTION", typed.action, kActions));
    if (typed.files.empty()) return refuse("lesson.no_file");
    FileWriter out = FileWriter::standard_output();
    std::size_t count = 0;
    std::optional<Problem> refused;
    for (const std::string& path : typed.files) {
        const auto lesson = read_file(path, lessons::kLargestLesson).and_then([&](const std::string& text) {
            return workbench::read_lesson(path, text);
        });
        if (!lesson) {
            refused = lesson.error();
            break;
        }
        const std::vector<Problem> found = lessons::findings(**lesson);
        out.write(report(path, **lesson, found, terminal.strings));
        count += found.size();
    }
    if (auto written = out.commit(); !written) return written;
    if (refused) return tl::unexpected(std::move(*refused));
    if (count == 0) return {};
    return failure("lesson.findings", {{"count", std::to_string(count)}});
}

Run add(CLI::App& app, const SharedOptions&, const Strings& strings) {
    auto typed = std::make_shared<Typed>();
    add_option(app, "ACTION", typed->action,
               std::string(strings.text("option.lesson_action.help")) + joined(kActions), "");
    add_option(app, "FILES", typed->files, strings.text("option.lesson_files.help"), "");
    return [typed](const Terminal& terminal) { return run(*typed, terminal); };
}

}  // namespace
}  // namespace check_lesson_command

extern const Command kLesson{"lesson", check_lesson_command::add};

}  // namespace posiscope::commands
