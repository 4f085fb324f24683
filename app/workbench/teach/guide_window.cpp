#include "app/workbench/teach/guide_window.hpp"

#include "app/platform/host.hpp"
#include "app/ui/assets.hpp"
#include "app/ui/known.hpp"
#include "app/workbench/teach/decks.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace posiscope::workbench {
namespace {

// Lessons, then decks.
std::span<const lessons::Lesson> all_known() {
    static const std::vector<lessons::Lesson> all = [] {
        std::vector<lessons::Lesson> both = ui::known_lessons();
        both.insert(both.end(), known_decks().begin(), known_decks().end());
        return both;
    }();
    return all;
}

std::int64_t seconds_since_1970() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

std::string today() {
    const auto days = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
    const std::chrono::year_month_day day(days);
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                       static_cast<unsigned>(day.day()));
}

}  // namespace

void Teaching::work_in(figures::Background* background) {
    background_ = background;
    claims_.live().work_in(background);
    words_.work_in(background);
}

void Teaching::load() {
    if (!guide_.known().empty()) return;
    guide_ = Guide(all_known());
    (void)guide_.speak(chinese_);
    guide_.set_chance(chance_);
    guide_.take_progress(kept_);
    kept_ = guide_.progress_json();
    places_ = guide_.places();
}

std::optional<Scene> Teaching::speak(bool chinese, const Scene& now) {
    chinese_ = chinese;
    if (!guide_.speak(chinese)) return std::nullopt;
    return lessons::in_language(*guide_.source().lesson, now, chinese);
}

std::optional<Scene> Teaching::begin(std::string_view id) {
    load();
    all_controls_ = false;
    test_.clear();
    wanted_deck_ = is_deck(id) ? id : std::string_view();
    return wanted_deck_.empty() ? guide_.begin(id) : take_deck();
}

std::optional<Scene> Teaching::begin(const LessonLink& link) {
    load();
    const bool known = std::ranges::any_of(guide_.known(), [&](const lessons::Lesson& one) {
        return one.id == link.lesson && !one.steps.empty();
    });
    if (!known) return std::nullopt;
    auto scene = begin(link.lesson);
    map_ = false;
    return link.step == 0 ? scene : guide_.go_to(std::min(link.step, guide_.lesson()->steps.size()) - 1);
}

void Teaching::end_lesson() {
    guide_.leave();
    guide_.show(false);
    test_.clear();
}

std::optional<Scene> Teaching::take_deck() {
    if (wanted_deck_.empty()) return std::nullopt;
    const auto made = deck_.get(background_, DeckKey{wanted_deck_},
                                [](const DeckKey& key) { return make_deck(key.id).value(); });
    if (made == nullptr) return std::nullopt;
    wanted_deck_.clear();
    file_ = std::make_shared<const LessonFile>(LessonFile{{}, {}, made});
    return guide_.begin(made);
}

std::optional<Scene> Teaching::begin(std::shared_ptr<const lessons::Lesson> own, const std::string& path,
                                     std::string text) {
    load();
    const bool again = own_file() != nullptr && own_file()->path == path;
    const bool edits = again && edit_ && edited_ == guide_.step();
    const std::size_t index = again ? step_in(*own, *guide_.lesson(), guide_.index()) : 0;
    hold(std::make_shared<const LessonFile>(LessonFile{path, std::move(text), std::move(own)}));
    auto scene = guide_.begin(file_->lesson, index);
    if (edits) edited_ = guide_.step();  // what is being typed stays
    return scene;
}

void Teaching::hold(std::shared_ptr<const LessonFile> file) {
    all_controls_ = false;
    wanted_deck_.clear();
    file_ = std::move(file);
    words_.forget();  // another lesson may lie where the one before lay
    saying_ = {};
}

LessonPlace Teaching::place() const {
    return {guide_.lesson(), guide_.index(), guide_.is_own() ? file_ : nullptr, guide_.open()};
}

