#include "app/platform/last_frame.hpp"

#include <imgui.h>
#include <span>
#include <type_traits>

namespace posiscope::platform {
namespace {

class Bytes {
public:
    explicit Bytes(std::vector<std::byte>& bytes) : bytes_(bytes) { bytes_.clear(); }

    void add(const void* from, std::size_t size) {
        const auto* begin = static_cast<const std::byte*>(from);
        bytes_.insert(bytes_.end(), begin, begin + size);
    }
    template <class Value>
    void add(const Value& value) {
        static_assert(std::is_trivially_copyable_v<Value>);
        add(&value, sizeof value);
    }
    template <class Value>
    void add_all(const ImVector<Value>& values) {
        add(values.Size);
        add(values.Data, static_cast<std::size_t>(values.size_in_bytes()));
    }

private:
    std::vector<std::byte>& bytes_;
};

// A command has padding and pointers to what is elsewhere in the next frame: field by field.
void add(Bytes& bytes, const ImDrawCmd& command) {
    bytes.add(command.ClipRect);
    bytes.add(command.TexRef._TexData);
    bytes.add(command.TexRef._TexID);
    bytes.add(command.VtxOffset);
    bytes.add(command.IdxOffset);
    bytes.add(command.ElemCount);
    bytes.add(command.UserCallback);
    if (command.UserCallbackDataSize > 0)
        bytes.add(command.UserCallbackData, static_cast<std::size_t>(command.UserCallbackDataSize));
    else bytes.add(command.UserCallbackData);
}

bool textures_are_ready(const ImDrawData& data) {
    if (data.Textures == nullptr) return true;
    for (const ImTextureData* texture : *data.Textures)
        if (texture->Status != ImTextureStatus_OK) return false;
    return true;
}

}  // namespace

bool LastFrame::repeats(const ImDrawData& data) {
    Bytes bytes(now_);
    bytes.add(data.DisplayPos);
    bytes.add(data.DisplaySize);
    bytes.add(data.FramebufferScale);
    bytes.add(data.CmdListsCount);
    for (const ImDrawList* list : data.CmdLists) {
        bytes.add(list->CmdBuffer.Size);
        for (const ImDrawCmd& command : list->CmdBuffer) add(bytes, command);
        bytes.add_all(list->VtxBuffer);
        bytes.add_all(list->IdxBuffer);
    }
    const bool same = now_ == before_ && textures_are_ready(data);
    before_.swap(now_);
    return same;
}

}  // namespace posiscope::platform
