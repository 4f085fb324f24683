#include "app/workbench/notices.hpp"

#include <utility>

namespace posiscope::workbench {
namespace {

constexpr float kSeconds = 6.0F;
constexpr std::size_t kMost = 4;

}  // namespace

// Said again, it stays longer; nothing stands there twice.
void Notices::add(Notice notice) {
    for (Notice& one : notices_)
        if (one.text == notice.text) {
            one.seconds_left = kSeconds;
            return;
        }
    if (notices_.size() == kMost) notices_.erase(notices_.begin());
    notices_.push_back(std::move(notice));
}

void Notices::say(std::string text, Tone tone) { add({std::move(text), tone, kSeconds}); }

void Notices::say(const Problem& problem, Tone tone) {
    add({strings_->sentence(problem), tone, kSeconds, problem});
}

void Notices::follow(const Strings& strings) {
    if (strings_ == &strings) return;
    strings_ = &strings;
    std::erase_if(notices_, [](const Notice& one) { return !one.problem; });
    for (Notice& one : notices_) one.text = strings_->sentence(*one.problem);
}

void Notices::pass(float seconds) {
    for (Notice& one : notices_) one.seconds_left -= seconds;
    std::erase_if(notices_, [](const Notice& one) { return one.seconds_left <= 0.0F; });
}

std::vector<std::string> Notices::said() const {
    std::vector<std::string> texts;
    for (const Notice& one : notices_) texts.push_back(one.text);
    return texts;
}

}  // namespace posiscope::workbench
