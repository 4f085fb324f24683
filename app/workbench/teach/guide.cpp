#include "app/workbench/teach/guide.hpp"

#include "core/random.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace posiscope::workbench {
namespace {

constexpr int kTriesBeforeHint = 3;

const lessons::Lesson* find(std::span<const lessons::Lesson> known, std::string_view id) {
    const auto found = std::ranges::find(known, id, &lessons::Lesson::id);
    return found != known.end() ? &*found : nullptr;
}

bool can_be_done(const lessons::Step& step) { return step.question || step.task || !step.recall.empty(); }

bool is_test(const lessons::Lesson& lesson) {
    return std::ranges::any_of(lesson.steps, &lessons::Step::results);
}

// The key of a Scene; two Scenes share one in one case of four thousand million.
std::uint32_t fingerprint(const Scene& scene) {
    std::uint64_t made = 0;
    for (const char c : posiscope::to_json(scene).dump())
        made = scattered(made ^ static_cast<unsigned char>(c));
    return static_cast<std::uint32_t>(made);
}

// The key of a step's progress: its id, or its number.
std::string name_of(const lessons::Lesson& lesson, std::size_t index) {
    const std::string& id = lesson.steps[index].id;
    return id.empty() ? std::to_string(index + 1) : id;
}

constexpr std::size_t kMostTries = 12;  // that are kept of a step: the last ones

void keep_try(std::vector<Try>& tries, const Try& one) {
    if (tries.size() == kMostTries) tries.erase(tries.begin());
    tries.push_back(one);
}

StepProgress read_progress(const Json& entry) {
    StepProgress one;
    if (!entry.is_object()) return one;
    if (const auto answer = entry.find("answer");
        answer != entry.end() && answer->is_number_unsigned() && *answer < lessons::kMostChoices)
        one.answer = answer->get<std::size_t>();
    one.done = one.answer.has_value();  // of a file that does not say so
    if (const auto done = entry.find("done"); done != entry.end() && done->is_boolean())
        one.done = done->get<bool>();
    if (const auto tries = entry.find("tries"); tries != entry.end() && tries->is_number_unsigned())
        one.tries = static_cast<int>(std::min<std::uint64_t>(tries->get<std::uint64_t>(), 1000));
    if (const auto said = entry.find("said"); said != entry.end() && said->is_number())
        one.said = said->get<double>();
    if (const auto before = entry.find("said_before"); before != entry.end() && before->is_array())
        for (const Json& kept : *before) {
            const auto whole = [&](const char* key) {
                return kept.is_object() && kept.contains(key) && kept[key].is_number_integer() &&
                       kept[key] >= 0;
            };
            if (whole("at") && whole("scene") && kept.contains("said") && kept["said"].is_number())
                keep_try(one.said_before, {kept["said"].get<double>(), kept["at"].get<std::int64_t>(),
                                           kept["scene"].get<std::uint32_t>()});
        }
    if (const auto sketch = entry.find("sketch"); sketch != entry.end() && sketch->is_array())
        for (const Json& place : *sketch)
            if (place.is_array() && place.size() == 2 && place[0].is_number() && place[1].is_number() &&
                one.sketch.size() < figures::kSketchPlaces)
                one.sketch.push_back({place[0].get<double>(), place[1].get<double>()});
    if (const auto seed = entry.find("seed"); seed != entry.end() && seed->is_number_unsigned())
        one.seed = static_cast<std::uint32_t>(seed->get<std::uint64_t>());
    return one;
}

}  // namespace

const lessons::Step& Guide::step_of(const lessons::Lesson& lesson, std::size_t index) const {
    const auto found = drawn_.find({&lesson, index});
    return found != drawn_.end() ? *found->second : lesson.steps[index];
}

const lessons::Step* Guide::step() const { return lesson_ != nullptr ? &step_of(*lesson_, index_) : nullptr; }

std::optional<Guide::Place> Guide::find_place(std::string_view place) const {
    const auto slash = place.find('/');
    const lessons::Lesson* lesson = find(known_, place.substr(0, slash));
    if (lesson == nullptr || slash == std::string_view::npos) return std::nullopt;
    const auto found = std::ranges::find(lesson->steps, place.substr(slash + 1), &lessons::Step::id);
    if (found == lesson->steps.end()) return std::nullopt;
    return Place{lesson, static_cast<std::size_t>(found - lesson->steps.begin())};
}

