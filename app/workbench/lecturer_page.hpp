// lecturer_page.hpp — what the lecturer alone sees, in a window beside the slide: notes, the time and the next slide.
#pragma once

#include "app/figures/parts/background.hpp"
#include "app/gl/framebuffer.hpp"
#include "app/platform/gui.hpp"
#include "app/workbench/workbench.hpp"

#include <optional>

namespace posiscope::workbench {

// The slide that the next key shows, as it will be seen: drawn by a bench of its own, once for each.
class NextSlide {
public:
    NextSlide(const Workbench& presented, std::function<void()> wake);

    // So many pixels wide; false: nothing follows.
    bool draw(const Workbench& presented, int width, Point slide);
    const gl::Framebuffer& picture() const { return picture_; }
    // Something in it was still being computed, and is there now.
    bool late() const { return unfinished_ && !background_.working(); }

private:
    ImGuiContext* page_;  // the context that is current here, but while it draws
    figures::Background background_;
    std::optional<canvas::Layers> layers_;
    platform::Gui gui_;
    Workbench bench_;
    gl::Framebuffer picture_{gl::PixelFormat::rgba8};
    bool unfinished_ = false;
};

class LecturerPage {
public:
    // The contexts of ImGui and GL are those of its window, now and in draw().
    LecturerPage(Workbench& presented, const std::function<void()>& wake);

    // After a frame of the slide's window: the page would show something else than it does.
    bool due();
    void draw();

private:
    struct Said {
        panels::Band band;
        panels::NotesView notes;
    };
    Said said();
    struct Key {
        const lessons::Step* step;  // only compared
        Beat beat;
        std::size_t words;  // a hash
        long second, minute;
        Language language;
        const ui::Theme* theme;
        bool operator==(const Key&) const = default;
        bool same_slide(const Key& other) const {
            return step == other.step && beat == other.beat && language == other.language &&
                   theme == other.theme;
        }
    };
    Key key();
    void draw_next(const ui::Look& look, Rect area, const Key& before);

    Workbench& presented_;
    Appearance appearance_;
    NextSlide next_;
    std::optional<Key> shown_;
    Point slide_{16.0F, 9.0F};  // its size, in points
    int width_ = 0;             // of the picture of the next one, in pixels
    bool follows_ = false;
    unsigned drawn_ = 0;  // pictures so far
};

// The pixels per point of a window of that page: its words are as large as the window allows.
float fit_lecturer_page(int width, int height, float monitor);

}  // namespace posiscope::workbench
