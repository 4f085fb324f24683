#include "app/window/gui.hpp"

#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

namespace posiscope::window {

Gui::Gui(bool with_gl) : with_gl_(with_gl), before_(ImGui::GetCurrentContext()) {
    IMGUI_CHECKVERSION();
    context_ = ImGui::CreateContext();
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // what is remembered is ours to remember
    io.LogFilename = nullptr;
    io.MouseDoubleClickTime = 0.45F;  // a value is typed after one: nobody should have to be quick
    if (with_gl_) ImGui_ImplOpenGL3_Init("#version 330 core");
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
    io.DisplaySize = {static_cast<float>(width) / pixels_per_point,
                      static_cast<float>(height) / pixels_per_point};
    io.DisplayFramebufferScale = {pixels_per_point, pixels_per_point};
    io.DeltaTime = seconds > 0.0F ? seconds : 1.0F / 60.0F;
    ImGui::NewFrame();
}

void Gui::end() {
    ImGui::Render();
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

}  // namespace posiscope::window
