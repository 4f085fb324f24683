#include "app/platform/gui.hpp"

#include "app/platform/host.hpp"
#include "app/platform/last_frame.hpp"
#include "app/ui/parts/imgui_internals.hpp"

#include <cmath>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <new>
#include <string>

namespace posiscope::platform {

namespace {

// The renderer multiplies this again, and takes the whole part: it must not fall below `pixels`.
float points_of(int pixels, float scale) {
    float points = static_cast<float>(pixels) / scale;
    while (static_cast<int>(points * scale) < pixels) points = std::nextafter(points, 1e9F);
    return points;
}

}  // namespace

Gui::Gui(bool with_gl) : with_gl_(with_gl), before_(ImGui::GetCurrentContext()) {
    IMGUI_CHECKVERSION();
    context_ = ImGui::CreateContext();
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // we keep our own settings
    io.LogFilename = nullptr;
    io.MouseDoubleClickTime = 0.45F;  // a double-click opens a text field: leave time for it
    if (with_gl_) ImGui_ImplOpenGL3_Init(std::string(shading_language()).c_str());
    else io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
}

Gui::~Gui() {
    ImGui::SetCurrentContext(context_);
    if (with_gl_) ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext(context_);
    ImGui::SetCurrentContext(before_);
}

void Gui::make_current() { ImGui::SetCurrentContext(context_); }

void Gui::begin(int width, int height, float pixels_per_point, float seconds) {
    ImGuiIO& io = ImGui::GetIO();
    if (with_gl_) ImGui_ImplOpenGL3_NewFrame();
    // The first one has created what it draws with. Without it the driver would be led to nowhere.
    if (with_gl_ && ImGui::GetFrameCount() == 0 && glGetError() == GL_OUT_OF_MEMORY) throw std::bad_alloc();
    // Not asked of `io`: GLFW's backend writes the window's own scale there before each frame.
    if (scale_ > 0.0F && scale_ != pixels_per_point) ui::rescale_mouse(scale_ / pixels_per_point);
    scale_ = pixels_per_point;
    io.DisplaySize = {static_cast<float>(width) / pixels_per_point,
                      static_cast<float>(height) / pixels_per_point};
    io.DisplayFramebufferScale = {pixels_per_point, pixels_per_point};
    io.DeltaTime = seconds > 0.0F ? seconds : 1.0F / 60.0F;
    ImGui::NewFrame();
}

void Gui::skip() { ImGui::Render(); }

bool Gui::finish() {
    ImGui::Render();
    return last_frame_.repeats(*ImGui::GetDrawData());
}

void Gui::draw() {
    const ImGuiIO& io = ImGui::GetIO();
    const float scale = io.DisplayFramebufferScale.x;
    show(0, 0, static_cast<int>(std::lround(io.DisplaySize.x * scale)),
         static_cast<int>(std::lround(io.DisplaySize.y * scale)));
}

void Gui::end() {
    ImGui::Render();
    draw();
}

void Gui::end(int x, int y, int width, int height) {
    ImGui::Render();
    show(x, y, width, height);
}

void Gui::show(int x, int y, int width, int height) {
    const float scale = ImGui::GetIO().DisplayFramebufferScale.x;
    ImDrawData& data = *ImGui::GetDrawData();
    data.DisplayPos = {static_cast<float>(x) / scale, static_cast<float>(y) / scale};
    data.DisplaySize = {points_of(width, scale), points_of(height, scale)};
    align_to_pixels(data);
    if (with_gl_) {
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
        return;
    }
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
        if (texture->Status == ImTextureStatus_WantCreate) texture->SetTexID(1);
        if (texture->Status == ImTextureStatus_WantDestroy) {
            texture->SetTexID(ImTextureID_Invalid);
            texture->SetStatus(ImTextureStatus_Destroyed);
        } else {
            texture->SetStatus(ImTextureStatus_OK);
        }
    }
}

}  // namespace posiscope::platform
