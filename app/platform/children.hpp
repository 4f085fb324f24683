// children.hpp — runs several copies of this program. While a Children object exists, signals that would end the program
// are held until the children have received them.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace posiscope::platform {

class Children {
public:
    Children();
    ~Children();
    Children(const Children&) = delete;
    Children& operator=(const Children&) = delete;

    // Returns an id, or −1. `words` begin with the program's name.
    int start(const std::vector<std::string>& words);
    bool any() const;

    struct Ended {
        int child = -1;
        bool well = false;  // with exit code 0
    };
    // Waits for at least one to end. Returns nothing if a signal asks this program to end: by then the children have ended,
    // and the program ends when this object is destroyed.
    std::vector<Ended> wait();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace posiscope::platform