Guide::Source Guide::source(std::size_t index) const {
    if (lesson_ == nullptr || index >= lesson_->steps.size()) return {};
    const lessons::Step* now = &step_of(*lesson_, index);
    if (const auto recalled = find_place(now->recall))
        return {recalled->first, &step_of(*recalled->first, recalled->second)};
    return {lesson_, now};
}

const StepProgress* Guide::progress_of(const lessons::Lesson& lesson, std::size_t index) const {
    const Steps* steps = &own_progress_;
    if (&lesson != own_lesson_.get()) {
        const auto kept = progress_.find(lesson.id);
        if (kept == progress_.end()) return nullptr;
        steps = &kept->second;
    }
    const auto found = steps->find(index);
    return found != steps->end() ? &found->second : nullptr;
}

const StepProgress& Guide::progress() const {
    static const StepProgress nothing;
    const StepProgress* kept = lesson_ != nullptr ? progress_of(*lesson_, index_) : nullptr;
    return kept != nullptr ? *kept : nothing;
}

Guide::Part Guide::done_of(const lessons::Lesson& lesson) const {
    Part part;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        if (!can_be_done(lesson.steps[i])) continue;
        ++part.all;
        const StepProgress* kept = progress_of(lesson, i);
        if (kept != nullptr && kept->done) ++part.done;
    }
    return part;
}

char Guide::mark(std::size_t index) const {
    if (!can_be_done(lesson_->steps[index])) return ' ';
    const StepProgress* kept = progress_of(*lesson_, index);
    return kept != nullptr && kept->done ? '+' : 'o';
}

Guide::Answer Guide::answer_of(const lessons::Lesson& lesson, std::size_t index) const {
    const StepProgress* kept = progress_of(lesson, index);
    if (kept == nullptr || (!kept->done && kept->tries == 0)) return Answer::none;
    return kept->done && kept->tries == 0 ? Answer::right : Answer::wrong;
}

Guide::Answer Guide::answer_of(std::size_t index) const { return answer_of(*lesson_, index); }

Guide::Answer Guide::answer_of(std::string_view place) const {
    const auto found = find_place(place);
    return found ? answer_of(*found->first, found->second) : Answer::none;
}

const lessons::Lesson* Guide::lesson_of(std::string_view place) const {
    const auto found = find_place(place);
    return found ? found->first : nullptr;
}

StepProgress& Guide::here() { return (is_own() ? own_progress_ : progress_[lesson_->id])[index_]; }

std::optional<Scene> Guide::begin(std::string_view id) {
    const lessons::Lesson* found = find(known_, id);
    if (found == nullptr || found->steps.empty()) return std::nullopt;
    lesson_ = found;
    open_ = true;
    if (is_test(*found) && done_of(*found).done == 0 && progress_[found->id].empty()) (void)redraw_all(true);
    const auto place = places_.find(found->id);
    return enter(place != places_.end() ? std::min(place->second, found->steps.size() - 1) : 0);
}

std::optional<Scene> Guide::begin(std::shared_ptr<const lessons::Lesson> own, std::size_t index) {
    if (own == nullptr || own->steps.empty()) return std::nullopt;
    own_progress_.clear();
    std::erase_if(drawn_, [&](const auto& one) { return one.first.first == own_lesson_.get(); });
    own_lesson_ = std::move(own);
    lesson_ = own_lesson_.get();
    open_ = true;
    return enter(std::min(index, lesson_->steps.size() - 1));
}

std::optional<Scene> Guide::begin_at(std::string_view place) {
    const auto found = find_place(place);
    if (!found) return std::nullopt;
    lesson_ = found->first;
    open_ = true;
    return enter(found->second);
}