void Teaching::return_to(const LessonPlace& place) {
    const LessonPlace now = this->place();
    if (place == now) return;
    all_controls_ = map_ = false;
    test_.clear();
    const bool shown = place.lesson == nullptr || now.lesson == nullptr ? place.open : now.open;
    if (place.lesson == nullptr) {
        guide_.leave();
    } else if (place.file == nullptr) {
        guide_.return_to(*place.lesson, place.step);
    } else {
        // A file that was read again has a new lesson: the step is looked for in that one.
        const bool on = file_ == place.file || (!place.file->path.empty() && file_->path == place.file->path);
        if (!on) {
            hold(place.file);
            (void)guide_.begin(file_->lesson);
        }
        guide_.return_to(*file_->lesson, step_in(*file_->lesson, *place.file->lesson, place.step));
    }
    guide_.show(shown);
}

// Without the other lessons, which take longer to read than the rest of the first picture.
int Teaching::first_minutes() {
    static const int minutes =
        lessons::read_known_lesson(assets::file("lessons/01-why.json")).value().minutes;
    return minutes;
}

void Teaching::toggle() {
    load();
    wanted_deck_.clear();
    guide_.show(!guide_.open());
    claims_.leave();
}

void Teaching::turn_to(panels::GuideTab tab) {
    if (!guide_.open()) toggle();
    guide_.leave();
    tab_ = tab;
}

bool Teaching::escape() {
    if (!guide_.open() || guide_.lesson() != nullptr) return false;
    if (!on_claims() || !claims_.fold()) toggle();
    return true;
}

Teaching::Saying& Teaching::saying() {
    const lessons::Step* step = guide_.source().step;
    if (saying_.step == step) return saying_;
    saying_ = {step, guide_.progress().said, guide_.progress().sketch, {}, {}, {}};
    if (step != nullptr && step->question && step->question->cards)
        saying_.laid_out = step->question->cards->laid_out(guide_.progress().seed);
    return saying_;
}

bool Teaching::takes_pins() const {
    const lessons::Step* step = guide_.source().step;
    return step != nullptr && step->question && step->question->guess && step->question->guess->axis;
}

void Teaching::put_pin(double said) {
    constexpr std::size_t kMostPins = 24;
    const lessons::Guess& asked = *guide_.source().step->question->guess;
    std::vector<double>& pins = class_[guide_.source().step].tried;
    if (said < asked.from || said > asked.to || pins.size() >= kMostPins) return;
    if (std::ranges::find(pins, said) == pins.end()) pins.push_back(said);
}

figures::Prediction* Teaching::prediction(std::string_view figure, bool open, bool lecture) {
    const lessons::Step* step = guide_.source().step;
    if (step == nullptr || !step->question || guide_.step()->figure != figure) return nullptr;
    const lessons::Question& question = *step->question;
    if (!question.sketch && !(question.guess && question.guess->axis)) return nullptr;
    Saying& mine = lecture ? class_[step] : saying();
    if (question.sketch) {
        prediction_ = {
            .open = open, .from = question.sketch->from, .to = question.sketch->to, .sketch = &mine.sketch};
        return &prediction_;
    }
    if (!lecture) {
        mine.tried.clear();
        for (const Try& one : guide_.progress().said_before) mine.tried.push_back(one.said);
    }
    prediction_ = {.open = open,
                   .from = question.guess->from,
                   .to = question.guess->to,
                   .step = question.guess->step,
                   .pin = &mine.said,
                   .tried = mine.tried};
    // The curve goes one step past the answer: where it goes from there tells why that was wrong.
    if (!lecture && !mine.tried.empty() && !question.guess->key.empty())
        prediction_.seen = *std::max_element(mine.tried.begin(), mine.tried.end()) + question.guess->step;
    return &prediction_;
}

