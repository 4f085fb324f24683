#include "app/workbench/window/notices.hpp"

#include "app/workbench/document/lesson_file.hpp"

#include <utility>

namespace posiscope::workbench {
namespace {

constexpr float kSeconds = 3.0F, kRefusal = 6.0F;  // which has a mend to be read
constexpr std::size_t kMost = 4;

float seconds_of(Tone tone) { return tone == Tone::bad ? kRefusal : kSeconds; }

// The file that a problem is about; empty: none.
std::string_view file_of(const Problem& problem) {
    const std::string* in = value_of(problem, "in");
    if (in == nullptr) in = value_of(problem, "path");
    return in != nullptr ? std::string_view(*in).substr(0, in->find(kStepOfFile)) : std::string_view();
}

}  // namespace

// A repeated message stays longer; none is shown twice.
void Notices::add(Notice notice) {
    ++times_said_;
    for (Notice& one : notices_)
        if (one.text == notice.text) {
            one.seconds_left = seconds_of(one.tone);
            return;
        }
    if (notices_.size() == kMost) notices_.erase(notices_.begin());
    notices_.push_back(std::move(notice));
}

void Notices::say(std::string text, Tone tone) { add({std::move(text), tone, seconds_of(tone)}); }

void Notices::say_saved(std::string_view path) {
    say(strings_->format("toast.saved", fmt::arg("path", path)), Tone::good);
}

void Notices::say(const Problem& problem, Tone tone) {
    // The file has this mistake now; what was said of it before may be mended.
    if (tone == Tone::bad && value_of(problem, "in") != nullptr) forgive(file_of(problem));
    add({strings_->sentence_in_window(problem), tone, seconds_of(tone), problem});
}

void Notices::forgive(std::string_view path) {
    std::erase_if(notices_, [&](const Notice& one) {
        return one.tone == Tone::bad && one.problem && file_of(*one.problem) == path;
    });
}

void Notices::follow(const Strings& strings) {
    if (strings_ == &strings) return;
    strings_ = &strings;
    std::erase_if(notices_, [](const Notice& one) { return !one.problem; });
    for (Notice& one : notices_) one.text = strings_->sentence_in_window(*one.problem);
}

void Notices::pass(float seconds) {
    if (notices_.empty()) return;
    notices_.front().seconds_left -= seconds;
    if (notices_.front().seconds_left <= 0.0F) notices_.erase(notices_.begin());
}

std::vector<std::string> Notices::said() const {
    std::vector<std::string> texts;
    for (const Notice& one : notices_) texts.push_back(one.text);
    return texts;
}

}  // namespace posiscope::workbench
