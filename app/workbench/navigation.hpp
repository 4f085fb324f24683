// navigation.hpp — from one position, view and bench to another.
#pragma once

#include "app/workbench/document/session.hpp"
#include "app/workbench/sizing.hpp"
#include "app/workbench/window/layout.hpp"
#include "app/workbench/window/mouse.hpp"

namespace posiscope::workbench {

class Navigation {
public:
    Navigation(Session& session, Layout& layout, const Hand& hand, const Sizing& sizing)
        : session_(session), layout_(layout), hand_(hand), sizing_(sizing) {}

    void move_by(std::int64_t positions, std::int64_t offset, std::int64_t pair);
    void turn_width();  // d_model 512, and from there 16; the pair with the nearest frequency stays chosen
    // A bench that shows little without a model or a row of tokens brings an example, as long as only what the program
    // begins with is seen; the next bench has that again, unless somebody changed the example.
    void turn_to(std::string_view bench);
    void turn_to_bench(std::size_t forward);  // so many further
    void turn_mode();
    void show_figure(std::size_t index);  // of the bench, alone; or the bench again
    std::string pointed_at() const;       // the figure that is alone or hovered; empty: the bench

private:
    struct Lent {
        Scene before, shown;
    };
    std::optional<Lent> lent_;  // an example that a bench brought, and what was seen before
    Session& session_;
    Layout& layout_;
    const Hand& hand_;
    const Sizing& sizing_;
};

}  // namespace posiscope::workbench