std::optional<Scene> Guide::next() {
    if (lesson_ == nullptr) return std::nullopt;
    if (index_ + 1 < lesson_->steps.size()) return enter(index_ + 1);
    const lessons::Lesson* after = following();
    if (!is_own() && !is_test(*lesson_)) places_.erase(lesson_->id);  // it begins anew
    if (after != nullptr) return begin(after->id);
    leave();
    return std::nullopt;
}

const lessons::Lesson* Guide::following(int by) const {
    if (lesson_ == nullptr || is_own()) return nullptr;
    const auto found = std::ranges::find_if(known_, [&](const lessons::Lesson& one) {
        return one.number == lesson_->number + by && !one.steps.empty();
    });
    return found != known_.end() ? &*found : nullptr;
}

std::optional<Scene> Guide::back() {
    if (lesson_ == nullptr || index_ == 0) return std::nullopt;
    return enter(index_ - 1);
}

std::optional<Scene> Guide::go_to(std::size_t index) {
    if (lesson_ == nullptr || index >= lesson_->steps.size()) return std::nullopt;
    return enter(index);
}

void Guide::return_to(const lessons::Lesson& lesson, std::size_t index) {
    lesson_ = &lesson;
    (void)enter(std::min(index, lesson.steps.size() - 1));
}

std::optional<Scene> Guide::enter(std::size_t index) {
    index_ = index;
    if (!is_own()) places_[lesson_->id] = index;
    return again();
}

void Guide::open_task() {
    met_.reset();
    slip_ = nullptr;
    hint_ = false;
}

std::optional<Scene> Guide::answer(std::size_t choice) {
    const Source from = source();
    if (from.step == nullptr || !from.step->question || choice >= from.step->question->choices.size())
        return std::nullopt;
    StepProgress& now = here();
    now.answer = choice;
    if (!from.step->question->choices[choice].right) {
        ++now.tries;
        return std::nullopt;
    }
    now.done = true;
    return again();
}

std::optional<double> Guide::asked_number() const {
    const Source from = source();
    if (from.step == nullptr || !from.step->question || !from.step->question->guess) return std::nullopt;
    const lessons::Value& answer = *from.step->question->guess->answer;
    lessons::Named named;
    named.add(answer);
    const lessons::Numbers numbers(named, lessons::ValueInput(told_), lessons::kDrawWork);
    const Result<double>* found = numbers.of(answer);
    return found != nullptr && *found ? std::optional(**found) : std::nullopt;
}

std::optional<Scene> Guide::guess(double said, std::int64_t at) {
    const Source from = source();
    if (!asks() || !from.step->question->guess) return std::nullopt;
    const auto answer = asked_number();
    StepProgress& now = here();
    if (!answer || !(std::abs(said - *answer) <= from.step->question->guess->near)) {
        ++now.tries;
        keep_try(now.said_before, {said, at, fingerprint(own_)});
        return std::nullopt;
    }
    now.said = said;
    now.done = true;
    return again();
}

std::optional<Scene> Guide::sketch(figures::Sketch drawn) {
    if (!asks() || !source().step->question->sketch) return std::nullopt;
    StepProgress& now = here();
    now.sketch = std::move(drawn);
    now.done = true;
    return again();
}

std::optional<Scene> Guide::order(std::span<const std::size_t> cards) {
    if (!asks() || !source().step->question->cards) return std::nullopt;
    StepProgress& now = here();
    now.done = std::ranges::is_sorted(cards);
    if (!now.done) ++now.tries;
    return now.done ? again() : std::nullopt;
}

std::optional<Scene> Guide::again() {
    const Source from = source();
    if (from.step == nullptr) return std::nullopt;
    auto scene = lessons::step_scene(*from.lesson, *from.step, answered());
    if (!scene) return std::nullopt;  // refused when the lesson was read
    own_ = lessons::in_language(*from.lesson, std::move(*scene), chinese_);
    // Answers to other numbers, also of a lesson that was changed since, do not apply to these.
    if (!progress().said_before.empty())
        if (const auto asked = lessons::step_scene(*from.lesson, *from.step))
            std::erase_if(here().said_before,
                          [print = fingerprint(*asked)](const Try& one) { return one.scene != print; });
    tell(from);
    open_task();
    return own_;
}

