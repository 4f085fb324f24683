#include "app/workbench/share/sharing.hpp"

#include "app/panels/question.hpp"
#include "app/platform/host.hpp"
#include "core/json_members.hpp"
#include "core/measure/numbers.hpp"
#include "core/scene/source.hpp"

#include <algorithm>
#include <imgui.h>

namespace posiscope::workbench {

Sharing::Sharing(Session& session, Layout& layout, Preferences& preferences, Appearance& appearance,
                 Notices& notices, const Training& training, const figures::Derived& derived,
                 Requests& requests, const std::function<void()>& wake)
    : exports(wake),
      session_(session),
      layout_(layout),
      preferences_(preferences),
      appearance_(appearance),
      notices_(notices),
      training_(training),
      derived_(derived),
      requests_(requests) {
    for (const figures::Figure* figure : figures::figures()) figure_ids_.push_back(figure->id);
}

void Sharing::paste() {
    const auto text = clipboard.text();
    if (!text && platform::in_browser()) return;  // the browser asks first, and then it comes as a paste
    if (!text) return notices_.say(text.error());
    if (const auto link = link_in(*text)) return open_link(*link);
    // A scene begins with a brace; numbers never do.
    if (const auto first = text->find_first_not_of(" \t\r\n");
        first != std::string::npos && (*text)[first] != '{')
        if (const auto rows = measuring::typed_numbers(*text)) {
            const auto found = measuring::compare_numbers(session_.scene(), *rows);
            if (!found) return notices_.say(found.error());
            for (const Problem& answer : found->answers)
                notices_.say(answer, found->matches ? Tone::good : Tone::bad);
            return;
        }
    const auto json = parse_json(*text);
    auto laid = json ? overlay(session_.scene(), *json) : Result<Overlaid>(tl::unexpected(json.error()));
    if (!laid) return notices_.say(laid.error());
    session_.step(std::move(laid->scene), std::move(laid->adjusted));
}

// A link holds a whole Scene: what it does not name is as by default. Whoever wrote it wrote its page too.
void Sharing::open_link(const Link& link) {
    auto json = scene_of(link);
    if (!json) return notices_.say(json.error());
    const figures::Figure* figure = figures::find_figure(link.figure);
    if (figure == nullptr && !link.figure.empty())
        notices_.say(Problem{"link.figure", {{"name", std::string(link.figure)}}});
    (void)admit(*json, Source::anywhere());
    auto laid = overlay(Scene(), *json);
    if (!laid) return notices_.say(laid.error());
    const bool address = link.page.starts_with("https://") || link.page.starts_with("http://");
    asking.page =
        address && link.page.size() < kLongestPage && link.page != page() && platform::page_address().empty()
            ? link.page
            : std::string_view();
    session_.step(std::move(laid->scene), std::move(laid->adjusted));
    layout_.show_alone(figure != nullptr ? figure->id : std::string_view());
}

std::string Sharing::link() const { return link_of(session_.scene(), layout_.alone()); }

std::string Sharing::page() const {
    const std::string own = platform::page_address();
    return own.empty() ? preferences_.page : own;
}

void Sharing::copy_link() {
    const std::string address = page();
    copy(address + link(), address.empty() ? "toast.copied_link_end" : "toast.copied_link");
}

void Sharing::show_room_code() {
    if (room_code.shown()) return room_code.hide();
    if (const auto shown = room_code.show(page(), link()); !shown) notices_.say(shown.error());
}

void Sharing::copy(const Result<std::string>& text, std::string_view toast) {
    if (!text) return notices_.say(text.error());
    if (const auto put = clipboard.put(*text); !put) return notices_.say(put.error());
    notices_.say(std::string(appearance_.strings().text(toast)), Tone::good);
}

// The command that measures what the bench does: only the settings that a table depends on.
void Sharing::copy_check(bool beside_settings) {
    const Scene& shown = session_.shown();
    const Json* dump = object_at(shown.view, "dump");
    if (dump == nullptr) return;
    std::vector<std::string> words{"check", text_at(*dump, "file")};
    if (const std::string& after = text_at(*dump, "after"); !after.empty()) words.push_back(after);
    for (const char* key : {"tensor", "axes"})
        if (const std::string& value = text_at(*dump, key); !value.empty())
            words.insert(words.end(), {fmt::format("--{}", key), value});
    if (const auto tolerance = number_at(*dump, "tolerance"))
        words.insert(words.end(), {"--tolerance", to_text(*tolerance)});
    Scene settings;
    if (beside_settings) static_cast<ActionInput&>(settings) = shown;
    copy(shell_line(words, settings), "toast.copied_command");
}

void Sharing::copy_numbers(const figures::Figure& figure, const figures::Link* line) {
    const Scene& scene = session_.shown();
    const auto row = line != nullptr ? line_of(figure, scene, *line) : std::nullopt;
    if (line != nullptr && !row) return;
    copying_.ask(figure, scene, row);
    finish_copying();
}

void Sharing::finish_copying() {
    if (const auto copied = copying_.take(derived_.background()))
        copy(copied->text, copied->line ? "toast.copied_line" : "toast.copied_numbers");
}

// Scenes and links from others ask before they do more than show: a scene that names a file outside its own folder, and a link to a
// page that is not known to be one's own. Someone who knows where they come from decides.
bool Sharing::ask_questions(const ui::Look& look, Rect room, const LessonPlace& place,
                            std::vector<panels::ControlMark>* marks) {
    using panels::Answer;
    const auto answer = [&](const Problem& question, std::string_view yes, std::string_view other = {}) {
        const std::string text = appearance_.strings().sentence_in_window(question);
        return panels::ask(look, room,
                           {text, look.text(yes), look.text("question.not_now"),
                            other.empty() ? std::string_view() : look.text(other)},
                           marks);
    };
    const FilesToAsk files = files_to_ask_for(session_.scene());
    const auto declined = [&](const std::string* path) {
        return std::find(asking.declined.begin(), asking.declined.end(), *path) != asking.declined.end();
    };
    if (!std::all_of(files.begin(), files.end(), declined)) {
        std::string names;
        for (const std::string* path : files) names += (names.empty() ? "" : ", ") + *path;
        const bool several = files.end() - files.begin() > 1;
        // A page has the files that were given to it, and may read them all: it misses these.
        const bool missed = platform::in_browser();
        const std::string_view question = missed    ? several ? "file.missed_several" : "file.missed"
                                          : several ? "file.question_several"
                                                    : "file.question",
                               yes = missed    ? several ? "question.choose_several" : "question.choose"
                                     : several ? "question.read_several"
                                               : "question.read";
        const Answer given = answer({std::string(question), {{"path", std::move(names)}}}, yes);
        if (given == Answer::yes && missed) {
            requests_.emplace_back(panels::Command{panels::Verb::choose_file});
        } else if (given != Answer::none) {
            for (const std::string* path : files)
                if (given == Answer::yes)
                    requests_.emplace_back(panels::Command{panels::Verb::allow_file, *path});
                else asking.declined.push_back(*path);
        }
        return true;
    }
    if (!asking.page.empty()) {
        const Answer given = answer({"link.question", {{"page", asking.page}}}, "question.use");
        if (given == Answer::yes) preferences_.page = asking.page;
        if (given != Answer::none) asking.page.clear();
        return true;
    }
    if (either && either->at && !(*either->at == place)) either.reset();
    if (!either) return false;
    const Answer given = answer(either->question, either->yes, either->other);
    if (given == Answer::yes) requests_.push_back(std::move(either->on_yes));
    if (given == Answer::other) requests_.push_back(std::move(either->on_other));
    if (given != Answer::none) either.reset();
    return true;
}

void Sharing::ask_export(std::string_view figure) {
    const figures::Figure* known = figures::find_figure(figure);
    const std::string_view id = known != nullptr ? known->id : std::string_view();
    const auto& shown = training_.trainer().shown();
    const bool trains = session_.shown().bench == "experiment" && shown;
    asking.target.open(id, session_.shown(), seen_size(id),
                       trains ? static_cast<int>(shown->settings.steps) : 0);
}

// The present size of the exported tiles, in points.
std::array<int, 2> Sharing::seen_size(std::string_view figure) const {
    Rect all = layout_.around(figure);
    if (all.empty()) return {900, 600};
    if (figure.empty()) all = all.grown(kGap);
    return {static_cast<int>(all.width()), static_cast<int>(all.height())};
}

panels::ExportState Sharing::dialog() {
    panels::ExportDialog& dialog = asking.target.dialog();
    const Scene& scene = session_.shown();
    std::string_view own;
    quantity_ids_.clear();
    if (dialog.open) {
        for (const Quantity* quantity : quantities())
            if (quantity->shapes(scene)) quantity_ids_.push_back(quantity->name);
        const figures::Figure* figure = figures::find_figure(dialog.figure);
        const Quantity* drawn = figure != nullptr ? figures::numbers_of(*figure, scene) : nullptr;
        if (drawn != nullptr) own = drawn->name;
        else if (!quantity_ids_.empty()) own = quantity_ids_.front();
    }
    panels::ExportState state{.dialog = dialog,
                              .figures = figure_ids_,
                              .quantities = quantity_ids_,
                              .own_quantity = own,
                              .seen = seen_size(dialog.figure)};
    if (dialog.fresh) dialog.size = state.seen;  // the tiles are laid out only now
    return state;
}

std::vector<std::string> Sharing::export_words() {
    const panels::ExportState state = dialog();
    auto words = panels::command_of(state.dialog, state.own_quantity, preferences_.theme,
                                    code(appearance_.strings().language()));
    const auto splits = preferences_.splits.find(std::string(bench_of(session_.scene().bench).id));
    if (words[0] == "render" && state.dialog.figure.empty() && splits != preferences_.splits.end()) {
        std::string places;
        for (const double place : splits->second)
            places += fmt::format("{}{:.4g}", places.empty() ? "" : ",", place);
        words.insert(words.end(), {"--splits", places});
    }
    return words;
}

void Sharing::follow_export_dialog(std::string_view figure_before) {
    const std::string_view figure = asking.target.dialog().figure;
    if (figure_before != figure) asking.target.suggest(figure, session_.shown(), seen_size(figure));
    else asking.target.follow_ending(session_.shown());
}

void Sharing::start_export() {
    const Target target = asking.target.target();
    if (target.path.empty()) return;
    const Scene& scene = session_.shown();
    const auto& bank = training_.trainer().bank();
    const bool shows = scene.bench == "experiment" && bank && bank->finished() > 0;
    std::vector<std::string> words = export_words();
    std::string results =
        shows && words[0] == "render" ? experiment::to_text(experiment::results_of(*bank)) : "";
    requests_.push_back(
        Exports::Order{std::move(words), scene, target.path, target.replace, std::move(results)});
}

void Sharing::copy_export_command() {
    copy(shell_line(export_words(), session_.shown()), "toast.copied_command");
}

Result<void> Clipboard::put(const std::string& text) const {
    if (set_) return set_(text.c_str());
    ImGui::SetClipboardText(text.c_str());
    return {};
}

Result<std::string> Clipboard::text() const {
    const char* text = ImGui::GetClipboardText();
    if (text == nullptr || *text == '\0') return refuse("clipboard.empty");
    return std::string(text);
}

}  // namespace posiscope::workbench
