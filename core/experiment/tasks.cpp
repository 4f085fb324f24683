#include "core/experiment/tasks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace posiscope::experiment {
namespace {

constexpr std::int64_t kLetters = 16;
constexpr std::int32_t kMark = 16, kAsk = 17;
constexpr std::int64_t kNoise = 8;
constexpr std::int32_t kA = 8, kB = 9;
constexpr int kDiscarded = 8;

// The letters, targets and place of one sequence.
struct Row {
    std::size_t begin, length;
    std::int32_t* letters;
    std::int32_t* targets;
};

template <class Fill>
void for_each_row(Sequences& into, const Fill& fill) {
    for (std::size_t at = 0; at < into.letters.size(); at += into.length)
        fill(Row{at, into.length, into.letters.data() + at, into.targets.data() + at});
}

void uniform(Random& random, std::int64_t count, const Row& row) {
    for (std::size_t i = 0; i < row.length; ++i)
        row.letters[i] = static_cast<std::int32_t>(random.below(count));
}

void draw_back(std::int64_t k, Random& random, Sequences& into) {
    for_each_row(into, [&](const Row& row) {
        uniform(random, kLetters, row);
        for (auto i = static_cast<std::size_t>(k); i < row.length; ++i)
            row.targets[i] = row.letters[i - static_cast<std::size_t>(k)];
    });
}

void draw_first(std::int64_t, Random& random, Sequences& into) {
    for_each_row(into, [&](const Row& row) {
        uniform(random, kLetters, row);
        std::fill(row.targets + 1, row.targets + row.length, row.letters[0]);
    });
}

void draw_language(std::int64_t, Random& random, Sequences& into) {
    const Language& language = Language::of_the_task();
    into.optimum.assign(into.letters.size(), 0.0);
    for_each_row(into, [&](const Row& row) {
        auto before = static_cast<std::size_t>(random.below(Language::kLetters));
        auto last = static_cast<std::size_t>(random.below(Language::kLetters));
        const auto move_on = [&] {
            const std::size_t next = language.next(before, last, random);
            before = std::exchange(last, next);
        };
        for (int i = 0; i < kDiscarded; ++i) move_on();
        for (std::size_t i = 0; i < row.length; ++i) {
            const std::size_t pair_before = before, pair_last = last;
            move_on();
            row.letters[i] = static_cast<std::int32_t>(last);
            if (i < 2) continue;
            row.targets[i - 1] = row.letters[i];
            into.optimum[row.begin + i - 1] = -std::log(language.probability(pair_before, pair_last, last));
        }
    });
}

void draw_order(std::int64_t, Random& random, Sequences& into) {
    for_each_row(into, [&](const Row& row) {
        uniform(random, kNoise, row);
        const auto length = static_cast<std::int64_t>(row.length);
        const std::int64_t a = random.below(length);
        std::int64_t b = random.below(length - 1);
        if (b >= a) ++b;
        row.letters[a] = kA;
        row.letters[b] = kB;
        for (std::int64_t i = std::max(a, b) + 1; i < length; ++i) row.targets[i] = a < b ? 0 : 1;
    });
}

void draw_needle(std::int64_t, Random& random, Sequences& into) {
    into.distance.assign(into.letters.size(), 0);
    for_each_row(into, [&](const Row& row) {
        uniform(random, kLetters, row);
        const auto mark = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(row.length) - 1));
        row.letters[mark] = kMark;
        for (std::size_t i = mark + 2; i < row.length; ++i) {
            if (random.below(4) != 0) continue;
            row.letters[i] = kAsk;
            row.targets[i] = row.letters[mark + 1];
            into.distance[row.begin + i] = static_cast<std::int32_t>(i - mark - 1);
        }
    });
}

constexpr Task kBack{
    .kind = "back", .letters = 16, .classes = 16, .chance = 1.0 / 16, .steps = 500, .draw = draw_back};
constexpr Task kFirst{
    .kind = "first", .letters = 16, .classes = 16, .chance = 1.0 / 16, .steps = 500, .draw = draw_first};
constexpr Task kLanguage{
    .kind = "language", .letters = 8, .classes = 8, .chance = 0.0, .steps = 800, .draw = draw_language};
constexpr Task kOrder{
    .kind = "order", .letters = 10, .classes = 2, .chance = 0.5, .steps = 250, .draw = draw_order};
constexpr Task kNeedle{
    .kind = "needle", .letters = 18, .classes = 16, .chance = 1.0 / 16, .steps = 700, .draw = draw_needle};

}  // namespace

std::size_t Sequences::asked() const {
    return static_cast<std::size_t>(
        std::count_if(targets.begin(), targets.end(), [](std::int32_t target) { return target >= 0; }));
}

std::span<const Task* const> tasks() {
    static constexpr std::array<const Task*, 5> list = {&kBack, &kFirst, &kLanguage, &kOrder, &kNeedle};
    return list;
}

const Task* find_task(std::string_view kind) {
    for (const Task* task : tasks())
        if (task->kind == kind) return task;
    return nullptr;
}

Sequences draw(const Task& task, std::int64_t k, std::size_t count, std::size_t length, Random& random) {
    Sequences made{
        .count = count, .length = length, .letters = {}, .targets = {}, .distance = {}, .optimum = {}};
    made.letters.resize(count * length);
    made.targets.assign(count * length, kNothingAsked);
    task.draw(k, random, made);
    return made;
}

}  // namespace posiscope::experiment