panels::GuideView* Teaching::view(const Scene& now, const Strings& strings) {
    if (!guide_.open()) return nullptr;
    finish_judging();
    view_ = {};
    view_.words = words_.of(guide_, now, strings);
    view_.can_write = !platform::in_browser();
    if (view_.words == nullptr) {
        view_.tab = tab_;
        if (tab_ == panels::GuideTab::lessons) {
            view_.rows = words_.lessons(guide_, strings);
            view_.own = own_;
        } else if (tab_ == panels::GuideTab::claims) view_.claims = claims_.view(now, strings);
        return &view_;
    }
    const lessons::Step& step = *guide_.step();
    view_.number = guide_.lesson()->number;
    view_.step = guide_.index();
    view_.marks = words_.marks(guide_);
    view_.answer = guide_.progress().answer;
    view_.answered = guide_.answered();
    if (const auto& question = guide_.source().step->question) {
        const figures::Figure* figure = figures::find_figure(step.figure);
        const bool in_figure = figure != nullptr && figure->predicts;
        if (question->guess)
            view_.guess = {question->guess->from, question->guess->to, question->guess->step, &saying().said,
                           question->guess->axis && in_figure};
        if (question->sketch) {
            const figures::Prediction asked{.from = question->sketch->from, .to = question->sketch->to};
            view_.sketch = {.drawn = !in_figure || figures::is_drawn(saying().sketch, asked),
                            .begun = !saying().sketch.empty()};
        }
        if (question->cards) view_.cards = {saying().laid_out, saying().order, guide_.progress().tries > 0};
    }
    view_.map = map_;
    if (map_) view_.names = words_.names(guide_, strings);
    if (const lessons::Lesson* after = guide_.following();
        after != nullptr && guide_.index() + 1 == guide_.lesson()->steps.size())
        for (const panels::GuideRow& row : words_.lessons(guide_, strings))
            if (row.id == after->id) view_.following = row.name;
    view_.task_done = guide_.met().has_value();
    view_.astray = guide_.astray(now);
    view_.can_hint = guide_.wants_hint() && !guide_.hint_shown();
    view_.can_solve =
        guide_.asks() ? guide_.progress().tries > 0 : step.task && !view_.task_done && guide_.hint_shown();
    view_.can_redraw = guide_.can_redraw();
    view_.results = words_.results(guide_, strings);
    view_.returns = !test_.empty();
    view_.controls = step.controls;
    view_.all_controls = all_controls_;
    view_.can_edit = own_file() != nullptr;
    view_.can_restore = view_.can_edit && own_file()->path == restorable_;
    if (edited_ != &step || !view_.can_edit) edit_.reset();
    view_.edit = edit_ ? &*edit_ : nullptr;
    return &view_;
}

panels::Band Teaching::band(const Presenting& presenting, const Scene& now, const Strings& strings) {
    panels::Band band;
    const bool revealed = presenting.beat() == Beat::reveal;
    const panels::StepWords* words = words_.of(guide_, now, strings, revealed);
    if (words == nullptr) return band;
    band.step = guide_.index();
    band.steps = guide_.lesson()->steps.size();
    band.revealed = revealed;
    if (presenting.beat() == Beat::line) {
        band.line = words->line;
        return band;
    }
    const bool task = words->question.empty();
    band.question = task ? words->goal : words->question;
    band.choices = !words->cards.empty() && revealed ? words->cards_in_order
                   : !words->cards.empty()           ? words->cards
                                                     : words->choices;
    if (revealed) band.line = task ? words->well : words->then;
    return band;
}

panels::NotesView Teaching::notes(const Presenting& presenting, const Scene& now, const Strings& strings,
                                  bool map) {
    const panels::StepWords* words = words_.of(guide_, now, strings, presenting.beat() == Beat::reveal);
    if (words == nullptr) return {};
    const std::span<const std::string> names = words_.names(guide_, strings);
    const std::size_t next = guide_.index() + 1;
    // A step without notes has what its reader reads.
    return {.notes = words->notes.empty() ? words->text : words->notes,
            .next = next < names.size() ? std::string_view(names[next]) : std::string_view(),
            .names = map ? names : std::span<const std::string>(),
            .step = guide_.index()};
}

