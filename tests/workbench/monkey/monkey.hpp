// monkey.hpp — events that nobody would think of, from a seed: the same ones on every machine.
#pragma once

#include "tests/core/random_scenes.hpp"
#include "tests/workbench/monkey/player.hpp"

#include <functional>

namespace posiscope::monkey {

class Monkey {
public:
    Monkey(std::uint64_t seed, std::vector<std::string> files) : random_(seed), files_(std::move(files)) {}

    using Do = std::function<void(Event)>;
    // A new window of some language, size and Scene.
    void begin(const Do& play);
    // One thing that a person does: some events.
    void act(const Player& player, const Do& play);

private:
    bool once_in(std::size_t count) { return random_.once_in(count); }
    float part() { return static_cast<float>(random_.unit()); }
    Point anywhere(const Player& player);
    Point something(const Player& player);
    Scene scene();
    void resize(const Do& play);
    void drag(const Player& player, const Do& play);
    void type(const Player& player, const Do& play);
    void press_key(const Player& player, const Do& play);

    RandomScenes random_;
    std::vector<std::string> files_;
};

}  // namespace posiscope::monkey