bool Guide::can_redraw() const {
    const lessons::Step* now = step();
    return now != nullptr && !now->written.is_null() && (progress().done || progress().tries > 0);
}

// False where the step has its first numbers.
bool Guide::take_seed(const Place& place, std::uint32_t seed, double& units) {
    const lessons::Step& step = place.first->steps[place.second];
    if (seed == 0 || step.written.is_null()) return false;
    auto made = lessons::drawn(*place.first, step, seed, units);
    if (made) drawn_[place] = std::make_shared<const lessons::Step>(std::move(*made));
    return made.has_value();
}

// The Scene that is shown, and the slip that was said, are of the step as it was.
void Guide::draw(std::size_t index, double& units) {
    open_task();
    StepProgress& progress = (is_own() ? own_progress_ : progress_[lesson_->id])[index];
    progress = {};
    if (lesson_->steps[index].written.is_null()) return;
    chance_ = static_cast<std::uint32_t>(scattered(chance_));
    drawn_.erase({lesson_, index});
    if (take_seed({lesson_, index}, chance_, units)) progress.seed = chance_;
}

std::optional<Scene> Guide::redraw() {
    if (!can_redraw()) return std::nullopt;
    double units = lessons::kDrawWork;
    draw(index_, units);
    return again();
}

std::optional<Scene> Guide::redraw_all(bool right_too) {
    if (lesson_ == nullptr) return std::nullopt;
    std::optional<std::size_t> first;
    double units = lessons::kDrawWork;
    for (std::size_t i = 0; i < lesson_->steps.size(); ++i) {
        if (!lesson_->steps[i].question || (!right_too && answer_of(i) == Answer::right)) continue;
        draw(i, units);
        if (!first) first = i;
    }
    return first ? enter(*first) : std::nullopt;
}

void Guide::tell(const Source& from) {
    told_ = own_;
    if (!from.step->question) return;
    if (auto revealed = lessons::step_scene(*from.lesson, *from.step, true))
        told_ = lessons::in_language(*from.lesson, std::move(*revealed), chinese_);
}

std::optional<Scene> Guide::solution() {
    const lessons::Step* now = step();
    if (asks()) {
        here().done = true;
        return again();
    }
    if (now == nullptr || !now->task) return std::nullopt;
    auto scene = lessons::step_scene_with(*lesson_, *now, now->task->solution);
    if (!scene) return std::nullopt;
    return lessons::in_language(*lesson_, std::move(*scene), chinese_);
}

bool Guide::speak(bool chinese) {
    const lessons::Lesson* const from = source().lesson;
    if (std::exchange(chinese_, chinese) == chinese || from == nullptr) return false;
    told_ = lessons::in_language(*from, std::move(told_), chinese);
    Scene own = lessons::in_language(*from, own_, chinese);
    return std::exchange(own_, std::move(own)) != own_;
}

std::optional<Scene> Guide::present(std::size_t index, bool revealed) {
    const Source from = source(index);
    if (from.step == nullptr) return std::nullopt;
    index_ = index;
    open_task();
    const bool solved = revealed && !from.step->question && from.step->task;
    auto scene = solved ? lessons::step_scene_with(*from.lesson, *from.step, from.step->task->solution)
                        : lessons::step_scene(*from.lesson, *from.step, revealed);
    if (!scene) return std::nullopt;  // refused when the lesson was read
    own_ = lessons::in_language(*from.lesson, std::move(*scene), chinese_);
    tell(from);
    return own_;
}

bool Guide::asks() const {
    const Source from = source();
    return from.step != nullptr && from.step->question && !progress().done;
}

bool Guide::answered() const {
    const Source from = source();
    return from.step != nullptr && from.step->question && progress().done;
}

void Guide::leave() {
    lesson_ = nullptr;
    index_ = 0;
    open_task();
}

bool Guide::astray(const Scene& now) const {
    if (lesson_ == nullptr) return false;
    if (own_.bench == now.bench) return !(own_ == now);
    Scene same = own_;
    same.bench = now.bench;  // looking around is not going astray
    return same != now;
}