std::optional<Scene> Teaching::carry_out(const panels::Command& command, const Scene& now) {
    using panels::Verb;
    const auto number = static_cast<std::size_t>(command.number);
    switch (command.verb) {
        case Verb::begin_lesson: turn_to(panels::GuideTab::lessons); return begin(command.what);
        case Verb::next_step: all_controls_ = map_ = false; return guide_.next();
        case Verb::previous_step: all_controls_ = map_ = false; return guide_.back();
        case Verb::go_to_step: all_controls_ = map_ = false; return guide_.go_to(number);
        case Verb::toggle_map:
            map_ = !map_;
            all_controls_ = false;
            break;
        case Verb::answer: changed_ = true; return guide_.answer(number);
        case Verb::guess: {
            changed_ = true;
            auto shown = guide_.guess(*saying().said, seconds_since_1970());
            if (!shown) saying().said.reset();  // for the next try
            return shown;
        }
        case Verb::sketch: changed_ = true; return guide_.sketch(saying_.sketch);
        case Verb::erase: saying_.sketch.clear(); break;
        case Verb::place_card: return take_card(number);
        case Verb::again: return guide_.again();
        case Verb::solution: changed_ = true; return guide_.solution();
        case Verb::hint: guide_.show_hint(); break;
        case Verb::toggle_controls:
            all_controls_ = !all_controls_;
            map_ = false;
            break;
        case Verb::redraw: changed_ = true; return guide_.redraw();
        case Verb::retry_test:
        case Verb::renew_test: changed_ = true; return guide_.redraw_all(command.verb == Verb::renew_test);
        case Verb::show_taught: {
            std::string test = guide_.lesson()->id;
            auto shown = guide_.begin_at(command.what);
            test_ = std::move(test);
            return shown;
        }
        case Verb::leave_lesson:
            if (!test_.empty()) return guide_.begin(std::exchange(test_, {}));
            guide_.leave();
            break;
        case Verb::turn_guide: tab_ = static_cast<panels::GuideTab>(number); break;
        case Verb::leave_edit: edit_.reset(); break;
        case Verb::close_guide: toggle(); break;
        case Verb::show_claim:
            turn_to(panels::GuideTab::claims);
            claims_.choose(command.what);
            break;
        default: return claims_.carry_out(command.verb, now);
    }
    return std::nullopt;
}

std::string Teaching::results_line() const { return GuideWords::results_line(view_.results, today()); }

// The next one in the order; one that is in it already is taken back, with those after it.
std::optional<Scene> Teaching::take_card(std::size_t card) {
    std::vector<std::size_t>& order = saying().order;
    if (const auto found = std::ranges::find(order, card); found != order.end())
        order.erase(found, order.end());
    else order.push_back(card);
    if (order.size() < saying_.laid_out.size()) return std::nullopt;
    changed_ = true;
    auto shown = guide_.order(order);
    if (!shown) order.clear();
    return shown;
}

void Teaching::copy_view_state(const Teaching& other) {
    guide_ = other.guide_;
    claims_.copy_view_state(other.claims_);
    tab_ = other.tab_;
    all_controls_ = other.all_controls_;
    map_ = other.map_;
    file_ = other.file_;
    saying_ = other.saying_;
    class_ = other.class_;
    test_ = other.test_;
    edit_ = other.edit_;
    edited_ = other.edited_;
}

void Teaching::judge(const Scene& now) {
    judging_.reset();
    const lessons::Step* step = guide_.step();
    if (!guide_.open() || step == nullptr || !step->task) return;
    if (now == guide_.own_scene()) return guide_.untried();
    judging_ = Judging{step, lessons::named_by(*step->task), now};
    finish_judging();
}

// Once its numbers are there, unless the learner is elsewhere by then.
void Teaching::finish_judging() {
    if (!judging_) return;
    if (guide_.step() != judging_->step) return judging_.reset();
    const auto numbers = judged_numbers_.of(background_, judging_->named, judging_->scene);
    if (numbers == nullptr || !numbers->final()) return;
    const StepProgress before = guide_.progress();
    guide_.judge(judging_->scene, *numbers);
    changed_ = changed_ || !(guide_.progress() == before);
    judging_.reset();
}

void Teaching::forget() {
    claims_.live().forget();
    words_.forget();
    judged_numbers_.forget();
}

std::optional<Json> Teaching::take_changed() {
    const bool moved = places_ != guide_.places();
    if (!std::exchange(changed_, false) && !moved) return std::nullopt;
    if (moved) places_ = guide_.places();
    return Json{{"found", kept_}, {"now", guide_.progress_json()}};
}

void Teaching::take_progress(const Json& changed) {
    if (guide_.known().empty()) kept_.merge_patch(changed);
    else guide_.take_progress(changed);
    words_.forget();
}

}  // namespace posiscope::workbench
