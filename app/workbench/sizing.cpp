#include "app/workbench/sizing.hpp"

#include "app/figures/figure.hpp"

#include <utility>

namespace posiscope::workbench {

float Sizing::fit(int width, int height, float monitor_scale) {
    const Guide& guide = teaching_.guide();
    space_ = {.width = width,
              .height = height,
              .monitor = monitor_scale,
              .sidebar = guide.open() || (sidebar_asked_ && !shows_sidebar()),
              .presenting = lecture_.on(),
              .alone = !layout_.alone().empty()};
    const bool before = shows_sidebar();
    fitted_ = workbench::fit(space_, preferences_.scale);
    if (before != shows_sidebar()) sidebar_asked_ = false;
    return fitted_.scale;
}

bool Sizing::enlarge(int by) {
    const double next = next_scale(space_, preferences_.scale, by);
    return std::exchange(preferences_.scale, next) != next;
}

std::string_view Sizing::alone() const {
    if (!layout_.alone().empty() || fitted_.fold < Fold::beside) return layout_.alone();
    const lessons::Step* step = teaching_.guide().open() ? teaching_.guide().step() : nullptr;
    // Its name as the registry has it: a lesson may go while its figure is laid out.
    if (const figures::Figure* figure = step != nullptr ? figures::find_figure(step->figure) : nullptr)
        return figure->id;
    return figures_of(bench_of(session_.scene().bench)).front();
}

bool Sizing::with_sidebar() const { return teaching_.guide().open() || shows_sidebar() != sidebar_asked_; }

void Sizing::copy_view_state(const Sizing& other) {
    fitted_ = other.fitted_;
    sidebar_asked_ = other.sidebar_asked_;
}

}  // namespace posiscope::workbench
