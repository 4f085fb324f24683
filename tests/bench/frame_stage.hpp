// frame_stage.hpp — the target of frame_bench's cases, and the timing of their frames.
#pragma once

#include "app/gl/framebuffer.hpp"
#include "app/platform/gui.hpp"
#include "app/workbench/workbench.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace posiscope::bench {

struct Size {
    int width, height;
};

// Milliseconds on the clock, and of processors of all threads: the second is what other programs disturb less.
struct Took {
    double clock, processor;
};
class Timer {
public:
    Took took() const;

private:
    static Took now();
    Took begin_ = now();
};

// What this thread alone has used, in milliseconds: of a window, all but its drawing threads and the background.
double thread_milliseconds();

// One interface of its own, drawn into a framebuffer of its own; frames end with glFinish.
class Stage {
public:
    explicit Stage(Size size);

    void make_current() { gui_.make_current(); }
    // What one frame took; `draw` is called between NewFrame and Render. A frame that repeats the last is left out, as
    // the window leaves it out, or drawn all the same, as a floor is.
    enum class Repeats { left_out, drawn };
    Took frame(const std::function<void()>& draw, Repeats repeats = Repeats::left_out);

private:
    Size size_;
    platform::Gui gui_;
    gl::Framebuffer target_{gl::PixelFormat::rgba8};
};

// A bench on a stage: the whole program but the window, and a mouse.
class Desk {
public:
    Desk(Size size, Scene scene, canvas::Layers& layers, workbench::Shown shown = {});

    Took frame(Stage::Repeats repeats = Stage::Repeats::left_out);
    void open(Scene scene) { bench_.session.open(std::move(scene)); }
    const Scene& scene() const { return bench_.session.scene(); }
    void move(Point to);
    void press(Point at);
    void click(std::string_view key);
    Rect control(std::string_view key);                     // a slider's track
    bool has_curve() const;                                 // of the experiment, trained here
    std::uint64_t allocated() const { return allocated_; }  // by the last frame, operator new

private:
    Stage stage_;
    workbench::Shown shown_;
    figures::Background background_{[] {}};  // as in a window
    workbench::Workbench bench_;
    std::uint64_t allocated_ = 0;
};

// What is measured: one frame a call. Cases take turns, so that all of them see the same machine.
struct Case {
    std::string name;
    Size size;
    std::function<Took()> frame;
    std::vector<double> clock = {}, processor = {};

    void run();
};

// What this part of the times stays under: 0.5 is the median.
double quantile(std::vector<double> times, double part);

}  // namespace posiscope::bench
