// panels.hpp — the list of panels, in the order in which they take their room. To add one: a file here that fills in a
// PanelEntry, and a line in panels.cpp. What it shows besides the Scene is a view of its own, which the workbench makes.
#pragma once

#include "app/panels/panel.hpp"

namespace posiscope::panels {

// The edge a panel takes its room from. `over`: it takes none and is drawn last.
enum class Edge { top, bottom, left, over };

// The views of a frame, each by its type. Which one that is an address says: a page is compiled without type information.
class Views {
public:
    template <class View>
    void add(View& view) {
        list_.at(count_++) = {&kTag<View>, &view};
    }
    template <class View>
    View* find() const {  // null: there is none
        for (const One& one : std::span(list_).first(count_))
            if (one.type == &kTag<View>) return static_cast<View*>(one.view);
        return nullptr;
    }

private:
    template <class View>
    static constexpr char kTag = 0;
    struct One {
        const char* type = nullptr;
        void* view = nullptr;
    };
    std::array<One, 16> list_;
    std::size_t count_ = 0;
};

struct PanelEntry {
    std::string_view id;
    Edge edge = Edge::over;
    float size = 0.0F;        // points
    float presenting = 0.0F;  // the same while presenting; 0: not shown then
    bool scrolls = false;     // if its content does not fit
    void (*draw)(Panel& panel, const Views& views, Rect area);
};

// The `draw` of a panel that has a view; nothing is drawn while there is none.
template <class View, void (*draw)(Panel&, View&, Rect)>
void with_view(Panel& panel, const Views& views, Rect area) {
    if (View* view = views.find<View>()) draw(panel, *view, area);
}

std::span<const PanelEntry* const> panels();

}  // namespace posiscope::panels
