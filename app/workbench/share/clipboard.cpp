#include "app/workbench/share/clipboard.hpp"

#include <imgui.h>

namespace posiscope::workbench {

Result<void> Clipboard::put(const std::string& text) const {
    if (set_) return set_(text.c_str());
    ImGui::SetClipboardText(text.c_str());
    return {};
}

Result<std::string> Clipboard::text() const {
    const char* text = ImGui::GetClipboardText();
    if (text == nullptr || *text == '\0') return refuse("clipboard.empty");
    return std::string(text);
}

}  // namespace posiscope::workbench
