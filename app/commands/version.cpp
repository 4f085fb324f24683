#include "app/commands/command.hpp"

#include "app/platform/window.hpp"
#include "commit.hpp"  // written while building

#include <cairo.h>
#include <fmt/format.h>
#include <ft2build.h>
#include <hwy/highway.h>
#include <imgui.h>
#include <png.h>
#include FT_FREETYPE_H

namespace posiscope::commands {
namespace {

std::string freetype() {
    FT_Library library = nullptr;
    if (FT_Init_FreeType(&library) != 0) return "?";
    FT_Int major = 0, minor = 0, patch = 0;
    FT_Library_Version(library, &major, &minor, &patch);
    FT_Done_FreeType(library);
    return fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace

std::string version() {
    const std::string_view commit = POSISCOPE_COMMIT;
    return fmt::format(
        "posiscope {}{}\nDear ImGui {}, GLFW {}, Cairo {}, FreeType {}, libpng {}, Highway {}.{}.{}",
        POSISCOPE_VERSION, commit.empty() ? "" : fmt::format(" ({})", commit), ImGui::GetVersion(),
        platform::windowing_version(), cairo_version_string(), freetype(), png_get_libpng_ver(nullptr),
        HWY_MAJOR, HWY_MINOR, HWY_PATCH);
}

}  // namespace posiscope::commands
