// clipboard.hpp — text to and from the clipboard.
#pragma once

#include "core/problem.hpp"

#include <functional>

namespace posiscope::workbench {

class Clipboard {
public:
    // A way that can report failure; the default is ImGui's.
    using Set = std::function<Result<void>(const char*)>;
    void set_way(Set set) { set_ = std::move(set); }

    Result<void> put(const std::string& text) const;
    Result<std::string> text() const;  // refused if empty

private:
    Set set_;
};

}  // namespace posiscope::workbench
