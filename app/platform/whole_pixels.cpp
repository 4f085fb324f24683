#include "app/platform/last_frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <imgui.h>

namespace posiscope::platform {
namespace {

// The corners of an upright rectangle as ImGui writes it, clockwise from the upper left.
bool upright(const std::array<ImDrawVert*, 4>& at) {
    return at[0]->pos.y == at[1]->pos.y && at[2]->pos.y == at[3]->pos.y && at[0]->pos.x == at[3]->pos.x &&
           at[1]->pos.x == at[2]->pos.x && at[0]->pos.x <= at[1]->pos.x && at[0]->pos.y <= at[3]->pos.y;
}

void align(const std::array<ImDrawVert*, 4>& at, float scale) {
    const auto whole = [&](float points) { return std::round(points * scale); };
    float x0 = whole(at[0]->pos.x), y0 = whole(at[0]->pos.y), x1 = whole(at[2]->pos.x),
          y1 = whole(at[2]->pos.y);
    if (at[0]->uv.x != at[2]->uv.x) {  // a letter keeps its size
        x1 = x0 + whole(at[2]->pos.x - at[0]->pos.x);
        y1 = y0 + whole(at[2]->pos.y - at[0]->pos.y);
    } else {
        if (at[0]->pos.x < at[2]->pos.x) x1 = std::max(x1, x0 + 1.0F);
        if (at[0]->pos.y < at[2]->pos.y) y1 = std::max(y1, y0 + 1.0F);
    }
    at[0]->pos = {x0 / scale, y0 / scale};
    at[1]->pos = {x1 / scale, y0 / scale};
    at[2]->pos = {x1 / scale, y1 / scale};
    at[3]->pos = {x0 / scale, y1 / scale};
}

}  // namespace

void align_to_pixels(ImDrawData& data) {
    const ImTextureRef atlas = ImGui::GetIO().Fonts->TexRef;
    for (ImDrawList* list : data.CmdLists) {
        for (const ImDrawCmd& command : list->CmdBuffer) {
            if (command.UserCallback != nullptr || command.TexRef._TexData != atlas._TexData) continue;
            const ImDrawIdx* index = list->IdxBuffer.Data + command.IdxOffset;
            const ImDrawIdx* const end = index + command.ElemCount;
            while (end - index >= 6) {
                const unsigned a = index[0];
                if (index[1] != a + 1 || index[2] != a + 2 || index[3] != a || index[4] != a + 2 ||
                    index[5] != a + 3) {
                    index += 3;
                    continue;
                }
                index += 6;
                ImDrawVert* const first = list->VtxBuffer.Data + command.VtxOffset + a;
                const std::array corners = {first, first + 1, first + 2, first + 3};
                if (upright(corners)) align(corners, data.FramebufferScale.x);
            }
        }
    }
}

}  // namespace posiscope::platform
