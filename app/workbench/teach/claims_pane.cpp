#include "app/workbench/teach/claims_pane.hpp"

#include "app/ui/known.hpp"
#include "app/workbench/teach/claim_text.hpp"
#include "core/experiment/shown.hpp"
#include "core/mathematics.hpp"

#include <algorithm>
#include <utility>

namespace posiscope::workbench {
namespace {

std::string lowered(std::string_view text) {
    std::string made(text);
    for (char& c : made) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return made;
}

// True if every word of `wanted` occurs.
bool contains_words(std::string_view text, std::string_view wanted) {
    while (!wanted.empty()) {
        const auto end = std::min(wanted.find(' '), wanted.size());
        if (text.find(wanted.substr(0, end)) == std::string_view::npos) return false;
        wanted.remove_prefix(std::min(end + 1, wanted.size()));
    }
    return true;
}

bool says(const Claim& claim, Language language, std::string_view wanted) {
    if (wanted.empty()) return true;
    std::string all = lowered(claim.id + " " + claim.note + " " + claim.section + " ") +
                      lowered(ui::words(claim.says, language)) + " " +
                      lowered(ui::words(claim.breaks, language));
    for (const auto& [form, sentence] : claim.mends) all += " " + lowered(ui::words(sentence, language));
    return contains_words(mathematics::plain(all), wanted);
}

}  // namespace

LiveClaim::Now LiveClaim::of(const Claim& claim, const Scene& now) {
    Key key{&claim, figures::part_of(input_, now), now.position, now.offset, now.pair, now.shift};
    const auto made = memo_.get(background_, key, [](const Key& at) {
        Scene scene;
        static_cast<AttentionInput&>(scene) = *at.input;
        scene.position = at.position;
        scene.offset = at.offset;
        scene.pair = at.pair;
        scene.shift = at.shift;
        Measured measured{measure(*at.claim->measure, scene), std::nullopt};
        if (!measured.residual || mend(*at.claim, *measured.residual) != nullptr) return measured;
        if (auto own = measure(*at.claim->measure, *scene_of(*at.claim))) measured.own = std::move(*own);
        return measured;
    });
    if (made != nullptr && made != last_) {
        last_ = made;
        last_key_ = std::move(key);
    } else if (last_key_ && last_key_->claim != &claim) {
        last_ = nullptr;
        last_key_.reset();
    }
    return {last_, made == nullptr};
}

void LiveClaim::forget() {
    memo_ = figures::Slow<Key, Measured>(kShare);
    last_ = nullptr;
    last_key_.reset();
}

void ClaimsPane::filter_rows(Language language) {
    if (filtered_by_ == filter_ && filtered_in_ == language) return;
    filtered_by_ = filter_;
    filtered_in_ = language;
    rows_.clear();
    counts_ = {};
    const std::string wanted = lowered(filter_.text.data());
    for (const Claim& claim : ui::known_claims()) {
        if (std::ranges::find(notes_, claim.note) == notes_.end()) notes_.push_back(claim.note);
        if ((!filter_.note.empty() && claim.note != filter_.note) || !says(claim, language, wanted)) continue;
        ++counts_[static_cast<std::size_t>(claim.verdict)];
        if (!filter_.verdict || claim.verdict == *filter_.verdict) rows_.push_back(&claim);
    }
    std::ranges::sort(notes_);
}

void ClaimsPane::say(const Scene& now, const Strings& strings) {
    LiveClaim::Now live;
    if (chosen_->measure != nullptr) live = live_.of(*chosen_, now);
    const Said to_say{chosen_, live, strings.language()};
    if (said_ == to_say) return;
    said_ = to_say;
    words_ = words_of(*chosen_, live.residual(), live.measured ? live.measured->own : std::nullopt, strings);
    words_.pending = live.pending;
}

panels::ClaimsView* ClaimsPane::view(const Scene& now, const Strings& strings) {
    filter_rows(strings.language());
    view_ = {};
    view_.rows = rows_;
    view_.counts = counts_;
    view_.notes = notes_;
    view_.filter = &filter_;
    view_.chosen = chosen_;
    view_.fresh = std::exchange(fresh_, false);
    view_.heights = &heights_;
    if (chosen_ == nullptr) return &view_;
    say(now, strings);
    view_.words = &words_;
    view_.shown = own_ == now;
    view_.can_return = before_ && *before_ != now;
    return &view_;
}

std::optional<Scene> ClaimsPane::carry_out(panels::Verb verb, const Scene& now) {
    using panels::Verb;
    if (verb == Verb::fold_claim) return fold(), std::nullopt;
    if (verb == Verb::before_claim) return std::exchange(before_, std::nullopt);
    if (!before_) before_ = now;
    if (verb == Verb::claim_picture) return own_;
    const auto preset = experiment::find_preset(chosen_->run->preset);
    Json partial = experiment::scene_of(preset->settings);
    partial["view"]["experiment"]["learner"] = chosen_->run->encoding;
    return overlay(now, partial).value().scene;
}

void ClaimsPane::choose(std::string_view id) {
    const Claim* claim = ui::find_claim(id);
    if (claim == nullptr) return;
    if (std::ranges::find(rows_, claim) == rows_.end()) filter_ = {};
    chosen_ = claim;
    own_ = shown(*claim);
    point_ = claim->place.empty() ? claim->figure : claim->figure + ":" + claim->place;
    fresh_ = true;
}

void ClaimsPane::copy_view_state(const ClaimsPane& other) {
    filter_ = other.filter_;
    chosen_ = other.chosen_;
    point_ = other.point_;
    own_ = other.own_;
    before_ = other.before_;
}

bool ClaimsPane::fold() {
    if (chosen_ == nullptr) return false;
    chosen_ = nullptr;
    own_.reset();
    point_.clear();
    said_.reset();
    return true;
}

}  // namespace posiscope::workbench