void Guide::judge(const Scene& now, const lessons::Numbers& numbers) {
    const lessons::Step* step = this->step();
    if (step == nullptr || !step->task) return;
    untried();
    if (now == own_) return;
    const lessons::Verdict verdict = lessons::judge(*step->task, own_, now, numbers);
    slip_ = verdict.slip;
    if (verdict.done) {
        here().done = true;
        met_ = now;
    } else {
        ++here().tries;
    }
}

bool Guide::wants_hint() const {
    const lessons::Step* now = step();
    return now != nullptr && now->task && !now->task->hint.empty() && !met_ &&
           progress().tries >= kTriesBeforeHint;
}

Json Guide::progress_json() const {
    Json all = Json::object();
    for (const auto& [id, steps] : progress_) {
        const lessons::Lesson* lesson = find(known_, id);
        if (lesson == nullptr) continue;
        for (const auto& [index, one] : steps) {
            if (one == StepProgress{}) continue;
            Json entry = Json::object();
            if (one.answer) entry["answer"] = *one.answer;
            if (one.done || one.answer) entry["done"] = one.done;
            if (one.tries > 0) entry["tries"] = static_cast<unsigned>(one.tries);
            if (one.said) entry["said"] = *one.said;
            for (const Try& before : one.said_before)
                entry["said_before"].push_back(
                    {{"said", before.said}, {"at", before.at}, {"scene", before.scene}});
            for (const auto& [at, value] : one.sketch) entry["sketch"].push_back(Json::array({at, value}));
            if (one.seed > 0) entry["seed"] = one.seed;
            all[id][name_of(*lesson, index)] = std::move(entry);
        }
    }
    Json places = Json::object();
    for (const auto& [id, index] : places_)
        if (const lessons::Lesson* lesson = find(known_, id); lesson != nullptr && index > 0)
            places[id] = name_of(*lesson, index);
    return {{"version", 1}, {"lessons", std::move(all)}, {"places", std::move(places)}};
}

void Guide::take_progress(const Json& json) {
    if (json.is_object() && json.contains("places") && json["places"].is_object())
        for (const lessons::Lesson& lesson : known_)
            for (std::size_t i = 0; i < lesson.steps.size(); ++i)
                if (json["places"].value(lesson.id, Json()) == name_of(lesson, i)) places_[lesson.id] = i;
    if (!json.is_object() || !json.contains("lessons") || !json["lessons"].is_object()) return;
    double units =
        std::numeric_limits<double>::infinity();  // known lessons, of which tests know what they take
    for (const lessons::Lesson& lesson : known_) {
        const auto kept = json["lessons"].find(lesson.id);
        if (kept == json["lessons"].end() || !kept->is_object()) continue;
        for (std::size_t i = 0; i < lesson.steps.size(); ++i)
            if (const auto entry = kept->find(name_of(lesson, i)); entry != kept->end()) {
                StepProgress read = read_progress(*entry);
                StepProgress& mine = progress_[lesson.id][i];
                // The step that is seen keeps its numbers.
                if (lesson_ == &lesson && index_ == i && read.seed != mine.seed) continue;
                mine = std::move(read);
                take_seed({&lesson, i}, mine.seed, units);
            }
    }
}

namespace {

constexpr std::string_view kMark = "#lesson=";

bool in_a_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }

}  // namespace

std::optional<LessonLink> lesson_link_in(std::string_view address) {
    const auto at = address.find(kMark);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view end = address.substr(at + kMark.size());
    const auto slash = std::min(end.find('/'), end.size());
    LessonLink link{.lesson = end.substr(0, slash)};
    if (link.lesson.empty() || !std::all_of(link.lesson.begin(), link.lesson.end(), in_a_name))
        return std::nullopt;
    if (slash == end.size()) return link;
    const auto read = std::from_chars(end.data() + slash + 1, end.data() + end.size(), link.step);
    if (read.ec != std::errc() || read.ptr != end.data() + end.size() || link.step == 0) return std::nullopt;
    return link;
}

std::string lesson_link(const Guide& guide) {
    if (guide.lesson() == nullptr || guide.is_own()) return {};
    return fmt::format("{}{}/{}", kMark, guide.lesson()->id, guide.index() + 1);
}

}  // namespace posiscope::workbench
