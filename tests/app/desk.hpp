// desk.hpp — the interface in process, without OpenGL or a window: fed with mouse and keys as ImGui gets them from a
// window, one event per frame.
#pragma once

#include "app/platform/gui.hpp"
#include "app/workbench/workbench.hpp"

#include <gtest/gtest.h>
#include <imgui.h>

namespace posiscope::test {

class Desk {
public:
    explicit Desk(Scene scene = {}, int width = 1280, int height = 800)
        : gui_(false), bench(std::move(scene), preferences(), nullptr), width_(width), height_(height) {
        bench.stage.seen.with_controls = true;
        ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as the window's has
        frame(3);
    }

    void frame(int count = 1) {
        for (int i = 0; i < count; ++i) {
            gui_.begin(width_, height_, 1.0F, 1.0F / 60.0F);
            last = bench.frame(1.0F / 60.0F, 1.0F);
            gui_.end();
        }
    }
    void frame_of(const workbench::Shown& shown) {
        gui_.begin(width_, height_, 1.0F, 1.0F / 60.0F);
        last = bench.frame(0.0F, 1.0F, shown);
        gui_.end();
    }
    void move(Point to) {
        ImGui::GetIO().AddMousePosEvent(to.x, to.y);
        frame();
    }
    void press() {
        ImGui::GetIO().AddMouseButtonEvent(0, true);
        frame();
    }
    void release() {
        ImGui::GetIO().AddMouseButtonEvent(0, false);
        frame(2);
    }
    void click(Point at) {
        move(at);
        press();
        release();
    }
    void double_click(Point at) {
        move(at);
        press();
        ImGui::GetIO().AddMouseButtonEvent(0, false);
        frame();
        press();
        release();
    }
    // In small steps, as a hand does.
    void drag(Point from, Point to, int steps = 6) {
        begin_drag(from, to, steps);
        release();
    }
    void begin_drag(Point from, Point to, int steps = 6) {
        move(from);
        press();
        for (int i = 1; i <= steps; ++i)
            move(from + (static_cast<float>(i) / static_cast<float>(steps)) * (to - from));
    }
    void wheel(Point at, float by) {
        move(at);
        ImGui::GetIO().AddMouseWheelEvent(0.0F, by);
        frame(2);
    }
    void key(ImGuiKey one, bool ctrl = false) {
        if (ctrl) ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
        ImGui::GetIO().AddKeyEvent(one, true);
        frame();
        ImGui::GetIO().AddKeyEvent(one, false);
        if (ctrl) ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
        frame();
    }
    void type(const char* text) {
        for (const char* c = text; *c != '\0'; ++c) {
            ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(*c));
            frame();
        }
        key(ImGuiKey_Enter);
        frame(2);
    }

    Rect control(std::string_view name) {
        for (const panels::ControlMark& mark : bench.stage.seen.controls)
            if (mark.key == name) return mark.area;
        ADD_FAILURE() << "no control " << name;
        return {};
    }
    Point handle(std::string_view figure, std::string_view name) {
        for (const figures::HandleMark& mark : bench.stage.seen.handles)
            if (mark.figure == figure && mark.handle == name) return mark.at;
        ADD_FAILURE() << "no handle " << figure << "." << name;
        return {};
    }
    Rect tile(std::string_view figure) const {
        for (const auto& tile : bench.layout.tiles())
            if (tile.figure == figure) return tile.area;
        ADD_FAILURE() << "no tile " << figure;
        return {};
    }
    const Scene& scene() const { return bench.session.scene(); }

private:
    static workbench::Preferences preferences() {
        workbench::Preferences p;
        p.language = "en";
        return p;
    }
    platform::Gui gui_;

public:
    workbench::Workbench bench;
    workbench::AfterFrame last;

private:
    int width_, height_;
};

}  // namespace posiscope::test
