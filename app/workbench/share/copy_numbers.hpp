// copy_numbers.hpp — a figure's numbers as text for the clipboard.
#pragma once

#include "app/figures/figure.hpp"
#include "app/figures/parts/memo.hpp"

namespace posiscope::workbench {

// The row of a figure's numbers that `link` highlights.
std::optional<std::size_t> line_of(const figures::Figure& figure, const Scene& scene,
                                   const figures::Link& link);
// The numbers of a figure, or that row of them: tab-separated, one row per line, for spreadsheets.
Result<std::string> numbers_text(const figures::Figure& figure, const Scene& scene,
                                 std::optional<std::size_t> line);

// The same, computed beside the window where it takes longer than a frame.
class Copying {
public:
    void ask(const figures::Figure& figure, const Scene& scene, std::optional<std::size_t> line);
    struct Copied {
        Result<std::string> text;
        bool line;  // one row of it
    };
    // The numbers that were asked for, once, when they are there.
    std::optional<Copied> take(figures::Background* background);

private:
    struct Key {
        const figures::Figure* figure;
        Scene scene;
        std::optional<std::size_t> line;
        bool operator==(const Key&) const = default;
    };
    std::optional<Key> wanted_;
    figures::Slow<Key, Result<std::string>> text_;
};

}  // namespace posiscope::workbench
